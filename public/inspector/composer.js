// @ts-check
// The dialog that sends any event of the app's catalog from any started coordinator. If work is withheld, it also posts
// outcomes of pending work and timers.

import { showBusy } from "./busy.js";
import { likelyOutcome } from "./catalog.js";
import { isolated } from "./direction.js";
import { $, make, setText } from "./dom.js";
import { EventForm } from "./eventform.js";
import { startedIds } from "./nodes.js";
import { shortName } from "./trace.js";

export class Composer {
  #form = new EventForm("composer", ["composer-send", "composer-copy"]);
  /** @type {{ name: string, origin?: string }[]} */
  #events = [];
  /** @type {any} The work or timer whose outcome the dialog posts, as in the route document, or null. */
  #pending = null;
  #isSending = false;

  /** Callbacks: send(request), which can throw a problem, and copy(request). */
  constructor({ send, copy }) {
    $("composer-copy").addEventListener("click", () => copy(this.#request));
    $("composer-cancel").addEventListener("click", () => $("composer").close());
    $("composer-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isSending || this.#form.request === null) return;
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

  get isReady() {
    return this.#form.isReady;
  }

  offer(events) {
    this.#events = events;
    this.#form.offer(events);
  }

  /**
   * Opens for the coordinators of a route's tree. `at` is the coordinator to send from, or null for the visible leaf.
   * The outcome of a `pending` piece of work is sent from the coordinator that started it.
   * @param {any} route
   * @param {string | null} at
   * @param {any} pending
   */
  open(route, at = null, pending = null) {
    this.#pending = pending;
    setText($("composer-heading"), pending ? `Post the outcome of ${isolated(pending.name)}` : "Send an event");
    $("composer-from").hidden = pending !== null;
    const ids = startedIds(route.tree);
    $("composer-at").replaceChildren(
      make("option", { value: "" }, `The visible leaf, ${shortName(route.leaf)}`),
      ...ids.map((id) => make("option", { value: id }, id)));
    $("composer-at").value = at ?? "";
    this.#form.show(route, pending ? { isOutcome: true, event: likelyOutcome(this.#events)?.name } : {});
    $("composer").showModal();
  }

  /** The request that the form describes. */
  get #request() {
    const at = $("composer-at").value;
    return {
      ...this.#form.request, ...(at && { at }), ...(this.#pending && { pending: this.#pending.id }),
    };
  }
}
