// @ts-check
// Two sessions' events side by side, from their last common event.

import { writeJSON } from "../exact.js";

/**
 * @typedef {object} Entry
 * @property {number} version
 * @property {string} event
 * @property {unknown} [payload]
 * @property {string} [at]
 * @property {string | null} [handledBy]
 * @property {string} [path]
 *
 * A row with the entry of each side. The note says why the right side has none.
 * @typedef {object} Row
 * @property {Entry | null} left
 * @property {Entry | null} right
 * @property {boolean} isSame
 * @property {boolean} isFirst
 * @property {string | null} [note]
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
  for (const [side, entries] of /** @type {[string, Entry[]][]} */ ([["left", left], ["right", right]])) {
    for (const entry of entries) byVersion.set(entry.version, { ...byVersion.get(entry.version), [side]: entry });
  }
  let hasDiffered = false;
  return [...byVersion].sort(([one], [other]) => one - other).map(([, { left = null, right = null }]) => {
    const isSame = !hasDiffered && left !== null && right !== null && isAlike(left, right);
    const isFirst = !isSame && !hasDiffered;
    hasDiffered ||= !isSame;
    return { left, right, isSame, isFirst };
  });
}

/**
 * The rows from one before the first that differs, at most `length`.
 * @param {Row[]} rows
 * @param {number} length
 */
export function fromDifference(rows, length) {
  const start = Math.max(0, rows.findIndex(({ isFirst }) => isFirst) - 1);
  return rows.slice(start, start + length);
}

/** Whether two entries are the same event at the same coordinator with the same handler. Times are ignored. */
function isAlike(left, right) {
  const [one, other] = [left, right].map(({ event, payload, at, handledBy }) => [event, payload, at, handledBy]);
  return writeJSON(one) === writeJSON(other);
}

/**
 * A fork's session document, reduced to what says how much it shares with its parent.
 * @typedef {object} Session
 * @property {string} id
 * @property {string | null} [work]
 * @property {{ session: string, version: number } | null} [parent]
 */

/**
 * The version up to which two sessions are certainly equal because one is a fork of the other; otherwise 0. A fork
 * whose work is withheld can have been edited, so that nothing is certain.
 * @param {Session} left
 * @param {Session} right
 */
export function shared(left, right) {
  for (const [one, other] of [[left, right], [right, left]]) {
    if (other.parent?.session === one.id && other.work !== "withheld") return other.parent.version;
  }
  return 0;
}
