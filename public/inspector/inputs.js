// @ts-check
// The inputs of forms. Route documents describe theirs. Declarations of the catalog are converted to the same shape.

import { holdsSecret } from "./catalog.js";
import { isTypedAsJSON, textOf } from "./entries.js";

/**
 * The type of a value, as declared in the catalog.
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
 * An input of a form, as in a route document.
 * @typedef {object} Input
 * @property {string} field
 * @property {string} title
 * @property {string} type
 * @property {any} value
 * @property {{ value: unknown, title: string }[] | null} [choices]
 * @property {boolean} required
 * @property {boolean} secret
 * @property {string | null} [kind] How a text is entered, such as `email`.
 * @property {string} [hint]
 * @property {string} [example]
 */

/** @type {Record<string, string>} */
const inputTypes = { integer: "number", number: "number" };

/** @type {Record<string, string>} */
const kinds = {
  email: "email", phone: "tel", url: "url", date: "date", time: "time", multiline: "area", search: "search",
};

const trimmed = /^\S(.*\S)?$/;

/**
 * The values that a browser shows in a control. It would change or hide others.
 * @type {Record<string, RegExp>}
 */
const shownValues = {
  email: trimmed, url: trimmed,
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/,
};

/** @type {Record<string, string>} */
const completions = { email: "email", phone: "tel", url: "url", oneTimeCode: "one-time-code" };

/**
 * How a browser helps with an input: what it may fill in, and on a phone the keyboard.
 * @param {Input} input
 */
export function helpFor({ kind }) {
  return {
    autocomplete: completions[kind ?? ""] ?? "off", ...(kind === "oneTimeCode" && { inputmode: "numeric" }),
  };
}

/** The most choices for a menu. With more choices, typing is faster. */
const longestMenu = 100;

/**
 * A JSON pointer (RFC 6901) from the names on the path to a value.
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
  const isShort = choices !== undefined && choices.length > 0 && choices.length <= longestMenu;
  return {
    field: name, title: name, type, value, required, secret,
    choices: isShort ? choices.map((each) => ({ value: each, title: textOf(each) })) : null,
    hint: [type, isJSON && "as JSON", secret && "secret", !required && "optional"].filter(Boolean).join(", "),
    example: isJSON ? JSON.stringify(exampleOf(declared)) : "",
  };
}

/**
 * The kind of control for an input. Text with several lines needs a text area.
 * @param {Input} input
 * @returns {string}
 */
export function controlFor({ type, value, choices, required, secret, kind }) {
  if (secret) return "password";
  if ((choices?.length ?? 0) > 0 || (type === "boolean" && !required)) return "menu";
  if (type === "boolean") return "checkbox";
  if (isTypedAsJSON(type) || (type === "string" && value?.includes("\n"))) return "area";
  if (type !== "string") return inputTypes[type] ?? "text";
  const own = kinds[kind ?? ""];
  return own && (!value || (shownValues[own]?.test(value) ?? true)) ? own : "text";
}

/**
 * A sample value with everything that a type contains, to show its format.
 * @param {Declared} type
 * @returns {unknown}
 */
function exampleOf({ type, choices, fields, items }) {
  if (choices !== undefined && choices.length > 0) return choices[0];
  switch (type) {
    case "array": return items ? [exampleOf(items)] : [];
    case "object":
      return Object.fromEntries(Object.entries(fields ?? {}).map(([name, field]) => [name, exampleOf(field)]));
    case "boolean": return false;
    case "string": return "";
    default: return 0;
  }
}
