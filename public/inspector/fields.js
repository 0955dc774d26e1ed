// @ts-check
// Form fields: a label and a control for each input.

import { keyed, make, setAttribute, setText } from "./dom.js";
import { controlsIn, isShown, isTypedAsJSON, showValue, textOf } from "./entries.js";
import { controlFor, helpFor } from "./inputs.js";

/**
 * Creates a field that shows an input's value. The prefix keeps the ids of different forms apart. The pointer is the
 * value's place in the request, as in the server's problems.
 */
export function makeField(/** @type {any} */ { prefix, pointer, ...input }) {
  const kind = controlFor(input);
  const control = makeControl(kind, {
    id: `${prefix}-${input.field}`, name: input.field, ...helpFor(input),
    "data-field": input.field, "data-pointer": pointer, "data-type": input.type,
  });
  if (!input.required) control.dataset.optional = "";
  else if (kind !== "checkbox") control.setAttribute("aria-required", "true");
  if (input.type === "number") control.step = "any";
  if (isTypedAsJSON(input.type)) control.spellcheck = false;
  if (isTyped(kind)) control.placeholder = input.example ?? (input.required ? "Required" : "Optional");
  const field = make("div", { className: `field field-${kind}` },
    make("label", { htmlFor: control.id },
      make("span", { className: "field-title" }), " ", make("span", { className: "field-type" })),
    control,
    make("div", { className: "field-error", id: `${control.id}-error`, hidden: true }));
  updateField(field, input);
  return field;
}

/** Updates a field to an input's newest description. What the user entered stays unless the app changed the value. */
export function updateField(field, input) {
  const [control] = controlsIn(field);
  setText(field.querySelector(".field-title"), input.title);
  setText(field.querySelector(".field-type"), input.hint ?? (input.required || control.placeholder ? "" : "optional"));
  if (control.matches("select")) offerChoices(control, input);
  if (!isShown(control, input.value)) showValue(control, input.value);
}

/** Shows an error in a field, or removes it if there is no content. */
export function showErrorIn(field, content) {
  const [control] = controlsIn(field);
  const place = field.querySelector(".field-error");
  const isWrong = content.length > 0;
  if (isWrong || !place.hidden) place.replaceChildren(...content);
  place.hidden = !isWrong;
  setAttribute(control, "aria-invalid", isWrong ? "true" : null);
  setAttribute(control, "aria-describedby", isWrong ? place.id : null);
}

/** Suggests values for a text field, but never for a secret. */
export function suggestValues(field, values) {
  const input = field.querySelector("input");
  if (!input) return;
  const list = field.querySelector("datalist") ?? field.appendChild(make("datalist", { id: `${input.id}-values` }));
  const offered = input.type === "password" ? [] : [...new Set(values.map(textOf))];
  setAttribute(input, "list", offered.length > 0 ? list.id : null);
  list.replaceChildren(...offered.map((each) => make("option", { value: each })));
}

function isTyped(kind) {
  return kind !== "menu" && kind !== "checkbox";
}

function makeControl(kind, attributes) {
  if (kind === "menu") return make("select", attributes);
  if (kind === "area") return make("textarea", { ...attributes, rows: 3 });
  return make("input", { ...attributes, type: kind });
}

/**
 * Fills a menu. It has a blank entry if the value is optional, and always contains the current value, even if that
 * cannot be chosen.
 */
function offerChoices(menu, { type, value, choices, required }) {
  const listed = choices ?? (type === "boolean" ? [true, false].map((value) => ({ value, title: textOf(value) })) : []);
  const isListed = value === null || listed.some((choice) => textOf(choice.value) === textOf(value));
  const offered = [
    ...(required && value !== null ? [] : [{ value: "", title: "" }]),
    ...listed,
    ...(isListed ? [] : [{ value, title: textOf(value) }]),
  ];
  const entered = menu.value;
  keyed(menu, offered, (choice) => textOf(choice.value), (choice) => make("option", { value: textOf(choice.value) }),
    (option, { title }) => setText(option, title));
  if (offered.some((choice) => textOf(choice.value) === entered)) menu.value = entered;
  else showValue(menu, value);
}
