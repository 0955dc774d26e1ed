// @ts-check
// How long events and background work took. It does not touch the page.

/**
 * @typedef {{ version: number, time: string, origin?: string, pending?: string | null }} Entry
 * @typedef {{ trip: number, turn?: number }} Trip
 * @typedef {{ text: string, what: string, isSlow: boolean }} Took
 */

/** The turn and the answer from which an event counts as slow, in milliseconds, and slow work, in seconds. */
const slowTurn = 50;
const slowTrip = 500;
const slowWork = 5;

/**
 * What is known of an entry's duration, in short and in a sentence, or null if nothing is.
 *
 * - begun: the entry of the version that started the entry's work, if it is loaded. Journals have whole seconds.
 * - sent: the time between this page's request and its answer, and how long the server's turn took, in milliseconds.
 * @param {Entry} entry
 * @param {Entry | undefined} begun
 * @param {Trip | undefined} sent
 * @returns {Took | null}
 */
export function tookOf({ time, origin = "client" }, begun, sent) {
  if (origin === "work" && begun) {
    const seconds = Math.round((Date.parse(time) - Date.parse(begun.time)) / 1000);
    if (!(seconds >= 0)) return null;
    const text = seconds === 0 ? "<1 s" : `${seconds} s`;
    return { text, what: `The work took ${text}.`, isSlow: seconds >= slowWork };
  }
  if (sent === undefined) return null;
  const { trip, turn } = sent;
  const answer = milliseconds(trip);
  if (turn === undefined) return { text: answer, what: `The answer took ${answer}.`, isSlow: trip >= slowTrip };
  const isLate = trip >= slowTrip;
  const own = milliseconds(turn);
  return {
    text: isLate ? `turn ${own}, answer ${answer}` : `turn ${own}`,
    what: `The turn took ${own}, and the answer ${answer}.`, isSlow: isLate || turn >= slowTurn,
  };
}

/** @param {number} time */
function milliseconds(time) {
  if (time >= 9.95) return `${Math.round(time)} ms`;
  return time < 0.1 ? "<0.1 ms" : `${Number(time.toFixed(1))} ms`;
}

/**
 * The version that started the work or the timer with an id such as `12-1`, or null if there is none.
 * @param {string | null} [pending]
 */
export function versionOf(pending) {
  const version = /^\d+(?=-)/.exec(pending ?? "")?.[0];
  return version === undefined ? null : Number(version);
}
