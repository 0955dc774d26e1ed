// @ts-check
// The payload that was sent last with each event, for as long as the window is open. Secrets are not among it.

import { holdsSecret } from "./catalog.js";
import { readJSON, writeJSON } from "./exact.js";

/** @typedef {import("./inputs.js").Declared} Declared */

/** @param {string} event */
const nameFor = (event) => `coordinate.payload.${event}`;

/**
 * What of a payload may be kept: what is declared, and neither secret nor has a secret in it.
 * @param {Record<string, unknown>} payload
 * @param {Record<string, Declared>} declared
 */
export function withoutSecrets(payload, declared) {
  return Object.fromEntries(Object.entries(payload)
    .filter(([name]) => Object.hasOwn(declared, name) && !holdsSecret(declared[name])));
}

/**
 * Keeps what was sent with an event; nothing where nothing of it may be kept.
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
    // It is typed again, then.
  }
}

/**
 * What was sent with an event last, as far as it is still one that could be sent.
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

/** @returns {Storage | null} Nothing where the browser keeps nothing. */
function keeping() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
