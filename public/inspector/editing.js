// @ts-check
// The dialog that edits one past event: changes it, drops it, or inserts another one after it. The session's events are
// then replayed in a fork.

import { showBusy } from "./busy.js";
import { atEdit, editOf } from "./changes/replay.js";
import { isolated } from "./direction.js";
import { $, setText } from "./dom.js";
import { EventForm } from "./eventform.js";
import { payloadText } from "./trace.js";

export class EditDialog {
  #form = new EventForm("editor", ["editor-go"]);
  /** @type {any} The journal entry to edit. For version 0 it has nothing but the version. */
  #entry = null;
  /** The route documents before and after the event. */
  #routes = [];
  #isSending = false;

  /**
   * Callbacks: readRoute(version); replay(edit), which can throw a problem; done(fork, edit), with the answer for the
   * fork.
   */
  constructor({ readRoute, replay, done }) {
    this.readRoute = readRoute;
    this.replay = replay;
    this.done = done;
    $("editor-kinds").addEventListener("change", () => this.#show());
    $("editor-cancel").addEventListener("click", () => $("editor").close());
    $("editor-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#replay();
    });
  }

  offer(events) {
    this.#form.offer(events);
  }

  /** Opens for a journal entry of a session with `count` events. */
  async open(entry, count) {
    const { version, event, payload } = entry;
    this.#routes = await Promise.all([Math.max(0, version - 1), version].map((each) => this.readRoute(each)));
    if (document.querySelector("dialog[open]")) return;
    this.#entry = entry;
    const what = version === 0 ? "Before the first event" : `Step ${version}, ${event} ${payloadText(payload)}`;
    setText($("editor-what"), `${isolated(what.trimEnd())}. A new session replays ${
      count === 1 ? "the event" : `all ${count} events`} with this edit, and its work is withheld. This session does `
      + "not change.");
    for (const kind of ["change", "drop"]) $(`editor-${kind}`).disabled = version === 0;
    $(version === 0 ? "editor-insert" : "editor-change").checked = true;
    this.#show();
    $("editor").showModal();
  }

  get #kind() {
    return $("editor-kinds").querySelector(":checked").value;
  }

  /** Shows the fields that the chosen kind of edit needs. */
  #show() {
    $("editor-described").hidden = this.#kind === "drop";
    const [before, after] = this.#routes;
    if (this.#kind === "insert") return this.#form.show(after);
    const { event, payload, pending = null } = this.#entry;
    this.#form.show(before, { isOutcome: pending !== null, given: { event, payload: payload ?? {} } });
    if (this.#kind === "drop") $("editor-go").disabled = false;
  }

  async #replay() {
    const edit = editOf(this.#kind, this.#entry.version, this.#form.request);
    if (this.#isSending || edit === null) return;
    this.#isSending = true;
    this.#form.showProblem(null);
    try {
      const fork = await showBusy($("editor-go"), this.replay(edit));
      $("editor").close();
      this.done(fork, edit);
    } catch (problem) {
      this.#form.showProblem(atEdit(problem));
    } finally {
      this.#isSending = false;
    }
  }
}
