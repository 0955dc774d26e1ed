// @ts-check
// What the map says of itself: whether it is whole, what is wrong with the app, and what was not reached.

import { $, setText } from "../dom.js";
import { showTexts } from "./details.js";
import { number, statesText } from "./kinds.js";

/** What a person should know of a map before looking at it; empty for a whole map. */
export function stateText({ isTruncated, frontier, screens }) {
  return [
    isTruncated && `The map is incomplete: the server stopped exploring, and ${statesText(frontier)} may lead further. `
      + "It does not list what it did not reach.",
    screens.length === 0 && "The app has no screens.",
  ].filter(Boolean).join(" ");
}

export const findingsText = (count) => (count === 1 ? "1 finding" : `${number(count)} findings`);

export const unreachedText = (count) => `${number(count)} not reached`;

/** Shows a map's findings: those that are wrong, and apart from them those that were not reached. */
export function showFindings({ wrong, unreached }) {
  show("map-notes", wrong, findingsText);
  show("map-unreached", unreached, unreachedText);
}

function show(id, findings, textOf) {
  $(id).hidden = findings.length === 0;
  setText($(`${id}-count`), textOf(findings.length));
  showTexts($(`${id}-list`), findings.map(({ detail }) => detail));
}
