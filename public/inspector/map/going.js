// @ts-check
// The way to a screen of the map: its link, or else the events that lead there from the start.

import { eventCount } from "../counts.js";

/** The most events that a sentence names. */
const mostNamed = 5;

/** What a press on a screen does, in a sentence. */
export function wayText({ isLink, path, journal }) {
  if (isLink) return `Opens ${path}.`;
  if (journal.length === 0) return "Starts a new session.";
  const names = journal.map(({ event }) => event.slice(event.indexOf(".") + 1));
  const shown = names.length > mostNamed ? [...names.slice(0, mostNamed - 2), "…", names.at(-1)] : names;
  return `Starts a new session and sends ${eventCount(names.length)}: ${shown.join(", ")}.`;
}

/**
 * Sends a screen's shortest journal to a session that is at its start. It waits for work, and stops at a timer.
 * Callbacks: emit(request), and settle(), which waits for work.
 */
export async function follow(journal, { emit, settle }) {
  for (const { event, payload, at, origin = "client" } of journal) {
    if (origin === "timer") return;
    if (origin === "client") await emit({ event, payload, at });
    else await settle();
  }
}
