// The server's REST interface, as far as the page needs it. Everything here is one request.

import { readJSON, writeJSON } from "./exact.js";

/** How long an answer may take, in milliseconds: after that, there is none. */
const patience = 45_000;

const noAnswer = "No answer";

/** An answer that is an error, as its problem details (RFC 9457) say it. */
export class Problem extends Error {
  constructor(details) {
    super(details.detail ?? details.title);
    Object.assign(this, details);
  }

  get isUnknownSession() {
    return this.type === "/problems/session-not-found";
  }

  /** Whether the server has a key, and the request came without. */
  get isUnauthorized() {
    return this.type === "/problems/unauthorized";
  }

  /** Whether nobody answered at all. */
  get isNoAnswer() {
    return this.status === undefined && this.title === noAnswer;
  }

  /** Whether the session had moved on from the version that the request was made for. */
  get isConflict() {
    return this.type === "/problems/version-conflict";
  }

  /** Whether the session changes no more: it does not replay as it was recorded, or cannot be read. */
  get isChangedApp() {
    return ["/problems/app-changed", "/problems/damaged"].includes(this.type);
  }
}

export const startSession = (options) => send("POST", "/sessions", options && { options });
export const endSession = (id) => send("DELETE", address(id));
export const fork = (id, version, withholdsWork = false) =>
  send("POST", `${address(id)}/forks`, { version, ...(withholdsWork && { work: "withheld" }) });
export const session = (id) => send("GET", address(id));
/** What differs between two versions, `{ pointer, from, to }`. */
export async function changes(id, from, to) {
  return (await send("GET", `${address(id)}/changes?from=${from}&to=${to}`)).changes;
}
export const openPath = (id, path, key) => send("PUT", routeAddress(id), { path }, key);
export const catalog = () => send("GET", "/catalog");

/** A session's route: now, or as it was after an event. The signal calls the reading off. */
export const route = (id, version, signal) => send("GET", routeAddress(id, version), undefined, undefined, { signal });

/** A session's route now, and the entity tag that it came with. */
export async function taggedRoute(id) {
  const { document, headers } = await exchange("GET", routeAddress(id));
  return { route: document, tag: headers.get("ETag") };
}

/** Injects an event. With the tag of a route, only for as long as that is the newest. */
export function emit(id, request, key, tag = null) {
  return send("POST", eventsAddress(id), request, key, { headers: tag === null ? {} : { "If-Match": tag } });
}

/** Waits until no work of a session is under way, but not for long. */
export function settledRoute(id) {
  return send("GET", `${routeAddress(id)}?until=settled`, undefined, undefined, { headers: { Prefer: "wait=20" } });
}
/** A page of all sessions; the query is `limit`, `after`, `path` and `state`, each as it may be left out. */
export const sessions = (query) => send("GET", `/sessions?${new URLSearchParams(query)}`);

export const logOut = () => send("POST", "/logout");
export const logIn = (key) => send("POST", "/login", { key });

/**
 * The app's map: `document`, null while the server makes it, and then `delay`, the seconds after which to ask again.
 */
export async function map() {
  const { status, headers, document } = await exchange("GET", "/map");
  if (status !== 202) return { document, delay: 0 };
  return { document: null, delay: Number(headers.get("Retry-After")) || 1 };
}

let askForKey = () => {};

/** Has something done whenever the server asks for its key. */
export const whenKeyIsWanted = (action) => { askForKey = action; };

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let lead = 0;

/** The server's time, in milliseconds. */
export const serverTime = () => Date.now() + lead;

/** A key for a request that makes an event: sent again with the same key, it makes no second one. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The journal entries after a version, oldest first. */
export async function journal(id, after, limit) {
  return (await send("GET", `${eventsAddress(id)}?after=${after}&limit=${limit}`)).events;
}

/** The whole journal as it is exported: a header, and an entry a line. */
export async function exportedJournal(id) {
  const answer = await fetch(eventsAddress(id), { headers: { Accept: lines }, cache: "no-store" }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  // One that was cut off is none.
  if (answer?.ok && text) return text;
  throw problemOf(answer, answer?.ok ? null : documentIn(text));
}

/** A new session that has taken the events of an exported journal. */
export function importJournal(text) {
  return send("POST", "/sessions", text, undefined, { headers: { "Content-Type": lines } });
}

const lines = "application/x-ndjson";

export const eventsAddress = (id) => `${address(id)}/events`;

export function routeAddress(id, version) {
  return `${address(id)}/route${version === undefined ? "" : `?version=${version}`}`;
}

const address = (id) => `/sessions/${encodeURIComponent(id)}`;

async function send(...request) {
  return (await exchange(...request)).document;
}

async function exchange(method, path, body, key, { headers: more, signal } = {}) {
  const headers = {
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...more,
    ...(key !== undefined && { "Idempotency-Key": key }),
  };
  const text = typeof body === "string" ? body : body && writeJSON(body);
  const limit = AbortSignal.timeout(patience);
  const request = {
    method, headers, body: text, cache: "no-store",
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  };
  const asked = Date.now();
  const answer = await fetch(path, request).catch(() => null);
  readClock(answer, Date.now() - asked);
  if (answer?.status === 204) return { status: 204, headers: answer.headers, document: null };
  // An answer that was cut off is none.
  const document = await answer?.text().then(documentIn).catch(() => null);
  if (answer?.ok && document) return { status: answer.status, headers: answer.headers, document };
  throw problemOf(answer, document);
}

/** The document in an answer's text; null where it is none, as of a proxy in between. */
function documentIn(text) {
  try {
    return readJSON(text);
  } catch {
    return null;
  }
}

/** What an answer that is an error says; one that is none, or was cut off, says nothing. */
function problemOf(answer, document) {
  if (!answer || answer.ok) {
    return new Problem({ title: noAnswer, detail: "The server does not answer. See that it is running." });
  }
  if (answer.status === 401) askForKey();
  return new Problem({ title: `${answer.status} ${answer.statusText}`, status: answer.status, ...document });
}

/** Answers say the server's time in whole seconds: two of difference, and the time that they took, are none. */
function readClock(answer, duration) {
  const error = Date.parse(answer?.headers.get("Date")) - serverTime();
  if (Math.abs(error) > 2000 + duration) lead += error;
}
