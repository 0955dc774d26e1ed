// The fragment of the page's address: which session is shown, and which version of its past.

/** The session that an address names; null where it names none. */
export function sessionIn(address) {
  return part(address, "session") || null;
}

/** The version of the past that an address names; null where it means the session as it is now. */
export function versionIn(address) {
  const text = part(address, "version") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The part of the page's address that names a session, and a version of its past if one is given. */
export function fragmentOf(id, version = null) {
  return `#session=${id}${version === null ? "" : `&version=${version}`}`;
}

/** Whether a text could be the id of a session: 128 bits in 22 URL-safe characters, the last of which has two. */
export function isSessionID(text) {
  return /^[\w-]{21}[AQgw]$/.test(text);
}

function part(address, name) {
  return new RegExp(`#(?:.*&)?${name}=([^&]*)`).exec(address)?.[1];
}
