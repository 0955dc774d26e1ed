// @ts-check
// What a screen says of itself besides its rows and actions, and how it is presented.

/**
 * A screen, as far as a sentence goes.
 * @typedef {{ status?: string, message?: string | null, style?: string }} Screen
 */

/**
 * A sentence: that it loads, how it failed, or what else its message is; empty where there is nothing to say.
 * @param {Screen} screen
 */
export function statusText({ status = "ready", message = null }) {
  if (status === "failed") return message === null ? "This failed." : `Failed: ${closed(message)}`;
  if (message === null) return status === "loading" ? "Loading…" : "";
  return closed(message);
}

/**
 * A text with a mark at its end.
 * @param {string} text
 */
export function closed(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * Whether a screen is an alert: a question on top of the screen it is about.
 * @param {Screen} screen
 */
export function isAlert({ style }) {
  return style === "alert";
}

/**
 * Whether a screen is a sheet: a modal, of whose presenter a bit can be seen.
 * @param {Screen} screen
 */
export function isSheet({ style }) {
  return style === "sheet";
}
