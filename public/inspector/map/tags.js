// @ts-check
// Names beside the map's cards, for when the map is shown so small that the cards have no room for theirs.

import { card } from "./edges.js";
import { box, overlap } from "./labels.js";
import { shares, shortened } from "./zoom.js";

/** The most characters of a name. */
const longest = 28;

/** The most names: more would hide the map. */
const most = 24;

/**
 * The names of screens, as `{ id, name, x, y, width, height }`, each above the middle of its card. Those that would
 * cover an earlier one are left out.
 *
 * - screens: the most important ones first. - size: of the text.
 */
export function tagsOf(screens, places, size) {
  const taken = [];
  return screens.slice(0, most).flatMap(({ id, name: whole }) => {
    const name = shortened(whole, longest);
    const { x, y: middle } = places.get(id);
    const width = name.length * size * shares.bold + size;
    const height = size * 1.6;
    const y = middle - card.height / 2 - height / 2 - size * 0.2;
    const own = box(x, y, width, height);
    if (taken.some((other) => overlap(own, other))) return [];
    taken.push(own);
    return [{ id, name, x, y, width, height }];
  });
}
