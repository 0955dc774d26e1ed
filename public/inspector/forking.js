// The dialog before a fork: the past stays as it was, but a fork can go on from it, with an action that was pressed
// there. It offers to withhold what is pending.

import { isolated } from "./direction.js";
import { $, setText } from "./dom.js";

export class ForkDialog {
  #action = null;

  /** - go: forks the session that is shown, with an action to send then or null, and with its work withheld or not. */
  constructor({ go }) {
    $("forking-cancel").addEventListener("click", () => $("forking").close());
    $("forking-go").addEventListener("click", () => {
      $("forking").close();
      go(this.#action, $("forking-withhold").checked);
    });
  }

  /** Opens for a version of a session, and for an action that is offered there; null for none. */
  open(session, action = null) {
    const { shown: { version, pending = [] }, isWithheld } = session;
    this.#action = action;
    setText($("forking-what"), [
      `This is version ${version}, and it stays as it was. A fork is a new session with the first ${version} events`,
      action ? `: there, “${isolated(action.title)}” sends ${action.event}.` : ".",
      isWithheld ? " Its work is withheld, too." : "",
    ].join(""));
    $("forking-work").hidden = !session.canWithhold;
    $("forking-withhold").checked = false;
    setText($("forking-pending"), pending.map(({ name }) => isolated(name)).join(", "));
    setText($("forking-go"), action ? "Fork here and do it" : "Fork here");
    $("forking").showModal();
  }
}
