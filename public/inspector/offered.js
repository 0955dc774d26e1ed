// @ts-check
// The actions that a route document offers, and their values.

/** @typedef {{ event: string, title: string, payload: Record<string, unknown> | null }} Action */

/**
 * All actions in a document.
 * @param {unknown} document
 * @returns {Action[]}
 */
export function offeredActions(document) {
  /** @type {Action[]} */
  const actions = [];
  /** @param {any} value */
  const collect = (value) => {
    if (value === null || typeof value !== "object") return;
    if (typeof value.event === "string") actions.push(value);
    Object.values(value).forEach(collect);
  };
  collect(document);
  return actions;
}

/**
 * The values for a payload field in the document's own actions, as suggestions for the user.
 * @param {unknown} document
 * @param {string} name
 * @returns {unknown[]}
 */
export function offeredValues(document, name) {
  const values = offeredActions(document).map(({ payload }) => payload?.[name] ?? null);
  return [...new Set(values.filter((value) => value !== null))];
}
