// @ts-check
// Where an event came from that no client sent: work that a coordinator asked for, a timer, or the host.

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
 * In a few words: `from work 12-1`; empty for a client's event.
 * @param {Told} event
 */
export function originText({ origin = "client", pending = null }) {
  if (origin === "client") return "";
  return origin === "host" ? "from the host" : ["from", origin, pending].filter(Boolean).join(" ");
}

/**
 * The beginning of a sentence that the event goes on: `The work prices, asked for at version 12, emitted`; null for a
 * client's event. `asked` is the work or the timer as a route document had it, null where none is at hand; the id is
 * that of the event which asked, and a number.
 * @param {Told} event
 */
export function emitter({ origin = "client", pending = null, asked = null }) {
  if (origin === "client") return null;
  if (origin === "host") return "The host emitted";
  const who = ["The", origin, asked?.name ?? pending].filter(Boolean).join(" ");
  const version = /^\d+/.exec(pending ?? "")?.[0];
  if (version === undefined) return `${who} emitted`;
  return `${who}, ${origin === "timer" ? "set" : "asked for"} at version ${version}, emitted`;
}
