// @ts-check
// The session that this browser started last by opening the page. Until something happens in it, every visit shows it
// again, so that visits alone do not fill the server with sessions.

const name = "coordinate.untouched";

/**
 * The id of the session, or null if there is none.
 * @param {Storage | null} storage
 */
export function untouched(storage = keeping()) {
  try {
    return storage?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/**
 * Remembers the session that a visit has started, or forgets it if `id` is null.
 * @param {string | null} id
 * @param {Storage | null} storage
 */
export function noteUntouched(id, storage = keeping()) {
  try {
    if (id === null) storage?.removeItem(name);
    else storage?.setItem(name, id);
  } catch {
    // If the browser stores nothing, the next visit starts another session.
  }
}

/** @returns {Storage | null} Null if the browser stores nothing. */
function keeping() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
