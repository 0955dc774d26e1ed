// @ts-check
// The search for a screen of the map by its name or its title.

import { $, setText } from "../dom.js";
import { actionOf } from "../keys.js";

export class Search {
  /** @type {any} The ids of the screens that were found; null without a search. */
  found = null;
  #screens = [];

  /** Callbacks: changed(), and take(id) for the first screen that was found. */
  constructor({ changed, take }) {
    this.changed = changed;
    this.take = take;
    $("map-search").addEventListener("input", () => this.#look());
    $("map-find").addEventListener("submit", (event) => {
      event.preventDefault();
      const [first] = this.found ?? [];
      if (first !== undefined) this.take(first);
    });
    $("map-search").addEventListener("keydown", (event) => this.#key(event));
  }

  /** The screens to search in. */
  offer(screens) {
    this.#screens = screens;
    this.#look();
  }

  #look() {
    const text = $("map-search").value.trim();
    this.found = text === "" ? null : new Set(matches(this.#screens, text).map(({ id }) => id));
    const count = this.found?.size;
    setText($("map-found"), text === "" ? "" : count === 0 ? "No screen matches." : `${count} found`);
    this.changed();
  }

  /** The map's own keys are characters here. Escape clears the search before it closes the map. */
  #key(event) {
    if (actionOf("map", event) === "leave" && $("map-search").value === "") return;
    event.stopPropagation();
    if (actionOf("map", event) !== "leave") return;
    event.preventDefault();
    $("map-search").value = "";
    this.#look();
  }
}

/** The screens with a text in their names or titles, without regard to case. Names that begin with it come first. */
export function matches(screens, text) {
  const wanted = text.toLowerCase();
  const has = (value) => value?.toLowerCase().includes(wanted) ?? false;
  const rank = ({ name }) => (name.toLowerCase().startsWith(wanted) ? 0 : has(name) ? 1 : 2);
  return screens
    .filter(({ name, states }) => has(name) || states.some(({ title }) => has(title)))
    .toSorted((a, b) => rank(a) - rank(b));
}
