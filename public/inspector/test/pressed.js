// @ts-check
// The button that an event came from, as a person would name it. It does not touch the page.

import { writeJSON } from "../exact.js";

/**
 * How a test presses a button: by its title, in a row if other rows have the same button, with the values that were
 * entered into its form.
 * @typedef {{ title: string, row: string | null, values: Record<string, unknown> }} Press
 */

/**
 * The press that led from a route to a journal entry, or null if no single button of that route sends its event. A test
 * expects that a press is handled, so an event that was not handled has none.
 * @param {any} route
 * @param {any} entry
 * @returns {Press | null}
 */
export function pressIn(route, { event, payload, at, handledBy }) {
  if (handledBy === null || at !== route.leaf) return null;
  const all = offered(route);
  for (const { action, row } of all) {
    const values = action.event === event ? entered(action, payload ?? {}) : null;
    if (values === null) continue;
    if (isOnly(action, all)) return { title: action.title, row: null, values };
    const isOnlyInRow = row !== null && isOnly(action, all.filter((each) => each.row === row));
    return isOnlyInRow ? { title: action.title, row, values } : null;
  }
  return null;
}

/** All buttons: those of the rows, of the screen, Back, the tabs, and the dismissal of a modal. */
function offered({ screen, navigation }) {
  const inRows = (screen.rows ?? []).flatMap((row) =>
    [row.action, row.delete, ...row.actions ?? []].map((action) => ({ action, row: row.id })));
  const others = [...screen.actions ?? [], navigation.back, ...navigation.tabs.map(({ action }) => action),
    navigation.dismiss].map((action) => ({ action, row: null }));
  return [...inRows, ...others].filter(({ action }) => Boolean(action));
}

/** Whether no other button has this button's title. */
function isOnly(action, all) {
  return all.every(({ action: other }) => other.title !== action.title || writeJSON(other) === writeJSON(action));
}

/** The values that differ from those that a button's form shows, or null if the form cannot send this payload. */
function entered({ payload: own, inputs }, payload) {
  const fields = new Set((inputs ?? []).map(({ field }) => field));
  const names = new Set([...Object.keys(own ?? {}), ...Object.keys(payload)]);
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const name of names) {
    if (writeJSON(own?.[name]) === writeJSON(payload[name])) continue;
    if (!fields.has(name) || !(name in payload)) return null;
    values[name] = payload[name];
  }
  return values;
}
