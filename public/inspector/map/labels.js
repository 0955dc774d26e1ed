// @ts-check
// The labels of the map's edges, placed so that they cover no card and no other label.

import { card, gaps, pointOn } from "./edges.js";
import { edgeText } from "./graph.js";
import { timesText } from "./usage.js";
import { room, shares, shortened } from "./zoom.js";

/** The most characters of a label. */
const longest = 20;

/** How far the mark on the lower edge of a card sticks out of it, as a share of the size of its text. */
const overhang = 0.75;

/**
 * The labels of edges, as `{ edge, text, x, y }`, with the middle of each. Those that find no room are left out.
 *
 * - edges: the most important ones first. - size: of the text. - hasUsage: whether labels have counts.
 */
export function labelsOf(edges, plan, { size, hasUsage }) {
  const lower = overhang * size;
  const taken = [...plan.places.values()]
    .map(({ x, y }) => box(x, y + lower / 2, card.width + 4, card.height + 4 + lower));
  // Between layers that are side by side there is little room.
  const length = plan.direction === "across"
    ? Math.min(longest, room(gaps.across.layer - 14, size, shares.plain)) : longest;
  return edges.flatMap((edge) => {
    const text = labelText(edge, length, hasUsage);
    const point = freePoint(edge, text.length * size * shares.plain + 6, size * 1.35, taken);
    return point ? [{ edge, text, ...point }] : [];
  });
}

function labelText(edge, length, hasUsage) {
  if (!hasUsage) return shortened(edgeText(edge), length);
  const times = ` ${timesText(edge.uses)}`;
  return shortened(edgeText(edge), Math.max(4, length - times.length)) + times;
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
