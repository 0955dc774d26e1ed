// @ts-check
// The places of the map's screens: layer by layer away from the start. Pure arithmetic, in the drawing's own units.

import { card, gaps, pointOn, routed } from "./edges.js";
import { broken, layersOf, longestLine, mean, placesIn, tabGroups, untangle } from "./layers.js";

/**
 * The drawing of a graph: `places` of the screens' centres by id, `edges` with a path each, `groups` of tabs, and the
 * size of it all.
 *
 * - direction: "across" for layers from left to right, "down" for layers from top to bottom.
 */
export function layout(graph, direction) {
  const layers = layersOf(graph);
  const longest = longestLine(graph.screens.length);
  const lines = layers.flatMap((ids) => broken(ids, longest));
  const groups = tabGroups(graph, layers);
  untangle(lines, graph, groups);
  const positions = spread(lines, graph, groups, direction);
  const places = new Map();
  const deep = direction === "across" ? card.width : card.height;
  const gap = gaps[direction].layer;
  lines.forEach((ids, index) => {
    for (const id of ids) {
      const main = index * (deep + gap) + deep / 2;
      const cross = positions.get(id);
      places.set(id, direction === "across" ? { x: main, y: cross } : { x: cross, y: main });
    }
  });
  const size = settle(places);
  const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
  const edges = routed(graph, places, layer, direction);
  return { direction, places, edges, layer, size, groups: boxes(groups, places) };
}

/** Puts each screen near its neighbours, as far as its line has room. */
function spread(lines, { edges }, groups, direction) {
  const length = direction === "across" ? card.height : card.width;
  const step = length + gaps[direction].card;
  const position = new Map();
  for (const ids of lines) ids.forEach((id, at) => position.set(id, (at - (ids.length - 1) / 2) * step));
  const near = new Map();
  const line = placesIn(lines);
  for (const { from, to, kind } of edges) {
    if (kind !== "step" || line.get(from).line === line.get(to).line) continue;
    (near.get(from) ?? near.set(from, []).get(from)).push(to);
    (near.get(to) ?? near.set(to, []).get(to)).push(from);
  }
  for (let round = 0; round < 6; round++) {
    const isDown = round % 2 === 0;
    for (const ids of isDown ? lines : lines.toReversed()) {
      const wishes = ids.map((id) => {
        const others = (near.get(id) ?? []).filter((other) =>
          (isDown ? line.get(other).line < line.get(id).line : line.get(other).line > line.get(id).line));
        return others.length > 0 ? mean(others.map((other) => position.get(other))) : position.get(id);
      });
      fitted(wishes, step).forEach((value, at) => position.set(ids[at], value));
    }
  }
  return position;
}

/** The values nearest to the wishes, in the same order and no nearer to each other than a step. */
function fitted(wishes, step) {
  const blocks = [];
  wishes.forEach((wish, index) => {
    blocks.push({ sum: wish - index * step, count: 1 });
    while (blocks.length > 1) {
      const last = blocks.at(-1);
      const before = blocks.at(-2);
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  });
  return blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
    .map((value, index) => value + index * step);
}

/** Moves everything so that both coordinates begin at 0, and returns its size. */
function settle(places) {
  const all = [...places.values()];
  if (all.length === 0) return { width: 0, height: 0 };
  const left = Math.min(...all.map(({ x }) => x)) - card.width / 2;
  const top = Math.min(...all.map(({ y }) => y)) - card.height / 2;
  for (const place of all) {
    place.x -= left;
    place.y -= top;
  }
  return {
    width: Math.max(...all.map(({ x }) => x)) + card.width / 2,
    height: Math.max(...all.map(({ y }) => y)) + card.height / 2,
  };
}

function boxes(groups, places) {
  const margin = 12;
  return groups.map((ids) => {
    const all = ids.map((id) => places.get(id));
    const x = Math.min(...all.map((place) => place.x)) - card.width / 2 - margin;
    const y = Math.min(...all.map((place) => place.y)) - card.height / 2 - margin;
    return {
      x, y, ids,
      width: Math.max(...all.map((place) => place.x)) + card.width / 2 + margin - x,
      height: Math.max(...all.map((place) => place.y)) + card.height / 2 + margin - y,
    };
  });
}

/** The bounds of all that is drawn: the cards with the marks on them, the boxes of tabs, and the curves of edges. */
export function boundsOf({ size: { width, height }, groups, edges }) {
  const swings = edges.filter(({ role }) => role !== "hidden").map(({ points }) => pointOn(points, 0.5));
  const lowest = (values) => values.reduce((a, b) => Math.min(a, b));
  const highest = (values) => values.reduce((a, b) => Math.max(a, b));
  const left = lowest([0, ...groups.map(({ x }) => x), ...swings.map(({ x }) => x - 4)]);
  const top = lowest([-12, ...groups.map(({ y }) => y - 18)]);
  const right = highest([width + 6, ...groups.map((group) => group.x + group.width), ...swings.map(({ x }) => x + 4)]);
  const bottom = highest([height + 12, ...groups.map((group) => group.y + group.height),
    ...swings.map(({ y }) => y + 4)]);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The directions of the arrow keys, as vectors. */
export const directions = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** The nearest screen in a direction, or null. */
export function neighbour({ places }, id, direction) {
  const [dx, dy] = directions[direction];
  const from = places.get(id);
  let best = null;
  let least = Infinity;
  for (const [other, place] of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along < 1 || aside > 3 * along) continue;
    const distance = along + 2 * aside;
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}
