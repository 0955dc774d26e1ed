// @ts-check
// The sessions of a server as a list: which of them are looked for, and which is a fork of which.

/**
 * A session's document, as far as the list goes.
 * @typedef {object} Listed
 * @property {string} id
 * @property {number} version
 * @property {string} path
 * @property {string} appVersion
 * @property {string} state
 * @property {{ session: string, version: number } | null} parent
 * @property {number} [pending]
 * @property {string | null} [work]
 */

/**
 * A session with its forks below it.
 * @typedef {{ session: Listed, forks: Family[] }} Family
 */

/**
 * What the server is asked for: it finds sessions by how their paths begin, and by their state.
 * @param {string} text
 * @param {string} state
 */
export function queryFor(text, state) {
  return { ...(text.startsWith("/") && { path: text }), ...(state !== "" && { state }) };
}

/**
 * Whether a session is one of those that a text means. What begins a path was the server's to find.
 * @param {Listed} session
 * @param {string} text
 */
export function isMeant({ id, path, appVersion, parent }, text) {
  if (text.startsWith("/")) return true;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const told = [id, path, appVersion, parent?.session ?? ""].join(" ").toLowerCase();
  return words.every((word) => told.includes(word));
}

/**
 * How much is pending in a session, and whether its work is withheld; empty for neither.
 * @param {Listed} session
 */
export function pendingText({ pending = 0, work = null }) {
  if (work === "withheld") return pending > 0 ? `${pending} pending, withheld` : "work withheld";
  return pending > 0 ? `${pending} pending` : "";
}

/**
 * Sessions below those that they were forked from. A family is where the first of its sessions was, and so are forks of
 * one session; a fork of one that is not listed begins a family of its own.
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
 * More sessions after those that are there. One that was used between two readings is moved to the front by the server,
 * so it may come twice: then it is as it came last.
 * @param {Listed[]} known
 * @param {Listed[]} more
 */
export function joined(known, more) {
  const all = new Map([...known, ...more].map((session) => [session.id, session]));
  return [...all.values()];
}

/**
 * The name for the file of a session's journal.
 * @param {Listed} session
 */
export const fileName = ({ id, version }) => `${id.slice(0, 6)}-${version}.ndjson`;
