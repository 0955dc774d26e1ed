// @ts-check
// The storyboard as a drawing: cards with pictures of screens, lanes of tabs behind them, arrows for the events between
// screens, and on all of it the session.

import { draw, make, setAttribute } from "../dom.js";
import { miniatureWidth } from "../miniature.js";
import { animate } from "../motion.js";
import { svgText } from "../picture/saving.js";
import { box, card, jump, labelsOf, overlap } from "./edges.js";
import { findingsText, statesText } from "./kinds.js";
import { baseText, unitFor } from "./viewport.js";

/** The looks of edges, and the lengths of their heads in widths of their lines. */
const arrows = Object.entries({ main: 6, side: 6, way: 4.5, chosen: 5.5 });

/** The scale from which edges have labels, and the scale below which only the names that find room are shown. */
const labelled = 0.8;
const named = 0.28;

/** The time that an event travels, in milliseconds. */
const travelTime = 600;

export class Drawing {
  /** Where the pressable buttons are, as JSON. */
  #places = "";
  #cards = new Map();
  #edges = new Map();
  /** @type {any} */
  #plan = null;
  /** @type {any} */
  #graph = null;
  #layers = Object.fromEntries(["edges", "jumps", "labels"].map((name) => [name, draw("g", { class: `map-${name}` })]));
  #lanes = make("div", { className: "map-lanes", "aria-hidden": "true" });
  #dot = make("i", { className: "map-dot", "aria-hidden": "true" });
  #scale = 1;
  #unit = 0;
  /** @type {any} What is shown: a session's overlay, and the screen that is selected or pointed to. */
  #shown = null;

  /** - area: the element that it is drawn in. */
  constructor(area) {
    this.area = area;
    this.lines = draw("svg", { class: "map-lines", "aria-hidden": "true" },
      draw("defs", {}, ...arrows.map(([name, length]) => draw("marker", {
        id: `map-arrow-${name}`, class: `map-arrow ${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4,
        markerWidth: length, markerHeight: length, orient: "auto",
      }, draw("path", { d: "M0 0.5L8 4L0 7.5Z" })))), ...Object.values(this.#layers));
    area.append(this.#lanes, this.lines, this.#dot);
  }

  /** The element of a screen. */
  card(id) {
    return this.#cards.get(id);
  }

  /** Draws a graph anew. */
  build(graph, plan) {
    this.#graph = graph;
    this.#plan = plan;
    this.#shown = null;
    const { edges, jumps, labels } = this.#layers;
    for (const layer of [jumps, labels]) layer.replaceChildren();
    this.#lanes.replaceChildren(...plan.lanes.map(makeLane));
    this.#edges = new Map(plan.edges.map((edge) =>
      [edge.key, draw("path", { class: `map-edge ${edge.role}`, d: edge.path, "data-edge": edge.key })]));
    edges.replaceChildren(...this.#edges.values());
    for (const element of this.#cards.values()) element.remove();
    this.#cards = new Map(graph.screens.map((screen) => [screen.id, makeCard(screen, plan.places.get(screen.id))]));
    this.area.append(...this.#cards.values());
  }

  /** Adapts texts and lines to the scale at which the drawing is shown. */
  zoom(scale) {
    const wasLabelled = this.#scale >= labelled;
    const isFar = scale < named;
    this.#scale = scale;
    this.area.classList.toggle("far", isFar);
    if (wasLabelled !== scale >= labelled) this.#label();
    const unit = unitFor(scale);
    if (unit === this.#unit) return;
    this.#unit = unit;
    this.area.style.setProperty("--unit", String(unit));
    this.#name();
  }

  /**
   * Shows a session on it, and the screen that is selected or else the one that is pointed to; null for none. Of a
   * selected screen, all steps are drawn.
   */
  show(overlay, selected, asked) {
    const chosen = selected ?? asked;
    this.#shown = { overlay, chosen };
    const { here, seen, way, jumps, last } = overlay;
    for (const screen of this.#graph.screens) {
      const element = this.card(screen.id);
      element.classList.toggle("here", screen.id === here);
      element.classList.toggle("seen", seen.has(screen.id));
      describeCard(element, screen, overlay);
    }
    for (const edge of this.#plan.edges) {
      const element = this.#edges.get(edge.key);
      const isWay = way.has(edge.key);
      const isHidden = edge.role === "hidden" && !isWay
        && !(edge.from === selected && ["step", "back"].includes(edge.kind));
      const isChosen = !isHidden && (edge.from === chosen || edge.to === chosen);
      element.classList.toggle("hidden", isHidden);
      element.classList.toggle("way", isWay);
      element.classList.toggle("last", edge.key === last);
      element.classList.toggle("chosen", isChosen);
      const look = isWay ? "way" : isChosen ? "chosen" : edge.role === "main" ? "main" : "side";
      setAttribute(element, "marker-end", `url(#map-arrow-${look})`);
    }
    this.#layers.jumps.replaceChildren(...[...jumps].map(([key, [from, to]]) => draw("path", {
      class: `map-edge way jump${key === last ? " last" : ""}`, d: jump(this.#plan, from, to).path,
      "data-edge": key, "marker-end": "url(#map-arrow-way)",
    })));
    this.#label();
    this.#name();
  }

  /** Lets an event travel along the edge with a key. */
  travel(key) {
    const edge = this.lines.querySelector(`.map-edge:not(.hidden)[data-edge="${key}"]`);
    if (!edge) return;
    this.#dot.style.offsetPath = `path("${edge.getAttribute("d")}")`;
    animate(this.#dot, { offsetDistance: ["0%", "100%"], opacity: [1, 1, 0], offset: [0, 0.9, 1] },
      { duration: travelTime, easing: "ease-in-out" });
    animate(edge, { strokeWidth: ["0.375rem", "0.375rem", ""], offset: [0, 0.7, 1] }, { duration: travelTime });
    const [, to] = key.split(" ");
    animate(this.card(Number(to)).querySelector(".map-card"), { scale: [1, 1, 1.04, 1], offset: [0, 0.6, 0.8, 1] },
      { duration: 1.5 * travelTime });
  }

  /**
   * Shows a picture on a card. A large storyboard is moved smoothly only if its pictures are made of pixels. - isSharp:
   * whether this one stays a drawing.
   */
  async paint(id, drawing, isSharp) {
    const image = await imageOf(new Blob([svgText(drawing)], { type: "image/svg+xml" }));
    const picture = isSharp ? image : await imageOf(await pixelsOf(image));
    this.card(id)?.querySelector(".map-picture").replaceWith(picture);
  }

  /** Makes the buttons in a card's picture pressable. Only one card has such buttons. */
  enliven(id, hits) {
    const places = JSON.stringify([id, hits.map(({ x, y, width, height }) => [x, y, width, height])]);
    const old = this.area.querySelectorAll(".map-hit");
    // A button that is replaced while it is pressed is not clicked.
    if (places === this.#places && old.length === hits.length) return;
    this.#places = places;
    for (const element of old) element.remove();
    const scale = card.width / miniatureWidth;
    this.card(id)?.querySelector(".map-card").append(...hits.map(({ x, y, width, height }, index) => {
      const element = make("i", { className: "map-hit", "data-hit": index });
      Object.assign(element.style, {
        left: `${scale * x}px`, top: `${scale * y}px`, width: `${scale * width}px`, height: `${scale * height}px`,
      });
      return element;
    }));
  }

  /** Labels the edges that are drawn, those of the selected screen and of the session's way first. */
  #label() {
    if (!this.#shown) return;
    const { overlay: { way }, chosen } = this.#shown;
    const isChosen = ({ key }) => this.#edges.get(key).matches(".chosen");
    const edges = this.#scale < labelled ? [] : this.#plan.edges
      .filter((edge) => edge.role !== "hidden" || way.has(edge.key) || isChosen(edge))
      .toSorted((a, b) => isChosen(b) - isChosen(a) || way.has(b.key) - way.has(a.key));
    this.#layers.labels.replaceChildren(...labelsOf(edges, this.#plan).map(({ edge, text, x, y }) => {
      const look = way.has(edge.key) ? "way" : isChosen(edge) ? "chosen" : "";
      return draw("text", { class: `map-label ${look}`, x, y: y + 4 }, text);
    }));
  }

  /** From far away, shows the names that cover no other one, the most important screens first. */
  #name() {
    if (!this.#shown || this.#scale >= named) return;
    const { overlay: { here, seen }, chosen } = this.#shown;
    const size = baseText * this.#unit;
    const weight = ({ id }) =>
      (id === chosen ? 4e6 : 0) + (id === here ? 2e6 : 0) + (seen.has(id) ? 1e6 : 0)
        + (id === 0 ? 5e5 : 0) + this.#graph.edgesFrom(id).length;
    const taken = [];
    for (const screen of this.#graph.screens.toSorted((a, b) => weight(b) - weight(a))) {
      const { x, y } = this.#plan.places.get(screen.id);
      const width = (screen.name.length + 2) * size * 0.62;
      const own = box(x - card.width / 2 + width / 2, y - card.height / 2 - size, width + 2 * size, 5 * size);
      const isFree = !taken.some((other) => overlap(own, other));
      if (isFree) taken.push(own);
      this.card(screen.id).classList.toggle("named", isFree);
    }
  }
}

/** The number of pixels per unit of a card's width. */
const density = 2;

/** The pixels of an image, as a file. */
async function pixelsOf(image) {
  const canvas = /** @type {any} */ (make("canvas"));
  Object.assign(canvas, { width: density * card.width, height: density * card.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve); });
}

/** A loaded image of a file. */
async function imageOf(file) {
  const address = URL.createObjectURL(file);
  const image = /** @type {any} */ (make("img", { className: "map-picture", src: address, alt: "", draggable: false }));
  try {
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function makeLane({ title, x, y, width, height }) {
  const element = make("div", { className: "map-lane" }, make("span", {}, title));
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  return element;
}

function makeCard({ id, name, states, findings }, { x, y }) {
  const element = make("div", { className: "map-screen", role: "button", tabIndex: -1, "data-screen": id },
    make("span", { className: "map-name" }, name),
    make("span", { className: "map-card" }, make("span", { className: "map-picture" })),
    findings.length > 0 ? make("i", { className: "map-finding" }, "!") : null);
  element.classList.toggle("several", states.length > 1);
  Object.assign(element.style, { left: `${x - card.width / 2}px`, top: `${y - card.height / 2}px` });
  return element;
}

/** Describes a card to those who do not see it. */
function describeCard(element, { name, id, states, findings }, { here, seen }) {
  setAttribute(element, "aria-current", id === here ? "location" : null);
  setAttribute(element, "aria-label", [
    name, id === here ? "you are here" : seen.has(id) ? "seen" : "not seen yet", id === 0 && "the start",
    states.length > 1 && statesText(states.length), findings.length > 0 && findingsText(findings.length),
  ].filter(Boolean).join(", "));
}
