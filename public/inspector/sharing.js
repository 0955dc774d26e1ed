// @ts-check
// The dialog about the session: share it, join another one, start a new one, end it.

import { $ } from "./dom.js";
import { showProblemIn } from "./problems.js";

export class SessionDialog {
  /** Callbacks: join(text), which can throw a problem, start(), end(), copy(text). */
  constructor({ join, start, end, copy }) {
    $("session-copy").addEventListener("click", () => copy($("session-link").value));
    $("session-new").addEventListener("click", () => {
      $("session-dialog").close();
      start();
    });
    $("session-close").addEventListener("click", () => $("session-dialog").close());
    $("session-end").addEventListener("click", () => $("ending").showModal());
    $("ending-cancel").addEventListener("click", () => $("ending").close());
    $("ending-end").addEventListener("click", () => {
      $("ending").close();
      $("session-dialog").close();
      end();
    });
    $("session-join-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      showProblemIn($("session-join-form"), null);
      try {
        await join($("session-join").value.trim());
        $("session-dialog").close();
      } catch (problem) {
        showProblemIn($("session-join-form"), problem);
        $("session-join").select();
      }
    });
  }

  open(id, hasEnded) {
    $("session-link").value = location.href;
    $("session-id").textContent = id;
    $("session-join").value = "";
    showProblemIn($("session-join-form"), null);
    $("session-end").disabled = hasEnded;
    $("session-dialog").showModal();
  }
}
