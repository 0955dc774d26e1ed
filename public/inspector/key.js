// @ts-check
// Whether this server has a key: what the page has seen of it, kept for later and for its other windows. The browser's
// cookie for it cannot be read, and the key itself is kept nowhere.

const name = "coordinate.has-key";

/** Whether the server asked for a key, as far as this browser knows. */
export function isKeyWanted() {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

/** Remembers that the server has a key. */
export function noteKey() {
  try {
    localStorage.setItem(name, "yes");
  } catch {
    // A browser that keeps nothing asks again.
  }
}
