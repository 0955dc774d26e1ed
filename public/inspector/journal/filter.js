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

/** The handlers of some entries, sorted by id. */
export function handlersOf(entries) {
  return [...new Set(entries.map(({ handledBy }) => handledBy).filter((id) => id !== null))].sort();
}
