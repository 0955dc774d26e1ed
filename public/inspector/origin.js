// @ts-check
// Where an event came from that no client sent by itself: work that a coordinator asked for, a timer, or the host; or a
// client that posted an outcome, in a session whose work is withheld.

/**
 * An event's entry, and the work or the timer it is told by, as a route document had that.
 * @typedef {{ origin?: string, pending?: string | null, asked?: { name: string } | null }} Told
 */

/**
 * The symbols of index.html; a client's event has none.
 * @type {Record<string, string>}
 */
const icons = { work: "work", timer: "timer", host: "host" };

/** @param {Told} event */
export function originIcon({ origin = "client" }) {
  return icons[origin] ?? null;
}

/**
 * Whether a client posted the event as an outcome.
 * @param {Told} event
 */
export function isPosted({ origin = "client", pending = null }) {
  return origin === "client" && pending !== null;
}

/**
 * In a few words: `from work 12-1`; empty for a client's own event.
 * @param {Told} event
 */
export function originText({ origin = "client", pending = null }) {
  if (isPosted({ origin, pending })) return `outcome of ${pending}`;
  if (origin === "client") return "";
  return origin === "host" ? "from the host" : ["from", origin, pending].filter(Boolean).join(" ");
}

/**
 * The beginning of a sentence that the event goes on: `The work prices, asked for at version 12, emitted`; null for a
 * client's own event. `asked` is the work or the timer as a route document had it, null where none is at hand; the id
 * is that of the event which asked, and a number.
 * @param {Told} event
 */
export function emitter({ origin = "client", pending = null, asked = null }) {
  const version = /^\d+/.exec(pending ?? "")?.[0];
  if (isPosted({ origin, pending })) {
    return `Posted as the outcome of ${asked?.name ?? pending}, pending since version ${version}:`;
  }
  if (origin === "client") return null;
  if (origin === "host") return "The host emitted";
  const who = ["The", origin, asked?.name ?? pending].filter(Boolean).join(" ");
  if (version === undefined) return `${who} emitted`;
  return `${who}, ${origin === "timer" ? "set" : "asked for"} at version ${version}, emitted`;
}
