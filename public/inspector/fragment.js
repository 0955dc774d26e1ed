// The fragment of the page's address: which session is shown.

/** The session that an address names; null where it names none. */
export function sessionIn(address) {
  return /#(?:.*&)?session=([^&]*)/.exec(address)?.[1] || null;
}

/** The part of the page's address that names a session. */
export function fragmentOf(id) {
  return `#session=${id}`;
}

/** Whether a text could be the id of a session: 128 bits in 22 URL-safe characters, so that the last has two of them. */
export function isSessionID(text) {
  return /^[\w-]{21}[AQgw]$/.test(text);
}
