// @ts-check
// The part of the server's REST interface that the page uses. Each function sends one request.

import { readJSON, writeJSON } from "./exact.js";

/** The longest time to wait for an answer, in milliseconds. */
const patience = 45_000;

const noAnswer = "No answer";

/** An error answer, with the fields of its problem document (RFC 9457). */
export class Problem extends Error {
  /** @param {Record<string, any>} details */
  constructor(details) {
    super(details.detail ?? details.title);
    /** @type {string | undefined} */
    this.type;
    /** @type {string | undefined} */
    this.title;
    /** @type {number | undefined} */
    this.status;
    /** @type {boolean | undefined} Whether the server requires its key, and the request had none. */
    this.isUnauthorized;
    Object.assign(this, details);
  }

  get isUnknownSession() {
    return this.type === "/problems/session-not-found";
  }

  /** Whether there was no answer at all. */
  get isNoAnswer() {
    return this.status === undefined && this.title === noAnswer;
  }

  /** Whether the session's version was no longer the one that the request was for. */
  get isConflict() {
    return this.type === "/problems/version-conflict";
  }

  /** Whether the session accepts no more changes: it does not replay as recorded, or cannot be read. */
  get isChangedApp() {
    return ["/problems/app-changed", "/problems/damaged"].includes(this.type ?? "");
  }
}

export const startSession = (options) => send("POST", "/sessions", options && { options });
export const endSession = (id) => send("DELETE", address(id));
export const fork = (id, version, withholdsWork = false) =>
  send("POST", `${address(id)}/forks`, { version, ...(withholdsWork && { work: "withheld" }) });
/** Replays a session's events up to a version in a fork, with edits. */
export const replay = (id, version, edit) => send("POST", `${address(id)}/forks`, { version, edit });
export const session = (id) => send("GET", address(id));
/** Changes a session's name and attributes. */
export const changeSession = (id, changes) => send("PATCH", address(id), changes);

export const openPath = (id, path, key) => turn("PUT", routeAddress(id), { path }, key);

/** An id of the server's run, which is another one after a restart. Throws a problem if the server does not answer. */
export async function serverRun() {
  const answer = await fetch("/livez", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (!answer?.ok) throw problemOf(answer, null);
  return answer.headers.get("ETag");
}

/**
 * The app's catalog as `document`, and the name of the session's cookie as `cookie`; `null` if the server has no web
 * pages. The link to the pages names the cookie if it is not the usual one.
 */
export async function catalog() {
  const { document, headers } = await exchange("GET", "/catalog");
  const link = headers.get("Link");
  return { document, cookie: link?.startsWith("</app>") ? (/cookie="([^"]*)"/.exec(link)?.[1] ?? "session") : null };
}

/** Whether this browser's cookie names a session. Also true without a cookie. */
export async function isOwnSession(id) {
  const answer = fetch("/route", { method: "HEAD", headers: { Session: id }, cache: "no-store" });
  return (await answer.catch(() => null))?.ok ?? false;
}

/** A session's current route, or its route after an event. The signal aborts the request. */
export const route = (id, version, signal) => send("GET", routeAddress(id, version), undefined, undefined, { signal });

/** A session's current route and its entity tag. */
export async function taggedRoute(id) {
  const { document, headers } = await exchange("GET", routeAddress(id));
  return { route: document, tag: headers.get("ETag") };
}

/**
 * Sends an event. With the entity tag of a route, the server accepts it only while that route is current.
 * @param {string} id
 * @param {any} request
 * @param {string} key
 * @param {string | null} tag
 */
export function emit(id, request, key, tag = null) {
  return turn("POST", eventsAddress(id), request, key, tag === null ? {} : { "If-Match": tag });
}

/**
 * Sends an event. Returns the `outcome`, and how long the turn took as `duration`, in milliseconds, or undefined if the
 * server has not measured it: for an answer that it repeats.
 */
async function turn(method, path, body, key, headers = {}) {
  const { document, headers: told } = await exchange(method, path, body, key, {
    headers: { ...headers, Prefer: "timing" },
  });
  return { outcome: document, duration: turnDuration(told.get("Server-Timing")) };
}

/** The duration in a header such as `turn;dur=0.25` (https://www.w3.org/TR/server-timing), or undefined. */
export function turnDuration(header) {
  const text = /(?:^|,) *turn;dur=(\d+(?:\.\d+)?)/.exec(header ?? "")?.[1];
  return text === undefined ? undefined : Number(text);
}

/** Waits, for a limited time, until no work of a session is pending. */
export function settledRoute(id) {
  return send("GET", `${routeAddress(id)}?until=settled`, undefined, undefined, { headers: { Prefer: "wait=20" } });
}

/**
 * A page of the list of all sessions. The query's items `limit`, `after`, `path`, `state` and `attribute.NAME` are
 * optional. The sessions with its `key` and with its `reference` come first.
 */
export async function sessions({ key, reference, ...query }) {
  const [page, ...named] = await Promise.all([
    send("GET", `/sessions?${new URLSearchParams(query)}`), sessionBy("key", key), sessionBy("reference", reference),
  ]);
  const isMeant = (session) => session !== null && (query.state ?? session.state) === session.state;
  return { ...page, sessions: [...named.filter(isMeant), ...page.sessions] };
}

/** The session with a key or a reference, or null if there is none. */
async function sessionBy(name, value) {
  if (value === undefined) return null;
  try {
    return await send("GET", `/sessions/by-${name}/${encodeURIComponent(value)}`);
  } catch (problem) {
    if (problem.status === 404) return null;
    throw problem;
  }
}

export const logOut = () => send("POST", "/logout");
export const logIn = (key) => send("POST", "/login", { key });

/**
 * The app's map as a `document`, and whether it `isComplete`. While the server creates it, the document has the screens
 * that were found so far.
 *
 * - seconds: how long the server may wait for the map before it answers.
 */
export async function map(seconds) {
  const headers = seconds > 0 ? { Prefer: `wait=${seconds}` } : undefined;
  const { status, document } = await exchange("GET", "/map", undefined, undefined, { headers, isRepeated: true });
  return { document, isComplete: status !== 202 };
}

let askForKey = () => {};

/** Sets what to do when the server requires its key. */
export const whenKeyIsWanted = (action) => { askForKey = action; };

let noteAnswer = () => {};

/**
 * Sets what to do after an answer, which shows that the server can be reached. The page repeats requests for the map by
 * itself, so they do not hide that a user's request has failed.
 */
export const whenAnswered = (action) => { noteAnswer = action; };

/** The server's clock minus this machine's clock, in milliseconds. */
let lead = 0;

/** The server's time, in milliseconds. */
export const serverTime = () => Date.now() + lead;

/** A new idempotency key. A request that is sent again with the same key creates no second event. */
export const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The journal entries after a version, oldest first. */
export async function journal(id, after, limit) {
  return (await send("GET", `${eventsAddress(id)}?after=${after}&limit=${limit}`)).events;
}

/** A session as a test in a language: `opening`, a text for each event in `steps`, and `closing`. */
export const test = (id, language) => send("GET", `${address(id)}/test?as=${language}`);

/** The exported journal: a header, then one entry per line. */
export async function exportedJournal(id) {
  const answer = await fetch(eventsAddress(id), { headers: { Accept: lines }, cache: "no-store" }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  // Ignores an answer that was cut off.
  if (answer?.ok && text) return text;
  throw problemOf(answer, answer?.ok ? null : documentIn(text));
}

/** The first line of the exported journal. Cancels the rest. */
export async function journalHeader(id) {
  const { ok, body } = await fetch(eventsAddress(id), { headers: { Accept: lines }, cache: "no-store" });
  if (body === null) return null;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return ok ? readJSON(text.split("\n")[0]) : null;
}

/** Creates a session by importing an exported journal. */
export function importJournal(text) {
  return send("POST", "/sessions", text, undefined, { headers: { "Content-Type": lines } });
}

const lines = "application/x-ndjson";

export const eventsAddress = (id) => `${address(id)}/events`;

export function routeAddress(id, version) {
  return `${address(id)}/route${version === undefined ? "" : `?version=${version}`}`;
}

const address = (id) => `/sessions/${encodeURIComponent(id)}`;

/** @param {Parameters<typeof exchange>} request */
async function send(...request) {
  return (await exchange(...request)).document;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {string} [key]
 * @param {{ headers?: Record<string, string>, signal?: AbortSignal, isRepeated?: boolean }} options
 */
async function exchange(method, path, body, key, { headers: more, signal, isRepeated = false } = {}) {
  const headers = {
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...more,
    ...(key !== undefined && { "Idempotency-Key": key }),
  };
  const text = typeof body === "string" ? body : body && writeJSON(body);
  // TypeScript 4.8 does not know these functions.
  /** @type {any} */
  const signals = AbortSignal;
  const limit = signals.timeout(patience);
  /** @type {RequestInit} */
  const request = {
    method, headers, body: text, cache: "no-store",
    signal: signal ? signals.any([signal, limit]) : limit,
  };
  const asked = Date.now();
  const answer = await fetch(path, request).catch(() => null);
  if (answer && !isRepeated) noteAnswer();
  readClock(answer, Date.now() - asked);
  if (answer?.status === 204) return { status: 204, headers: answer.headers, document: null };
  // Ignores an answer that was cut off.
  const document = await answer?.text().then(documentIn).catch(() => null);
  if (answer?.ok && document) return { status: answer.status, headers: answer.headers, document };
  throw problemOf(answer, document);
}

/** The JSON document in an answer's text, or null if there is none, for example because a proxy answered. */
function documentIn(text) {
  try {
    return readJSON(text);
  } catch {
    return null;
  }
}

/** The problem that an error answer describes. An answer that cannot be read has only its status. */
function problemOf(answer, document) {
  if (!answer || answer.ok) {
    return new Problem({ title: noAnswer, detail: "The server does not answer. Check that it is running." });
  }
  // A server with a key refuses with 401, or with 403 if clients have other rights. Both answers have this header.
  const isUnauthorized = answer.headers.has("WWW-Authenticate");
  if (isUnauthorized) askForKey();
  return new Problem({
    title: `${answer.status} ${answer.statusText}`, status: answer.status, ...document, isUnauthorized,
  });
}

/**
 * Answers contain the server's time in whole seconds, so differences below two seconds plus the answer's duration are
 * ignored.
 */
function readClock(answer, duration) {
  const error = Date.parse(answer?.headers.get("Date")) - serverTime();
  if (Math.abs(error) > 2000 + duration) lead += error;
}
