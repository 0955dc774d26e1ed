// @ts-check
// The visible panes. The map replaces the tree and the journal. On a narrow screen, one pane is visible at a time, and
// buttons switch between them.

import { $, setAttribute } from "./dom.js";

const names = ["app", "tree", "journal", "map"];

export class Panes {
  /** - opened: called whenever the map opens. */
  constructor({ opened }) {
    this.opened = opened;
    for (const name of names) $(`show-${name}`).addEventListener("click", () => this.#show(name));
    $("open-map").addEventListener("click", () => {
      this.#show("map");
      $("close-map").focus();
    });
    $("close-map").addEventListener("click", () => this.leaveMap());
    this.#show("app");
  }

  /** Shows the pane that was visible before the map. */
  leaveMap() {
    this.#show("app");
    [$("open-map"), $("show-app")].find((button) => button.checkVisibility())?.focus();
  }

  #show(name) {
    document.body.dataset.pane = name;
    for (const each of names) setAttribute($(`show-${each}`), "aria-current", each === name ? "true" : null);
    if (name === "map") this.opened();
  }
}
