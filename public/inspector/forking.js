// The dialog that is asked for by a press in the past: the past stays as it was, but a fork can go on from it.

import { isolated } from "./direction.js";
import { $, setText } from "./dom.js";

export class ForkDialog {
  #action = null;

  /** - go: forks the session that is shown, and sends an action to the fork. */
  constructor({ go }) {
    $("forking-cancel").addEventListener("click", () => $("forking").close());
    $("forking-go").addEventListener("click", () => {
      $("forking").close();
      go(this.#action);
    });
  }

  open(action, version) {
    this.#action = action;
    setText($("forking-what"), `This is version ${version}, and it stays as it was. A fork is a new session with the `
      + `first ${version} events: there, “${isolated(action.title)}” sends ${action.event}.`);
    $("forking").showModal();
  }
}
