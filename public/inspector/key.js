// @ts-check
// Whether this server requires a key, as far as the page knows. That is stored for later and for other windows. The
// page cannot read the login cookie and stores no key.

const name = "coordinate.has-key";

/** Whether the server required a key when this browser last used it. */
export function isKeyWanted() {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

/** Remembers that the server requires a key. */
export function noteKey() {
  try {
    localStorage.setItem(name, "yes");
  } catch {
    // If the browser stores nothing, the page asks again next time.
  }
}
