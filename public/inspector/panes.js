// Which panes are shown. The map takes the place of the tree and the journal; on a narrow screen one pane is shown at a
// time, and these buttons switch.

import { $, setAttribute } from "./dom.js";

const names = ["app", "tree", "journal", "map"];

export class Panes {
  /** - opened: told whenever the map is. */
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

  /** Shows what was there before the map. */
  leaveMap() {
    this.#show("app");
    [$("open-map"), $("show-app")].find((button) => button.checkVisibility()).focus();
  }

  #show(name) {
    document.body.dataset.pane = name;
    for (const each of names) setAttribute($(`show-${each}`), "aria-current", each === name ? "true" : null);
    if (name === "map") this.opened();
  }
}
