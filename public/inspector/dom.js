// @ts-check
// Creates and updates elements. Text never becomes markup. Elements that stay keep their identity, and so the focus.

/**
 * An element of the page, with the properties of every kind that has an id.
 * @typedef {{
 *   addEventListener(type: string, listener: (event: any) => void, options?: unknown): void,
 *   firstElementChild: any, lastElementChild: any, parentElement: HTMLElement,
 * } & HTMLElement & HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement & HTMLButtonElement
 *   & HTMLAnchorElement & HTMLDialogElement & HTMLFormElement & HTMLDetailsElement & HTMLTimeElement} PageElement
 */

/**
 * The element with this id.
 * @param {string} id
 */
export const $ = (id) => /** @type {PageElement} */ (/** @type {unknown} */ (document.getElementById(id)));

/**
 * Creates an element with properties, attributes (`data-…`, `aria-…`, `role`) and children.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null)} children
 */
export function make(name, properties = {}, ...children) {
  const element = /** @type {PageElement} */ (document.createElement(name));
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter(isThere));
  return element;
}

/**
 * Creates an SVG element.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter(isThere));
  return /** @type {SVGElement} */ (element);
}

/** @param {Node | string | null} child @returns {child is Node | string} */
const isThere = (child) => child !== null;

/**
 * Creates an icon from a symbol that index.html declares.
 * @param {string} name
 */
export function icon(name) {
  return draw("svg", { class: "icon", "aria-hidden": "true" }, draw("use", { href: `#icon-${name}` }));
}

/**
 * Gives `parent` one child per item. Children with a known key are kept and updated.
 * @param {Element} parent
 * @param {any[]} items
 * @param {(item: any) => unknown} keyOf
 * @param {(item: any) => Element} create
 * @param {(element: PageElement, item: any) => void} update
 */
export function keyed(parent, items, keyOf, create, update) {
  const keys = distinct(items.map((item) => String(keyOf(item))));
  const wanted = new Set(keys);
  /** @type {Map<string, PageElement>} */
  const known = new Map();
  for (const child of /** @type {PageElement[]} */ ([...parent.children])) {
    const { key } = child.dataset;
    if (key !== undefined && wanted.has(key)) known.set(key, child);
    else child.remove();
  }
  let next = parent.firstElementChild;
  for (const [index, item] of items.entries()) {
    const key = keys[index];
    const element = known.get(key) ?? /** @type {PageElement} */ (create(item));
    element.dataset.key = key;
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
    update(element, item);
  }
}

/**
 * Makes keys unique by adding a number to repeated ones.
 * @param {string[]} keys
 */
export function distinct(keys) {
  const seen = new Map();
  return keys.map((key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}

/**
 * Sets text only if it differs, so that screen readers announce nothing again and selections stay.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Sets an attribute, or removes it if the value is null.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null} value
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}
