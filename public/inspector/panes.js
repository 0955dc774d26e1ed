// @ts-check
// The visible pane. On a narrow screen, one pane is visible at a time, and buttons switch between them.

import { $, setAttribute } from "./dom.js";

const names = ["app", "storyboard", "panel"];

export class Panes {
  constructor() {
    for (const name of names) $(`show-${name}`).addEventListener("click", () => this.#show(name));
    this.#show("app");
  }

  #show(name) {
    document.body.dataset.pane = name;
    for (const each of names) setAttribute($(`show-${each}`), "aria-current", each === name ? "true" : null);
  }
}
