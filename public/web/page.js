// @ts-check
// What the module needs to know of a page.

/**
 * The version that a page shows; `null` if it shows none, like a page with a message.
 * @param {{ body: { dataset: Record<string, string | undefined> } }} page
 * @returns {number | null}
 */
export function shownVersion(page) {
  const version = page.body.dataset.version;
  return version === undefined ? null : Number(version);
}

/**
 * Whether a message of the stream is about a later version than the page's.
 * @param {string} id
 * @param {number | null} version
 */
export function isNewer(id, version) {
  return version !== null && /^\d+$/.test(id) && Number(id) > version;
}

/**
 * The body that a browser sends for a form.
 * @param {HTMLFormElement} form
 */
export function formBody(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  return body;
}
