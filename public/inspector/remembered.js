// @ts-check
// The last payload of each event, kept while the window is open, without secrets.

import { holdsSecret } from "./catalog.js";
import { readJSON, writeJSON } from "./exact.js";

/** @typedef {import("./inputs.js").Declared} Declared */

/** @param {string} event */
const nameFor = (event) => `coordinate.payload.${event}`;

/**
 * The part of a payload that can be stored: declared fields without secrets.
 * @param {Record<string, unknown>} payload
 * @param {Record<string, Declared>} declared
 */
export function withoutSecrets(payload, declared) {
  return Object.fromEntries(Object.entries(payload)
    .filter(([name]) => Object.hasOwn(declared, name) && !holdsSecret(declared[name])));
}

/**
 * Stores the payload of an event, if any part of it can be stored.
 * @param {string} event
 * @param {Record<string, unknown>} payload
 * @param {Record<string, Declared>} declared
 */
export function remember(event, payload, declared, storage = keeping()) {
  try {
    const kept = withoutSecrets(payload, declared);
    if (Object.keys(kept).length > 0) storage?.setItem(nameFor(event), writeJSON(kept));
    else storage?.removeItem(nameFor(event));
  } catch {
    // If the browser stores nothing, the user types the payload again.
  }
}

/**
 * The last payload of an event, without fields that the catalog no longer declares.
 * @param {string} event
 * @param {Record<string, Declared>} declared
 * @returns {Record<string, unknown>}
 */
export function remembered(event, declared, storage = keeping()) {
  try {
    const payload = withoutSecrets(readJSON(storage?.getItem(nameFor(event)) ?? "{}"), declared);
    return Object.fromEntries(Object.entries(payload)
      .filter(([name, value]) => declared[name].choices?.includes(value) ?? true));
  } catch {
    return {};
  }
}

/** @returns {Storage | null} Null if the browser stores nothing. */
function keeping() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
