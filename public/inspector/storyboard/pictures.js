// @ts-check
// The pictures on the storyboard's cards: samples, and what the session saw last. The current one is alive.

import { $ } from "../dom.js";

/** The time for pictures in a frame, in milliseconds. */
const frameTime = 12;

export class Pictures {
  #drawing;
  #miniatures;
  #viewport;
  /** @type {any} */
  #graph = null;
  /** @type {any} */
  #plan = null;
  /** The route documents that the session saw last, and those that cards show, by the screen's id. */
  #last = new Map();
  #painted = new Map();
  /** @type {any} The id of the current screen, or null; its route document, and whether it can be pressed. */
  #current = { here: null, shown: null, isAlive: false };
  #isPainting = false;
  /** The buttons of the current card, each with its action. */
  hits = [];

  constructor({ drawing, miniatures, viewport }) {
    this.#drawing = drawing;
    this.#miniatures = miniatures;
    this.#viewport = viewport;
  }

  /** Shows the pictures of another graph. */
  build(graph, plan) {
    this.#graph = graph;
    this.#plan = plan;
    this.#painted.clear();
  }

  /** Forgets what the session saw, for another session. */
  forget() {
    this.#last.clear();
  }

  /** Shows the current screen. - isAlive: whether it can be pressed. */
  show(here, shown, isAlive) {
    const isOwn = here !== null && this.#graph.screens[here].name === shown.screen.name;
    if (isOwn) this.#last.set(here, shown);
    if (!isAlive || shown !== this.#current.shown) this.#press([]);
    this.#current = { here, shown, isAlive: isOwn && isAlive };
    this.paint();
  }

  /** The drawing of a screen; null if there is no sample of it. */
  of(id) {
    const route = this.#routeOf(id);
    return route && this.#miniatures.draw(route);
  }

  /** Draws the pictures that are missing or out of date, the visible ones first, a few per frame. */
  async paint() {
    if (this.#isPainting || !this.#graph) return;
    this.#isPainting = true;
    $("map").classList.add("painting");
    let start = performance.now();
    try {
      for (let id = this.#next(); id !== null && !this.#viewport.isMoving; id = this.#next()) {
        await this.#paint(id);
        if (performance.now() - start < frameTime) continue;
        await new Promise((resolve) => { (document.hidden ? setTimeout : requestAnimationFrame)(resolve); });
        start = performance.now();
      }
    } finally {
      this.#isPainting = false;
      $("map").classList.remove("painting");
    }
    await this.#enliven();
  }

  async #paint(id) {
    const graph = this.#graph;
    const route = this.#routeOf(id);
    this.#painted.set(id, { route, colors: this.#miniatures.colors });
    const drawing = await this.#miniatures.draw(route);
    if (graph !== this.#graph) return;
    const isHere = id === this.#current.here;
    const painted = this.#drawing.paint(id, drawing, isHere).catch(() => {});
    // The pixels of other pictures are made beside the next one.
    if (!isHere) return;
    await painted;
    await this.#enliven();
  }

  #routeOf(id) {
    return this.#last.get(id) ?? this.#graph.screens[id].sample;
  }

  /** The id of the screen whose picture is drawn next, or null. */
  #next() {
    const isDue = (id) => {
      const [route, painted] = [this.#routeOf(id), this.#painted.get(id)];
      return route !== null && (painted?.route !== route || painted.colors !== this.#miniatures.colors);
    };
    const { here } = this.#current;
    if (here !== null && isDue(here)) return here;
    const { x, y, width, height } = this.#viewport.seen;
    let best = null;
    let least = Infinity;
    for (const { id } of this.#graph.screens) {
      if (!isDue(id)) continue;
      const place = this.#plan.places.get(id);
      const distance = Math.hypot(place.x - x - width / 2, place.y - y - height / 2);
      if (distance < least) [best, least] = [id, distance];
    }
    return best;
  }

  /** Makes the buttons of the current card pressable. */
  async #enliven() {
    const { shown, isAlive } = this.#current;
    const hits = isAlive ? await this.#miniatures.hits(shown) : [];
    if (this.#current.shown === shown && this.#current.isAlive === isAlive) this.#press(hits);
  }

  #press(hits) {
    this.hits = hits;
    this.#drawing.enliven(this.#current.here, hits);
  }
}
