// @ts-check
// The changes between two route documents, in short sentences. It does not touch the page.

import { writeJSON } from "../exact.js";
import { shortName } from "../trace.js";

/** The most characters of a value that are shown. */
const longest = 40;

/** The most things of one kind that are named. */
const named = 3;

/**
 * The sentences for changes, given as `{ pointer, from, to }` as in /changes, in their order. Changes that only follow
 * from another one are left out, such as the buttons of a new screen.
 *
 * - route: the newer route document. Most pointers lead into it, and it contains the names.
 */
export function sentences(changes, route) {
  const tell = teller(changes, route);
  const told = grouped(changes.map(tell).filter(Boolean));
  // If every change follows from one that the page shows elsewhere, the changes are shown as they are.
  return told.length > 0 ? told : changes.map(plainly);
}

/**
 * Creates a function that describes a change: a sentence, a thing that was added or removed, or null for no sentence.
 */
function teller(changes, route) {
  const all = new Map(changes.map((change) => [change.pointer, change]));
  const isElsewhere = all.has("/leaf") || all.has("/screen/name");
  /** The rows and buttons that already have a sentence. */
  const known = new Set(changes.map(({ pointer }) => enough.exec(pointer)?.[1]));
  const tabBadges = new Set(changes.filter(({ pointer }) => /^\/navigation\/tabs\/\d+\/badge$/.test(pointer))
    .map(({ from, to }) => badges(from, to)));

  const row = (index) => route.screen.rows[index]?.title ?? index;
  const button = (index) => route.screen.actions[index]?.title ?? index;
  const input = (action, index) => route.screen.actions[action]?.inputs?.[index]?.title ?? index;
  const tab = (index) => route.navigation.tabs[index]?.title ?? index;
  const node = (pointer) => shortName(valueAt(route, pointer)?.id ?? pointer);

  function screen() {
    const { title, name } = route.screen;
    const before = all.get("/screen/title");
    if (before?.from && before.to) return `screen ${arrow(before.from, before.to)}`;
    if (!all.has("/screen/name")) return before ? `screen ${title ?? name}` : null;
    return `screen ${arrow(all.get("/screen/name").from, name)}`;
  }

  function formerTab() {
    const change = changes.find(({ pointer, from, to }) => isSelection.test(pointer) && from === true && to === false);
    return change ? tab(isSelection.exec(change.pointer)?.[1]) : null;
  }

  /** The first pattern that matches a pointer provides the sentence, with the parts it captured. */
  const rules = /** @type {[RegExp, ((change: any, ...parts: string[]) => any) | null][]} */ ([
    [/^\/(?:path|leaf|breadcrumbs|tree\/(?:.*\/)?index$)/, () => null],
    [/^\/screen\/name$/, screen],
    [/^\/screen\/title$/, ({ from, to }) => {
      if (all.has("/screen/name")) return null;
      return isElsewhere ? screen() : `title ${arrow(from, to)}`;
    }],
    [/^\/screen\/style$/, ({ to }) => (to === "page" ? null : `opened as ${to === "alert" ? "an alert" : `a ${to}`}`)],
    // On a new screen, the rows, the buttons and the way back are all new.
    [/^\/(?:screen\/|navigation\/(?:back|dismiss))/, isElsewhere ? () => null : null],
    [/^\/screen\/status$/, ({ from, to }) => arrow(from, to)],
    [/^\/screen\/message$/, ({ to }) => (to === null ? "message removed" : `message “${short(to)}”`)],
    [/^\/screen\/empty$/, ({ to }) => (to === null ? null : `“${short(to)}”`)],
    [/^\/screen\/content(?:\/|$)/, () => "content changed"],
    [/^\/screen\/sections\/\d+$/, ({ from, to }) => cameOrWent("section", sectionName(from), sectionName(to))],
    [/^\/screen\/sections\/\d+\/\w+$/, ({ from, to }) => `section ${arrow(from, to)}`],
    [/^\/screen\/rows\/(\d+)\/section$/, ({ to }, index) => (
      `row ${row(index)} in ${to === null ? "no section" : `section ${to}`}`)],
    [/^\/screen\/rows\/(\d+)\/image(?:\/|$)/, (_, index) => `row ${row(index)} has a new image`],
    [/^\/screen\/rows\/\d+$/, ({ from, to }) => cameOrWent("row", from?.title, to?.title)],
    [/^\/screen\/rows\/(\d+)\/favorite$/, ({ to }, index) => `row ${row(index)} ${to ? "★" : "no longer ★"}`],
    [/^\/screen\/rows\/\d+\/title$/, ({ from, to }) => `row ${arrow(from, to)}`],
    [/^\/screen\/rows\/(\d+)\/(?:value|subtitle)$/, ({ from, to }, index) => `row ${row(index)}: ${arrow(from, to)}`],
    [/^(\/screen\/rows\/(\d+))\//, (_, whole, index) => (
      known.has(whole) ? null : `row ${row(index)} has a new action`)],
    [/^\/screen\/actions\/\d+$/, ({ from, to }) => cameOrWent("button", from?.title, to?.title)],
    [/^\/screen\/actions\/\d+\/title$/, ({ from, to }) => `button ${arrow(from, to)}`],
    [/^\/screen\/actions\/(\d+)\/inputs\/(\d+)\/value$/, ({ from, to }, ...at) => `${input(...at)} ${arrow(from, to)}`],
    [/^\/screen\/actions\/(\d+)\/inputs\/(\d+)\/error$/, ({ to }, ...at) => (
      to === null ? `${input(...at)} is valid now` : `${input(...at)}: ${short(to)}`)],
    // The payload of a form contains the values that it shows.
    [/^(\/screen\/actions\/(\d+))\//, (_, whole, index) => (
      known.has(whole) ? null : `button ${button(index)} has a new action`)],
    [/^\/navigation\/tabs\/\d+$/, ({ from, to }) => cameOrWent("tab", from?.title, to?.title)],
    [/^\/navigation\/tabs\/(\d+)\/badge$/, ({ from, to }, index) => `${tab(index)} ${badges(from, to)}`],
    [isSelection, ({ to }, index) => (to ? `tab ${arrow(formerTab(), tab(index))}` : null)],
    [/^\/navigation\/tabs\/\d+\/title$/, ({ from, to }) => `tab ${arrow(from, to)}`],
    [/^\/navigation\/back$/, ({ to }) => (to === null ? "no Back" : `Back leads to ${to.title}`)],
    [/^\/navigation\/back\/title$/, ({ to }) => `Back leads to ${to}`],
    [/^\/navigation\/dismiss$/, ({ to }) => (to === null ? "cannot be dismissed" : "can be dismissed")],
    [/^\/navigation\//, () => null],
    [/^\/parked$/, ({ from, to }) => (to === null ? `${from.path} no longer parked` : `${to.path} parked`)],
    [/^\/parked\/path$/, ({ from, to }) => `parked ${arrow(from, to)}`],
    [/^\/pending\/\d+$/, ({ from, to }) => {
      const { kind, name } = to ?? from;
      return `${kind} ${name} ${to === null ? "finished" : kind === "timer" ? "set" : "started"}`;
    }],
    [/^\/tree\/(?:.*\/)?children\/\d+$/, ({ from, to }) => cameOrWent("coordinator", nodeName(from), nodeName(to))],
    [/^\/tree\/(?:.*\/)?presented$/, ({ from, to }) => (
      to === null ? `${nodeName(from)} dismissed` : `${nodeName(to)} presented`)],
    [/^(\/tree(?:\/.*)?)\/started$/, ({ to }, whole) => `${node(whole)} ${to ? "started" : "stopped"}`],
    [/^(\/tree(?:\/.*)?)\/badge$/, ({ from, to }, whole) => (
      tabBadges.has(badges(from, to)) ? null : `${node(whole)} ${badges(from, to)}`)],
    // If the path changed, some coordinator's route changed with it.
    [/^(\/tree(?:\/.*)?)\/route$/, ({ from, to }, whole) => (
      all.has("/path") ? null : `${node(whole)} route ${arrow(from, to)}`)],
    [/^(\/tree(?:\/.*)?)\/title$/, ({ from, to }, whole) => (
      all.has("/screen/title") ? null : `${node(whole)} title ${arrow(from, to)}`)],
    [/^(\/tree(?:\/.*)?)\/section$/, ({ to }, whole) => (
      `${node(whole)} in ${to === null ? "no section" : `section ${to}`}`)],
  ]);

  return (change) => {
    for (const [pattern, say] of rules) {
      const match = pattern.exec(change.pointer);
      if (match && say) return say(change, ...match.slice(1));
    }
    return plainly(change);
  };
}

/** Changes of a row or a button that make its other changes redundant. */
const enough = /^(\/screen\/(?:rows|actions)\/\d+)\/(?:title|subtitle|value|favorite|inputs\/\d+\/value)$/;

const isSelection = /^\/navigation\/tabs\/(\d+)\/selected$/;

/** Combines neighboring facts about things of one kind, and removes duplicates. */
function grouped(facts) {
  /** @type {any[]} */
  const groups = [];
  for (const fact of facts) {
    const last = groups.at(-1);
    if (typeof fact === "string") groups.push(fact);
    else if (last?.kind === fact.kind && last.verb === fact.verb) last.names.push(fact.name);
    else groups.push({ kind: fact.kind, verb: fact.verb, names: [fact.name] });
  }
  return [...new Set(groups.map((group) => (typeof group === "string" ? group : counted(group))))];
}

function counted({ kind, verb, names }) {
  if (names.length > named) return `${names.length} ${kind}s ${verb}`;
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  // The class name of a coordinator says what it is.
  return kind === "coordinator" ? `${list} ${verb}` : `${kind}${names.length === 1 ? "" : "s"} ${list} ${verb}`;
}

function cameOrWent(kind, before, now) {
  return now === undefined ? { kind, name: before, verb: "gone" } : { kind, name: now, verb: "appeared" };
}

function sectionName(section) {
  return section ? section.title ?? section.id : undefined;
}

function nodeName(node) {
  return node ? shortName(node.id) : undefined;
}

/** Describes a change by its pointer, if there is no better sentence. */
function plainly({ pointer, from, to }) {
  return `${pointer.slice(1)} ${arrow(from, to)}`;
}

/** Shows a missing badge as 0 if the other badge is a number. */
function badges(from, to) {
  const isCount = [from, to].every((badge) => badge === null || /^\d+$/.test(badge));
  return `badge ${isCount ? arrow(from ?? 0, to ?? 0) : arrow(from, to)}`;
}

function arrow(from, to) {
  return `${short(from)} → ${short(to)}`;
}

/** A short text for a value. */
function short(value) {
  if (value === null) return "none";
  if (Array.isArray(value)) return `${value.length} items`;
  const text = typeof value === "object" ? value.title ?? value.id ?? writeJSON(value) : String(value);
  const line = text.replaceAll("\n", " ↵ ");
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** The value at a JSON pointer (RFC 6901). */
function valueAt(document, pointer) {
  return pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((value, step) => value?.[step], document);
}
