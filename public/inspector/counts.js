// @ts-check
// Numbers of events, in words.

/**
 * A number of events: `1 event`, `3 events`.
 * @param {number} count
 */
export const eventCount = (count) => (count === 1 ? "1 event" : `${count} events`);

/**
 * A session's events from the first one on: `the first 3 events`.
 * @param {number} count
 */
export function firstEvents(count) {
  if (count === 0) return "no events";
  return count === 1 ? "the first event" : `the first ${count} events`;
}
