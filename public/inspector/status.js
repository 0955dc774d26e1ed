// @ts-check
// A screen's status and message, and how it is presented.

/**
 * A screen, with the fields that its sentence uses.
 * @typedef {{ status?: string, message?: string | null, style?: string }} Screen
 */

/**
 * A sentence: that the screen is loading, how it failed, or its message. Empty if it has none of these.
 * @param {Screen} screen
 */
export function statusText({ status = "ready", message = null }) {
  if (status === "failed") return message === null ? "This failed." : `Failed: ${closed(message)}`;
  if (message === null) return status === "loading" ? "Loading…" : "";
  return closed(message);
}

/**
 * Text with a final punctuation mark.
 * @param {string} text
 */
export function closed(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/**
 * Whether a screen is an alert: a question about the screen below it.
 * @param {Screen} screen
 */
export function isAlert({ style }) {
  return style === "alert";
}

/**
 * Whether a screen is a sheet: a modal that leaves a part of its presenter visible.
 * @param {Screen} screen
 */
export function isSheet({ style }) {
  return style === "sheet";
}
