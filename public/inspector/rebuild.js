// @ts-check
// Replays what the page has of a session in a new build of the app, and says what differs. It does not touch the page.

import { eventCount } from "./counts.js";
import { readJSON, writeJSON } from "./exact.js";
import { journalText } from "./journal/lines.js";
import { shortName } from "./trace.js";

/** The number of entries per request, which is the server's limit. */
const page = 1000;

/**
 * @typedef {{ version: number, event: string, payload?: any, at?: string | null, handledBy: string | null,
 *   path: string, origin?: string, pending?: string | null }} Entry
 * @typedef {{ was: Entry, now: Entry | null, reason: string | null }} Difference `reason` says why it was refused.
 * @typedef {{ id: string, events: number, replayed: number, version: number | null, start: string | null,
 *   differences: Difference[] }} Result `version` is where the new session first differs, or null to show its newest
 *   version. `start` says why the app starts differently, or is null.
 */

/**
 * What a replay needs of the server. Each function sends one request and throws a problem if it fails.
 * @typedef {object} Server
 * @property {(text: string) => Promise<{ id: string }>} importJournal
 * @property {(options: any) => Promise<{ id: string }>} start Creates a session.
 * @property {(id: string) => Promise<any>} end
 * @property {(id: string, request: any) => Promise<{ version: number }>} emit Sends an event.
 * @property {(id: string) => Promise<any>} settle Waits until no work is pending.
 * @property {(id: string, after: number, limit: number) => Promise<Entry[]>} events
 */

/**
 * Replays a journal in a new session. The server imports the events up to the first one that differs. The clients'
 * events after it are sent again, one by one. Outcomes of work come by themselves, and timers only if they are due.
 * @param {{ header: any, entries: Entry[] }} journal
 * @param {Server} server
 * @returns {Promise<Result>}
 */
export async function rebuild({ header, entries }, server) {
  const { id, count, reason } = await begin(header, entries, server);
  try {
    /** @type {Map<number, number>} The new versions of the events that were sent again, by their old ones. */
    const sent = new Map();
    /** @type {Map<number, string>} */
    const refused = new Map();
    for (const entry of entries.slice(count)) {
      if (isSent(entry)) await send(entry);
      else if (entry.origin === "work" && header?.work !== "withheld") await server.settle(id);
    }
    return resultOf(id, entries, count, sent, refused, await allEvents(id, server), reason);

    /** @param {Entry} entry */
    async function send(entry) {
      try {
        sent.set(entry.version, (await emit(id, entry, server)).version);
      } catch (problem) {
        if (!isRefusal(problem)) throw problem;
        refused.set(entry.version, problem.detail ?? problem.title);
      }
    }
  } catch (problem) {
    await server.end(id).catch(() => {});
    throw problem;
  }
}

/** @param {Entry} entry */
const isSent = ({ origin = "client" }) => origin === "client";

/** @param {any} problem */
const isRefusal = ({ status, isUnauthorized }) => [409, 422].includes(status) && !isUnauthorized;

/**
 * Imports as many events as possible. Returns the new session's id, their number, and why the start differs, or null.
 * @param {any} header
 * @param {Entry[]} entries
 * @param {Server} server
 */
async function begin(header, entries, server) {
  if (header === null) return { ...await start({}, server), reason: null };
  for (let count = entries.length; ;) {
    try {
      const { id } = await server.importJournal(journalText(header, entries.slice(0, count)));
      return { id, count, reason: null };
    } catch (/** @type {any} */ problem) {
      // The first line is the header, and the next one has version 1.
      if (problem.line === undefined) throw problem;
      if (problem.line < 2 || count === 0) return { ...await start(header, server), reason: problem.detail };
      count = Math.min(count - 1, problem.line - 2);
    }
  }
}

/**
 * Creates a session with the same options, or without them if the app no longer accepts them.
 * @param {any} header
 * @param {Server} server
 */
async function start({ options }, server) {
  const { id } = await server.start(options).catch((problem) => {
    if (isRefusal(problem)) return server.start(undefined);
    throw problem;
  });
  return { id, count: 0 };
}

/**
 * Sends an event from the coordinator that it came from, or from the visible leaf if that coordinator is gone.
 * @param {string} id
 * @param {Entry} entry
 * @param {Server} server
 */
async function emit(id, { event, payload, at, pending }, server) {
  const request = { event, payload, ...(pending && { pending }) };
  try {
    return await server.emit(id, { ...request, at });
  } catch (/** @type {any} */ problem) {
    if (problem.type === "/problems/unknown-coordinator") return server.emit(id, request);
    throw problem;
  }
}

/**
 * @param {string} id
 * @param {Server} server
 */
async function allEvents(id, server) {
  /** @type {Entry[]} */
  const all = [];
  for (;;) {
    const more = await server.events(id, all.length, page);
    all.push(...more);
    if (more.length < page) return all;
  }
}

/**
 * Compares the old entries with their repetitions.
 * @param {string} id
 * @param {Entry[]} entries
 * @param {number} count The number of imported events.
 * @param {Map<number, number>} sent
 * @param {Map<number, string>} refused
 * @param {Entry[]} fresh The entries of the new session.
 * @param {string | null} start
 * @returns {Result}
 */
function resultOf(id, entries, count, sent, refused, fresh, start) {
  const own = new Set(sent.values());
  const outcomes = fresh.slice(count).filter(({ version }) => !own.has(version));
  /** @type {Difference[]} */
  const differences = [];
  let replayed = 0;
  let version = null;
  let last = 0;
  for (const was of entries) {
    const now = was.version <= count ? fresh[was.version - 1]
      : isSent(was) ? fresh[(sent.get(was.version) ?? 0) - 1]
        : taken(outcomes, ({ origin, event }) => origin === was.origin && event === was.event);
    if (now) [replayed, last] = [replayed + 1, now.version];
    const why = refused.get(was.version) ?? null;
    if (why === null && (!now || isSame(was, now))) continue;
    differences.push({ was, now: now ?? null, reason: why });
    version ??= last;
  }
  if (start !== null) version = 0;
  if (version === fresh.length) version = null;
  return { id, events: entries.length, replayed, version, start, differences };
}

/**
 * Removes and returns the first item for which a condition is true.
 * @param {Entry[]} items
 * @param {(item: Entry) => boolean} isMeant
 */
function taken(items, isMeant) {
  const index = items.findIndex(isMeant);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}

/**
 * @param {Entry} was
 * @param {Entry} now
 */
const isSame = (was, now) => was.handledBy === now.handledBy && was.path === now.path;

/**
 * What a replay did, in a sentence.
 * @param {Result} result
 */
export function rebuiltText({ events, replayed, start, differences }) {
  const count = replayed === events ? eventCount(events) : `${replayed} of ${eventCount(events)}`;
  const [first] = differences;
  const differ = differences.length > 1 ? `${differences.length} differ, the first at step` : "1 differs at step";
  return `Rebuilt. ${start === null ? "" : "The app starts differently. "}${count} replayed${
    first ? `, ${differ} ${first.was.version}` : ""}.`;
}

/**
 * A difference in words.
 * @param {Difference} difference
 */
export function differenceText({ was, now, reason }) {
  const place = `Step ${was.version}, ${was.event}`;
  if (now === null) return `${place}, was refused: ${reason}`;
  const changes = [];
  if (was.handledBy !== now.handledBy) changes.push(`${handler(was)} before, ${handler(now)} now`);
  if (was.path !== now.path) changes.push(`led to ${was.path} before, to ${now.path} now`);
  return `${place}: ${changes.join("; ")}.`;
}

/** @param {Entry} entry */
const handler = ({ handledBy }) => (handledBy === null ? "not handled" : `handled by ${shortName(handledBy)}`);

/** The name under which this browser stores what its windows have replayed since the last restart. */
const kept = "coordinate.rebuilt";

/**
 * Replays a session once for all windows that show it. The others get the same result.
 * @param {string} id
 * @param {string} run The server's run.
 * @param {() => Promise<Result>} replay
 * @returns {Promise<Result>}
 */
export function once(id, run, replay, locks = globalThis.navigator?.locks, storage = globalThis.localStorage) {
  const replayed = async () => {
    const known = readJSON(storage.getItem(kept) ?? "{}");
    const results = known.run === run ? known.results : {};
    results[id] ??= await replay();
    storage.setItem(kept, writeJSON({ run, results }));
    return results[id];
  };
  return locks ? locks.request(`coordinate.rebuild.${id}`, replayed) : replayed();
}
