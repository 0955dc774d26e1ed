// @ts-check
// The storyboard: all screens of the app as pictures, the events between them, and on it the session and its way.

import { $, setAttribute, setText } from "./dom.js";
import { actionOf } from "./keys.js";
import { scrollable } from "./scrolling.js";
import { describe, showFindings, stateText } from "./storyboard/details.js";
import { Drawing } from "./storyboard/drawing.js";
import { card } from "./storyboard/edges.js";
import { Graph, partialMap } from "./storyboard/graph.js";
import { directions, layout, neighbour } from "./storyboard/layout.js";
import { Overview } from "./storyboard/overview.js";
import { mapPicture } from "./storyboard/picture.js";
import { Pictures } from "./storyboard/pictures.js";
import { Viewport } from "./storyboard/viewport.js";
import { overlay } from "./storyboard/way.js";

/** The smallest scale at which all of a storyboard is shown at first, and the largest for a part of a larger one. */
const readable = 0.28;
const comfortable = 0.6;

const zooms = { closer: 1.25, farther: 0.8 };

/** The first and the longest time between two requests for the map, in milliseconds. */
const delays = { first: 150, most: 2000 };

/** What the storyboard says if the server refuses its map. */
const refusals = {
  403: "Only operators see the storyboard. The app can be used without it.",
  404: "This server does not explore its app, so there is no storyboard.",
};

export class Storyboard {
  #drawing = new Drawing($("map"));
  #viewport = new Viewport($("map-box"), $("map"), { moved: () => this.#moved(), rested: () => this.#rested() });
  #overview = new Overview($("map-overview"), (place) => this.#viewport.centre(place));
  #read;
  #pictures;
  /** @type {any} The server's map, or null until it is read. */
  #document = null;
  /** @type {any} */
  #patterns = null;
  /** @type {any} */
  #graph = null;
  /** @type {any} */
  #plan = null;
  /** @type {any} */
  #session = null;
  /** @type {number | null} The version that is shown, or null in the past. */
  #version = null;
  /** @type {any} */
  #overlay = null;
  /** The names of screens by version, as far as route documents had them. */
  #names = new Map();
  /** @type {number | null} The ids of the selected screen, and of the one that is pointed to. */
  #selected = null;
  /** @type {number | null} */
  #asked = null;

  /**
   * Callbacks: read(seconds), which may wait for the map, and returns a `document` and whether it `isComplete`, or only
   * has the screens that were found so far; press(action); fill(action), if it needs input; go(screen).
   */
  constructor({ read, miniatures, press, fill, go }) {
    this.#read = read;
    this.#pictures = new Pictures({ drawing: this.#drawing, miniatures, viewport: this.#viewport });
    const box = $("map-box");
    box.addEventListener("click", ({ target }) => {
      const hit = this.#pictures.hits[target.closest("[data-hit]")?.dataset.hit];
      if (!hit) return this.#select(screenOf(target));
      if (hit.isForm) fill(hit.action);
      else press(hit.action);
    });
    box.addEventListener("pointerover", ({ target, pointerType }) =>
      pointerType === "mouse" && this.#ask(screenOf(target)));
    box.addEventListener("pointerleave", () => this.#ask(null));
    box.addEventListener("focusin", ({ target }) => this.#focused(screenOf(target)));
    $("storyboard").addEventListener("keydown", (event) => this.#key(event));
    $("map-fit").addEventListener("click", () => this.#viewport.fit());
    $("map-in").addEventListener("click", () => this.#viewport.zoom(zooms.closer));
    $("map-out").addEventListener("click", () => this.#viewport.zoom(zooms.farther));
    $("map-go").addEventListener("click", () => {
      const screen = this.#graph.screens[this.#selected ?? 0];
      this.#select(null);
      this.#focus(screen.id);
      go(screen);
    });
    scrollable($("map-about"), ...$("map-about").children);
    new ResizeObserver(() => {
      if (this.#viewport.isUntouched) this.#place();
      else if (this.#plan) this.#moved();
    }).observe(box);
  }

  /** The screens, each with its name, title, path, states and journal; none until the map is complete. */
  get screens() {
    return this.#graph === null || this.#graph.isPartial ? [] : this.#graph.screens;
  }

  /** Accepts the paths that the app declares. */
  offer(patterns) {
    if (this.#patterns !== null && patterns.join() === this.#patterns.join()) return;
    this.#patterns = patterns;
    this.#draw();
  }

  /** Reads the map. - started: called once with the route document of the app's start, before the map is complete. */
  async open(started) {
    this.#say("The server explores the app to draw its screens…");
    setAttribute($("storyboard"), "aria-busy", "true");
    let known = 0;
    try {
      for (let delay = delays.first; ; delay = Math.min(2 * delay, delays.most)) {
        const { document, isComplete } = await this.#read(known > 0 ? 1 : 0);
        const { documents } = document;
        if (known === 0 && documents.length > 0) started(documents[0].route);
        if (isComplete) this.#document = document;
        else if (documents.length > known) this.#document = partialMap(documents);
        if (isComplete) break;
        if (documents.length > known) this.#draw();
        known = documents.length;
        await new Promise((resolve) => { setTimeout(resolve, delay); });
      }
    } catch (problem) {
      const refusal = refusals[problem.status];
      this.#say(refusal ?? "Could not load the storyboard. Reload the page to try again.", true);
      if (refusal) return;
      throw problem;
    } finally {
      setAttribute($("storyboard"), "aria-busy", null);
    }
    this.#draw();
  }

  /** Reads the map again, after another build of the app was started. */
  reload(started) {
    this.#document = null;
    return this.open(started);
  }

  /** A drawing of the whole storyboard with the session on it, for a file. */
  picture() {
    return mapPicture($("map-box"), this.#graph, this.#plan, this.#overlay, async (id) => this.#pictures.of(id));
  }

  /** Shows a session on the storyboard. */
  show(session) {
    const isFollowing = this.#session !== null && (this.#session.id === session.id || this.#session.id === null);
    if (!isFollowing) {
      this.#names.clear();
      this.#pictures.forget();
    }
    const before = isFollowing ? this.#version : null;
    this.#session = session;
    this.#version = session.past === null ? session.shown?.version ?? null : null;
    for (const each of [session.shown, session.route]) {
      if (each?.screen) this.#names.set(each.version, each.screen.name);
    }
    this.#update();
    const isNew = before !== null && this.#version !== null && this.#version > before;
    if (isNew && this.#overlay?.last) this.#drawing.travel(this.#overlay.last);
  }

  /** Selects a screen and brings it into view. */
  select(id) {
    if (!this.#plan || !this.#overlay) return;
    if (this.#viewport.scale < readable) {
      this.#viewport.glide(() => this.#viewport.show(this.#boxOf(id), { least: comfortable, most: comfortable }));
    }
    this.#select(id);
    this.#focus(id);
  }

  // Drawing

  #draw() {
    if (!this.#document || !this.#patterns) return;
    this.#graph = new Graph(this.#document, this.#patterns);
    this.#plan = layout(this.#graph);
    this.#overlay = null;
    this.#asked = null;
    this.#selected = null;
    this.#pictures.build(this.#graph, this.#plan);
    this.#say(stateText(this.#graph));
    showFindings(this.#graph);
    this.#drawing.build(this.#graph, this.#plan);
    this.#overview.build(this.#graph, this.#plan);
    this.#viewport.contain(this.#plan.bounds);
    this.#update();
    this.#place();
  }

  #say(text, isProblem = false) {
    $("map-state").classList.toggle("wrong", isProblem);
    setText($("map-state"), text);
  }

  /** Shows all of it if that is readable, otherwise the present screen and its neighbours. */
  #place() {
    if (!this.#plan || this.#graph.screens.length === 0 || this.#viewport.size.width === 0) return;
    if (this.#viewport.scaleFor(this.#plan.bounds) >= readable) return this.#viewport.fit();
    const here = this.#overlay?.here ?? 0;
    const near = this.#graph.edgesFrom(here).filter(({ kind }) => kind === "step").map(({ to }) => this.#boxOf(to));
    const own = this.#boxOf(here);
    const all = [own, ...near];
    const [x, y] = [Math.min(...all.map((each) => each.x)), Math.min(...all.map((each) => each.y))];
    this.#viewport.show({
      x, y,
      width: Math.max(...all.map((each) => each.x + each.width)) - x,
      height: Math.max(...all.map((each) => each.y + each.height)) - y,
    }, { least: readable, most: comfortable });
    this.#viewport.reveal(own);
    this.#viewport.isUntouched = true;
  }

  /** The box of a card with its name. */
  #boxOf(id) {
    const { x, y } = this.#plan.places.get(id);
    return { x: x - card.width / 2, y: y - card.height / 2 - 40, width: card.width, height: card.height + 40 };
  }

  #moved() {
    const { scale, isUntouched, seen } = this.#viewport;
    this.#overview.frame(seen);
    $("map-fit").disabled = isUntouched && scale <= this.#viewport.scaleFor(this.#plan.bounds) + 1e-6;
  }

  #rested() {
    if (!this.#plan) return;
    this.#drawing.zoom(this.#viewport.scale);
    if (this.#overlay) this.#pictures.paint();
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
    const { here } = this.#overlay;
    $("map").classList.toggle("past", session.past !== null);
    this.#overview.show(this.#overlay);
    this.#showChosen();
    this.#pictures.show(here, session.shown, session.isWritable && session.past === null);
    if (!$("map").contains(document.activeElement)) this.#makeStop(here ?? 0);
    if (here !== null && before !== undefined && here !== before) this.#viewport.reveal(this.#boxOf(here));
  }

  #showChosen() {
    for (const { id } of this.#graph.screens) {
      this.#drawing.card(id).classList.toggle("selected", id === this.#selected);
      setAttribute(this.#drawing.card(id), "aria-pressed", id === this.#selected);
    }
    this.#drawing.show(this.#overlay, this.#selected, this.#asked);
    describe(this.#graph, this.#selected === null ? null : this.#graph.screens[this.#selected], this.#overlay,
      this.#session.shown, this.#session.isWritable && this.#session.id !== null);
  }

  // One screen

  #select(id) {
    if (this.#graph?.isPartial) return;
    if (!this.#plan || !this.#overlay || id === this.#selected) return;
    this.#selected = id;
    this.#showChosen();
    this.#viewport.covered = id === null ? 0 : $("map-details").offsetHeight + 12;
    if (id !== null) this.#viewport.reveal(this.#boxOf(id));
    else if (this.#viewport.isUntouched) this.#viewport.glide(() => this.#place());
  }

  /** Highlights the edges of a screen while a person points to it. */
  #ask(id) {
    if (!this.#plan || !this.#overlay || id === this.#asked) return;
    this.#asked = id;
    this.#showChosen();
  }

  #focused(id) {
    if (id === null || !this.#plan) return;
    this.#makeStop(id);
    // A browser scrolls to what has the focus.
    $("map-box").scrollTo(0, 0);
    this.#viewport.reveal(this.#boxOf(id));
  }

  // Keys

  #key(event) {
    const action = actionOf("map", event);
    const id = $("map").contains(event.target) ? screenOf(event.target) : null;
    if (action === "leave") {
      if (this.#selected === null) return;
      const selected = this.#selected;
      const isInside = $("map-details").contains(document.activeElement);
      this.#select(null);
      if (isInside) this.#focus(selected);
      event.stopPropagation();
    } else if (!this.#plan) {
      return;
    } else if (zooms[action]) {
      this.#viewport.zoom(zooms[action]);
    } else if (action === "all") {
      this.#viewport.fit();
    } else if (id === null) {
      return;
    } else if (action === "press") {
      this.#select(id);
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

  #focus(id) {
    if (id !== null) this.#drawing.card(id).focus({ preventScroll: true });
  }

  #makeStop(id) {
    for (const { id: each } of this.#graph.screens) {
      setAttribute(this.#drawing.card(each), "tabindex", each === id ? 0 : -1);
    }
  }
}

/** The id of the screen whose card an element is in, or null. */
function screenOf(element) {
  const found = element?.closest?.("[data-screen]");
  return found ? Number(found.dataset.screen) : null;
}
