// @ts-check
// The strip that the timeline's lanes lie in: its columns' places, and scrolling. All places are in pixels.

import { $ } from "../dom.js";
import { windowOf } from "./columns.js";

/** The room before the first and after the last column. */
const edge = 8;

export class Strip {
  #left = 0;
  #width = 0;
  #pitch = 1;
  #count = 1;

  /** Callbacks: moved(), after it was scrolled; resized(), after its size changed. */
  constructor({ moved, resized }) {
    $("strip").addEventListener("scroll", () => {
      this.#left = $("strip").scrollLeft;
      moved();
    }, { passive: true });
    new ResizeObserver(resized).observe($("strip"));
  }

  /** Reads its size and the width of a column. Reading them each time would lay out the page. */
  measure() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const pitch = Number.parseFloat(getComputedStyle($("strip")).getPropertyValue("--pitch"));
    this.#pitch = pitch * rem || 1;
    this.#width = $("strip").clientWidth;
    this.#left = $("strip").scrollLeft;
    this.#resize();
  }

  /** The number of columns. */
  set count(/** @type {number} */ count) {
    if (count === this.#count) return;
    this.#count = count;
    this.#resize();
  }

  #resize() {
    for (const id of ["frames", "other-frames"]) $(id).style.width = `${this.#length}px`;
  }

  get #length() {
    return this.#count * this.#pitch + 2 * edge;
  }

  get #end() {
    return Math.max(0, this.#length - this.#width);
  }

  get isAtEnd() {
    return this.#left >= this.#end - this.#pitch / 2;
  }

  /** The columns that are visible, or nearly. */
  get columns() {
    const { first, end } = windowOf({ left: this.#left, width: this.#width, pitch: this.#pitch, count: this.#count });
    return Array.from({ length: end - first }, (_, index) => first + index);
  }

  /** Whether a column is visible, even if only a part of it is. */
  shows(/** @type {number} */ column) {
    const start = this.leftOf(column);
    return start + this.#pitch > this.#left && start < this.#left + this.#width;
  }

  leftOf(/** @type {number} */ column) {
    return edge + column * this.#pitch;
  }

  scrollToEnd() {
    this.#scrollTo(Infinity);
  }

  #scrollTo(/** @type {number} */ left) {
    this.#left = Math.max(0, Math.min(left, this.#end));
    $("strip").scrollLeft = this.#left;
  }

  /** Scrolls to a column if it is not visible. A column that is far away stands in the middle then. */
  reveal(/** @type {number} */ column) {
    const [start, end] = [this.leftOf(column), this.leftOf(column + 1)];
    const isFar = end < this.#left - this.#width || start > this.#left + 2 * this.#width;
    if (column === this.#count - 1) this.scrollToEnd();
    else if (isFar) this.#scrollTo((start + end - this.#width) / 2);
    else if (start < this.#left) this.#scrollTo(start - this.#pitch / 2);
    else if (end > this.#left + this.#width) this.#scrollTo(end + this.#pitch / 2 - this.#width);
  }
}
