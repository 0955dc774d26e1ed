// @ts-check
// The map as a drawing: cards for screens, arrows for the events between them, and on both the session.

import { draw, setAttribute } from "../dom.js";
import { describeCard, makeCard, writeCard } from "./cards.js";
import { jump } from "./edges.js";
import { labelsOf } from "./labels.js";
import { tagsOf } from "./tags.js";
import { zoomFor } from "./zoom.js";

const arrows = ["main", "side", "way", "chosen", "aside"];

/** The largest text with which all main edges have labels; beyond that, only those of one screen have. */
const largestLabel = 20;

/** The widths of edges that sessions used least and most. */
const widths = { least: 1.5, most: 7 };

export class Drawing {
  #cards = new Map();
  #edges = new Map();
  /** @type {any} */
  #plan = null;
  /** @type {any} */
  #graph = null;
  #layers = Object.fromEntries(["groups", "edges", "jumps", "labels", "cards", "tags"]
    .map((name) => [name, draw("g", { class: `map-${name}` })]));
  #zoom = zoomFor(1);
  /** @type {any} What is shown: a session's overlay, and the screen that is looked at. */
  #shown = null;
  /** @type {any} The ids of the screens that were searched for, or null. */
  #found = null;

  /** - area: the svg element that it is drawn in. */
  constructor(area) {
    this.content = draw("g", {}, ...Object.values(this.#layers));
    area.append(draw("defs", {}, ...arrows.map((name) => draw("marker", {
      id: `map-arrow-${name}`, class: `map-arrow ${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4,
      markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto",
    }, draw("path", { d: "M0 0.5L8 4L0 7.5Z" })))), this.content);
    this.area = area;
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
    this.area.classList.toggle("usage", graph.hasUsage);
    const { groups, edges, jumps, labels, cards, tags } = this.#layers;
    for (const layer of [jumps, labels, tags]) layer.replaceChildren();
    groups.replaceChildren(...plan.groups.map(makeGroup));
    const most = Math.max(1, ...plan.edges.filter(({ from, to }) => from !== to).map(({ uses }) => uses));
    this.#edges = new Map(plan.edges.map((edge) => [edge.key, makeEdge(edge, graph.hasUsage ? most : null)]));
    edges.replaceChildren(...this.#edges.values());
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active && this.area.contains(active) ? active.dataset.screen : undefined;
    this.#cards = new Map(graph.screens.map((screen) =>
      [screen.id, makeCard(screen, plan.places.get(screen.id), graph.hasUsage)]));
    cards.replaceChildren(...this.#cards.values());
    if (focused !== undefined) this.card(Number(focused))?.focus({ preventScroll: true });
    this.#write();
    this.mark(this.#found);
  }

  /** Writes the texts for a scale at which the drawing is shown. */
  zoom(scale) {
    const zoom = zoomFor(scale);
    setAttribute(this.area, "data-zoom", zoom.level);
    const isSame = zoom.size === this.#zoom.size;
    this.#zoom = zoom;
    if (isSame || !this.#graph) return;
    this.#write();
    this.#label();
  }

  /**
   * Shows a session on it, and a screen that is looked at: one that a person points to if `isAsked`, otherwise the
   * present one.
   */
  show(overlay, chosen, isAsked) {
    this.#shown = { overlay, chosen, isAsked };
    const { here, seen, way, jumps, last } = overlay;
    for (const screen of this.#graph.screens) {
      const element = this.card(screen.id);
      element.classList.toggle("here", screen.id === here);
      element.classList.toggle("seen", seen.has(screen.id));
      element.classList.toggle("chosen", isAsked && screen.id === chosen);
      describeCard(element, screen, overlay, this.#graph.hasUsage);
    }
    for (const edge of this.#plan.edges) {
      const element = this.#edges.get(edge.key);
      const isChosen = edge.from === chosen && (isAsked || edge.role !== "hidden") && edge.from !== edge.to;
      const isWay = way.has(edge.key);
      const isAside = isAsked && !isChosen && edge.to !== chosen;
      const look = isAsked && isChosen ? "chosen"
        : isAside ? "aside" : isWay ? "way" : edge.role === "main" ? "main" : "side";
      element.classList.toggle("hidden", edge.role === "hidden" && !isWay && !isChosen && !isUsed(edge));
      element.classList.toggle("way", isWay);
      element.classList.toggle("last", edge.key === last);
      element.classList.toggle("chosen", isAsked && isChosen);
      element.classList.toggle("aside", isAside);
      setAttribute(element, "marker-end", `url(#map-arrow-${look})`);
    }
    this.#layers.jumps.replaceChildren(...[...jumps].map(([key, [from, to]]) => draw("path", {
      class: `map-edge way jump${key === last ? " last" : ""}`, d: jump(this.#plan, from, to).path,
      "marker-end": "url(#map-arrow-way)",
    })));
    this.#label();
  }

  /** Marks the screens that were searched for, by their ids; null for no search. */
  mark(found) {
    this.#found = found;
    for (const [id, element] of this.#cards) {
      element.classList.toggle("found", found !== null && found.has(id));
      element.classList.toggle("unmatched", found !== null && !found.has(id));
    }
    this.#tag();
  }

  #write() {
    for (const screen of this.#graph.screens) {
      writeCard(this.card(screen.id), screen, this.#zoom, this.#graph.hasUsage);
    }
  }

  /** Labels the main and the used edges, and before all others those of the screen that is pointed to. */
  #label() {
    if (!this.#shown) return;
    const { overlay: { way }, chosen, isAsked } = this.#shown;
    const { size, level } = this.#zoom;
    const isFirst = ({ from, to }) => isAsked && from === chosen && from !== to;
    const isNamed = (edge) => size <= largestLabel && (edge.role === "main" || isUsed(edge));
    const edges = level === "far" ? [] : this.#plan.edges.filter((edge) => isNamed(edge) || isFirst(edge));
    const sorted = edges.toSorted((a, b) =>
      isFirst(b) - isFirst(a) || way.has(b.key) - way.has(a.key) || b.uses - a.uses);
    const labels = labelsOf(sorted, this.#plan, { size, hasUsage: this.#graph.hasUsage });
    this.#layers.labels.replaceChildren(...labels.map(({ edge, text, x, y }) => {
      const look = isFirst(edge) ? "chosen" : isAsked ? "aside" : way.has(edge.key) ? "way" : "";
      return draw("text", { class: `map-label ${look}`, "font-size": size, x, y: y + size * 0.34 }, text);
    }));
    this.#tag();
  }

  /** From far away, names the present screen, the one that is pointed to, and those that were searched for. */
  #tag() {
    const { overlay, chosen } = this.#shown ?? {};
    const ids = this.#zoom.level === "far" ? [chosen, overlay?.here, ...(this.#found ?? [])] : [];
    const named = [...new Set(ids)].filter((id) => this.#cards.has(id));
    const tags = tagsOf(named.map((id) => this.#graph.screens[id]), this.#plan?.places, this.#zoom.size);
    this.#layers.tags.replaceChildren(...tags.map(({ id, name, x, y, width, height }) =>
      draw("g", { class: `map-tag${id === overlay?.here ? " here" : ""}`, transform: `translate(${x} ${y})` },
        draw("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 3 }),
        draw("text", { y: this.#zoom.size * 0.34, "font-size": this.#zoom.size, "text-anchor": "middle" }, name))));
  }
}

const isUsed = ({ uses, from, to }) => uses > 0 && from !== to;

function makeGroup({ x, y, width, height }) {
  return draw("g", {},
    draw("rect", { class: "map-group", x, y, width, height, rx: 20 }),
    draw("text", { class: "map-group-name", x: x + 16, y: y - 7 }, "Tabs"));
}

/** - most: the most uses of an edge; null without usage. */
function makeEdge({ path, role, key, uses }, most) {
  const element = draw("path", { class: `map-edge ${role}`, d: path, "data-edge": key });
  if (most === null) return element;
  element.classList.toggle("unused", uses === 0);
  const share = Math.log1p(uses) / Math.log1p(most);
  element.style.strokeWidth = String(widths.least + (widths.most - widths.least) * Math.min(1, share));
  return element;
}
