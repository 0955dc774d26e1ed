// @ts-check
// The values that a route document offers.

/**
 * The values for a payload field in the document's own actions, as suggestions for the user.
 * @param {unknown} document
 * @param {string} name
 * @returns {unknown[]}
 */
export function offeredValues(document, name) {
  const values = new Set();
  /** @param {any} value */
  const collect = (value) => {
    if (value === null || typeof value !== "object") return;
    const offered = typeof value.event === "string" ? value.payload?.[name] ?? null : null;
    if (offered !== null) values.add(offered);
    Object.values(value).forEach(collect);
  };
  collect(document);
  return [...values];
}
