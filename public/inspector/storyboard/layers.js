// @ts-check
// How far each screen is from the start, and the tab that it belongs to.

/**
 * The screens by their distance from the start, in steps. The first screen of a tab is as far as those of the other
 * tabs. Links lead everywhere, so they count only for screens that nothing else leads to.
 */
export function layersOf({ screens, edges }) {
  const depth = new Map();
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const firsts = new Set([...Map.groupBy(screens, ({ tab }) => tab)]
    .filter(([tab]) => tab !== null).map(([, [first]]) => first.id));
  const walk = (seeds, kinds) => {
    const queue = [...seeds];
    const settled = new Set(depth.keys());
    while (queue.length > 0) {
      const id = queue.shift();
      for (const { to, kind } of outgoing.get(id) ?? []) {
        if (!kinds.includes(kind) || settled.has(to)) continue;
        const isBeside = kind === "tab" && firsts.has(to);
        const next = depth.get(id) + (isBeside ? 0 : 1);
        if ((depth.get(to) ?? Infinity) <= next) continue;
        depth.set(to, next);
        if (isBeside) queue.unshift(to);
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
  // While the server explores the app, the events between its screens are not known.
  for (const { id, journal } of screens) (layers[depth.get(id) ?? journal.length] ??= []).push(id);
  return layers.filter(Boolean);
}

/**
 * The tabs from first to last, each with the ids of its screens, after the screens that belong to none, whose title is
 * null. A screen without a sample belongs to the tab that leads to it.
 */
export function lanesOf({ screens, edges, tabs }, layers) {
  const layer = new Map(layers.flatMap((ids, index) => ids.map((id) => [id, index])));
  const incoming = Map.groupBy(edges, ({ to }) => to);
  const tab = new Map();
  for (const id of layers.flat()) {
    const before = screens[id].sample !== null ? [] : (incoming.get(id) ?? [])
      .filter(({ from }) => layer.get(from) < layer.get(id) && tab.get(from))
      .sort((a, b) => Number(b.kind === "step") - Number(a.kind === "step"));
    tab.set(id, screens[id].tab ?? tab.get(before[0]?.from) ?? null);
  }
  return [{ id: null, title: null }, ...tabs]
    .map(({ id, title }) => ({ title, ids: layers.flat().filter((each) => tab.get(each) === id) }))
    .filter(({ ids }) => ids.length > 0);
}
