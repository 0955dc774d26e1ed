// @ts-check
// The help dialog: the panes and every key. The list of keys is the one that the handlers use.

import { $, make } from "./dom.js";
import { scopes, signOf } from "./keys.js";

export class Help {
  constructor() {
    $("help-keys").replaceChildren(...scopes.map(({ title, keys }) => make("section", { className: "help-scope" },
      make("h4", {}, title),
      make("dl", {}, ...keys.map(({ keys: names, does }) => make("div", {},
        make("dt", {}, ...names.map((name) => make("kbd", {}, signOf(name)))),
        make("dd", {}, does)))))));
    $("open-help").addEventListener("click", () => this.open());
    $("help-home").addEventListener("click", () => $("help").close());
    $("help-close").addEventListener("click", () => $("help").close());
  }

  /** Opens the help, with a link to the API reference for the session that is shown. */
  open() {
    $("help-api").href = `/api.html${location.hash.startsWith("#session=") ? location.hash : ""}`;
    $("help").showModal();
    $("help").scrollTop = 0;
  }
}

/** Whether an element accepts typed text. Character keys are not shortcuts there. */
export function isTyping(element) {
  return element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}
