// Fields of a form, made of what the catalog declares, and what was typed into them as the values they stand for.

import { holdsSecret } from "./catalog.js";
import { make, setAttribute } from "./dom.js";

const inputTypes = { integer: "number", number: "number", boolean: "checkbox" };

/** The types whose values are typed as JSON. */
const asJSON = ["object", "array"];

/**
 * A label and an input for a declared field. The prefix tells the ids of one form from another's; the pointer is where
 * the value is in the request, as the server's problems name it.
 */
export function makeField({ prefix, pointer, name, type, default: value, ...rest }) {
  const id = `${prefix}-${name}`;
  const isSecret = holdsSecret(rest);
  const input = make("input", {
    id, name, type: isSecret ? "password" : inputTypes[type] ?? "text", autocomplete: "off",
    "data-field": name, "data-pointer": pointer, "data-type": type,
  });
  if (rest.required === false) input.dataset.optional = "";
  if (type === "number") input.step = "any";
  if (type === "boolean") input.checked = value === true;
  else if (value !== undefined && value !== null) input.value = textOf(value);
  const facts = [
    type, asJSON.includes(type) && "as JSON", isSecret && "secret", rest.required === false && "optional",
  ].filter(Boolean);
  const label = make("label", { htmlFor: id }, name, " ", make("span", { className: "field-type" }, facts.join(", ")));
  return make("div", { className: "field" }, label, input);
}

/** Suggests values for a field, but never for a secret. */
export function suggestValues(field, values) {
  const input = field.querySelector("input");
  const list = field.querySelector("datalist") ?? field.appendChild(make("datalist", { id: `${input.id}-values` }));
  const offered = input.type === "password" ? [] : [...new Set(values.map(textOf))];
  setAttribute(input, "list", offered.length > 0 ? list.id : null);
  list.replaceChildren(...offered.map((each) => make("option", { value: each })));
}

/**
 * The values of a form's fields by name. An empty field is left out where it is optional or no text, and the server
 * says where a value is missing.
 */
export function valuesIn(container) {
  const values = {};
  for (const input of container.querySelectorAll("input")) {
    const { type, optional } = input.dataset;
    const isLeftOut = input.value === "" && (optional !== undefined || type !== "string");
    if (input.type === "checkbox") values[input.name] = input.checked;
    else if (!isLeftOut) values[input.name] = valueOf(input.value, type);
  }
  return values;
}

/** Forgets the secrets that were typed. */
export function clearSecrets(container) {
  for (const input of container.querySelectorAll("input[type=password]")) input.value = "";
}

/** Text that does not stand for a value of its type is sent as it is, for the server to refuse. */
function valueOf(text, type) {
  if (type === "integer" || type === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (!asJSON.includes(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
