// How to come to a screen of the map: by its link, or else by the events that lead there from the start.

/** What a press on a screen does, in a sentence. */
export function wayText({ isLink, path, journal }) {
  if (isLink) return `Opens ${path}.`;
  const events = journal.map(({ event }) => event.slice(event.indexOf(".") + 1));
  if (events.length === 0) return "Begins a new session.";
  return `Begins a new session and sends ${events.length === 1 ? "an event" : `${events.length} events`}: `
    + `${events.join(", ")}.`;
}

/**
 * Sends a screen's shortest journal to a session that is at its beginning; what becomes of work is waited for, timers
 * are not. Callbacks: emit(request), and settle(), which waits for work.
 */
export async function follow(journal, { emit, settle }) {
  for (const { event, payload, at, origin = "client" } of journal) {
    if (origin === "timer") return;
    if (origin === "client") await emit({ event, payload, at });
    else await settle();
  }
}
