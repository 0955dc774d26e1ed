// @ts-check
// The cards of the map's screens, and what is written on each.

import { draw, setAttribute, setText } from "../dom.js";
import { card } from "./edges.js";
import { statesText } from "./kinds.js";
import { timesText, usesText } from "./usage.js";
import { baseText, nameLines, room, shares, shortened, shortenedPath } from "./zoom.js";

const left = -card.width / 2;
const top = -card.height / 2;

/** The room on each side of a card's text. */
const inset = 14;

/** The size of names at the drawing's own scale. */
const nameSize = 15;

/** The largest text with which there is room for a mark on the edge of a card. */
const largestMark = 19;

/** The card of a screen. */
export function makeCard(screen, { x, y }, hasUsage) {
  const { id, name, title, states, uses } = screen;
  const outline = { x: left, y: top, width: card.width, height: card.height, rx: 14 };
  const element = draw("g", {
    class: "map-screen", role: "button", tabindex: -1, "data-screen": id, transform: `translate(${x} ${y})`,
    "aria-describedby": "map-details",
  },
  states.length > 1 ? draw("rect", { ...outline, class: "map-behind", transform: "translate(5 5)" }) : null,
  draw("rect", { ...outline, class: "map-card" }),
  draw("g", { class: "map-texts" }),
  draw("title"));
  setText(/** @type {Element} */ (element.lastElementChild), title && title !== name ? `${name}: ${title}` : name);
  element.classList.toggle("unused", hasUsage && uses === 0);
  return element;
}

/** Writes what there is room for on a card. */
export function writeCard(element, screen, { level, size }, hasUsage) {
  const texts = { near: nearTexts, middle: middleTexts, far: () => [] }[level](screen, size, hasUsage);
  element.querySelector(".map-texts").replaceChildren(...texts, ...findingMark(screen, level, size));
}

/** Describes a card to those who do not see it. */
export function describeCard(element, { name, id, states, findings, uses }, { here, seen }, hasUsage) {
  setAttribute(element, "aria-current", id === here ? "location" : null);
  setAttribute(element, "aria-label", [
    name, id === here ? "you are here" : seen.has(id) ? "seen" : "not seen yet", id === 0 && "the start",
    states.length > 1 && statesText(states.length), hasUsage && usesText(uses),
    findings.length > 0 && (findings.length === 1 ? "1 finding" : `${findings.length} findings`),
  ].filter(Boolean).join(", "));
}

/** The name, below it the path or the usage, and marks on the edges. */
function nearTexts(screen, size, hasUsage) {
  const { id, name, pattern, path, uses } = screen;
  const width = card.width - 2 * inset;
  const second = hasUsage ? usesText(uses) : shortenedPath(pattern ?? path, room(width, size, shares.mono));
  return [
    text("map-name", [shortened(name, room(width, nameSize, shares.bold))], left + inset, top + 26, nameSize),
    text(hasUsage ? "map-uses" : "map-path", [second], left + inset, top + 45, size),
    ...statesMark(screen, size),
    ...(id === 0 ? [upperMark("map-start", "Start")] : []),
    upperMark("map-here", "You are here"),
  ];
}

/** The name in the middle, in up to two lines, and the usage or the number of states, as far as there is room. */
function middleTexts(screen, size, hasUsage) {
  const own = Math.max(nameSize, size);
  const height = own * 1.1;
  const hasMarks = size <= largestMark;
  const canBreak = hasMarks || !hasUsage;
  const names = nameLines(screen.name, room(card.width - 12, own, shares.bold), canBreak ? 2 : 1);
  const isLine = hasUsage && (names.length + 1) * height <= card.height;
  const marks = !hasMarks || isLine ? [] : hasUsage ? [usesMark(screen, size)] : statesMark(screen, size);
  // Two lines leave a mark below them room.
  const lift = names.length > 1 && marks.length > 0 ? size * 0.3 : 0;
  const first = -((names.length + (isLine ? 1 : 0)) * height) / 2 + own * 0.9 - lift;
  const fits = usesText(screen.uses).length <= room(card.width - 12, size, shares.plain);
  const usage = fits ? usesText(screen.uses) : timesText(screen.uses);
  return [
    text("map-name", names, 0, first, own, height),
    ...(isLine ? [text("map-uses", [usage], 0, first + names.length * height, size)] : []),
    ...marks,
  ];
}

function text(className, lines, x, y, size, height = 0) {
  return draw("text", { class: className, "font-size": size, "text-anchor": x === 0 ? "middle" : "start" },
    ...lines.map((line, index) => draw("tspan", { x, y: y + index * height }, line)));
}

/** A mark on the upper edge, at the left. */
function upperMark(className, words) {
  const width = words.length * baseText * shares.bold + 14;
  return draw("g", { class: className, transform: `translate(${left + 8} ${top})` },
    draw("rect", { x: 0, y: -9, width, height: 18, rx: 9 }),
    draw("text", { x: width / 2, y: 4.2, "font-size": baseText, "text-anchor": "middle" }, words));
}

/** The number of states, if there is more than one. */
function statesMark({ states }, size) {
  return states.length > 1 ? [lowerMark("map-states", statesText(states.length), size)] : [];
}

const usesMark = ({ uses }, size) => lowerMark("map-uses", usesText(uses), size);

/** A mark on the lower edge, at the right. */
function lowerMark(className, words, size) {
  const width = words.length * size * shares.plain + size;
  const height = size * 1.4;
  return draw("g", { class: className, transform: `translate(${-left - width - 6} ${-top})` },
    draw("rect", { x: 0, y: -height / 2, width, height, rx: height / 2 }),
    draw("text", { x: width / 2, y: size * 0.35, "font-size": size, "text-anchor": "middle" }, words));
}

function findingMark({ findings }, level, size) {
  if (findings.length === 0) return [];
  const sign = draw("text", { y: size * 0.4, "font-size": size * 1.1, "text-anchor": "middle" }, "!");
  return [draw("g", { class: "map-finding", transform: `translate(${-left - 4} ${top + 4})` },
    draw("circle", { r: size * 0.85 }), level === "far" ? null : sign)];
}
