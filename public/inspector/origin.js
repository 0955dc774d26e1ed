// @ts-check
// The origin of an event that no client sent by itself: background work, a timer, or the host. In a session whose work
// is withheld, a client posts the outcomes.

/**
 * A journal entry's origin, and the work or timer that it came from, if a route document listed it.
 * @typedef {{ origin?: string, pending?: string | null, asked?: { name: string } | null }} Told
 */

/**
 * The symbols in index.html. A client's event has none.
 * @type {Record<string, string>}
 */
const icons = { work: "work", timer: "timer", host: "host" };

/** @param {Told} event */
export function originIcon({ origin = "client" }) {
  return icons[origin] ?? null;
}

/**
 * Whether a client posted the event as an outcome of pending work.
 * @param {Told} event
 */
export function isPosted({ origin = "client", pending = null }) {
  return origin === "client" && pending !== null;
}

/**
 * A few words for the origin: `from work 12-1`. Empty for a client's own event.
 * @param {Told} event
 */
export function originText({ origin = "client", pending = null }) {
  if (isPosted({ origin, pending })) return `outcome of ${pending}`;
  if (origin === "client") return "";
  return origin === "host" ? "from the host" : ["from", origin, pending].filter(Boolean).join(" ");
}

/**
 * The beginning of a sentence that ends with the event: `Background task "prices" (started at version 12) reported`.
 * Null for a client's own event. `asked` is the work or the timer in a route document, or null if it is unknown. Then
 * its id stands for its name. An id begins with the version that started the work.
 * @param {Told} event
 */
export function emitter({ origin = "client", pending = null, asked = null }) {
  const version = /^\d+/.exec(pending ?? "")?.[0];
  const name = asked ? `"${asked.name}"` : pending;
  if (isPosted({ origin, pending })) {
    return `Posted as the outcome of ${name} (pending since version ${version}):`;
  }
  if (origin === "client") return null;
  if (origin === "host") return "The host emitted";
  const who = [origin === "timer" ? "Timer" : "Background task", name].filter(Boolean).join(" ");
  const verb = origin === "timer" ? "fired" : "reported";
  if (version === undefined) return `${who} ${verb}`;
  return `${who} (${origin === "timer" ? "set" : "started"} at version ${version}) ${verb}`;
}
