// @ts-check
// The list of a server's sessions: which ones match the search, and which one is a fork of which.

import { isSessionID } from "./fragment.js";

/**
 * A session's document, with the fields that the list uses.
 * @typedef {object} Listed
 * @property {string} id
 * @property {number} version
 * @property {string} path
 * @property {string} appVersion
 * @property {string} state
 * @property {{ session: string, version: number } | null} parent
 * @property {number} [pending]
 * @property {string | null} [work]
 * @property {string | null} [name]
 * @property {string | null} [key]
 * @property {string | null} [reference]
 * @property {Record<string, string>} [attributes]
 */

/**
 * A session with its forks.
 * @typedef {{ session: Listed, forks: Family[] }} Family
 */

/**
 * The query for a search. The server searches by the beginning of the path, by attributes (`user=42 plan=pro`) and by
 * state, and finds the session with a key or a reference. References look like ids.
 * @param {string} text
 * @param {string} state
 */
export function queryFor(text, state) {
  return { ...partFor(text), ...(state !== "" && { state }) };
}

/** @param {string} text */
function partFor(text) {
  if (text === "") return {};
  if (text.startsWith("/")) return { path: text };
  if (!firstPair.test(text)) return { key: text, ...(isSessionID(text) && { reference: text }) };
  // A value ends before the next pair, so that it can contain spaces.
  const pairs = text.split(/\s+(?=[a-z][a-z0-9_.-]*=)/).map((pair) => pair.split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name, value]) => [`attribute.${name}`, value]));
}

const firstPair = /^[a-z][a-z0-9_.-]*=/;

/**
 * The attributes of a session as texts, such as `user=42`.
 * @param {Listed} session
 */
export const pairsOf = ({ attributes = {} }) => Object.entries(attributes).map(([name, value]) => `${name}=${value}`);

/**
 * The changes that give a session the attributes that a user entered as JSON: null removes one. Undefined if nothing
 * changes. What is no object is sent as it is, so that the server reports it.
 * @param {Record<string, string>} old
 * @param {string} text
 */
export function attributeChanges(old, text) {
  let entered;
  try {
    entered = JSON.parse(text.trim() || "{}");
  } catch {
    return text;
  }
  if (typeof entered !== "object" || entered === null || Array.isArray(entered)) return entered;
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(entered, name)).map((name) => [name, null]);
  const set = Object.entries(entered).filter(([name, value]) => old[name] !== value);
  return removed.length + set.length > 0 ? Object.fromEntries([...removed, ...set]) : undefined;
}

/**
 * Whether a session matches a text. The server has already matched paths and attributes.
 * @param {Listed} session
 * @param {string} text
 */
export function isMeant(session, text) {
  if (text.startsWith("/") || firstPair.test(text)) return true;
  const { id, path, appVersion, parent, name, key, reference } = session;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const told = [id, path, appVersion, parent?.session, name, key, reference, ...pairsOf(session)]
    .join(" ").toLowerCase();
  return words.every((word) => told.includes(word));
}

/** @type {Record<string, string>} */
const stateTexts = { live: "in memory", passive: "stored", quarantined: "app changed", damaged: "damaged" };

/**
 * The state of a session, in words.
 * @param {string} state
 */
export const stateText = (state) => stateTexts[state] ?? state;

/**
 * The number of pending pieces of work, and whether work is withheld. Empty if neither applies.
 * @param {Listed} session
 */
export function pendingText({ pending = 0, work = null }) {
  if (work === "withheld") return pending > 0 ? `${pending} pending, withheld` : "work withheld";
  return pending > 0 ? `${pending} pending` : "";
}

/**
 * Groups forks below their original. A group is at the place of its first session, and so are the forks of one session.
 * A fork whose original is not listed starts its own group.
 * @param {Listed[]} sessions
 * @returns {Family[]}
 */
export function families(sessions) {
  /** @type {Map<string, Family>} */
  const all = new Map(sessions.map((session) => [session.id, { session, forks: [] }]));
  /** @param {Family} family */
  const parentOf = ({ session }) => (session.parent ? all.get(session.parent.session) : undefined);
  const roots = new Set();
  for (const family of all.values()) {
    /** @type {Family} */
    let each = family;
    for (let parent = parentOf(each); parent; parent = parentOf(each)) {
      if (parent.forks.includes(each)) break;
      parent.forks.push(each);
      each = parent;
    }
    if (!parentOf(each)) roots.add(each);
  }
  return [...roots];
}

/**
 * Appends more sessions to the known ones. A session that was used between two requests moves to the front, so it can
 * appear twice. Then its newer document is kept.
 * @param {Listed[]} known
 * @param {Listed[]} more
 */
export function joined(known, more) {
  const all = new Map([...known, ...more].map((session) => [session.id, session]));
  return [...all.values()];
}

/**
 * The file name of a session's journal.
 * @param {Listed} session
 */
export const fileName = ({ id, version }) => `${id.slice(0, 6)}-${version}.ndjson`;
