// Which entries of a journal are shown. No element of the page is touched here.

import { payloadText } from "../trace.js";

/** The handler that stands for none. */
export const nobody = "nobody";

/**
 * Whether an entry is one of those wanted; empty fields want any.
 *
 * - text: words that are all in the event, the payload, the path, or who handled it.
 * - handler: the id of the coordinator that handled it, or `nobody`.
 * - origin: `client`, `work`, `timer` or `host`.
 */
export function isWanted(entry, { text = "", handler = "", origin = "" }) {
  if (origin !== "" && entry.origin !== origin) return false;
  if (handler !== "" && (entry.handledBy ?? nobody) !== handler) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const said = [entry.version, entry.event, payloadText(entry.payload), entry.path, entry.handledBy, entry.at]
    .join(" ").toLowerCase();
  return words.every((word) => said.includes(word));
}

/** Everybody who handled one of the entries, in the order of their ids. */
export function handlersOf(entries) {
  return [...new Set(entries.map(({ handledBy }) => handledBy).filter((id) => id !== null))].sort();
}
