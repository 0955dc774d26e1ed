// @ts-check
// The rows of a list that grows at its top. Each event adds one row, so most updates touch only that one, however many
// rows there are.

import { keyed } from "../dom.js";

/** @typedef {import("../dom.js").PageElement} Row */

export class RowList {
  /** @type {Map<number, Row>} */
  #rows = new Map();
  /** The entries that have rows: those from `start` up to `end`, and the one before all others. */
  #shown = { entries: /** @type {any[]} */ ([]), start: 0, end: 0, beginning: /** @type {any} */ (null) };
  #isStale = false;

  /**
   * Callbacks: create(entry) and update(row, entry), for entries with a version.
   * @param {Element} list
   * @param {{ create: (entry: any) => Element, update: (row: Row, entry: any) => void }} callbacks
   */
  constructor(list, { create, update }) {
    this.list = list;
    this.create = create;
    this.update = update;
  }

  /**
   * The row of a version, or undefined.
   * @param {number} version
   */
  row(version) {
    return this.#rows.get(version);
  }

  /** Removes all rows. */
  clear() {
    this.list.replaceChildren();
    this.#rows.clear();
    this.#shown = { entries: [], start: 0, end: 0, beginning: null };
  }

  /** Updates all rows when they are shown next. */
  refresh() {
    this.#isStale = true;
  }

  /**
   * Shows the entries from a position on, newest first, and below them the beginning if it is not null. An array that
   * was shown before can have grown at its end; other changes need another array.
   * @param {any[]} entries
   * @param {number} start
   * @param {any} beginning
   */
  show(entries, start, beginning) {
    const { entries: before, start: first, end, beginning: last } = this.#shown;
    this.#shown = { entries, start, end: entries.length, beginning };
    if (entries !== before || this.#isStale) return this.#showAll();
    if (last !== null && (beginning === null || start < first)) this.#remove(last);
    for (let index = first; index < Math.min(start, end); index++) this.#remove(entries[index]);
    for (const entry of entries.slice(Math.max(start, end))) this.list.prepend(this.#made(entry));
    for (let index = Math.min(first, end) - 1; index >= start; index--) this.list.append(this.#made(entries[index]));
    if (beginning !== null && !this.#rows.has(beginning.version)) this.list.append(this.#made(beginning));
  }

  #made(/** @type {any} */ entry) {
    const row = /** @type {Row} */ (this.create(entry));
    row.dataset.key = String(entry.version);
    this.#rows.set(entry.version, row);
    this.update(row, entry);
    return row;
  }

  #showAll() {
    const { entries, start, beginning } = this.#shown;
    this.#isStale = false;
    this.#rows.clear();
    const all = [...entries.slice(start).reverse(), ...(beginning === null ? [] : [beginning])];
    keyed(this.list, all, ({ version }) => version, this.create, (row, entry) => {
      this.#rows.set(entry.version, row);
      this.update(row, entry);
    });
  }

  #remove(/** @type {any} */ { version }) {
    this.#rows.get(version)?.remove();
    this.#rows.delete(version);
  }
}
