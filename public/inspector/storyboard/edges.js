// @ts-check
// The storyboard's edges: curves between the columns of cards and lines between their rows, and the edges' labels.

import { edgeText } from "./graph.js";

/** The size of a screen's card. */
export const card = { width: 180, height: 300 };

/** The room between columns for edges and their labels, and above each row for names and edges. */
export const gaps = { column: 96, row: 56 };

/** The most edges that are drawn: of those that lead on, and of those that lead across or back. More would tangle. */
const mostMain = 60;
const mostSides = 8;

/** The distance between two edges at the side of a card. */
const step = 14;

/** How far from the middle of a card edges begin and end: those that lead on above it, those that lead back below. */
const rise = { on: -24, back: 60 };

/**
 * The edges with a path each, and a role: "main" leads on, "side" leads across or back and is drawn quietly, and
 * "hidden" would only tangle the storyboard: it is drawn when its screen is selected or pointed to.
 */
export function routed(graph, plan) {
  const { edges } = graph;
  const column = (id) => plan.places.get(id).column;
  const needed = neededLinks(graph, column);
  const between = edges.filter(({ from, to }) => from !== to);
  const isOn = ({ key, kind, from, to }) => needed.has(key) || (kind === "step" && column(to) > column(from));
  const on = between.filter(isOn);
  // Of many edges, those with which each screen is reached first are enough, drawn quietly.
  const main = new Set(on.length <= mostMain ? on : new Map(on.toReversed().map((edge) => [edge.to, edge])).values());
  const sides = between.filter((edge) => edge.kind === "step" && !isOn(edge));
  const quiet = new Set(sides.length <= mostSides ? sides : []);
  const drawn = between.map((edge) => ({
    ...edge,
    role: main.has(edge) && on.length <= mostMain ? "main" : main.has(edge) || quiet.has(edge) ? "side" : "hidden",
  }));
  const isTaken = takenCells(plan);
  const ports = portsOf(drawn.filter(({ role }) => role !== "hidden"), plan);
  return drawn.map((edge) => ({ ...edge, ...pathOf(edge, plan, isTaken, ports) }));
}

/** The path between two screens without an edge in the graph. */
export function jump(plan, from, to) {
  return pathOf({ key: `${from} ${to}`, from, to }, plan, takenCells(plan), new Map());
}

/** The keys of the links to screens that nothing else leads to. */
function neededLinks({ edges, screens }, column) {
  const reached = new Set(edges
    .filter(({ from, to, kind }) => from !== to && kind !== "link" && column(from) <= column(to)).map(({ to }) => to));
  return new Set(screens.slice(1).filter(({ id }) => !reached.has(id))
    .map(({ id }) => edges.find(({ to, from }) => to === id && from !== id)?.key));
}

/** Whether there is a card in a row and a column. */
function takenCells({ places }) {
  const taken = new Set([...places.values()].map(({ column, row }) => `${column} ${row}`));
  return (column, row) => taken.has(`${column} ${row}`);
}

const directionOf = (a, b) => (a.column === b.column ? "down" : b.column > a.column ? "on" : "back");

/** The places on a card's side at which edges begin and end, as distances from its middle. */
function portsOf(edges, { places }) {
  const ports = new Map();
  for (const [own, other] of [["from", "to"], ["to", "from"]]) {
    const sideOf = (edge) => `${edge[own]} ${directionOf(places.get(edge.from), places.get(edge.to))}`;
    for (const group of Map.groupBy(edges, sideOf).values()) {
      const distance = Math.min(step, 90 / group.length);
      group.toSorted((a, b) => places.get(a[other]).y - places.get(b[other]).y).forEach((edge, index) => {
        ports.set(`${own} ${edge.key}`, (index - (group.length - 1) / 2) * distance);
      });
    }
  }
  return ports;
}

function pathOf({ key, from, to }, { places, rows }, isTaken, ports) {
  const a = places.get(from);
  const b = places.get(to);
  const direction = directionOf(a, b);
  const shift = (name) => rise[direction === "on" ? "on" : "back"] + (ports.get(`${name} ${key}`) ?? 0);
  const side = direction === "back" ? -1 : 1;
  const half = card.width / 2;
  const start = { x: a.x + side * half, y: a.y + shift("from") };
  const end = { x: b.x - side * half, y: b.y + shift("to") };
  if (direction === "down") {
    // In the same column: around the right sides.
    end.x = b.x + half;
    const bow = Math.min(gaps.column, 44 + Math.abs(a.y - b.y) / 20);
    return curves(start, [[{ x: start.x + bow, y: start.y }, { x: end.x + bow, y: end.y }, end]]);
  }
  const inner = Array.from({ length: Math.abs(a.column - b.column) - 1 }, (_, index) => a.column + side * (index + 1));
  const isFree = (row) => inner.every((column) => !isTaken(column, row));
  const bend = side * gaps.column;
  const first = start.x + bend;
  const last = end.x - bend;
  if (inner.length === 0) return curves(start, [swing(start, end)]);
  if (isFree(b.row)) return curves(start, [swing(start, { x: first, y: end.y }), end]);
  if (isFree(a.row)) return curves(start, [{ x: last, y: start.y }, swing({ x: last, y: start.y }, end)]);
  // Through the room above a row.
  const row = Math.max(0, a.row >= b.row ? a.row : b.row);
  const y = rows[row] - gaps.row + 4 + ((from * 7 + to * 3) % 4) * 3;
  const [turn, corner] = [{ x: first, y }, { x: last, y }];
  return curves(start, [swing(start, turn), corner, swing(corner, end)]);
}

/** A curve that begins and ends horizontally. */
function swing(a, b) {
  const middle = (a.x + b.x) / 2;
  return [{ x: middle, y: a.y }, { x: middle, y: b.y }, b];
}

/** A path of curves and lines, with its first curve, on which it has its label. */
function curves(start, parts) {
  const text = ({ x, y }) => `${round(x)} ${round(y)}`;
  const path = parts.map((part) => (Array.isArray(part) ? `C${part.map(text).join(" ")}` : `L${text(part)}`)).join("");
  const curve = Array.isArray(parts[0]) ? parts[0] : parts[1];
  const from = Array.isArray(parts[0]) ? start : parts[0];
  return { path: `M${text(start)}${path}`, points: [from, ...curve] };
}

/** A point of a curve, from 0 at its beginning to 1 at its end. */
export function pointOn([a, b, c, d], t) {
  const s = 1 - t;
  const at = (name) => s ** 3 * a[name] + 3 * s * s * t * b[name] + 3 * s * t * t * c[name] + t ** 3 * d[name];
  return { x: at("x"), y: at("y") };
}

const round = (value) => Math.round(value * 10) / 10;

// Labels

/** The size of labels, and about how wide a character is. */
const text = { size: 12, share: 0.56 };

/** The most characters of a label: as many as fit between two columns. */
const longest = Math.floor((gaps.column - 8) / (text.size * text.share));

/**
 * The labels of edges, as `{ edge, text, x, y }`, with the middle of each, so that they cover no card and no other
 * label. Those that find no room are left out.
 *
 * - edges: the most important ones first.
 */
export function labelsOf(edges, { places }) {
  const taken = [...places.values()].map(({ x, y }) => box(x, y, card.width, card.height));
  return edges.flatMap((edge) => {
    const whole = edgeText(edge);
    const label = whole.length > longest ? `${whole.slice(0, longest - 1)}…` : whole;
    const point = freePoint(edge, label.length * text.size * text.share, text.size * 1.35, taken);
    return point ? [{ edge, text: label, ...point }] : [];
  });
}

/** The point of an edge at which a box finds room, which it then occupies; null if there is none. */
function freePoint({ points }, width, height, taken) {
  for (const t of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]) {
    const point = pointOn(points, t);
    const own = box(point.x, point.y, width, height);
    if (taken.some((other) => overlap(own, other))) continue;
    taken.push(own);
    return point;
  }
  return null;
}

/** A box around a point. */
export function box(x, y, width, height) {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** Whether two boxes have a common part. */
export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
