// @ts-check
// The coordinators that an event visited, and their short names.

import { isolated } from "./direction.js";
import { writeJSON } from "./exact.js";

/**
 * The coordinators that an event visited, leaf first. A journal entry does not list them, but ids are paths from the
 * root: the event went from `at` through its parents to its handler, or to the root.
 */
export function traceOf({ at, handledBy }) {
  const parts = at.split("/");
  const up = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  const last = handledBy === null ? up.length - 1 : up.indexOf(handledBy);
  const visited = last < 0 ? [at, handledBy] : up.slice(0, last + 1);
  return visited.map((coordinator) => ({ coordinator, intercepted: coordinator === handledBy }));
}

/** The last identifier in a coordinator id. */
export function shortName(id) {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** A payload as short text on one line: `name: value, …`. */
export function payloadText(payload) {
  return Object.entries(payload ?? {})
    .map(([name, value]) => `${name}: ${isolated(typeof value === "string" ? onOneLine(value) : writeJSON(value))}`)
    .join(", ");
}

/** The beginning of a payload's text, at most `longest` characters. */
export function shortPayload(payload, longest = 60) {
  const characters = [...payloadText(payload)];
  return characters.length <= longest ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}

function onOneLine(text) {
  return text.replaceAll("\n", " ↵ ");
}
