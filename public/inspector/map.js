// @ts-check
// The map: all screens of the app and the events between them, and on it the session and the way that it came. A press
// on a screen goes there.

import { $, setAttribute, setText } from "./dom.js";
import { acceptFiles } from "./journal/files.js";
import { actionOf } from "./keys.js";
import { scrollable } from "./scrolling.js";
import { describe } from "./map/details.js";
import { MapDocuments } from "./map/documents.js";
import { Drawing } from "./map/drawing.js";
import { card } from "./map/edges.js";
import { Graph } from "./map/graph.js";
import { boundsOf, directions, layout, neighbour } from "./map/layout.js";
import { showList } from "./map/list.js";
import { showFindings, stateText } from "./map/notes.js";
import { overlay } from "./map/overlay.js";
import { mapPicture } from "./map/picture.js";
import { Search } from "./map/search.js";
import { UsageError, usageText } from "./map/usage.js";
import { Viewport } from "./map/viewport.js";
import { readable } from "./map/zoom.js";

/** The scale at which a part of a large map is shown. */
const comfortable = 1;

const zooms = { closer: 1.25, farther: 0.8 };

export class AppMap {
  #drawing = new Drawing($("map"));
  #viewport = new Viewport($("map"), this.#drawing.content, () => this.#drawing.zoom(this.#viewport.scale));
  #search = new Search({ changed: () => this.#showFound(), take: (id) => this.#focus(id) });
  #documents;
  /** @type {any} */
  #patterns = null;
  /** @type {any} */
  #graph = null;
  /** The layouts in both directions, and the one that is drawn. */
  #plans = [];
  /** @type {any} */
  #plan = null;
  /** @type {any} */
  #session = null;
  /** @type {any} */
  #overlay = null;
  /** The names of screens by version, as far as route documents had them. */
  #names = new Map();
  /** @type {any} */
  #asked = null;

  /**
   * Callbacks: read(), which returns the `document` or the `delay` after which to ask again; go(screen); leave();
   * isShown(), whether the map is visible.
   */
  constructor({ read, go, leave, isShown }) {
    this.isShown = isShown;
    this.go = go;
    this.leave = leave;
    this.#documents = new MapDocuments(read);
    $("map").addEventListener("click", ({ target }) => this.#go(screenOf(target)));
    // An svg element that listens to focus events can have the focus in some browsers.
    const box = $("map-box");
    box.addEventListener("pointerover", ({ target }) => this.#ask(screenOf(target)));
    box.addEventListener("focusin", ({ target }) => this.#focused(screenOf(target)));
    for (const name of ["pointerout", "focusout"]) box.addEventListener(name, () => this.#ask(null));
    $("map-pane").addEventListener("keydown", (event) => this.#key(event));
    $("map-in").addEventListener("click", () => this.#viewport.zoom(zooms.closer));
    $("map-out").addEventListener("click", () => this.#viewport.zoom(zooms.farther));
    $("map-fit").addEventListener("click", () => this.#viewport.fit());
    $("map-as-list").addEventListener("click", () => this.#toggleList());
    $("map-list").addEventListener("click", ({ target }) => this.#go(screenOf(target)));
    $("map-open-usage").addEventListener("click", () => $("map-file").click());
    $("map-hide-usage").addEventListener("click", () => this.#hideUsage());
    scrollable($("map-details"), ...$("map-details").children);
    acceptFiles(box, box, $("map-file"), (file) => this.#openUsage(file));
    new ResizeObserver(() => {
      if (this.#viewport.isUntouched) this.#place();
    }).observe(box);
  }

  /** Accepts the paths that the app declares. */
  offer(patterns) {
    this.#patterns = patterns;
    this.#draw();
  }

  /** Reads the map, if that was not done yet. */
  async open() {
    if (this.#graph) return this.#place();
    if (this.#documents.isOpen) return;
    this.#say("The server explores the app to draw the map.");
    try {
      await this.#documents.open();
    } catch (problem) {
      this.#say("Could not load the map. Close it and open it again.", true);
      throw problem;
    }
    this.#draw();
  }

  /** A drawing of the whole map with the session on it, for a file. */
  picture() {
    return mapPicture($("map-box"), this.#graph, this.#plan, this.#overlay);
  }

  /** Shows a session on the map. While the map is hidden, it only remembers the session. */
  show(session) {
    if (this.#session?.id !== session.id) this.#names.clear();
    this.#session = session;
    for (const each of [session.shown, session.route]) {
      if (each?.screen) this.#names.set(each.version, each.screen.name);
    }
    if (this.isShown()) this.#update();
  }

  // Drawing

  #draw() {
    const { own, shown, usage } = this.#documents;
    if (!own || !this.#patterns) return;
    this.#graph = new Graph(shown, this.#patterns);
    this.#plans = ["across", "down"].map((direction) => layout(this.#graph, direction));
    this.#plan = null;
    this.#overlay = null;
    this.#asked = null;
    setText($("map-count"), String(this.#graph.screens.length));
    this.#say(stateText(this.#graph));
    for (const id of ["map-usage", "legend-used"]) $(id).hidden = usage === null;
    setText($("map-usage-text"), usage ? usageText(this.#graph, shown, usage.name, own.appVersion) : "");
    $("map-open-usage").disabled = false;
    showFindings(this.#graph);
    this.#search.offer(this.#graph.screens);
    this.#place();
  }

  #say(text, isProblem = false) {
    $("map-state").classList.toggle("wrong", isProblem);
    setText($("map-state"), text);
  }

  /** Lays the map out for its box. */
  #place() {
    const size = this.#viewport.size;
    if (!this.#graph || this.#graph.screens.length === 0 || size.width === 0) return;
    const scale = (plan) => Viewport.scaleFor(boundsOf(plan), size);
    const [plan] = this.#plans.toSorted((a, b) => scale(b) - scale(a));
    if (plan !== this.#plan) {
      this.#plan = plan;
      this.#drawing.build(this.#graph, plan);
      this.#viewport.contain(boundsOf(plan));
    }
    this.#update();
    if (scale(plan) >= readable) return this.#viewport.fit();
    this.#viewport.centre(plan.places.get(this.#overlay?.here ?? 0), comfortable);
    this.#viewport.isUntouched = true;
  }

  #update() {
    const session = this.#session;
    if (!this.#plan || !session?.shown) return;
    for (const { version, route } of session.outcomes.values()) {
      if (route?.screen) this.#names.set(version, route.screen.name);
    }
    const before = this.#overlay?.here;
    this.#overlay = overlay(this.#graph, {
      entries: session.entries, version: session.shown.version, names: this.#names,
    });
    const { here, seen } = this.#overlay;
    setText($("map-seen"), `${seen.size} of ${this.#graph.screens.length} seen.`);
    this.#showAsked();
    $("map-picture").disabled = false;
    showList(this.#graph, this.#overlay, this.#search.found);
    if (!$("map").contains(document.activeElement)) this.#makeStop(here ?? 0);
    if (here !== null && here !== before) this.#viewport.reveal(this.#plan.places.get(here), card);
  }

  #showAsked() {
    const isAsked = this.#asked !== null;
    const chosen = this.#asked ?? this.#overlay.here;
    this.#drawing.show(this.#overlay, chosen, isAsked);
    describe(this.#graph, chosen === null ? null : this.#graph.screens[chosen], this.#overlay, this.#session.shown);
  }

  #showFound() {
    if (!this.#plan || !this.#overlay) return;
    this.#drawing.mark(this.#search.found);
    showList(this.#graph, this.#overlay, this.#search.found);
  }

  #toggleList() {
    const isList = $("map-list").hidden;
    $("map-list").hidden = !isList;
    $("map").toggleAttribute("hidden", isList);
    setAttribute($("map-as-list"), "aria-pressed", isList);
    this.#place();
  }

  // Usage

  async #openUsage(file) {
    if (!this.#graph) return;
    try {
      await this.#documents.openUsage(file);
      this.#draw();
    } catch (problem) {
      if (!(problem instanceof UsageError)) throw problem;
      this.#say(problem.message, true);
    }
  }

  #hideUsage() {
    this.#documents.usage = null;
    this.#draw();
    $("map-open-usage").focus();
  }

  // One screen

  /** Looks at a screen while a person points to it or has the focus on it. */
  #ask(id) {
    if (!this.#plan || !this.#overlay) return;
    const next = id ?? screenOf(document.activeElement);
    if (next === this.#asked) return;
    this.#asked = next;
    this.#showAsked();
  }

  #focused(id) {
    if (id === null) return;
    this.#makeStop(id);
    if ($("map-list").hidden) this.#viewport.reveal(this.#plan.places.get(id), card);
    this.#ask(id);
  }

  #go(id) {
    if (id !== null && this.#overlay && id !== this.#overlay.here) this.go(this.#graph.screens[id]);
  }

  // Keys

  #key(event) {
    const action = actionOf("map", event);
    // In the list, keys are the browser's.
    const id = $("map").contains(event.target) ? screenOf(event.target) : null;
    if (action === "leave") {
      if (!$("problem").hidden) return;
      event.stopPropagation();
      this.leave();
    } else if (zooms[action]) {
      this.#viewport.zoom(zooms[action]);
    } else if (action === "all") {
      this.#viewport.fit();
    } else if (id === null || !this.#plan) {
      return;
    } else if (action === "press") {
      this.#go(id);
    } else if (action !== null && action in directions) {
      this.#focus(neighbour(this.#plan, id, action));
    } else if (action === "first") {
      this.#focus(0);
    } else if (action === "here") {
      this.#focus(this.#overlay?.here ?? null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Puts the focus on a screen, on the map or in the list. */
  #focus(id) {
    if (id === null) return;
    if ($("map-list").hidden) this.#drawing.card(id).focus({ preventScroll: true });
    else $("map-list").querySelector(`[data-screen="${id}"]`).focus();
  }

  #makeStop(id) {
    for (const { id: each } of this.#graph.screens) {
      setAttribute(this.#drawing.card(each), "tabindex", each === id ? 0 : -1);
    }
  }
}

/** The id of the screen whose card or button an element is in, or null. */
function screenOf(element) {
  const found = element?.closest?.("[data-screen]");
  return found ? Number(found.dataset.screen) : null;
}
