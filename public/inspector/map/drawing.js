// The map as a drawing: cards for screens, arrows for the events between them, and on both the session.

import { draw, setAttribute, setText } from "../dom.js";
import { card, jump, placeLabels } from "./edges.js";
import { edgeText } from "./graph.js";

/** How many characters fit on a card. */
const longestName = 21;
const longestPath = 24;

/** Up to so many characters a line of a name is short, and up to so many it is not long, as seen from far away. */
const shortLine = 8;
const middleLine = 11;

const arrows = ["main", "side", "way", "chosen"];

export class Drawing {
  #cards = new Map();
  #edges = new Map();
  #plan = null;
  #graph = null;
  #layers = ["groups", "edges", "jumps", "labels", "cards"].map((name) => draw("g", { class: `map-${name}` }));

  /** - area: the svg element that it is drawn in. */
  constructor(area) {
    this.content = draw("g", {}, ...this.#layers);
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
    const [groups, edges, jumps, labels, cards] = this.#layers;
    groups.replaceChildren(...plan.groups.map(makeGroup));
    this.#edges = new Map(plan.edges.map((edge) => [edge.key, makeEdge(edge)]));
    edges.replaceChildren(...this.#edges.values());
    jumps.replaceChildren();
    labels.replaceChildren();
    const focused = this.area.contains(document.activeElement) ? document.activeElement.dataset.screen : undefined;
    this.#cards = new Map(graph.screens.map((screen) => [screen.id, makeCard(screen, plan.places.get(screen.id))]));
    cards.replaceChildren(...this.#cards.values());
    if (focused !== undefined) this.card(Number(focused))?.focus({ preventScroll: true });
  }

  /**
   * Shows a session on it, and a screen that somebody looks at. `isAsked` says whether somebody does, or it is only
   * where the session is.
   */
  show({ here, seen, way, jumps, last }, chosen, isAsked) {
    for (const { id, name, findings } of this.#graph.screens) {
      const element = this.card(id);
      element.classList.toggle("here", id === here);
      element.classList.toggle("seen", seen.has(id));
      element.classList.toggle("chosen", isAsked && id === chosen);
      setAttribute(element, "aria-current", id === here ? "location" : null);
      setAttribute(element, "aria-label", [
        name, id === here ? "you are here" : seen.has(id) ? "seen" : "not seen yet", id === 0 && "the start",
        findings.length > 0 && `${findings.length} found wrong`,
      ].filter(Boolean).join(", "));
    }
    for (const edge of this.#plan.edges) {
      const element = this.#edges.get(edge.key);
      const isChosen = edge.from === chosen && (isAsked || edge.role !== "hidden") && edge.from !== edge.to;
      const isWay = way.has(edge.key);
      const look = isAsked && isChosen ? "chosen" : isWay ? "way" : edge.role === "main" ? "main" : "side";
      element.classList.toggle("hidden", edge.role === "hidden" && !isWay && !isChosen);
      element.classList.toggle("way", isWay);
      element.classList.toggle("last", edge.key === last);
      element.classList.toggle("chosen", isAsked && isChosen);
      element.classList.toggle("aside", isAsked && !isChosen && edge.to !== chosen);
      setAttribute(element, "marker-end", `url(#map-arrow-${look})`);
    }
    this.#layers[2].replaceChildren(...[...jumps].map(([key, [from, to]]) => draw("path", {
      class: `map-edge way jump${key === last ? " last" : ""}`, d: jump(this.#plan, from, to).path,
      "marker-end": "url(#map-arrow-way)",
    })));
    this.#label(way, chosen, isAsked);
  }

  /** Names the edges that lead on, and those of the screen that somebody looks at before all others. */
  #label(way, chosen, isAsked) {
    const isFirst = ({ from, to }) => isAsked && from === chosen && from !== to;
    const named = this.#plan.edges.filter((edge) => edge.role === "main" || isFirst(edge));
    const labels = named
      .toSorted((a, b) => isFirst(b) - isFirst(a) || way.has(b.key) - way.has(a.key))
      .map((edge) => [edge, shortened(edgeText(edge), 20).length * 6.3 + 6]);
    const points = placeLabels(labels, this.#plan.places);
    const [, , , layer] = this.#layers;
    layer.replaceChildren(...named.filter(({ key }) => points.has(key)).map((edge) => {
      const { x, y } = points.get(edge.key);
      const look = isFirst(edge) ? "chosen" : isAsked ? "aside" : way.has(edge.key) ? "way" : "";
      return draw("text", { class: `map-label ${look}`, x, y: y + 4 }, shortened(edgeText(edge), 20));
    }));
  }
}

function makeGroup({ x, y, width, height }) {
  return draw("g", {},
    draw("rect", { class: "map-group", x, y, width, height, rx: 20 }),
    draw("text", { class: "map-group-name", x: x + 16, y: y - 7 }, "Tabs"));
}

function makeEdge({ path, role, key }) {
  return draw("path", { class: `map-edge ${role}`, d: path, "data-edge": key });
}

function makeCard({ id, name, title, path, pattern, findings }, { x, y }) {
  const left = -card.width / 2;
  const top = -card.height / 2;
  const pill = (className, text, width) => draw("g", { class: className, transform: `translate(${left + 6} ${top})` },
    draw("rect", { x: 0, y: -9, width, height: 18, rx: 9 }),
    draw("text", { x: width / 2, y: 4 }, text));
  const element = draw("g", {
    class: "map-screen", role: "button", tabindex: -1, "data-screen": id, transform: `translate(${x} ${y})`,
    "aria-describedby": "map-details",
  },
  draw("rect", { class: "map-card", x: left, y: top, width: card.width, height: card.height, rx: 14 }),
  draw("text", { class: "map-name", x: left + 15, y: top + 26 }, shortened(name, longestName)),
  makeFarName(name, top),
  draw("text", { class: "map-path", x: left + 15, y: top + 44 }, shortenedPath(pattern ?? path)),
  id === 0 ? pill("map-start", "Start", 46) : null,
  pill("map-here", "You are here", 82),
  findings.length > 0 ? draw("g", { class: "map-finding", transform: `translate(${-left - 4} ${top + 4})` },
    draw("circle", { r: 10 }), draw("text", { y: 4.5 }, "!")) : null,
  draw("title"));
  setText(element.lastElementChild, title && title !== name ? `${name}: ${title}` : name);
  return element;
}

/** The name alone, in the middle and larger. */
function makeFarName(name, top) {
  const lines = broken(name).map((line) => shortened(line, longestName));
  const length = Math.max(...lines.map((line) => line.length));
  const size = length <= shortLine ? "short" : length <= middleLine ? "middle" : "long";
  const first = top + card.height / 2 + 8 - (lines.length - 1) * 12;
  return draw("text", { class: `map-far ${size}` },
    ...lines.map((line, index) => draw("tspan", { x: 0, y: first + index * 24 }, line)));
}

/** A name of several words, as `ComparisonChoice` is one, in two lines that are as short as can be. */
function broken(name) {
  const words = name.split(/(?<=[a-z0-9])(?=[A-Z])|\s+/);
  if (words.length < 2 || name.length <= shortLine) return [name];
  const breaks = words.slice(1)
    .map((_, index) => [words.slice(0, index + 1), words.slice(index + 1)].map((line) => line.join("")));
  const longest = (lines) => Math.max(...lines.map((line) => line.length));
  return breaks.toSorted((a, b) => longest(a) - longest(b))[0];
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Of a path the end says most. */
function shortenedPath(path) {
  return path.length > longestPath ? `…${path.slice(1 - longestPath)}` : path;
}
