// The dialog that asks for the server's key, where it has one and the browser no cookie for it.

import { $ } from "./dom.js";
import { showProblemIn } from "./problems.js";

export class LoginDialog {
  #isSending = false;

  /** - logIn: sends a key, and may fail with a problem. - go: goes on with the cookie that was given for it. */
  constructor({ logIn, go }) {
    $("login-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isSending) return;
      this.#isSending = true;
      showProblemIn($("login-form"), null);
      try {
        await logIn($("login-key").value);
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
    if (!$("login").open) $("login").showModal();
  }
}
