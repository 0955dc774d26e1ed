// @ts-check
// How far each screen is from the start, and the order of those that are equally far, with few crossings.

/** The most cards of a line, if the map is small. */
const shortLine = 10;

const sweeps = 12;

/**
 * The screens by their distance from the start, in steps. A tab is as far as its neighbours. Links lead everywhere, so
 * they count only for screens that nothing else leads to.
 */
export function layersOf({ screens, edges }) {
  const depth = new Map();
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const walk = (seeds, kinds) => {
    const queue = [...seeds];
    const settled = new Set(depth.keys());
    while (queue.length > 0) {
      const id = queue.shift();
      for (const { to, kind } of outgoing.get(id) ?? []) {
        if (!kinds.includes(kind) || settled.has(to)) continue;
        const next = depth.get(id) + (kind === "tab" ? 0 : 1);
        if ((depth.get(to) ?? Infinity) <= next) continue;
        depth.set(to, next);
        if (kind === "tab") queue.unshift(to);
        else queue.push(to);
      }
    }
  };
  if (screens.length > 0) depth.set(0, 0);
  walk([0], ["step", "tab"]);
  for (const { from, to } of edges.filter(({ kind }) => kind === "link")) {
    if (depth.has(to) || !depth.has(from)) continue;
    depth.set(to, depth.get(from) + 1);
    walk([to], ["step", "tab"]);
  }
  walk([...depth.keys()], ["step", "tab", "back", "link"]);
  const layers = [];
  for (const { id } of screens) (layers[depth.get(id) ?? 0] ??= []).push(id);
  return layers.filter(Boolean);
}

/** The most cards of a line, for a map of so many screens: a large map is about as wide as it is high. */
export const longestLine = (screens) => Math.max(shortLine, Math.ceil(Math.sqrt(screens)));

/** A layer as lines that are not too long. */
export function broken(ids, longest = shortLine) {
  const count = Math.ceil(ids.length / longest);
  const length = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, index) => ids.slice(index * length, (index + 1) * length));
}

/** Screens of one layer that are each other's tabs, as lists of ids. */
export function tabGroups({ edges }, layers) {
  const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
  const pairs = new Set(edges.filter(({ kind }) => kind === "tab").map(({ key }) => key));
  const groups = [];
  for (const ids of layers) {
    const free = new Set(ids);
    for (const id of ids) {
      if (!free.has(id)) continue;
      const group = ids.filter((other) => free.has(other)
        && (other === id || (pairs.has(`${id} ${other}`) && pairs.has(`${other} ${id}`)))
        && layer.get(other) === layer.get(id));
      if (group.length < 2) continue;
      for (const each of group) free.delete(each);
      groups.push(group);
    }
  }
  return groups;
}

/** Orders the screens of each line by the places of their neighbours, up and down again. The best order wins. */
export function untangle(lines, { edges }, groups) {
  const forward = edges.filter(({ from, to, kind }) => from !== to && kind === "step");
  const neighbours = new Map();
  for (const { from, to } of forward) {
    (neighbours.get(from) ?? neighbours.set(from, []).get(from)).push(to);
    (neighbours.get(to) ?? neighbours.set(to, []).get(to)).push(from);
  }
  const groupOf = new Map(groups.flatMap((group, index) => group.map((id) => [id, index])));
  let best = lines.map((ids) => [...ids]);
  let fewest = crossings(lines, forward);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    const indices = lines.map((_, index) => index);
    for (const index of isDown ? indices.slice(1) : indices.slice(0, -1).reverse()) {
      const place = placesIn(lines);
      const isNear = (id) => (isDown ? place.get(id).line < index : place.get(id).line > index);
      const wish = new Map(lines[index].map((id, at) => {
        const near = (neighbours.get(id) ?? []).filter(isNear).map((other) => place.get(other).share);
        return [id, near.length > 0 ? mean(near) : at / Math.max(1, lines[index].length - 1)];
      }));
      const groupWish = (id) => {
        const group = groups[groupOf.get(id)]?.filter((other) => wish.has(other));
        return group ? mean(group.map((other) => wish.get(other))) : wish.get(id);
      };
      lines[index] = lines[index]
        .map((id, at) => ({ id, at, whole: groupWish(id), group: groupOf.get(id) ?? -1 - id, own: wish.get(id) }))
        .sort((a, b) => a.whole - b.whole || a.group - b.group || a.own - b.own || a.at - b.at)
        .map(({ id }) => id);
    }
    const count = crossings(lines, forward);
    if (count >= fewest) continue;
    fewest = count;
    best = lines.map((ids) => [...ids]);
  }
  lines.splice(0, lines.length, ...best);
}

/** The line of each screen, its place there, and that as a share of the line's length. */
export function placesIn(lines) {
  return new Map(lines.flatMap((ids, line) => ids.map((id, at) => [id, {
    line, at, share: ids.length > 1 ? at / (ids.length - 1) : 0.5,
  }])));
}

function crossings(lines, edges) {
  const place = placesIn(lines);
  const between = Map.groupBy(
    edges.map(({ from, to }) => [place.get(from), place.get(to)]).filter(([a, b]) => b.line > a.line),
    ([a, b]) => `${a.line} ${b.line}`);
  let count = 0;
  for (const pairs of between.values()) {
    for (let i = 0; i < pairs.length; i++) {
      for (let j = 0; j < i; j++) {
        if ((pairs[i][0].at - pairs[j][0].at) * (pairs[i][1].at - pairs[j][1].at) < 0) count++;
      }
    }
  }
  return count;
}

/** The middle of some numbers. */
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
