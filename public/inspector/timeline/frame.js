// @ts-check
// One frame of the timeline: a small picture of the screen after an event, its step and the event's short name.

import { draw, icon, make, setAttribute, setText } from "../dom.js";
import { fragmentOf } from "../fragment.js";
import { originIcon, originText } from "../origin.js";
import { payloadText, shortName } from "../trace.js";

/** @typedef {import("../dom.js").PageElement} PageElement */

/**
 * A frame with its tools.
 * @param {number} version
 * @param {string | null} address What the frame opens, if it belongs to another session.
 */
export function makeFrame(version, address) {
  const parts = [
    make("span", { className: "frame-picture", "aria-hidden": "true" }),
    make("span", { className: "frame-name" },
      make("span", { className: "visually-hidden" }, "Step "),
      make("span", { className: "frame-number" }, String(version)),
      make("span", { className: "frame-origin", hidden: true }),
      make("span", { className: "frame-event" })),
    make("span", { className: "visually-hidden frame-more" }),
  ];
  if (address !== null) {
    return make("li", { className: "frame" },
      make("a", { className: "frame-travel", href: address, tabIndex: -1 }, ...parts));
  }
  const tool = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ symbol, more = {}) =>
    make("button", { type: "button", className: `frame-tool frame-${name}`, title, ...more }, icon(symbol));
  return make("li", { className: "frame" },
    make("button", { type: "button", className: "frame-travel", tabIndex: -1 }, ...parts),
    make("div", { className: "frame-tools" },
      tool("edit", "Edit and replay", "edit", {
        "aria-label": `Edit step ${version} and replay`, "aria-haspopup": "dialog",
      }),
      tool("copy", "Copy as curl", "terminal", { "aria-label": `Copy step ${version} as curl` }),
      tool("json", "JSON", "braces", { "aria-label": `JSON of step ${version}`, "aria-haspopup": "dialog" })));
}

/** A place without a frame, because a replay did not record the event. */
export function makeGap(/** @type {string} */ note) {
  return make("li", { className: "frame gap" },
    make("span", { className: "frame-picture", "aria-hidden": "true" }),
    make("span", { className: "frame-name" }, make("span", { className: "frame-event" }, note)));
}

/**
 * Describes a frame's event. An entry never changes, but it can arrive after the frame.
 * @param {PageElement} frame
 * @param {number} version
 * @param {any} entry
 */
export function describe(frame, version, entry) {
  const isKnown = version === 0 || Boolean(entry);
  if (frame.dataset.described === String(isKnown)) return;
  frame.dataset.described = String(isKnown);
  frame.dataset.version = String(version);
  const name = /** @type {Element} */ (frame.querySelector(".frame-event"));
  if (version === 0) return setText(name, "Start");
  if (!entry) return;
  const { event, payload, handledBy, path } = entry;
  frame.dataset.event = event;
  setText(name, event.slice(event.lastIndexOf(".") + 1));
  const isUnhandled = handledBy === null;
  frame.classList.toggle("unhandled", isUnhandled);
  const origin = originText(entry);
  const handled = isUnhandled ? "not handled" : `handled by ${shortName(handledBy)}`;
  const travel = /** @type {HTMLElement} */ (frame.querySelector(".frame-travel"));
  travel.title = [`${event} ${payloadText(payload)}`.trimEnd(), origin, handled, path].filter(Boolean).join("\n");
  frame.dataset.about = [origin, handled].filter(Boolean).join(", ");
  const symbol = originIcon(entry) ?? (event === "navigation.open" ? "link" : null);
  const mark = /** @type {HTMLElement} */ (frame.querySelector(".frame-origin"));
  if (symbol) mark.replaceChildren(icon(symbol));
  mark.hidden = symbol === null;
}

/**
 * Marks a frame, for the eye and for screen readers.
 *
 * - outline: `changed`, `differs`, or null.
 * @param {PageElement} frame
 * @param {{ outline: string | null, isCurrent: boolean, isAfter: boolean }} state
 */
export function mark(frame, { outline, isCurrent, isAfter }) {
  setAttribute(frame, "data-outline", outline);
  const travel = /** @type {Element} */ (frame.querySelector(".frame-travel"));
  setAttribute(travel, "aria-current", isCurrent ? "step" : null);
  frame.classList.toggle("after", isAfter);
  const words = { changed: "the screen changed", differs: "differs" };
  const texts = [frame.dataset.about, outline && words[/** @type {"changed"} */ (outline)]].filter(Boolean);
  setText(/** @type {Element} */ (frame.querySelector(".frame-more")), texts.map((text) => `, ${text}`).join(""));
}

/** Shows a frame's picture, or a quiet placeholder until there is one. The same drawing is not shown twice. */
export function picture(/** @type {PageElement} */ frame, /** @type {SVGElement | null} */ drawing) {
  const place = /** @type {any} */ (frame.querySelector(".frame-picture"));
  if (place.drawing === drawing) return;
  place.drawing = drawing;
  place.replaceChildren(...(drawing ? [copyOf(drawing)] : []));
}

/** The number of copies so far. */
let copies = 0;

/** A copy of a drawing that scales to the frame. Its clip paths have ids of their own. */
function copyOf(/** @type {SVGElement} */ drawing) {
  copies += 1;
  const [width, height] = ["width", "height"].map((name) => drawing.getAttribute(name));
  const viewBox = drawing.getAttribute("viewBox") ?? `0 0 ${width} ${height}`;
  const copy = draw("svg", { viewBox, preserveAspectRatio: "xMidYMin slice" });
  copy.append(...[...drawing.cloneNode(true).childNodes].filter(({ nodeName }) => nodeName !== "title"));
  for (const path of copy.querySelectorAll("clipPath")) path.id = `frame-${copies}-${path.id}`;
  for (const each of copy.querySelectorAll("[clip-path]")) {
    const [, id] = /#([^)]*)/.exec(each.getAttribute("clip-path") ?? "") ?? [];
    each.setAttribute("clip-path", `url(#frame-${copies}-${id})`);
  }
  return copy;
}

/** Links from a frame to the sessions that were forked from it. */
export function branches(/** @type {PageElement} */ frame, /** @type {string[]} */ forks) {
  const shown = [...frame.querySelectorAll(".frame-fork")];
  if (shown.length === forks.length) return;
  for (const each of shown) each.remove();
  frame.append(...forks.map((id) => make("a", {
    className: "frame-fork", href: fragmentOf(id), title: `Open the fork ${id.slice(0, 6)}`,
    "aria-label": `Open the fork ${id.slice(0, 6)}`,
  }, icon("fork"))));
}
