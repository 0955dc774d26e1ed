// @ts-check
// The kinds of a screen's states, as a short list: what differs between them, and how many there are of each.

/** The most lines of a list. */
const mostLines = 8;

/** The most events that a line names. */
const mostNames = 3;

const statuses = ["ready", "loading", "failed"];

/** How many states a screen has: "40 states". */
export const statesText = (count) => (count === 1 ? "1 state" : `${number(count)} states`);

/**
 * The kinds of some states, as `{ text, count }`: states in which the same can be done are of one kind. If there
 * are too many kinds for a list, each line names one difference instead, and how many states have it.
 * @param {any[]} states
 */
export function kindsOf(states) {
  const kinds = [...Map.groupBy(states, signature).values()]
    .map((/** @type {any[]} */ own) => ({ ...own[0], count: own.length }));
  if (kinds.length === 1) return [{ count: kinds[0].count, text: onlyKindText(states, kinds[0]) }];
  const varying = differences(kinds);
  return kinds.length <= mostLines ? exactLines(kinds, varying) : differenceLines(kinds, varying);
}

/** The first lines, and how many are left. */
export function limited(lines) {
  return { lines: lines.slice(0, mostLines), more: Math.max(0, lines.length - mostLines) };
}

const signature = ({ status, offers, pending, parked }) => JSON.stringify([status, offers, pending, parked]);

function onlyKindText(states, kind) {
  const parts = [kind.status !== "ready" && kind.status, ...circumstances(kind)].filter(Boolean);
  const text = parts.join(", ");
  if (states.length === 1) return text || "ready";
  return text ? `all ${text}` : "all offer the same actions";
}

/** Of each status, the events that some of its states offer and others do not. */
function differences(kinds) {
  return new Map([...Map.groupBy(kinds, ({ status }) => status)].map(([status, own]) => {
    const all = [...new Set(own.flatMap(({ offers }) => offers))];
    return [status, all.filter((event) => !own.every(({ offers }) => offers.includes(event)))];
  }));
}

function exactLines(kinds, varying) {
  const hasStatuses = varying.size > 1;
  return kinds
    .toSorted((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || b.count - a.count)
    .map((kind) => {
      const status = hasStatuses || kind.status !== "ready" ? kind.status : "";
      const parts = [status, offersText(kind, varying.get(kind.status)), ...circumstances(kind)].filter(Boolean);
      return { count: kind.count, text: parts.join(", ") || "ready" };
    });
}

/** What a kind offers and others of its status do not, or what it lacks, whichever is shorter. */
function offersText({ offers }, varying) {
  const own = varying.filter((event) => offers.includes(event));
  const missing = varying.filter((event) => !offers.includes(event));
  if (varying.length === 0) return "";
  return own.length > 0 && (own.length <= missing.length || missing.length === 0)
    ? `with ${named(own, varying)}` : `without ${named(missing, varying)}`;
}

function circumstances({ pending, parked }) {
  return [pending.length > 0 && `waiting for ${named(pending)}`, parked && `${parked} parked`];
}

function differenceLines(kinds, varying) {
  const total = (text, hasIt) => ({
    text, count: kinds.filter(hasIt).reduce((all, kind) => all + kind.count, 0),
  });
  const pending = [...new Set(kinds.flatMap((kind) => kind.pending))];
  const events = [...new Set([...varying.values()].flat())];
  // Events that are always offered together are one difference.
  const together = Map.groupBy(events, (event) => kinds.map(({ offers }) => (offers.includes(event) ? 1 : 0)).join(""));
  return [
    ...statuses.filter((status) => varying.size > 1 && varying.has(status))
      .map((status) => total(status, (kind) => kind.status === status)),
    ...pending.map((name) => total(`waiting for ${name}`, (kind) => kind.pending.includes(name))),
    total("a link is parked", ({ parked }) => parked),
    ...[...together.values()].map((own) => total(`with ${named(own, events)}`, ({ offers }) => offers.includes(own[0])))
      .toSorted((a, b) => b.count - a.count),
  ].filter(({ count }) => count > 0);
}

/** Some names: of a form only the event, unless several of all names have it. */
function named(names, all = names) {
  const bare = (name) => name.split("(")[0];
  const isOnly = (name) => all.every((other) => other === name || bare(other) !== bare(name));
  const shown = names.map((name) => (isOnly(name) ? bare(name) : name));
  const more = shown.length - mostNames;
  return more > 1 ? `${shown.slice(0, mostNames).join(", ")} and ${more} more` : shown.join(", ");
}

/** A number as text: "1,204". */
export const number = (value) => value.toLocaleString("en");

/** A number of findings: "1 finding". */
export const findingsText = (count) => (count === 1 ? "1 finding" : `${number(count)} findings`);
