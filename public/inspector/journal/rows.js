// @ts-check
// How many of the journal's rows are on the page. The browser slows down with thousands of rows, so there are only as
// many as were scrolled to, and more when the end comes near.

/** The number of rows at first, and the number that is added. */
const step = 100;

export class Room {
  #count = step;

  /** Back to the first rows, for another session or at the newest entry. */
  reset() {
    this.#count = step;
  }

  /** Whether there are more of `total` rows than are shown. Then it makes room for some of them. */
  grow(/** @type {number} */ total) {
    if (this.#count >= total) return false;
    this.#count += step;
    return true;
  }

  /** The number of rows to show, newest first, and at least up to the one at `index`. */
  countFor(index = -1) {
    if (index >= this.#count) this.#count = index + step / 2;
    return this.#count;
  }
}
