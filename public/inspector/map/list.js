// @ts-check
// The map as a list: all screens, with their states and what each leads to.

import { $, keyed, make, setAttribute, setText } from "../dom.js";
import { kindTexts, leadsOf, showTexts } from "./details.js";
import { statesText } from "./kinds.js";
import { usesText } from "./usage.js";

/** - found: the ids of the screens that were searched for; null for all. */
export function showList(graph, { here, seen }, found) {
  keyed($("map-list"), graph.screens, ({ id }) => id, makeItem, (item, screen) => {
    const [button, state, kinds, leads] = item.children;
    item.hidden = found !== null && !found.has(screen.id);
    setText(button, screen.name);
    setAttribute(button, "aria-current", screen.id === here ? "location" : null);
    setText(state, [
      screen.id === here ? "you are here" : seen.has(screen.id) ? "seen" : "not seen yet",
      graph.hasUsage && usesText(screen.uses), screen.states.length > 1 && statesText(screen.states.length),
    ].filter(Boolean).join(", "));
    showTexts(kinds, kindTexts(graph, screen));
    showTexts(leads, leadsOf(graph, screen.id));
  });
}

function makeItem({ id }) {
  return make("li", {}, make("button", { type: "button", "data-screen": id }), " ", make("span"),
    make("ul", { className: "map-list-kinds", "aria-label": "States" }), make("ul", { "aria-label": "Leads to" }));
}
