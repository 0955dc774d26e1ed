// @ts-check
// The dialog that asks before it ends a session.

import { Problem } from "./api.js";
import { showBusy } from "./busy.js";
import { $, setText } from "./dom.js";
import { showProblemIn } from "./problems.js";

export class EndDialog {
  /** @type {{ end: () => Promise<any>, done: () => void } | null} */
  #session = null;

  constructor() {
    $("ending-cancel").addEventListener("click", () => $("ending").close());
    $("ending-end").addEventListener("click", () => this.#end());
  }

  /** Asks about the session that `text` describes. Callbacks: end(), which can throw a problem, and done() after it. */
  open(text, { end, done }) {
    this.#session = { end, done };
    setText($("ending-what"), `${text} This ends it for everyone and deletes its journal.`);
    showProblemIn($("ending"), null);
    $("ending").showModal();
  }

  async #end() {
    if (this.#session === null) return;
    const { end, done } = this.#session;
    try {
      await showBusy($("ending-end"), end());
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (!problem.isUnknownSession) return showProblemIn($("ending"), problem);
    }
    $("ending").close();
    done();
  }
}
