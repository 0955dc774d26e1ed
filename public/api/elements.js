// @ts-check
// The parts that the sections of the page have in common: texts, types, tables, and what opens on demand.

import { make } from "../inspector/dom.js";
import { paragraphs, typeWords } from "./description.js";

/** The name under which the browser stores what is open. */
const kept = "coordinate.api-open";

/** A paragraph's pieces as elements. */
export const pieceElements = (pieces) =>
  pieces.map(({ kind, text }) => (kind === "text" ? text : make(kind, {}, text)));

export const prose = (text) => paragraphs(text).map((pieces) => make("p", {}, ...pieceElements(pieces)));

export const typeOf = (schema) => make("span", { className: "type" }, ...typeWords(schema).map((word) =>
  (typeof word === "string" ? word : make("a", { href: `#schema-${word.name}` }, word.name))));

export const methodElement = (method) => make("span", { className: `method ${method.toLowerCase()}` }, method);

/** A table with names, types and descriptions. */
export const facts = (rows) => make("dl", { className: "facts" }, ...rows.map(({ name, note = "", content }) =>
  make("div", {}, make("dt", {}, make("code", {}, name), " ", make("small", {}, note)), make("dd", {}, ...content))));

/** Something that opens on demand, and is open again on the next visit. Its content is created when it is needed. */
export function fold(id, title, content, className = "fold") {
  const details = make("details", { id, className }, make("summary", {}, ...title));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...content());
    if (opened.has(id) === details.open) return;
    opened[details.open ? "add" : "delete"](id);
    try {
      localStorage.setItem(kept, JSON.stringify([...opened]));
    } catch {
      // Then everything is closed on the next visit.
    }
  });
  if (opened.has(id)) unfold(details);
  return details;
}

/** Opens an element and those around it, with their content. */
export function unfold(element) {
  for (let each = element; each; each = each.parentElement) {
    if (each.localName !== "details") continue;
    each.open = true;
    each.dispatchEvent(new Event("toggle"));
  }
}

const opened = storedIDs();

/** @returns {Set<string>} */
function storedIDs() {
  try {
    return new Set(JSON.parse(localStorage.getItem(kept) ?? "[]"));
  } catch {
    return new Set();
  }
}
