// The map: all screens of the app and the events between them, and on it where the session is and which way it came.
// A press on a screen goes there.

import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { actionOf } from "./keys.js";
import { Drawing } from "./map/drawing.js";
import { card, pointOn } from "./map/edges.js";
import { wayText } from "./map/going.js";
import { eventText, Graph } from "./map/graph.js";
import { directions, layout, neighbour } from "./map/layout.js";
import { overlay } from "./map/overlay.js";
import { Viewport } from "./map/viewport.js";

/** Below this scale a card can hardly be read: then only a part of the map is shown. */
const readable = 0.42;
const comfortable = 0.85;

const zooms = { closer: 1.25, farther: 0.8 };

export class AppMap {
  #drawing = new Drawing($("map"));
  #viewport = new Viewport($("map"), this.#drawing.content, () => this.#setZoom());
  #document = null;
  #patterns = null;
  #isReading = false;
  #graph = null;
  /** Both ways to lay it out, and the one that is drawn. */
  #plans = [];
  #plan = null;
  #session = null;
  #overlay = null;
  /** The screens of versions, as far as route documents told them. */
  #names = new Map();
  #asked = null;

  /**
   * Callbacks: read(), which gives the `document` or the `delay` after which to ask again; go(screen); leave().
   */
  constructor({ read, go, leave }) {
    Object.assign(this, { read, go, leave });
    const area = $("map");
    area.addEventListener("click", ({ target }) => this.#press(target));
    // An svg element that listens for the focus can have it, in some browsers.
    const box = $("map-box");
    box.addEventListener("pointerover", ({ target }) => this.#ask(screenOf(target)));
    box.addEventListener("focusin", ({ target }) => this.#focused(screenOf(target)));
    for (const name of ["pointerout", "focusout"]) box.addEventListener(name, () => this.#ask(null));
    $("map-pane").addEventListener("keydown", (event) => this.#key(event));
    $("map-in").addEventListener("click", () => this.#viewport.zoom(1.25));
    $("map-out").addEventListener("click", () => this.#viewport.zoom(0.8));
    $("map-fit").addEventListener("click", () => this.#viewport.fit());
    $("map-as-list").addEventListener("click", () => {
      const isList = $("map-list").hidden;
      $("map-list").hidden = !isList;
      $("map").toggleAttribute("hidden", isList);
      setAttribute($("map-as-list"), "aria-pressed", isList);
      this.#place();
    });
    $("map-list").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.#go(Number(button.dataset.screen));
    });
    new ResizeObserver(() => {
      if (this.#viewport.isUntouched) this.#place();
    }).observe($("map-box"));
  }

  /** The paths that the app declares. */
  offer(patterns) {
    this.#patterns = patterns;
    this.#draw();
  }

  /** Reads the map, if that was not done yet. */
  async open() {
    if (this.#graph) return this.#place();
    if (this.#isReading || this.#document) return;
    this.#isReading = true;
    try {
      for (;;) {
        setText($("map-state"), "The map is being drawn: the server walks through the app.");
        const { document, delay } = await this.read();
        if (document) {
          this.#document = document;
          break;
        }
        await new Promise((resolve) => { setTimeout(resolve, 1000 * delay); });
      }
    } catch (problem) {
      setText($("map-state"), "The map could not be read.");
      throw problem;
    } finally {
      this.#isReading = false;
    }
    this.#draw();
  }

  /** Shows a session on the map. */
  show(session) {
    if (this.#session?.id !== session.id) this.#names.clear();
    this.#session = session;
    const { shown, route, outcomes } = session;
    for (const each of [shown, route, ...[...outcomes.values()].map((outcome) => outcome.route)]) {
      if (each?.screen) this.#names.set(each.version, each.screen.name);
    }
    this.#update();
  }

  // Drawing

  #draw() {
    if (!this.#document || !this.#patterns) return;
    this.#graph = new Graph(this.#document, this.#patterns);
    this.#plans = ["across", "down"].map((direction) => layout(this.#graph, direction));
    const { screens, isTruncated, frontier, findings } = this.#graph;
    setText($("map-count"), String(screens.length));
    setText($("map-state"), [
      isTruncated && `There is more than the server walked through: ${frontier} of these screens may lead on.`,
      screens.length === 0 && "The app shows no screen.",
    ].filter(Boolean).join(" "));
    $("map-notes").hidden = findings.length === 0;
    setText($("map-notes-count"), `Found wrong with the app as a whole: ${findings.length}`);
    showTexts($("map-notes-list"), findings.map(({ detail }) => detail));
    this.#place();
  }

  /** Lays the map out for the room there is. */
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
    const before = this.#overlay?.here;
    this.#overlay = overlay(this.#graph, {
      entries: session.entries, version: session.shown.version, names: this.#names,
    });
    const { here, seen } = this.#overlay;
    setText($("map-seen"), `${seen.size} of ${this.#graph.screens.length} seen.`);
    this.#showAsked();
    this.#list();
    if (!$("map").contains(document.activeElement)) this.#makeStop(here ?? 0);
    if (here !== null && here !== before) this.#viewport.reveal(this.#plan.places.get(here), card);
  }

  #showAsked() {
    const isAsked = this.#asked !== null;
    const chosen = this.#asked ?? this.#overlay.here;
    this.#drawing.show(this.#overlay, chosen, isAsked);
    this.#describe(chosen);
  }

  #setZoom() {
    const { scale } = this.#viewport;
    setAttribute($("map"), "data-zoom", scale < 0.66 ? "far" : "near");
  }

  // One screen

  /** Looks at a screen, for as long as somebody points to it or has the focus on it. */
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
    this.#viewport.reveal(this.#plan.places.get(id), card);
    this.#ask(id);
  }

  #describe(id) {
    const screen = id === null ? null : this.#graph.screens[id];
    $("map-about").hidden = screen === null;
    if (!screen) return setText($("map-way"), "The session is on a screen that the map does not have.");
    const { here, seen } = this.#overlay;
    const { name, findings } = screen;
    const isExample = id !== here && screen.pattern?.includes("{");
    const { title, path } = id === here ? { ...this.#session.shown.screen, path: this.#session.shown.path } : screen;
    setText($("map-name"), name);
    setText($("map-title"), title && title !== name ? `${isExample ? "as " : ""}“${title}”` : "");
    setText($("map-path"), path);
    const state = id === here ? "You are here." : seen.has(id) ? "Seen." : "Not seen yet.";
    setText($("map-way"), id === here ? state : `${state} ${wayText(screen)}`);
    showTexts($("map-leads"), this.#leads(id));
    showTexts($("map-findings"), findings.map(({ detail }) => detail));
  }

  /** Where a screen leads, in words: what says the same is there once, and links are the address bar's. */
  #leads(id) {
    const leads = this.#graph.edgesFrom(id).flatMap(({ to, events }) => events
      .filter(({ kind }) => kind !== "link")
      .map((event) => `${eventText(event)} → ${to === id ? "stays here" : this.#graph.screens[to].name}`));
    return [...new Set(leads)];
  }

  #press(target) {
    const id = screenOf(target);
    if (id !== null) this.#go(id);
  }

  #go(id) {
    if (!this.#overlay || id === this.#overlay.here) return;
    this.go(this.#graph.screens[id]);
  }

  // All screens as a list

  #list() {
    const { here, seen } = this.#overlay;
    keyed($("map-list"), this.#graph.screens, ({ id }) => id, ({ id }) => make("li", {},
      make("button", { type: "button", "data-screen": id }), " ", make("span"), make("ul")), (item, screen) => {
      const [button, state, events] = item.children;
      setText(button, screen.name);
      setAttribute(button, "aria-current", screen.id === here ? "location" : null);
      setText(state, screen.id === here ? "you are here" : seen.has(screen.id) ? "seen" : "not seen yet");
      showTexts(events, this.#leads(screen.id));
    });
  }

  // Keys

  #key(event) {
    const action = actionOf("map", event);
    const id = screenOf(event.target);
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
    } else if (action in directions) {
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

  #focus(id) {
    if (id !== null) this.#drawing.card(id).focus({ preventScroll: true });
  }

  #makeStop(id) {
    for (const { id: each } of this.#graph.screens) {
      setAttribute(this.#drawing.card(each), "tabindex", each === id ? 0 : -1);
    }
  }
}

function showTexts(list, texts) {
  keyed(list, texts, (text) => text, () => make("li"), setText);
}

/** The screen that an element of the drawing belongs to; null where it is none's. */
function screenOf(element) {
  const found = element?.closest?.(".map-screen");
  return found ? Number(found.dataset.screen) : null;
}

/** All that is drawn: the cards with the marks on them, the tabs' boxes, and how far edges swing out. */
function boundsOf({ size: { width, height }, groups, edges }) {
  const swings = edges.filter(({ role }) => role !== "hidden").map(({ points }) => pointOn(points, 0.5));
  const left = Math.min(0, ...groups.map(({ x }) => x), ...swings.map(({ x }) => x - 4));
  const top = Math.min(-12, ...groups.map(({ y }) => y - 18));
  const right = Math.max(width, ...groups.map((group) => group.x + group.width), ...swings.map(({ x }) => x + 4));
  const bottom = Math.max(height, ...groups.map((group) => group.y + group.height), ...swings.map(({ y }) => y + 4));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
