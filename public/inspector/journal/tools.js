// The journal's tools: a filter, a dense view, following the newest entry, and a menu.

import { $, keyed, make, setAttribute, setText } from "../dom.js";
import { actionOf } from "../keys.js";
import { shortName } from "../trace.js";
import { handlersOf, isWanted, unhandled } from "./filter.js";

/** The distance between a button and its menu, in pixels. */
const margin = 4;

const origins = { client: "clients", work: "work", timer: "timers", host: "the host" };

export class JournalTools {
  #entries = [];
  #session = null;
  #newest = 0;

  /** Callbacks: changed(), if other entries match the filter; now(), to return to the current state. */
  constructor({ changed, now }) {
    $("journal-filter").addEventListener("click", () => {
      const isOpen = toggle("journal-filter", "aria-expanded");
      $("journal-filters").hidden = !isOpen;
      if (isOpen) $("filter-text").focus();
      else this.#clear();
      changed();
    });
    $("filter-text").addEventListener("input", changed);
    $("filter-clear").addEventListener("click", () => {
      this.#clear();
      changed();
      $("filter-text").focus();
    });
    for (const id of ["filter-handler", "filter-origin"]) $(id).addEventListener("change", changed);
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
      this.#area.scrollTop = 0;
    });
    // Stops following if the user scrolls to older entries.
    this.#area.addEventListener("scroll", () => {
      if (this.#area.scrollTop > 4) setAttribute($("journal-follow"), "aria-pressed", false);
    });
    setAttribute($("journal-follow"), "aria-pressed", true);
    for (const [value, name] of Object.entries(origins)) {
      $("filter-origin").append(make("option", { value }, `from ${name}`));
    }
  }

  /** The entries that match the filter. */
  wanted(entries) {
    const wish = { text: $("filter-text").value, handler: $("filter-handler").value, origin: $("filter-origin").value };
    const shown = entries.filter((entry) => isWanted(entry, wish));
    setText($("filter-count"), shown.length === entries.length
      ? "" : `${shown.length} of ${entries.length} entries`);
    $("entries-none").hidden = shown.length > 0 || entries.length === 0;
    return shown;
  }

  /** Whether the filter hides entries. */
  get isFiltering() {
    return $("filter-count").textContent !== "";
  }

  /** Before the entries are shown: updates the filter's handlers and records the scroll position. */
  prepare(session) {
    if (session.id !== this.#session) this.#newest = 0;
    this.#session = session.id;
    this.#entries = session.entries;
    const chosen = $("filter-handler").value;
    const handlers = [...new Set([...handlersOf(this.#entries), chosen])].filter((id) => id !== "" && id !== unhandled);
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
    if ($("journal-follow").getAttribute("aria-pressed") === "true") {
      if (session.past === null) this.#area.scrollTop = 0;
    } else if (this.#area.scrollTop === 0) {
      // The browser keeps the scroll position by itself, except at the very top.
      this.#area.scrollTop = $("entries").offsetHeight - height;
    }
  }

  get #area() {
    return $("entries").parentElement;
  }

  #clear() {
    for (const id of ["filter-text", "filter-handler", "filter-origin"]) $(id).value = "";
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
  constructor(button, list, actions, opening) {
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
    document.addEventListener("pointerdown", ({ target }) => {
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
