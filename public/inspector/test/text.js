// @ts-check
// A session as a test, in one of several languages. It does not touch the page.

import { eventCount } from "../counts.js";
import { writeJSON } from "../exact.js";

/** The longest line of code, in characters. */
export const width = 120;

/** Why a test replays a journal. */
export const whyReplayed = "The journal has outcomes of work or events from the host, so the test replays it.";

/**
 * What a test is written from: the first line of an exported journal, its entries as far as the test leads, and whether
 * the test replays the journal because a client cannot send all of its events.
 * @typedef {{ header: any, entries: any[], isReplayed: boolean }} Journal
 */

/**
 * A language. Each function returns lines. A step has the lines of one entry: they send its event and expect what was
 * recorded. In a test that replays the journal, it is the entry's own line. Entries can have two more properties:
 * `pressed`, the press that sent the event, and `placeholders`, the names of secrets that the journal does not have.
 * @typedef {{
 *   opening(journal: Journal): string[], step(entry: any, index: number, journal: Journal): string[],
 *   closing(journal: Journal): string[],
 * }} Language
 */

/**
 * The whole test.
 * @param {Language} language
 * @param {any} header
 * @param {any[]} entries
 * @param {(entry: any) => any} prepared Adds to an entry what only the page knows, see `step`.
 */
export function testText(language, header, entries, prepared = (entry) => entry) {
  const journal = { header, entries, isReplayed: entries.some(isForeign) };
  const steps = entries.flatMap((entry, index) =>
    language.step(journal.isReplayed ? entry : prepared(entry), index, journal));
  return [...language.opening(journal), ...steps, ...language.closing(journal), ""].join("\n");
}

/** Whether a client cannot send an entry's event to a new session: events of work, timers, the host, and outcomes. */
export function isForeign({ origin = "client", pending = null }) {
  return origin !== "client" || pending !== null;
}

/** Whether an entry is an opened link. */
export function isLink({ event, payload }) {
  return event === "navigation.open" && typeof payload?.path === "string";
}

/** The path that a test leads to. */
export function endOf({ header, entries }) {
  return entries.at(-1)?.path ?? header.path ?? "/";
}

/** A sentence about where a test comes from, on one line. */
export function recorded({ header, entries }) {
  const { app, appVersion } = header;
  return `Recorded in ${app} ${appVersion}: ${eventCount(entries.length)}, up to ${endOf({ header, entries })}.`
    .replaceAll(/\s+/g, " ");
}

/** The words of a text: `/main/teams` has two. */
export function wordsIn(text) {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

export function hasFields(object) {
  return Object.keys(object ?? {}).length > 0;
}

/** The body of a request that sends an entry's event, as JSON. A press starts at the visible leaf. */
export function requestFor({ event, payload, at, pressed }) {
  return writeJSON({ event, ...(hasFields(payload) && { payload }), ...(!pressed && { at }) });
}

/** A comment that names the pressed button, in a language that does not press it by its title. */
export function titled({ pressed }, mark) {
  return pressed ? [`${mark} ${pressed.title.replaceAll(/\s+/g, " ")}`] : [];
}

/** Comments that say which values of a step are placeholders. */
export function noted({ placeholders = [] }, mark) {
  return placeholders.map((name) => `${mark} The journal has no secrets: replace the placeholder for ${name}.`);
}
