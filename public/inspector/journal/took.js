// @ts-check
// How long events and background work took. It does not touch the page.

/**
 * @typedef {{ version: number, time: string, origin?: string, pending?: string | null }} Entry
 * @typedef {{ text: string, what: string, isSlow: boolean }} Took
 */

/** The round trip from which an event counts as slow, in milliseconds, and the duration of slow work, in seconds. */
const slowTrip = 500;
const slowWork = 5;

/**
 * What is known of an entry's duration, or null if nothing is.
 *
 * - begun: the entry of the version that started the entry's work, if it is loaded. Journals have whole seconds.
 * - trip: the time between this page's request and its answer, in milliseconds.
 * @param {Entry} entry
 * @param {Entry | undefined} begun
 * @param {number | undefined} trip
 * @returns {Took | null}
 */
export function tookOf({ time, origin = "client" }, begun, trip) {
  if (origin === "work" && begun) {
    const seconds = Math.round((Date.parse(time) - Date.parse(begun.time)) / 1000);
    if (!(seconds >= 0)) return null;
    return { text: seconds === 0 ? "<1 s" : `${seconds} s`, what: "The work took", isSlow: seconds >= slowWork };
  }
  if (trip === undefined) return null;
  return { text: `${Math.max(1, Math.round(trip))} ms`, what: "The answer took", isSlow: trip >= slowTrip };
}

/**
 * The version that started the work or the timer with an id such as `12-1`, or null if there is none.
 * @param {string | null} [pending]
 */
export function versionOf(pending) {
  const version = /^\d+(?=-)/.exec(pending ?? "")?.[0];
  return version === undefined ? null : Number(version);
}
