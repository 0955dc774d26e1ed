// @ts-check
// An edit of a past event, and the fork that replayed the others. It does not touch the page.

import { eventCount } from "../counts.js";

/**
 * @typedef {{ event: string, payload?: unknown }} Request
 * @typedef {{ version?: number, after?: number, drop?: true, event?: string, payload?: unknown }} Edit
 * @typedef {{ version?: number, after?: number, problem: { title?: string, detail?: string } }} Refusal
 * @typedef {{ kept: number, changed: number, inserted: number, dropped: number, refused: Refusal[] }} Edited
 *
 * The versions of the same event in the original and in the fork. The note says why the fork does not have it.
 * @typedef {{ left: number | null, right: number | null, note: string | null, reason: string | null }} Pair
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

/** The last version before an edit. */
export const versionBefore = (/** @type {Edit} */ { version = 1, after = version - 1 }) => after;

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
 * Which version of the fork repeats which version of its original: pairs in the order of the replay. An event that only
 * one of them has leaves the other null.
 * @param {number} count The number of the original's events.
 * @param {Edit} edit
 * @param {Refusal[]} refused
 * @returns {Pair[]}
 */
export function pairs(count, edit, refused) {
  const reasons = new Map(refused.map((refusal) =>
    [refusal.version === undefined ? `after ${refusal.after}` : `${refusal.version}`, reasonOf(refusal)]));
  /** @type {Pair[]} */
  const result = [];
  let last = 0;
  const add = (/** @type {number | null} */ left, /** @type {string} */ place) => {
    const reason = reasons.get(place);
    if (reason !== undefined) result.push({ left, right: null, note: "Refused", reason });
    else if (edit.drop && edit.version === left) result.push({ left, right: null, note: "Dropped", reason: null });
    else result.push({ left, right: ++last, note: null, reason: null });
  };
  for (let version = 0; version <= count; version++) {
    if (version > 0) add(version, `${version}`);
    if (edit.after === version) add(null, `after ${version}`);
  }
  return result;
}

/**
 * What a replay did, in a sentence or two. `differing` is the number of events that led elsewhere, or null if that is
 * not known yet.
 * @param {Edited} edited
 * @param {number | null} differing
 */
export function replaySentence({ kept, changed, inserted, refused }, differing) {
  const replayed = `Replayed ${eventCount(kept + changed + inserted + refused.length)}.`;
  if (differing === null) return replayed;
  const differ = differing === 0 ? "Nothing differs" : differing === 1 ? "1 differs" : `${differing} differ`;
  const [first] = refused;
  if (!first) return `${replayed} ${differ}.`;
  const were = refused.length === 1 ? "1 was" : `${refused.length} were`;
  return `${replayed} ${differ}, ${were} refused. Step ${first.version ?? `after ${first.after}`}: ${reasonOf(first)}`;
}

const reasonOf = (/** @type {Refusal} */ { problem }) => problem.detail ?? problem.title ?? "";
