// What is shown in the fields of a form, and what was entered there, as the values that it stands for.

import { isNumber, numberIn, readJSON, writeJSON } from "./exact.js";

/** The types whose values are typed as JSON. */
const asJSON = ["object", "array"];

/** What a control was last made to show: the value as JSON, and how that reads. */
const shown = new WeakMap();

export function isTypedAsJSON(type) {
  return asJSON.includes(type);
}

/** A value as it is typed. */
export function textOf(value) {
  return typeof value === "string" ? value : writeJSON(value);
}

/** Shows a value in place of what was entered. */
export function showValue(control, value) {
  if (control.type === "checkbox") control.checked = value === true;
  else control.value = value === null ? "" : textOf(value);
  shown.set(control, { json: writeJSON(value), entry: entryIn(control) });
}

/** Whether a value is the one that was shown last, whatever was entered since. */
export function isShown(control, value) {
  return shown.get(control)?.json === writeJSON(value);
}

/**
 * The values of a form's fields by name. An empty field is left out where it is optional or no text, and the server
 * says where a value is missing.
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

/** A payload with what was entered in its fields; what was not touched stays just as it was offered. */
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

/** What is in each control, to be compared. */
export function entriesIn(container) {
  return new Map([...controlsIn(container)].map((control) => [control, entryIn(control)]));
}

/** Puts a value where a problem points to: into a field, or into the JSON that was typed there. */
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

/** Forgets the secrets that were typed. */
export function clearSecrets(container) {
  for (const input of container.querySelectorAll("input[type=password]")) input.value = "";
}

/** The control of a field, or those of all in a form. */
export function controlsIn(container) {
  return container.querySelectorAll("[data-field]");
}

function entryIn(control) {
  return control.type === "checkbox" ? String(control.checked) : control.value;
}

/** The number that was typed, with all its digits; the text where it is none. */
function typedNumber(text) {
  const digits = text.trim().replace(/^(-?)0+(?=\d)/, "$1");
  if (isNumber(digits)) return numberIn(digits);
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** Text that does not stand for a value of its type is sent as it is, for the server to refuse. */
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
