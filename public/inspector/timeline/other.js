// @ts-check
// What the timeline shows in its second lane: the parent of a fork, the original of a replay, or another session.

import { pairs, replaySentence, versionBefore } from "../changes/replay.js";
import { fragmentOf } from "../fragment.js";
import { isSamePicture } from "./pictures.js";

/** The most events of another session that are read, which is the server's limit per request. */
const page = 1000;

/** The most events of a replay whose pictures are compared to count those that differ. */
const most = 100;

/**
 * @typedef {import("../changes/replay.js").Pair} Pair
 * @typedef {{ version: number, handledBy?: string | null, path?: string }} Entry
 */

/** The number of lanes so far. */
let lanes = 0;

export class OtherLane {
  /** Whether the frames of a column differ. @type {Map<number, boolean>} */
  #differing = new Map();

  /**
   * - label, ownLabel: the names of the lane and of the session's own one.
   * - entries: journal entries without a gap, oldest first.
   * - first, last: the versions that have frames. By default, those of the entries.
   * - documentOf(version, signal): the route document of a version, or null.
   * - addressOf(version): what a frame opens, or null.
   * - about: a sentence about both lanes.
   * - pairs: which versions belong together, if they are not the same.
   * - at: the session's version to show first, or null for its newest one.
   * - compares: whether frames are outlined that differ between the lanes.
   * - edited: the report of a replay, which becomes the sentence.
   * @param {any} options
   */
  constructor({
    label = null, ownLabel = "This session", entries, documentOf, addressOf = () => null, about = null,
    first = entries[0]?.version ?? 0, last = entries.at(-1)?.version ?? -1, pairs = null, at = null,
    compares = false, edited = null,
  }) {
    this.label = label;
    this.ownLabel = ownLabel;
    /** @type {Entry[]} */
    this.entries = entries;
    this.documentOf = documentOf;
    this.addressOf = addressOf;
    this.about = about;
    /** @type {number} */
    this.first = first;
    /** @type {number} */
    this.last = last;
    /** @type {Pair[] | null} */
    this.pairs = pairs;
    /** @type {number | null} */
    this.at = at;
    this.compares = compares;
    this.edited = edited;
    lanes += 1;
    this.number = lanes;
    /** The columns whose pictures are needed for the sentence about a replay. @type {number[]} */
    this.compared = edited === null ? [] : (this.pairs ?? [])
      .map(({ left, right }, index) => ({ left, right, column: index + 1 }))
      .filter(({ left, right }) => left !== null && left >= this.first && right !== null)
      .slice(0, most).map(({ column }) => column);
  }

  /** The entry of a version, or undefined if it is not loaded. */
  entryOf(/** @type {number} */ version) {
    return this.entries[version - (this.entries[0]?.version ?? 0)];
  }

  /**
   * Whether the frames in a column differ, or null if that is not known yet.
   * @param {number} column
   * @param {any[]} documents The documents of both versions: null if there is none, undefined if it is not there yet.
   * @param {(Entry | undefined)[]} entries
   */
  differs(column, documents, entries) {
    const known = this.#differing.get(column);
    if (known !== undefined) return known;
    const [one, other] = documents;
    const [left, right] = entries;
    const isElsewhere = left && right && (left.path !== right.path || left.handledBy !== right.handledBy);
    if (isElsewhere) return this.#set(column, true);
    if (one === undefined || other === undefined) return null;
    return this.#set(column, one !== null && other !== null && !isSamePicture(one, other));
  }

  #set(/** @type {number} */ column, /** @type {boolean} */ differs) {
    this.#differing.set(column, differs);
    return differs;
  }

  /** A sentence about the lanes, or null. */
  get sentence() {
    if (this.edited === null) return this.about;
    const results = this.compared.map((column) => this.#differing.get(column));
    const isKnown = results.every((each) => each !== undefined);
    return replaySentence(this.edited, isKnown ? results.filter(Boolean).length : null);
  }
}

/** The events of a fork's parent after the fork, or null if there are none. */
export async function parentLane({ session, version }, { readEvents, readRoute }) {
  const entries = await readEvents(session, version, page);
  if (entries.length === 0) return null;
  return new OtherLane({
    ownLabel: "This fork", entries,
    documentOf: (each, signal) => readRoute(session, each, signal),
    addressOf: (each) => fragmentOf(session, each),
  });
}

/** The original of a fork that replayed its events with an edit. */
export async function replayLane({ parent, edited }, edit, { readEvents, readRoute }) {
  const { session, version: count } = parent;
  const first = versionBefore(edit) + 1;
  return new OtherLane({
    label: "Before", ownLabel: "Replayed", first, last: count, at: first, compares: true, edited,
    entries: first > count ? [] : await readEvents(session, first - 1, page),
    pairs: pairs(count, edit, edited.refused),
    documentOf: (each, signal) => readRoute(session, each, signal),
    addressOf: (each) => fragmentOf(session, each),
  });
}
