// @ts-check
// What the map says of one screen: its name and path, the kinds of its states, the way there, and where it leads.

import { $, keyed, make, setText } from "../dom.js";
import { offeredActions } from "../offered.js";
import { wayText } from "./going.js";
import { eventText } from "./graph.js";
import { kindsOf, limited, number, statesText } from "./kinds.js";
import { timesText, usesText } from "./usage.js";

/**
 * Describes a screen below the map; null for none.
 *
 * - overlay: the session on the map. - shown: the route document that is shown.
 */
export function describe(graph, screen, { here, seen }, shown) {
  $("map-about").hidden = screen === null;
  const leads = screen ? leadsOf(graph, screen.id, screen.id === here ? shown : null) : [];
  $("map-leads-row").hidden = leads.length === 0;
  showTexts($("map-leads"), leads);
  showTexts($("map-findings"), screen?.findings.map(({ detail }) => detail) ?? []);
  if (!screen) return setText($("map-way"), "The session is on a screen that is not on the map.");
  const { id, name, states, paths, pattern, uses } = screen;
  const isHere = id === here;
  const isExample = !isHere && pattern?.includes("{");
  /** @type {any} */
  const { title, path } = isHere ? { ...shown.screen, path: shown.path } : screen;
  setText($("map-name"), name);
  setText($("map-title"), title && title !== name ? `${isExample ? "as " : ""}“${title}”` : "");
  setText($("map-path"), path);
  setText($("map-paths"), otherPathsText(paths.size - 1));
  setText($("map-way"), [
    isHere ? "You are here." : seen.has(id) ? "Seen." : "Not seen yet.",
    graph.hasUsage && `${capitalized(usesText(uses))}.`,
    !isHere && wayText(screen),
  ].filter(Boolean).join(" "));
  $("map-kinds").hidden = states.length === 1;
  setText($("map-kinds-heading"), statesText(states.length));
  showTexts($("map-kinds-list"), kindTexts(graph, screen));
}

/** The kinds of a screen's states as lines of text; none for a screen with one state. */
export function kindTexts({ hasUsage }, { states }) {
  if (states.length === 1) return [];
  const kinds = kindsOf(states);
  const { lines, more } = limited(kinds);
  const texts = lines.map(({ text, count, uses }) => [
    kinds.length > 1 ? `${number(count)} ${text}` : text, hasUsage && uses > 0 && timesText(uses),
  ].filter(Boolean).join(" · "));
  return more > 0 ? [...texts, `and ${number(more)} more`] : texts;
}

/**
 * Where a screen leads, in words, each once. Links are left out: they lead everywhere. `shown` is the route document of
 * the screen, or null if the session is elsewhere. Its actions have the titles that are on the screen now.
 * @param {any} graph
 * @param {number} id
 * @param {any} shown
 */
export function leadsOf(graph, id, shown = null) {
  const offered = shown === null ? null : offeredActions({ ...shown, tree: null });
  const textOf = (event) => eventText(offered === null ? event : { ...event, titles: titlesOf(event, offered) });
  const leads = graph.edgesFrom(id).flatMap(({ to, events }) => events
    .filter(({ kind }) => kind !== "link")
    .map((event) => [
      `${textOf(event)} → ${to === id ? "stays here" : graph.screens[to].name}`,
      graph.hasUsage && timesText(event.uses),
    ].filter(Boolean).join(" · ")));
  return [...new Set(leads)];
}

/** The titles of the actions that send an event of the map, preferably with one of its payloads. */
function titlesOf({ event, payloads }, offered) {
  const own = offered.filter((action) => action.event === event);
  const exact = own.filter(({ payload }) => payloads.has(JSON.stringify(payload)));
  return [...new Set((exact.length > 0 ? exact : own).map(({ title }) => title))];
}

/** Shows texts as the items of a list. */
export function showTexts(list, texts) {
  keyed(list, texts, (text) => text, () => make("li"), setText);
}

function otherPathsText(count) {
  if (count === 0) return "";
  return count === 1 ? "and 1 other path" : `and ${number(count)} other paths`;
}

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
