// @ts-check
// Filters journal entries. It does not touch the page.

import { payloadText } from "../trace.js";

/** The filter's value for entries that no coordinator handled. */
export const unhandled = "unhandled";

/**
 * Whether an entry matches the filter. Empty fields match every entry.
 *
 * - text: words that all occur in the event, the payload, the path, or the handler.
 * - handler: the id of the handler, or `unhandled`.
 * - origin: `client`, `work`, `timer` or `host`.
 */
export function isWanted(entry, { text = "", handler = "", origin = "" }) {
  if (origin !== "" && entry.origin !== origin) return false;
  if (handler !== "" && (entry.handledBy ?? unhandled) !== handler) return false;
  if (text.trim() === "") return true;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const said = [entry.version, entry.event, payloadText(entry.payload), entry.path, entry.handledBy, entry.at]
    .join(" ").toLowerCase();
  return words.every((word) => said.includes(word));
}

/** The entries that match a filter. After new events, it looks at the new entries only. */
export class Sieve {
  #filter = "";
  /** @type {any[]} */
  #found = [];
  /** @type {Set<string>} */
  #handlers = new Set();
  /** The number of entries so far, the first and the last of them. */
  #count = 0;
  /** @type {any[]} */
  #ends = [];

  /**
   * The entries that match, oldest first, and the ids of all handlers. The array is the same as before if it has only
   * grown.
   * @param {any[]} entries
   * @param {{ text?: string, handler?: string, origin?: string }} filter
   */
  matches(entries, filter) {
    const text = JSON.stringify(filter);
    const isGrown = text === this.#filter && this.#count > 0 && entries.length >= this.#count
      && entries[0] === this.#ends[0] && entries[this.#count - 1] === this.#ends[1];
    if (!isGrown) {
      this.#found = [];
      this.#handlers = new Set();
      this.#count = 0;
    }
    this.#filter = text;
    for (const entry of entries.slice(this.#count)) {
      if (isWanted(entry, filter)) this.#found.push(entry);
      if (entry.handledBy !== null) this.#handlers.add(entry.handledBy);
    }
    this.#count = entries.length;
    this.#ends = [entries[0], entries.at(-1)];
    return { found: this.#found, handlers: this.#handlers };
  }
}

/** The handlers of some entries, sorted by id. */
export function handlersOf(entries) {
  return [...new Set(entries.map(({ handledBy }) => handledBy).filter((id) => id !== null))].sort();
}
