// @ts-check
// The places of the storyboard's screens: columns by their distance from the start, and a lane of rows for each tab.
// Pure arithmetic, in the storyboard's own units.

import { card, gaps, routed } from "./edges.js";
import { lanesOf, layersOf } from "./layers.js";

/** The room between lanes, and between a lane's borders and its cards. At the left is the lane's title. */
const lane = { gap: 22, left: 50, right: 24, top: 46, bottom: 22 };

/** The width of a name's characters, and of the longest name, if all of a small storyboard is shown. */
const nameShare = 15;
const longestName = 268;

const rounds = 6;

/**
 * The storyboard of a graph.
 *
 * - `places` of the screens by id: the centre `x` and `y`, the `column` and the `row`.
 * - `rows`: the top of each row's cards.
 * - `lanes` with a box, a title and the ids of their screens.
 * - `edges` with a path each.
 * - `bounds` of all of it.
 */
export function layout(graph) {
  const layers = layersOf(graph);
  const cells = cellsOf(lanesOf(graph, layers), layers, graph);
  const rows = rowsOf(cells);
  const places = new Map();
  for (const { columns, first } of cells) {
    columns.forEach((ids, column) => ids.forEach((id, row) => places.set(id, {
      column, row: first + row,
      x: column * (card.width + gaps.column) + card.width / 2, y: rows[first + row] + card.height / 2,
    })));
  }
  const plan = { places, rows, lanes: boxes(cells, places) };
  centreStart(plan, cells);
  return { ...plan, edges: routed(graph, plan), bounds: boundsOf(plan, graph) };
}

/**
 * The lanes from top to bottom, each with the number of its `first` row, the `count` of its rows, and its `columns`: in
 * each the ids of screens by row, with gaps.
 */
function cellsOf(lanes, layers, { screens, edges }) {
  const widest = Math.max(layers.length + 1, Math.ceil(1.4 * Math.sqrt(screens.length)));
  const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
  let first = 0;
  const cells = lanes.map(({ title, ids }) => {
    const own = new Set(ids);
    const members = layers.map((each) => each.filter((id) => own.has(id)));
    const count = rowCount(members.map(({ length }) => length), title === null, widest);
    first += count;
    return { title, ids, members, count, first: first - count, /** @type {any[][]} */ columns: [] };
  });
  const row = new Map();
  for (const cell of cells) {
    for (const ids of cell.members) ids.forEach((id, at) => row.set(id, cell.first + Math.min(at, cell.count - 1)));
  }
  const near = neighbours(edges);
  for (let round = 0; round < rounds; round++) {
    const isForward = round % 2 === 0;
    const wishOf = (id) => {
      const others = (near.get(id) ?? []).filter((other) =>
        (isForward ? layer.get(other) < layer.get(id) : layer.get(other) > layer.get(id)));
      return others.length > 0 ? mean(others.map((other) => row.get(other))) : row.get(id);
    };
    for (const index of isForward ? layers.keys() : [...layers.keys()].reverse()) {
      for (const { members, first: top, count } of cells) {
        const wishes = new Map(members[index].map((id) => [id, wishOf(id)]));
        // The order of the last round stays if wishes are equal.
        members[index].sort((a, b) => wishes.get(a) - wishes.get(b) || row.get(a) - row.get(b));
        for (const line of broken(members[index], count)) {
          const own = fitted(line.map((id) => wishes.get(id) - top), count);
          line.forEach((id, at) => row.set(id, top + own[at]));
        }
      }
    }
  }
  for (const { members, columns, count, first: top } of cells) {
    members.forEach((ids, index) => broken(ids, count).forEach((line) => {
      const column = [];
      for (const id of line) column[row.get(id) - top] = id;
      columns[Math.max(index, columns.length)] = column;
    }));
  }
  return cells;
}

/** The number of rows with which a lane is neither too wide nor too high. A tab prefers few. */
function rowCount(lengths, isOutside, widest) {
  const most = Math.max(...lengths);
  const columns = (count) => lengths.reduce((sum, length) => sum + Math.ceil(length / count), 0);
  let count = isOutside ? Math.min(most, 4) : Math.ceil(most / 2);
  while (count < most && columns(count) > widest) count++;
  return count;
}

/** The screens that steps connect. */
function neighbours(edges) {
  const near = new Map();
  const add = (a, b) => (near.get(a) ?? near.set(a, []).get(a)).push(b);
  for (const { from, to, kind } of edges) {
    if (kind !== "step" || from === to) continue;
    add(from, to);
    add(to, from);
  }
  return near;
}

/** Ids as lines that are not too long. */
function broken(ids, longest) {
  const count = Math.ceil(ids.length / longest);
  const length = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, index) => ids.slice(index * length, (index + 1) * length));
}

/** The rows nearest to wishes, in the same order, each once, out of a number of rows. */
function fitted(wishes, count) {
  const blocks = [];
  wishes.forEach((wish, index) => {
    blocks.push({ sum: wish - index, length: 1 });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2);
      if (before.sum / before.length <= last.sum / last.length) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, length: before.length + last.length });
    }
  });
  const rows = blocks.flatMap(({ sum, length }) => Array.from({ length }, () => Math.round(sum / length)));
  return rows.map((start, index) => Math.min(Math.max(start, 0), count - wishes.length) + index);
}

/** The top of each row's cards. */
function rowsOf(cells) {
  const tops = [];
  let y = 0;
  for (const { title, count } of cells) {
    for (let index = 0; index < count; index++) {
      y += gaps.row;
      tops.push(y);
      y += card.height;
    }
    y += title === null ? 0 : lane.gap + lane.bottom;
  }
  return tops;
}

/** The boxes of the lanes with a title. All are as wide as the widest. */
function boxes(cells, places) {
  const titled = cells.filter(({ title }) => title !== null);
  const all = titled.flatMap(({ ids }) => ids.map((id) => places.get(id)));
  if (all.length === 0) return [];
  const x = Math.min(...all.map((place) => place.x)) - card.width / 2 - lane.left;
  const right = Math.max(...all.map((place) => place.x)) + card.width / 2 + lane.right;
  return titled.map(({ title, ids }) => {
    const own = ids.map((id) => places.get(id).y);
    const y = Math.min(...own) - card.height / 2 - lane.top;
    return { title, ids, x, y, width: right - x, height: Math.max(...own) + card.height / 2 + lane.bottom - y };
  });
}

/** Moves screens outside of the lanes to the middle if they are in columns of their own, such as a splash screen. */
function centreStart({ places, lanes, rows }, cells) {
  const outside = cells.find(({ title }) => title === null);
  if (!outside || lanes.length === 0) return;
  const own = outside.ids.map((id) => places.get(id));
  const columns = new Set(own.map(({ column }) => column));
  if (lanes.some(({ ids }) => ids.some((id) => columns.has(places.get(id).column)))) return;
  const height = outside.count * (card.height + gaps.row);
  for (const place of places.values()) if (!own.includes(place)) place.y -= height;
  for (const each of lanes) each.y -= height;
  rows.forEach((_, index) => { rows[index] -= index < outside.count ? 0 : height; });
  const bottom = Math.max(...lanes.map((each) => each.y + each.height));
  const shift = (bottom - Math.min(...lanes.map(({ y }) => y)) - height) / 2;
  for (const place of own) Object.assign(place, { y: place.y + shift, row: -1 });
}

/** The bounds of all cards with their names, and of the lanes. */
function boundsOf({ places, lanes }, { screens }) {
  const all = [
    ...screens.map(({ id, name }) => {
      const { x, y } = places.get(id);
      const width = Math.max(card.width, Math.min(longestName, name.length * nameShare));
      return { x: x - card.width / 2, y: y - card.height / 2 - 40, width, height: card.height + 40 };
    }), ...lanes,
  ];
  if (all.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
  const [x, y] = [Math.min(...all.map((each) => each.x)), Math.min(...all.map((each) => each.y))];
  const right = Math.max(...all.map((each) => each.x + each.width));
  return { x, y, width: right - x, height: Math.max(...all.map((each) => each.y + each.height)) - y };
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

/** The middle of some numbers. */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
