// @ts-check
// The fragment of the page's address: the session that is shown and the version of its past; or the list of all
// sessions with its filter.

/** @typedef {{ text?: string, state?: string }} SessionFilter */

/**
 * The session id in an address, or null if it contains none.
 * @param {string} address
 */
export function sessionIn(address) {
  return part(address, "session") || null;
}

/**
 * The version in an address, or null if it means the current state.
 * @param {string} address
 */
export function versionIn(address) {
  const text = part(address, "version") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * The fragment for a session, and for a version of its past if that is given.
 * @param {string} id
 * @param {number | null} [version]
 */
export function fragmentOf(id, version = null) {
  return `#session=${id}${version === null ? "" : `&version=${version}`}`;
}

/**
 * Whether an address means the list of all sessions.
 * @param {string} address
 */
export function isHome(address) {
  return /#home(?:&|$)/.test(address);
}

/**
 * The filter of the list of sessions in an address. What it does not name is empty.
 * @param {string} address
 */
export function sessionFilterIn(address) {
  return { text: value(address, "text"), state: value(address, "state") };
}

/**
 * The fragment for the list of all sessions.
 * @param {SessionFilter} filter
 */
export function homeFragment({ text, state } = {}) {
  return `#home${items({ text, state })}`;
}

/**
 * Whether a text can be a session id: 128 bits in 22 URL-safe characters, with two bits in the last one.
 * @param {string} text
 */
export function isSessionID(text) {
  return /^[\w-]{21}[AQgw]$/.test(text);
}

/**
 * @param {string} address
 * @param {string} name
 */
function part(address, name) {
  return new RegExp(`#(?:.*&)?${name}=([^&]*)`).exec(address)?.[1];
}

/**
 * @param {string} address
 * @param {string} name
 */
function value(address, name) {
  try {
    return decodeURIComponent(part(address, name) ?? "");
  } catch {
    // An address that was cut off can end within a character.
    return "";
  }
}

/** @param {Record<string, string | undefined>} values */
function items(values) {
  return Object.entries(values).filter(([, text]) => text)
    .map(([name, text]) => `&${name}=${encodeURIComponent(text ?? "")}`).join("");
}
