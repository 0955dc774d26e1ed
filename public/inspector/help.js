// What the panes are, and every key: the list that the handlers go by.

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

  /** Opens; the API is tried on the session that is shown. */
  open() {
    $("help-api").href = `/api.html${location.hash.startsWith("#session=") ? location.hash : ""}`;
    $("help").showModal();
    $("help").scrollTop = 0;
  }
}

/** Whether an element takes what is typed: there a character is no key of the page. */
export function isTyping(element) {
  return element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}
