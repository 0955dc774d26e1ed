// The fragment of the page's address: the session that is shown, and the version of its past.

/** The session id in an address, or null if it contains none. */
export function sessionIn(address) {
  return part(address, "session") || null;
}

/** The version in an address, or null if it means the current state. */
export function versionIn(address) {
  const text = part(address, "version") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The fragment for a session, and for a version of its past if one is given. */
export function fragmentOf(id, version = null) {
  return `#session=${id}${version === null ? "" : `&version=${version}`}`;
}

/** Whether a text can be a session id: 128 bits in 22 URL-safe characters, with two bits in the last one. */
export function isSessionID(text) {
  return /^[\w-]{21}[AQgw]$/.test(text);
}

function part(address, name) {
  return new RegExp(`#(?:.*&)?${name}=([^&]*)`).exec(address)?.[1];
}
