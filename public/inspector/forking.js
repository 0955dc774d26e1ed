// @ts-check
// The dialog before a fork whose work is pending. It offers to withhold that work.

import { firstEvents } from "./counts.js";
import { isolated } from "./direction.js";
import { $, setText } from "./dom.js";

export class ForkDialog {
  /** @type {any} */
  #action = null;

  /** - go: forks the session that is shown. Arguments: the first action or null, and whether work is withheld. */
  constructor({ go }) {
    $("forking-cancel").addEventListener("click", () => $("forking").close());
    $("forking-go").addEventListener("click", () => {
      $("forking").close();
      go(this.#action, $("forking-withhold").checked);
    });
  }

  /**
   * Opens for the version that a session shows. `action` is the pressed action, or null.
   * @param {any} session
   * @param {any} action
   */
  open(session, action = null) {
    const { shown: { version, pending = [] } } = session;
    this.#action = action;
    setText($("forking-what"), [
      `The fork is a new session with ${firstEvents(version)}`,
      action ? `. Then “${isolated(action.title)}” sends ${action.event}.` : ".",
    ].join(""));
    $("forking-withhold").checked = false;
    setText($("forking-pending"), pending.map(({ name }) => isolated(name)).join(", "));
    setText($("forking-go"), action ? "Fork and continue" : "Fork here");
    $("forking").showModal();
  }
}
