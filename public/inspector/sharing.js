// @ts-check
// The dialog about the session: share it, name it, start a new one, end it.

import { Problem } from "./api.js";
import { showBusy } from "./busy.js";
import { $, setText } from "./dom.js";
import { showProblemIn } from "./problems.js";
import { attributeChanges } from "./sessions.js";

export class SessionDialog {
  /** @type {any} The document of the session, or null until it is read. */
  #session = null;

  /**
   * Callbacks: read(id) and change(id, changes), which can throw a problem and return the session's document, start(),
   * end(), which asks before it ends the session, copy(text).
   */
  constructor({ read, change, start, end, copy }) {
    this.read = read;
    $("session-copy").addEventListener("click", () => copy($("session-link").value));
    $("session-new").addEventListener("click", () => {
      $("session-dialog").close();
      start();
    });
    $("session-close").addEventListener("click", () => $("session-dialog").close());
    $("session-end").addEventListener("click", end);
    $("session-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const { id, attributes = {} } = this.#session;
      const changes = {
        name: $("session-name").value.trim() || null,
        attributes: attributeChanges(attributes, $("session-attributes").value),
      };
      if (await showBusy($("session-save"), this.#try(change(id, changes)))) $("session-dialog").close();
    });
  }

  open(id, hasEnded) {
    $("session-link").value = location.href;
    setText($("session-id"), id);
    this.#show(null);
    $("session-form").hidden = hasEnded;
    if (!hasEnded) this.#try(this.read(id));
    $("session-end").disabled = hasEnded;
    $("session-dialog").showModal();
  }

  /** Shows a session's document when it arrives. Returns whether it did. */
  async #try(answer) {
    showProblemIn($("session-form"), null);
    try {
      const session = await answer;
      if (session.id === $("session-id").textContent) this.#show(session);
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      showProblemIn($("session-form"), problem);
      return false;
    }
  }

  /** Shows the names of a session, which only the operator can read, and what can be changed. */
  #show(session) {
    this.#session = session;
    const { name, key, reference, attributes = {} } = session ?? {};
    $("session-names").hidden = !reference;
    setText($("session-reference"), reference ?? "");
    $("session-keyed").hidden = !key;
    setText($("session-key"), key ?? "");
    $("session-name").value = name ?? "";
    $("session-attributes").value = Object.keys(attributes).length > 0 ? JSON.stringify(attributes, null, 2) : "";
    for (const id of ["session-name", "session-attributes", "session-save"]) $(id).disabled = session === null;
  }
}
