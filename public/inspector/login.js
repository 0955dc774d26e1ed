// The dialog that asks for the server's key, where it has one and the browser no cookie for it; and the way out again.

import { showBusy } from "./busy.js";
import { $ } from "./dom.js";
import { isKeyWanted, noteKey } from "./key.js";
import { showProblemIn } from "./problems.js";

export class LoginDialog {
  #isSending = false;

  /**
   * Callbacks: logIn(key) and logOut(), which may fail with a problem; go(), on with the cookie that was given for the
   * key, or without.
   */
  constructor({ logIn, logOut, go }) {
    for (const button of logOuts()) {
      button.addEventListener("click", async () => {
        if (await logOut()) go();
      });
    }
    showLogOuts();
    $("login-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isSending) return;
      this.#isSending = true;
      showProblemIn($("login-form"), null);
      try {
        await showBusy($("login-send"), logIn($("login-key").value));
        go();
      } catch (problem) {
        $("login-key").select();
        showProblemIn($("login-form"), problem);
      } finally {
        this.#isSending = false;
      }
    });
  }

  /** Opens on top of everything; once, however many requests were refused. */
  open() {
    noteKey();
    showLogOuts();
    if (!$("login").open) $("login").showModal();
  }
}

const logOuts = () => document.querySelectorAll(".log-out");

/** Where a server has no key, nobody is logged in. */
function showLogOuts() {
  for (const button of logOuts()) button.hidden = !isKeyWanted();
}
