// @ts-check
// What the fields of forms are to be. Route documents describe the inputs of their forms, and what the catalog declares
// is brought into the same shape.

import { holdsSecret } from "./catalog.js";
import { isTypedAsJSON, textOf } from "./entries.js";

/**
 * The type of a value, as the catalog declares it.
 * @typedef {object} Declared
 * @property {string} type
 * @property {boolean} [required]
 * @property {boolean} [secret]
 * @property {unknown[]} [choices]
 * @property {Record<string, Declared>} [fields]
 * @property {Declared} [items]
 * @property {unknown} [default]
 */

/**
 * An input of a form, as a route document describes it.
 * @typedef {object} Input
 * @property {string} field
 * @property {string} title
 * @property {string} type
 * @property {any} value
 * @property {{ value: unknown, title: string }[] | null} [choices]
 * @property {boolean} required
 * @property {boolean} secret
 * @property {string} [hint]
 * @property {string} [example]
 */

/** @type {Record<string, string>} */
const inputTypes = { integer: "number", number: "number" };

/** Past this many choices that the catalog has, typing finds one sooner than a menu does. */
const longestMenu = 100;

/**
 * A JSON pointer (RFC 6901) to a value by the names on the way.
 * @param {...string} names
 */
export function pointerTo(...names) {
  return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The input for a value that the catalog declares.
 * @param {string} name
 * @param {Declared} declaration
 * @returns {Input}
 */
export function inputFor(name, { default: value = null, ...declared }) {
  const { type, choices, required = true } = declared;
  const secret = holdsSecret(declared);
  const isJSON = isTypedAsJSON(type);
  const isShort = choices?.length > 0 && choices.length <= longestMenu;
  return {
    field: name, title: name, type, value, required, secret,
    choices: isShort ? choices.map((each) => ({ value: each, title: textOf(each) })) : null,
    hint: [type, isJSON && "as JSON", secret && "secret", !required && "optional"].filter(Boolean).join(", "),
    example: isJSON ? JSON.stringify(exampleOf(declared)) : "",
  };
}

/**
 * The kind of control that an input needs. A text of several lines does not fit into one.
 * @param {Input} input
 * @returns {string}
 */
export function controlFor({ type, value, choices, required, secret }) {
  if (secret) return "password";
  if (choices?.length > 0 || (type === "boolean" && !required)) return "menu";
  if (type === "boolean") return "checkbox";
  if (isTypedAsJSON(type) || (type === "string" && value?.includes("\n"))) return "area";
  return inputTypes[type] ?? "text";
}

/**
 * A value that has all there is in a type, to show how it is written.
 * @param {Declared} type
 * @returns {unknown}
 */
function exampleOf({ type, choices, fields, items }) {
  if (choices?.length > 0) return choices[0];
  switch (type) {
    case "array": return items ? [exampleOf(items)] : [];
    case "object":
      return Object.fromEntries(Object.entries(fields ?? {}).map(([name, field]) => [name, exampleOf(field)]));
    case "boolean": return false;
    case "string": return "";
    default: return 0;
  }
}
