// @ts-check
// An edit of a past event, and the fork that replayed the others. It does not touch the page.

import { eventCount } from "../counts.js";
import { writeJSON } from "../exact.js";

/**
 * @typedef {import("./timelines.js").Entry} Entry
 * @typedef {{ event: string, payload?: unknown }} Request
 * @typedef {{ version?: number, after?: number, drop?: true, event?: string, payload?: unknown }} Edit
 * @typedef {{ version?: number, after?: number, problem: { title?: string, detail?: string } }} Refusal
 * @typedef {{ kept: number, changed: number, inserted: number, dropped: number, refused: Refusal[] }} Edited
 * @typedef {{ left: number | null, right: number | null, note: string | null }} Pair
 * @typedef {import("./timelines.js").Row} Row
 */

/**
 * The edit of a kind (`change`, `drop` or `insert`) at a version, or null if it needs an event and has none.
 * @param {string} kind
 * @param {number} version
 * @param {Request | null} request
 * @returns {Edit | null}
 */
export function editOf(kind, version, request) {
  if (kind === "drop") return { version, drop: true };
  if (request === null) return null;
  return kind === "insert" ? { after: version, ...request } : { version, ...request };
}

/**
 * A problem that points into the request's only edit, as a problem that points into the edit.
 * @template {{ pointer?: string }} Problem
 * @param {Problem} problem
 * @returns {Problem}
 */
export function atEdit(problem) {
  const pointer = problem.pointer?.replace(/^\/edit\/0(?=\/|$)/, "");
  return pointer === problem.pointer ? problem : Object.create(problem, { pointer: { value: pointer } });
}

/**
 * Which version of the fork repeats which version of its source: pairs in the order of the replay. An event that only
 * one side has leaves the other side null. The note says why the fork does not have it.
 * @param {number} count The number of the source's events.
 * @param {Edit} edit
 * @param {Refusal[]} refused
 * @returns {Pair[]}
 */
export function pairs(count, edit, refused) {
  const reasons = new Map(refused.map(({ version, after, problem }) =>
    [version === undefined ? `after ${after}` : `${version}`, problem.detail ?? problem.title ?? ""]));
  /** @type {Pair[]} */
  const result = [];
  let last = 0;
  const add = (/** @type {number | null} */ left, /** @type {string} */ place) => {
    const reason = reasons.get(place);
    if (reason !== undefined) result.push({ left, right: null, note: `Not accepted: ${reason}` });
    else if (edit.drop && edit.version === left) result.push({ left, right: null, note: "Dropped" });
    else result.push({ left, right: ++last, note: null });
  };
  for (let version = 0; version <= count; version++) {
    if (version > 0) add(version, `${version}`);
    if (edit.after === version) add(null, `after ${version}`);
  }
  return result;
}

/**
 * The pairs to show: from one before the first that the edit concerns, at most `length`.
 * @param {Pair[]} all
 * @param {number} length
 */
export function fromFirst(all, edit = /** @type {Edit} */ ({}), length = 100) {
  const first = all.findIndex(({ left, right, note }) => left === null || right === null || note !== null
    || left === edit.version);
  const start = Math.max(0, first - 1);
  return all.slice(start, start + length);
}

/**
 * Rows with the entries of pairs. An entry counts as the same if its event, its place, its handler and the path after
 * it are equal.
 * @param {Pair[]} shown
 * @param {Entry[]} left
 * @param {Entry[]} right
 * @returns {Row[]}
 */
export function replayRows(shown, left, right) {
  const [ofLeft, ofRight] = [left, right].map((entries) => new Map(entries.map((entry) => [entry.version, entry])));
  let hasDiffered = false;
  return shown.map((pair) => {
    const [one = null, other = null] = [ofLeft.get(pair.left ?? -1), ofRight.get(pair.right ?? -1)];
    const isSame = one !== null && other !== null && isRepeated(one, other);
    const isFirst = !isSame && !hasDiffered;
    hasDiffered ||= !isSame;
    return { left: one, right: other, isSame, isFirst, note: pair.note };
  });
}

/**
 * @param {Entry} one
 * @param {Entry} other
 */
function isRepeated(one, other) {
  const [left, right] = [one, other].map(({ event, payload, at, handledBy, path }) =>
    writeJSON([event, payload, at, handledBy, path]));
  return left === right;
}

/**
 * What a replay did, in a sentence.
 * @param {Edited} edited
 */
export function replaySentence({ kept, changed, inserted, dropped, refused }) {
  const parts = [
    `${eventCount(kept)} kept`,
    changed > 0 && `${changed} changed`,
    inserted > 0 && `${inserted} inserted`,
    dropped > 0 && `${dropped} dropped`,
    refused.length > 0 && `${refused.length} not accepted`,
  ].filter(Boolean);
  return `Replayed in a new session: ${parts.join(", ")}. Its work is withheld.`;
}

/**
 * Where a refused event was, as in `Version 6`.
 * @param {Refusal} refusal
 */
export function refusedPlace({ version, after }) {
  return version === undefined ? `The event inserted after version ${after}` : `Version ${version}`;
}
