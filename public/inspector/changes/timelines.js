// @ts-check
// Two sessions' events side by side, from their last common event.

import { writeJSON } from "../exact.js";

/**
 * @typedef {{ version: number, event: string, payload?: unknown, at?: string, handledBy?: string | null }} Entry
 * @typedef {{ version: number, left: Entry | null, right: Entry | null, isSame: boolean, isFirst: boolean }} Row
 */

/**
 * Creates one row per version. The first row that differs is marked. All later rows count as different, even if their
 * events are equal, because the states before them differ.
 * @param {Entry[]} left
 * @param {Entry[]} right
 * @returns {Row[]}
 */
export function timelines(left, right) {
  const byVersion = new Map();
  for (const [side, entries] of [["left", left], ["right", right]]) {
    for (const entry of entries) byVersion.set(entry.version, { ...byVersion.get(entry.version), [side]: entry });
  }
  let hasDiffered = false;
  return [...byVersion].sort(([one], [other]) => one - other).map(([version, { left = null, right = null }]) => {
    const isSame = !hasDiffered && left !== null && right !== null && isAlike(left, right);
    const isFirst = !isSame && !hasDiffered;
    hasDiffered ||= !isSame;
    return { version, left, right, isSame, isFirst };
  });
}

/** Whether two entries are the same event at the same coordinator with the same handler. Times are ignored. */
function isAlike(left, right) {
  const [one, other] = [left, right].map(({ event, payload, at, handledBy }) => [event, payload, at, handledBy]);
  return writeJSON(one) === writeJSON(other);
}

/**
 * The version up to which two sessions are certainly equal because one is a fork of the other; otherwise 0.
 * @param {{ id: string, parent?: { session: string, version: number } | null }} left
 * @param {{ id: string, parent?: { session: string, version: number } | null }} right
 */
export function shared(left, right) {
  if (right.parent?.session === left.id) return right.parent.version;
  return left.parent?.session === right.id ? left.parent.version : 0;
}
