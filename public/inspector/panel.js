// @ts-check
// The panel beside the storyboard: what the last event did, the tree of coordinators, and the test of the way here. A
// wide panel shows the tree beside what happened, and then the tree has no tab.

import { $, setAttribute } from "./dom.js";
import { roving } from "./keyboard.js";

const names = ["happened", "tree", "test"];

/** The width of a panel that shows the tree beside what happened, in pixels. */
const wide = 560;

export class Panel {
  #updateTabStop = roving($("panel-tabs"), "[role=tab]", { horizontal: true });
  #chosen = recall("panel", names);
  #isWide = false;

  /** - opened: called with the name of a tab that was opened. */
  constructor({ opened }) {
    this.opened = opened;
    for (const name of names) $(`${name}-tab`).addEventListener("click", () => this.show(name));
    new ResizeObserver(([{ contentRect }]) => {
      this.#isWide = contentRect.width >= wide;
      this.#update();
    }).observe($("panel"));
    this.show(this.#chosen);
  }

  /** Shows a tab: `happened`, `tree` or `test`. */
  show(name) {
    this.#chosen = name;
    keep("panel", name);
    this.#update();
    this.opened(name);
  }

  #update() {
    const open = this.#isWide && this.#chosen === "tree" ? "happened" : this.#chosen;
    const hadFocus = document.activeElement === $("tree-tab");
    $("panel").classList.toggle("wide", this.#isWide);
    for (const name of names) {
      setAttribute($(`${name}-tab`), "aria-selected", name === open);
      $(`${name}-panel`).hidden = name !== open && !(this.#isWide && open === "happened" && name === "tree");
    }
    $("tree-tab").hidden = this.#isWide;
    setAttribute($("tree-panel"), "role", this.#isWide ? null : "tabpanel");
    setAttribute($("tree-panel"), "aria-labelledby", this.#isWide ? "tree-heading" : "tree-tab");
    this.#updateTabStop($(`${open}-tab`));
    if (hadFocus && this.#isWide) $(`${open}-tab`).focus();
  }
}

/**
 * The choice that this browser keeps under a name, or the first of the known ones.
 * @param {string} name
 * @param {string[]} known
 */
export function recall(name, known) {
  try {
    const kept = localStorage.getItem(`coordinate.${name}`) ?? "";
    return known.includes(kept) ? kept : known[0];
  } catch {
    return known[0];
  }
}

/**
 * Keeps a choice in this browser.
 * @param {string} name
 * @param {string} choice
 */
export function keep(name, choice) {
  try {
    localStorage.setItem(`coordinate.${name}`, choice);
  } catch {
    // If the browser stores nothing, the page starts with the first choice.
  }
}
