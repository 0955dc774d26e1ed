// @ts-check
// JSON and other code, formatted and colored for reading.

import { make } from "../inspector/dom.js";
import { ExactNumber, readJSON, writeJSON } from "../inspector/exact.js";

/** The longest line of formatted JSON, if its parts can be broken into lines. */
const longestLine = 60;

/** The longest text with colors. */
const longestColored = 30_000;

/**
 * JSON in which each list and each object that fits into a line is on one line.
 * @param {any} value
 * @param {string} [indent]
 * @param {number} [begin] The length of its line before it.
 * @returns {string}
 */
export function formatted(value, indent = "", begin = 0) {
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) return writeJSON(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(([name, each]) => {
    const label = isList ? "" : `${JSON.stringify(name)}: `;
    return label + formatted(each, inner, inner.length + label.length);
  });
  const line = isList ? `[${parts.join(", ")}]` : parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
  if (begin + line.length < longestLine && !line.includes("\n")) return line;
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.map((each) => inner + each).join(",\n")}\n${indent}${close}`;
}

/** An example of a media type as text. */
export function exampleText(type, example) {
  if (example === undefined) return "";
  if (type.includes("ndjson")) return example.map((line) => writeJSON(line)).join("\n");
  return typeof example === "string" ? example : formatted(example);
}

/** The text of an answer. Numbers stay as the server wrote them. */
export function answerText(type, text) {
  if (!/json\b/.test(type) || type.includes("ndjson")) return text;
  try {
    return formatted(readJSON(text));
  } catch {
    return text;
  }
}

const tokens = /("(?:[^"\\\n]|\\.)*")(:)?|(?<=[\s[])(?:-?\d[\d.eE+-]*|true|false|null)(?=[\s,\]}]|$)/g;

/** Shows code. The names, texts and other values of JSON have their own colors, and paths break at a slash. */
export function showCode(element, text) {
  if (text.length > longestColored) return element.replaceChildren(text);
  const parts = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon = "", index = 0 } of text.matchAll(tokens)) {
    const kind = colon ? "name" : quoted ? "text" : "value";
    parts.push(...breakable(text.slice(end, index)),
      make("span", { className: `code-${kind}` }, ...breakable(quoted ?? token)), colon);
    end = index + token.length;
  }
  element.replaceChildren(...parts, ...breakable(text.slice(end)));
}

const breakable = (text) => text.split(/(?<=[\w}]\/)(?=[\w{])/).flatMap((part, index) => (
  index === 0 ? [part] : [make("wbr"), part]));
