// @ts-check
// The help: every key, and links to more. The list of keys is the one that the handlers use.

import { $, make } from "./dom.js";
import { scopes, signOf } from "./keys.js";

export class Help {
  constructor() {
    $("help-keys").replaceChildren(...scopes.map(({ title, keys }) => make("section", { className: "help-scope" },
      make("h3", {}, title),
      make("dl", {}, ...keys.map(({ keys: names, does }) => make("div", {},
        make("dt", {}, ...names.map((name) => make("kbd", {}, signOf(name)))),
        make("dd", {}, does)))))));
    $("help-home").addEventListener("click", () => $("help").close());
    $("help-close").addEventListener("click", () => $("help").close());
  }

  /** Opens the help, with a link to the API reference for the session that is shown. */
  open() {
    $("help-api").href = reference();
    $("help").showModal();
    $("help").scrollTop = 0;
  }
}

/** The address of the API reference, for the session that is shown. */
export const reference = () => `/api.html${location.hash.startsWith("#session=") ? location.hash : ""}`;

/** Whether an element accepts typed text. Character keys are not shortcuts there. */
export function isTyping(element) {
  return element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
}
