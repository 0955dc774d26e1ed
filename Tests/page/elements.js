// The elements of public/index.html, for tests of modules that show something in them. There is no layout, no style
// and no focus ring: what depends on these is tested in a browser.

import { readFileSync } from "node:fs";

import "./fixtures.js";

const page = readFileSync(new URL("../../public/index.html", import.meta.url), "utf8");

/** The attributes of properties. */
const texts = { className: "class", htmlFor: "for", tabIndex: "tabindex" };
for (const name of [
  "id", "type", "name", "title", "placeholder", "label", "href", "role", "rows", "autocomplete", "max", "step",
]) texts[name] = name;
const flags = ["hidden", "disabled", "noValidate", "open"];

/** An element with attributes, children and listeners. */
export class FakeElement {
  childNodes = [];
  listeners = [];
  parentElement = null;
  checked = false;
  spellcheck = true;
  style = {};
  onclick = null;
  /** How often a child was inserted or moved. */
  moves = 0;
  #attributes = new Map();
  /** What was entered; undefined before that, and null if a menu has nothing selected. */
  #value;

  dataset = new Proxy({}, {
    get: (_, name) => this.getAttribute(dataName(name)) ?? undefined,
    set: (_, name, value) => (this.setAttribute(dataName(name), value), true),
  });

  constructor(name = "li") {
    this.localName = name;
  }

  // The tree

  get children() { return this.childNodes.filter((child) => child instanceof FakeElement); }
  get firstElementChild() { return this.children[0] ?? null; }
  get lastElementChild() { return this.children.at(-1) ?? null; }
  get nextElementSibling() {
    const siblings = this.parentElement.children;
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  get isConnected() { return this === document.root || (this.parentElement?.isConnected ?? false); }

  insertBefore(child, next) {
    if (child instanceof FakeElement) {
      child.remove();
      child.parentElement = this;
      this.moves += 1;
    }
    this.childNodes.splice(next === null ? this.childNodes.length : this.childNodes.indexOf(next), 0, child);
  }
  append(...children) { for (const child of children) this.insertBefore(child, null); }
  appendChild(child) { return this.append(child), child; }
  prepend(child) { this.insertBefore(child, this.childNodes[0] ?? null); }
  replaceChildren(...children) {
    for (const child of this.children) child.remove();
    this.childNodes = [];
    this.append(...children);
  }
  remove() {
    const siblings = this.parentElement?.childNodes ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.parentElement = null;
  }
  contains(element) {
    return element === this || (element?.parentElement ? this.contains(element.parentElement) : false);
  }

  get textContent() { return this.childNodes.map((child) => child.textContent ?? child).join(""); }
  set textContent(text) { this.replaceChildren(text); }

  // Attributes

  getAttribute(name) { return this.#attributes.get(name) ?? null; }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { this.#attributes.delete(name); }
  toggleAttribute(name, isOn) {
    if (isOn) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }
  get classList() {
    const names = new Set(this.className.split(" ").filter(Boolean));
    const change = (isIn, name) => {
      names[isIn ? "add" : "delete"](name);
      this.className = [...names].join(" ");
    };
    return {
      contains: (name) => names.has(name), add: (name) => change(true, name), remove: (name) => change(false, name),
      toggle: (name, isIn) => change(isIn, name),
    };
  }

  // Controls

  get options() { return this.querySelectorAll("option"); }
  /** A menu's value is that of its selected option, and a number field has only numbers, as in a browser. */
  get value() {
    if (this.localName === "option") return this.getAttribute("value") ?? this.textContent;
    if (this.localName !== "select") return this.#value ?? this.getAttribute("value") ?? "";
    const selected = this.options.find(({ value }) => value === this.#value);
    return (selected ?? (this.#value === null ? undefined : this.options[0]))?.value ?? "";
  }
  set value(value) {
    if (this.localName === "option") return this.setAttribute("value", value);
    const isWrong = this.localName === "select" ? !this.options.some((option) => option.value === value)
      : this.type === "number" && Number.isNaN(Number(value));
    this.#value = !isWrong ? String(value) : this.localName === "select" ? null : "";
  }
  get selectedOptions() { return this.options.filter(({ value }) => value === this.value); }
  get selectedIndex() { return this.options.findIndex(({ value }) => value === this.value); }

  // Events

  addEventListener(type, listener) { this.listeners.push({ type, listener }); }
  /** Lets an event bubble up. Returns whether its default was prevented. */
  fire(type, more = {}) {
    const event = {
      type, target: this, isPrevented: false, isStopped: false, ...more,
      preventDefault() { this.isPrevented = true; }, stopPropagation() { this.isStopped = true; },
    };
    for (let each = this; each && !event.isStopped; each = each.parentElement) {
      for (const { type: own, listener } of each.listeners) if (own === type) listener(event);
      if (type === "click") each.onclick?.(event);
    }
    return event.isPrevented;
  }
  click() {
    if (this.disabled) return;
    this.fire("click");
    if (this.type === "submit") this.closest("form")?.requestSubmit();
  }
  requestSubmit() { this.fire("submit"); }
  /** Types a text in place of the present one. */
  enter(text) {
    this.focus();
    this.value = text;
    this.fire("input");
  }
  press(key) { return this.fire("keydown", { key }); }
  focus() {
    if (document.activeElement === this) return;
    document.activeElement = this;
    this.fire("focusin");
  }
  select() {}
  setSelectionRange(...range) { this.selection = range; }
  scrollIntoView() {}
  showModal() { this.toggleAttribute("open", true); }
  close() {
    this.toggleAttribute("open", false);
    this.fire("close");
  }
  checkVisibility() { return this.isConnected && !this.closest("[hidden]"); }

  // Selectors: names, ids, classes, attributes and descendants.

  matches(selectors) {
    return selectors.split(",").some((selector) => {
      const parts = selector.trim().split(" ");
      if (!this.#is(parts.pop())) return false;
      return parts.length === 0 || (this.parentElement?.closest(parts.join(" ")) ?? null) !== null;
    });
  }
  #is(compound) {
    return compound.match(/\[[^\]]+\]|[.#:]?[\w-]+/g).every((part) => {
      const [, attribute, value] = /^\[([\w-]+)(?:="?([^"\]]*)"?)?\]$/.exec(part) ?? [];
      const own = attribute ? this.getAttribute(attribute) : null;
      if (attribute) return value === undefined ? own !== null : own === value;
      if (part === ":checked") return this.checked;
      if (part === ":enabled") return !this.disabled;
      if (part.startsWith("#")) return this.id === part.slice(1);
      return part.startsWith(".") ? this.classList.contains(part.slice(1)) : this.localName === part;
    });
  }
  closest(selectors) { return this.matches(selectors) ? this : this.parentElement?.closest(selectors) ?? null; }
  querySelectorAll(selectors) {
    return this.children.flatMap((child) =>
      [...(child.matches(selectors) ? [child] : []), ...child.querySelectorAll(selectors)]);
  }
  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }
}

for (const [property, name] of Object.entries(texts)) {
  Object.defineProperty(FakeElement.prototype, property, {
    get() { return this.getAttribute(name) ?? ""; },
    set(text) { this.setAttribute(name, text); },
  });
}
for (const name of flags) {
  Object.defineProperty(FakeElement.prototype, name, {
    get() { return this.getAttribute(name.toLowerCase()) !== null; },
    set(isOn) { this.toggleAttribute(name.toLowerCase(), isOn); },
  });
}

const dataName = (name) => `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function withID(id, element) {
  if (element.id === id) return element;
  for (const child of element.childNodes) {
    const found = child instanceof FakeElement ? withID(id, child) : null;
    if (found) return found;
  }
  return null;
}

/** Shows the page again, as it is before its scripts run. */
export function openPage() {
  const root = new FakeElement("html");
  let parent = root;
  const tags = /<!--[^]*?-->|<!doctype[^>]*>|<\/[\w-]+>|<([\w-]+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/g;
  for (const [all, name, attributes, isClosed] of page.matchAll(tags)) {
    if (all.startsWith("</")) parent = parent.parentElement ?? root;
    else if (name !== undefined) {
      const element = new FakeElement(name);
      for (const [, own, value = ""] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) {
        element.setAttribute(own, value);
      }
      parent.append(element);
      if (!isClosed && !["input", "meta", "link", "img"].includes(name)) parent = element;
    } else if (!all.startsWith("<!")) parent.append(all);
  }
  globalThis.document = {
    root, body: root.querySelector("body"), activeElement: null, hasFocus: () => true, addEventListener() {},
    createElement: (each) => new FakeElement(each), createElementNS: (_, each) => new FakeElement(each),
    getElementById: (id) => withID(id, root), querySelector: (selectors) => root.querySelector(selectors),
  };
  return document;
}

globalThis.matchMedia = () => ({ matches: true });
globalThis.ResizeObserver = class { observe() {} };
globalThis.CSS = { escape: (text) => text };
globalThis.addEventListener ??= () => {};

/** What the user reads in an element, without what is hidden. */
export function said(element) {
  return visibleText(element).replaceAll(/\s+/g, " ").trim();
}

function visibleText(node) {
  if (!(node instanceof FakeElement)) return node;
  return node.hidden ? "" : node.childNodes.map(visibleText).join("");
}

/** The texts of all visible elements that match a selector. */
export function textsOf(selectors) {
  return document.root.querySelectorAll(selectors).filter((element) => element.checkVisibility()).map(said);
}
