// @ts-check
// The places of the timeline's frames: which versions stand in a column, and which columns are visible. It does not
// touch the page.

/**
 * @typedef {import("../changes/replay.js").Pair} Pair
 *
 * The versions in a column: of the session, and of the lane above it. The note says why the session has none.
 * @typedef {{ own: number | null, other: number | null, note: string | null, reason: string | null }} Column
 */

/** The columns next to the visible ones that have frames as well. */
const spare = 4;

/**
 * The range of columns that are visible, or nearly.
 * @param {{ left: number, width: number, pitch: number, count: number }} view In pixels.
 */
export function windowOf({ left, width, pitch, count }) {
  const first = Math.min(Math.max(0, Math.floor(left / pitch) - spare), Math.max(0, count - 1));
  return { first, end: Math.min(count, Math.ceil((left + width) / pitch) + spare) };
}

/** The columns of a session's versions, with those of another lane above them: at the same version, or in pairs. */
export class Columns {
  #newest;
  #other;
  #pairs;
  /** The session's last version that is in a pair, and the columns of the versions in pairs. */
  #last = 0;
  /** @type {Map<number, number>} */
  #places = new Map();

  /**
   * @param {number} newest The session's newest version.
   * @param {{ first: number, last: number } | null} [other] The versions in the lane above.
   * @param {Pair[] | null} [pairs] The versions from 1 on, if they are not the same in both lanes.
   */
  constructor(newest, other = null, pairs = null) {
    this.#newest = newest;
    this.#other = other;
    this.#pairs = pairs;
    for (const [index, { right }] of (pairs ?? []).entries()) {
      if (right === null) continue;
      this.#last = right;
      this.#places.set(right, index + 1);
    }
  }

  /** The same columns with a newer version at their end. */
  grown(/** @type {number} */ newest) {
    this.#newest = newest;
    return this;
  }

  get count() {
    if (this.#pairs !== null) return 1 + this.#pairs.length + Math.max(0, this.#newest - this.#last);
    return 1 + Math.max(this.#newest, this.#other?.last ?? 0);
  }

  /**
   * @param {number} column
   * @returns {Column}
   */
  at(column) {
    const pair = column === 0 ? undefined : this.#pairs?.[column - 1];
    if (pair) return { own: pair.right, other: this.#shown(pair.left), note: pair.note, reason: pair.reason };
    const own = this.#pairs === null || column === 0 ? column : column - this.#pairs.length + this.#last;
    const other = this.#pairs === null ? this.#shown(column) : null;
    return { own: own <= this.#newest ? own : null, other, note: null, reason: null };
  }

  /** The column of one of the session's versions. */
  columnOf(/** @type {number} */ version) {
    if (this.#pairs === null || version === 0) return version;
    return this.#places.get(version) ?? this.#pairs.length + version - this.#last;
  }

  #shown(/** @type {number | null} */ version) {
    if (version === null || this.#other === null) return null;
    return version >= this.#other.first && version <= this.#other.last ? version : null;
  }
}
