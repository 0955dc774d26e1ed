// @ts-check
// The journal's tools: a filter, a dense view, following the newest entry, and a menu.

import { $, keyed, make, setAttribute, setText } from "../dom.js";
import { actionOf } from "../keys.js";
import { shortName } from "../trace.js";
import { Sieve, unhandled } from "./filter.js";

/** The distance between a button and its menu, in pixels. */
const margin = 4;

/** The parts of the filter, and the ids of their fields. */
const fields = { text: "filter-text", handler: "filter-handler", origin: "filter-origin" };

const origins = { client: "clients", work: "work", timer: "timers", host: "the host" };

export class JournalTools {
  #sieve = new Sieve();
  /** @type {Set<string>} */
  #handlers = new Set();
  /** Whether the area shows its newest row. Reading that from the browser would lay out all rows. */
  #isAtTop = true;
  /** @type {any} */
  #session = null;
  #newest = 0;

  /** Callbacks: changed(), if other entries match the filter; now(), to return to the current state. */
  constructor({ changed, now }) {
    $("journal-filter").addEventListener("click", () => {
      const isOpen = $("journal-filters").hidden;
      this.#open(isOpen);
      if (isOpen) $("filter-text").focus();
      else this.filter = {};
      changed();
    });
    $("filter-text").addEventListener("input", changed);
    $("filter-clear").addEventListener("click", () => {
      this.filter = {};
      changed();
      $("filter-text").focus();
    });
    for (const id of [fields.handler, fields.origin]) $(id).addEventListener("change", changed);
    $("journal-filters").addEventListener("submit", (event) => event.preventDefault());
    $("journal-filters").addEventListener("keydown", (event) => {
      if (actionOf("journal", event) !== "leave") return;
      event.stopPropagation();
      $("journal-filter").click();
      $("journal-filter").focus();
    });
    $("journal-dense").addEventListener("click", () => {
      $("entries").classList.toggle("dense", toggle("journal-dense", "aria-pressed"));
    });
    $("journal-follow").addEventListener("click", () => {
      if (!toggle("journal-follow", "aria-pressed")) return;
      now();
      this.#scrollToTop();
    });
    // Stops following if the user scrolls to older entries.
    this.#area.addEventListener("scroll", () => {
      this.#isAtTop = this.#area.scrollTop === 0;
      if (this.#area.scrollTop > 4) setAttribute($("journal-follow"), "aria-pressed", false);
    });
    setAttribute($("journal-follow"), "aria-pressed", true);
    for (const [value, name] of Object.entries(origins)) {
      $("filter-origin").append(make("option", { value }, `from ${name}`));
    }
  }

  /** The filter: `text`, `handler` and `origin`. Empty parts match every entry. */
  get filter() {
    return Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, $(id).value]));
  }

  /** Shows a filter in the fields. An origin that does not exist is ignored. */
  set filter({ text = "", handler = "", origin = "" }) {
    const isEmpty = [text, handler, origin].every((each) => each === "");
    if (!isEmpty) this.#open(true);
    this.#offerHandlers(handler);
    for (const [name, value] of Object.entries({ text, handler, origin })) {
      if ($(fields[name]).value !== value) $(fields[name]).value = value;
    }
    if ($(fields.origin).selectedIndex < 0) $(fields.origin).value = "";
  }

  /** The entries that match the filter. */
  wanted(entries) {
    const { found: shown, handlers } = this.#sieve.matches(entries, this.filter);
    this.#handlers = handlers;
    this.#offerHandlers($(fields.handler).value);
    setText($("filter-count"), shown.length === entries.length
      ? "" : `${shown.length} of ${entries.length} entries`);
    $("entries-none").hidden = shown.length > 0 || entries.length === 0;
    return shown;
  }

  /** Whether the filter hides entries. */
  get isFiltering() {
    return $("filter-count").textContent !== "";
  }

  /** Before the entries are shown: the height of the list, if `settle` needs it. */
  heightBefore(session) {
    if (session.id !== this.#session) this.#newest = 0;
    this.#session = session.id;
    return this.#isAtTop && !this.#isFollowing ? $("entries").offsetHeight : 0;
  }

  /** Offers the handlers of the entries, and the chosen one even if it has handled none of them. */
  #offerHandlers(chosen) {
    const ids = new Set([...[...this.#handlers].sort(), chosen]);
    const handlers = [...ids].filter((id) => id !== "" && id !== unhandled);
    keyed($("filter-handlers"), handlers, (id) => id, (id) => make("option", { value: id }), (option, id) => {
      setText(option, shortName(id));
      option.title = id;
    });
  }

  /** After the entries are shown: scrolls to the newest one, or restores the scroll position. */
  settle(session, { height }) {
    const isNew = session.route.version > this.#newest;
    this.#newest = session.route.version;
    if (!isNew) return;
    if (this.#isFollowing) {
      if (session.past === null && !this.#isAtTop) this.#scrollToTop();
    } else if (this.#isAtTop) {
      // The browser keeps the scroll position by itself, except at the very top.
      this.#area.scrollTop = $("entries").offsetHeight - height;
    }
  }

  get #isFollowing() {
    return $("journal-follow").getAttribute("aria-pressed") === "true";
  }

  #scrollToTop() {
    this.#area.scrollTop = 0;
    this.#isAtTop = true;
  }

  get #area() {
    return $("entries").parentElement;
  }

  #open(isOpen) {
    $("journal-filters").hidden = !isOpen;
    setAttribute($("journal-filter"), "aria-expanded", isOpen);
  }
}

/** Toggles an attribute. Returns whether it is on. */
function toggle(id, attribute) {
  const isOn = $(id).getAttribute(attribute) !== "true";
  setAttribute($(id), attribute, isOn);
  return isOn;
}

/** A button with a menu below it. */
export class Menu {
  /**
   * - actions: the menu's actions by the ids of its buttons.
   * - opening: called before the menu is shown.
   */
  constructor(button, list, actions, opening = () => {}) {
    this.opening = opening;
    this.button = $(button);
    this.list = $(list);
    this.button.addEventListener("click", () => this.#show(this.list.hidden));
    for (const [id, action] of Object.entries(actions)) {
      $(id).addEventListener("click", () => {
        this.#show(false);
        this.button.focus();
        action();
      });
    }
    this.list.addEventListener("keydown", (event) => {
      if (actionOf("journal", event) !== "leave") return;
      event.stopPropagation();
      this.#show(false);
      this.button.focus();
    });
    document.addEventListener("pointerdown", (/** @type {any} */ { target }) => {
      if (!this.list.contains(target) && !this.button.contains(target)) this.#show(false);
    });
    addEventListener("resize", () => this.#show(false));
    this.list.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.list.contains(relatedTarget) && relatedTarget !== this.button) this.#show(false);
    });
  }

  #show(isShown) {
    if (isShown) this.opening();
    this.list.hidden = !isShown;
    setAttribute(this.button, "aria-expanded", isShown);
    if (!isShown) return;
    this.#place();
    this.list.querySelector("button:enabled")?.focus({ preventScroll: true });
  }

  /** Places the menu below its button, or above it if there is more room, and always within the window. */
  #place() {
    const { left, top, bottom } = this.button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.list;
    const isBelow = bottom + height + 2 * margin <= innerHeight || top < height + 2 * margin;
    this.list.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
    this.list.style.top = `${isBelow ? Math.min(bottom + margin, innerHeight - height) : top - height - margin}px`;
  }
}
