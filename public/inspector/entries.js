// @ts-check
// The values in the fields of a form: shows them, and reads what the user entered.

import { isNumber, numberIn, readJSON, writeJSON } from "./exact.js";

/** The types whose values the user types as JSON. */
const asJSON = ["object", "array"];

/** What a control last showed: the value as JSON, and its text. */
const shown = new WeakMap();

export function isTypedAsJSON(type) {
  return asJSON.includes(type);
}

/** The text of a value for a field. */
export function textOf(value) {
  return typeof value === "string" ? value : writeJSON(value);
}

/** Shows a value, which replaces what the user entered. */
export function showValue(control, value) {
  if (control.type === "checkbox") control.checked = value === true;
  else control.value = value === null ? "" : textOf(value);
  shown.set(control, { json: writeJSON(value), entry: entryIn(control) });
}

/** Whether a value is the one that was shown last, even if the user has changed it since. */
export function isShown(control, value) {
  return shown.get(control)?.json === writeJSON(value);
}

/**
 * The values of a form's fields by name. Empty fields are left out if they are optional or not text. The server reports
 * missing values.
 */
export function valuesIn(container) {
  const values = {};
  for (const control of controlsIn(container)) {
    const { type, optional } = control.dataset;
    const isLeftOut = control.value === "" && (optional !== undefined || type !== "string");
    if (control.type === "checkbox") values[control.name] = control.checked;
    else if (!isLeftOut) values[control.name] = valueOf(control.value, type);
  }
  return values;
}

/** A payload with the values of its fields. Fields that the user did not change keep their offered values exactly. */
export function payloadWith(container, offered) {
  const entered = valuesIn(container);
  const payload = { ...offered };
  for (const control of controlsIn(container)) {
    const { name } = control;
    if (entryIn(control) === shown.get(control).entry) continue;
    delete payload[name];
    if (name in entered) payload[name] = entered[name];
  }
  return payload;
}

/** The contents of all controls, for comparison. */
export function entriesIn(container) {
  return new Map([...controlsIn(container)].map((control) => [control, entryIn(control)]));
}

/** Puts a value at a problem's pointer: into a field, or into the JSON that was typed there. */
export function putValue(container, pointer, value) {
  for (const control of controlsIn(container)) {
    const { pointer: own, type } = control.dataset;
    if (pointer === own) control.value = textOf(value);
    if (!pointer?.startsWith(`${own}/`)) continue;
    const whole = valueOf(control.value, type);
    const names = pointer.slice(own.length + 1).split("/")
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop();
    const holder = names.reduce((each, name) => each?.[name], whole);
    if (typeof holder?.[last] !== "string") continue;
    holder[last] = value;
    control.value = textOf(whole);
  }
}

/** Clears the secrets that the user typed. */
export function clearSecrets(container) {
  for (const input of container.querySelectorAll("input[type=password]")) input.value = "";
}

/** The control of a field, or all controls of a form. */
export function controlsIn(container) {
  return container.querySelectorAll("[data-field]");
}

function entryIn(control) {
  return control.type === "checkbox" ? String(control.checked) : control.value;
}

/** The typed number with all its digits, or the text if it is not a number. */
function typedNumber(text) {
  const digits = text.trim().replace(/^(-?)0+(?=\d)/, "$1");
  if (isNumber(digits)) return numberIn(digits);
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/**
 * The value that a text stands for. Text that does not match its type is sent unchanged, so that the server reports it.
 */
function valueOf(text, type) {
  if (type === "integer" || type === "number") return typedNumber(text);
  if (type === "boolean") return text === "true";
  if (!isTypedAsJSON(type)) return text;
  try {
    return readJSON(text);
  } catch {
    return text;
  }
}
