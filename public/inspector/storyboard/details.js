// @ts-check
// What the storyboard says in words: of one screen its paths, states, ways and findings, and of the whole app what is
// wrong with it.

import { $, keyed, make, setText } from "../dom.js";
import { offeredActions } from "../offered.js";
import { eventText } from "./graph.js";
import { findingsText, kindsOf, limited, number, statesText } from "./kinds.js";
import { wayText } from "./way.js";

/**
 * Describes the selected screen; null for none.
 *
 * - shown: the route document that is shown. - hasSession: whether there is a session that can open links.
 */
export function describe(graph, screen, { here }, shown, hasSession) {
  $("map-details").hidden = screen === null;
  if (screen === null) return;
  const { id, name, states, paths, pattern, findings } = screen;
  const isHere = id === here;
  const { title, path } = isHere ? { title: shown.screen.title, path: shown.path } : screen;
  setText($("map-name"), name);
  setText($("map-title"), title && title !== name ? title : "");
  setText($("map-path"), isHere ? path : pattern ?? path);
  setText($("map-paths"), [
    !isHere && paths.size > 1 && pathsText(paths.size), states.length > 1 && statesText(states.length),
  ].filter(Boolean).join(", "));
  const leads = leadsOf(graph, id, isHere ? shown : null);
  $("map-leads-row").hidden = leads.length === 0;
  showTexts($("map-leads"), withRest(limited(leads)));
  const kinds = kindTexts(screen);
  $("map-kinds").hidden = kinds.length === 0;
  showTexts($("map-kinds-list"), kinds);
  showTexts($("map-findings"), findings.map(({ detail }) => detail));
  $("map-go").hidden = isHere;
  setText($("map-way"), isHere ? "You are here." : wayText(screen, hasSession));
}

/** The kinds of a screen's states as lines of text; none if all are alike. */
export function kindTexts({ states }) {
  const kinds = kindsOf(states);
  if (kinds.length === 1) return [];
  const { lines, more } = limited(kinds);
  return withRest({ lines: lines.map(({ text, count }) => `${number(count)} ${text}`), more });
}

const withRest = ({ lines, more }) => (more > 0 ? [...lines, `and ${number(more)} more`] : lines);

/**
 * Where a screen leads, in words, each once, elsewhere first. Links and tabs are left out: they lead everywhere.
 *
 * - shown: the route document of the screen, whose actions have the titles that are on the screen now; null if the
 *   session is elsewhere.
 * @param {any} graph
 * @param {number} id
 * @param {any} shown
 */
export function leadsOf(graph, id, shown = null) {
  const offered = shown === null ? null : offeredActions({ ...shown, tree: null });
  const textOf = (event) => eventText(offered === null ? event : { ...event, titles: titlesOf(event, offered) });
  const leads = graph.edgesFrom(id).flatMap(({ to, events }) => events
    .filter(({ kind }) => kind === "step" || kind === "back")
    .map((event) => ({
      isHere: to === id, text: `${textOf(event)} → ${to === id ? "stays here" : graph.screens[to].name}`,
    })));
  return [...new Set(leads.toSorted((a, b) => Number(a.isHere) - Number(b.isHere)).map(({ text }) => text))];
}

/** The titles of the actions that send an event of the map, preferably with one of its payloads. */
function titlesOf({ event, payloads }, offered) {
  const own = offered.filter((action) => action.event === event);
  const exact = own.filter(({ payload }) => payloads.has(JSON.stringify(payload)));
  return [...new Set((exact.length > 0 ? exact : own).map(({ title }) => title))];
}

/** Shows texts as the items of a list. */
function showTexts(list, texts) {
  keyed(list, texts, (text) => text, () => make("li"), setText);
}

const pathsText = (count) => `${number(count)} paths`;

// The whole app

/** What a person should know of a map before looking at it; empty for a whole map. */
export function stateText({ isTruncated, frontier, screens }) {
  return [
    isTruncated && `The map is incomplete: the server stopped exploring, and ${statesText(frontier)} may lead further. `
      + "It does not list what it did not reach.",
    screens.length === 0 && "The app has no screens.",
  ].filter(Boolean).join(" ");
}

/** Shows a map's findings: first those that are wrong, and then those that were not reached. */
export function showFindings({ wrong, unreached }) {
  $("map-notes").hidden = wrong.length + unreached.length === 0;
  $("map-notes").classList.toggle("wrong", wrong.length > 0);
  setText($("map-notes-count"),
    wrong.length > 0 ? findingsText(wrong.length) : `${number(unreached.length)} not reached`);
  showTexts($("map-notes-list"), wrong.map(({ detail }) => detail));
  $("map-unreached").hidden = unreached.length === 0;
  showTexts($("map-unreached-list"), unreached.map(({ detail }) => detail));
}
