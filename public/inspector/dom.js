// @ts-check
// Creates and updates elements. Text never becomes markup. Elements that stay keep their identity, and so the focus.

/**
 * An element of the page, with the properties of every kind that has an id.
 * @typedef {HTMLElement & HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement & HTMLButtonElement
 *   & HTMLAnchorElement & HTMLDialogElement & HTMLFormElement & HTMLDetailsElement & HTMLTimeElement} PageElement
 */

/**
 * The element with this id.
 * @param {string} id
 */
export const $ = (id) => /** @type {PageElement} */ (/** @type {unknown} */ (document.getElementById(id)));

/** Creates an element with properties, attributes (`data-…`, `aria-…`, `role`) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates an SVG element. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Creates an icon from a symbol that index.html declares. */
export function icon(name) {
  return draw("svg", { class: "icon", "aria-hidden": "true" }, draw("use", { href: `#icon-${name}` }));
}

/** Gives `parent` one child per item. Children with a known key are kept and updated. */
export function keyed(parent, items, keyOf, create, update) {
  const keys = distinct(items.map((item) => String(keyOf(item))));
  const wanted = new Set(keys);
  const known = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) known.set(child.dataset.key, child);
    else child.remove();
  }
  let next = parent.firstElementChild;
  for (const [index, item] of items.entries()) {
    const key = keys[index];
    const element = known.get(key) ?? create(item);
    element.dataset.key = key;
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
    update(element, item);
  }
}

/** Makes keys unique by adding a number to repeated ones. */
export function distinct(keys) {
  const seen = new Map();
  return keys.map((key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}

/** Sets text only if it differs, so that screen readers announce nothing again and selections stay. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, or removes it if the value is null. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}
