// @ts-check
// A session on the storyboard: its present screen, the screens that it has seen, the way that it came, and the way to a
// screen.

import { eventCount } from "../counts.js";

/** The most events that a sentence names. */
const mostNamed = 5;

/**
 * The session on a graph.
 *
 * - entries: its journal, oldest first, up to the version that is shown; the beginning may be missing.
 * - names: the names of its screens by version, as far as they are known. An entry has only the path.
 *
 * `here` is the id of the present screen, or null; `seen` the ids of all screens so far; `way` how often each edge was
 * taken, by key; `jumps` the ways without an edge on the map, as [from, to]; `last` the key of the last way.
 */
export function overlay(graph, { entries, version, names }) {
  const seen = new Set();
  const way = new Map();
  const jumps = new Map();
  let last = null;
  let place = null;
  const come = (id, isStep) => {
    if (id !== null) seen.add(id);
    if (isStep && place !== null && id !== null && place !== id) {
      last = `${place} ${id}`;
      if (graph.edge(place, id)) way.set(last, (way.get(last) ?? 0) + 1);
      else jumps.set(last, [place, id]);
    } else if (isStep) {
      last = null;
    }
    place = id;
  };
  const first = entries[0]?.version ?? version + 1;
  const known = (version, otherwise) =>
    (names.has(version) ? graph.screenNamed(names.get(version))?.id ?? null : otherwise());
  come(known(first - 1, () => (first === 1 ? graph.screens[0]?.id ?? null : null)), false);
  for (const entry of entries) {
    if (entry.version > version) break;
    come(known(entry.version, () => screenAfter(graph, place, entry)), true);
  }
  return { here: place, seen, way, jumps, last };
}

/** The id of the screen that an event led to, as far as its path and the map say; otherwise null. */
function screenAfter(graph, from, { event, payload, path }) {
  const fitting = graph.screensAt(path);
  const steps = from === null ? [] : graph.edgesFrom(from)
    .flatMap((edge) => edge.events.filter((each) => each.event === event).map((each) => ({ to: edge.to, ...each })));
  const sent = JSON.stringify(payload);
  const exact = steps.filter(({ payloads }) => payloads.has(sent));
  const isFitting = ({ to }) => fitting.some(({ id }) => id === to);
  const step = exact.find(isFitting) ?? steps.find(isFitting);
  if (step) return step.to;
  if (fitting.length > 0) return fitting[0].id;
  const ends = new Set((exact.length > 0 ? exact : steps).map(({ to }) => to));
  return ends.size === 1 ? [...ends][0] : null;
}

/** What going to a screen does, in a sentence. - hasSession: whether there is a session that can open links. */
export function wayText({ isLink, path, journal }, hasSession) {
  if (isLink) return hasSession ? `Opens ${path}.` : `Starts a new session and opens ${path}.`;
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
