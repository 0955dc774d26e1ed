// @ts-check
// The dialog for the server's key, shown if the server requires one and the browser has no login cookie; and logging
// out.

import { showBusy } from "./busy.js";
import { $ } from "./dom.js";
import { isKeyWanted, noteKey } from "./key.js";
import { showProblemIn } from "./problems.js";

/** The problem for a refused key, for people. The server's own words are for programs. */
const wrongKey = { title: "Wrong key.", detail: "Check the key and try again." };

export class LoginDialog {
  #isSending = false;

  /** Callbacks: logIn(key) and logOut(), which can throw a problem; go(), which continues after logging in or out. */
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
        showProblemIn($("login-form"), problem.isUnauthorized ? wrongKey : problem);
      } finally {
        this.#isSending = false;
      }
    });
  }

  /** Opens the dialog above everything else, once, even if several requests were refused. */
  open() {
    noteKey();
    showLogOuts();
    if (!$("login").open) $("login").showModal();
  }
}

const logOuts = () => document.querySelectorAll(".log-out");

/** Shows the Log out buttons only if the server has a key. */
function showLogOuts() {
  for (const button of logOuts()) button.hidden = !isKeyWanted();
}
