// @ts-check
// The dialog for an event's payload, and for the coordinator that it is sent from. If work is withheld, it also posts
// outcomes of pending work and timers.

import { showBusy } from "./busy.js";
import { isolated } from "./direction.js";
import { $, make, setText } from "./dom.js";
import { EventForm } from "./eventform.js";
import { startedIds } from "./nodes.js";

export class Composer {
  #form = new EventForm("composer");
  /** @type {any} The work or timer whose outcome the dialog posts, as in the route document, or null. */
  #pending = null;
  #isSending = false;

  /** Callbacks: send(request), which can throw a problem, and copy(request). */
  constructor({ send, copy }) {
    $("composer-copy").addEventListener("click", () => copy(this.#request));
    $("composer-cancel").addEventListener("click", () => $("composer").close());
    $("composer-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isSending) return;
      this.#isSending = true;
      this.#form.showProblem(null);
      try {
        const request = this.#request;
        await showBusy($("composer-send"), send(request));
        this.#form.remember(request);
        $("composer").close();
      } catch (problem) {
        this.#form.showProblem(problem);
      } finally {
        this.#isSending = false;
      }
    });
  }

  offer(events) {
    this.#form.offer(events);
  }

  /**
   * Opens for an event and the coordinators of a route's tree.
   *
   * - at: the coordinator to send from, or null for the screen.
   * - pending: the work or timer whose outcome the event is, which is sent from the coordinator that started it.
   * - canCopy: whether there is a session for the command.
   * @param {any} route
   * @param {string} event
   */
  open(route, event, /** @type {any} */ { at = null, pending = null, canCopy = true } = {}) {
    this.#pending = pending;
    $("composer-copy").hidden = !canCopy;
    setText($("composer-what"), pending ? `Post the outcome of ${isolated(pending.name)}:` : "Send");
    $("composer-from").hidden = pending !== null;
    $("composer-at").replaceChildren(
      make("option", { value: "" }, "The screen (default)"),
      ...startedIds(route.tree).map((id) => make("option", { value: id }, id)));
    $("composer-at").value = at ?? "";
    this.#form.show(route, { event, isOutcome: pending !== null });
    $("composer").showModal();
    ($("composer-fields").querySelector("[data-field]") ?? $("composer-send")).focus();
  }

  /** The request that the form describes. */
  get #request() {
    const at = $("composer-at").value;
    return {
      ...this.#form.request, ...(at && { at }), ...(this.#pending && { pending: this.#pending.id }),
    };
  }
}
