// @ts-check
// What a route document offers.

/**
 * The values that the document's own actions have for a payload field: a start for whoever types one.
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
