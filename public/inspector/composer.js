// The dialog that sends any event of the app's catalog from any started coordinator. If work is withheld, it also posts
// outcomes of pending work and timers.

import { showBusy } from "./busy.js";
import { isSendable, likelyOutcome } from "./catalog.js";
import { isolated } from "./direction.js";
import { $, keyed, make, setText } from "./dom.js";
import { clearSecrets, putValue, valuesIn } from "./entries.js";
import { makeField, suggestValues } from "./fields.js";
import { chosen, found } from "./finding.js";
import { inputFor, pointerTo } from "./inputs.js";
import { actionOf } from "./keys.js";
import { startedIds } from "./nodes.js";
import { offeredValues } from "./offered.js";
import { showProblemIn } from "./problems.js";
import { remember, remembered } from "./remembered.js";
import { shortName } from "./trace.js";

export class Composer {
  #events = [];
  #route = null;
  /** The work or timer whose outcome the dialog posts, as in the route document, or null. */
  #pending = null;
  #isSending = false;

  /** Callbacks: send(request), which can throw a problem, and copy(request). */
  constructor({ send, copy }) {
    $("composer-find").addEventListener("input", () => this.#find());
    $("composer-find").addEventListener("keydown", (event) => this.#pressed(event));
    $("composer-event").addEventListener("change", () => this.#showFields());
    // The problem belongs to what was sent.
    $("composer-form").addEventListener("input", () => this.#showProblem(null));
    $("composer-copy").addEventListener("click", () => copy(this.#request));
    $("composer-cancel").addEventListener("click", () => $("composer").close());
    $("composer").addEventListener("close", () => clearSecrets($("composer-fields")));
    $("composer-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (this.#isSending || !this.#event) return;
      this.#isSending = true;
      this.#showProblem(null);
      try {
        const request = this.#request;
        await showBusy($("composer-send"), send(request));
        remember(request.event, request.payload, this.#event.payload);
        $("composer").close();
      } catch (problem) {
        this.#showProblem(problem);
      } finally {
        this.#isSending = false;
      }
    });
  }

  /** Whether the catalog has an event that can be sent. */
  get isReady() {
    return this.#events.some(isSendable);
  }

  /** Lists the catalog's events by domain. Events that only the app can emit are disabled, except as outcomes. */
  offer(events) {
    this.#events = events;
    this.#list(events);
  }

  #list(events) {
    const domains = Map.groupBy(events, ({ name }) => name.slice(0, name.indexOf(".")));
    $("composer-event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
      ...ofDomain.map((event) => make("option", { value: event.name, disabled: !this.#canSend(event) },
        this.#canSend(event) ? event.name : `${event.name} (only the app can emit it)`)))));
  }

  #canSend(event) {
    return this.#pending !== null || isSendable(event);
  }

  /** Lists the events that match the search, and selects the best match. */
  #find() {
    const text = $("composer-find").value.trim();
    const sendable = this.#events.filter((event) => this.#canSend(event)).map(({ name }) => name);
    const names = found(sendable, text);
    setText($("composer-found"), text === "" ? "" : names.length === 0 ? "No events match."
      : `${names.length} of ${sendable.length} events`);
    const { value } = $("composer-event");
    this.#list(text === "" ? this.#events : this.#events.filter(({ name }) => names.includes(name)));
    $("composer-event").value = chosen(names, text === "" ? value : names[0]) ?? "";
    for (const id of ["composer-send", "composer-copy"]) $(id).disabled = names.length === 0;
    if ($("composer-event").value !== value) this.#showFields();
  }

  #pressed(event) {
    const action = actionOf("find", event);
    if (action === null) return;
    event.preventDefault();
    const menu = $("composer-event");
    if (action === "take") return ($("composer-fields").querySelector("[data-field]") ?? $("composer-send")).focus();
    const options = [...menu.options].filter(({ disabled }) => !disabled);
    const next = options[options.indexOf(menu.selectedOptions[0]) + (action === "next" ? 1 : -1)];
    if (!next) return;
    menu.value = next.value;
    this.#showFields();
  }

  /**
   * Opens for the coordinators of a route's tree. `at` is the coordinator to send from, or null for the visible leaf.
   * The outcome of a `pending` piece of work is sent from the coordinator that started it.
   */
  open(route, at = null, pending = null) {
    this.#route = route;
    this.#pending = pending;
    setText($("composer-heading"), pending ? `Post the outcome of ${isolated(pending.name)}` : "Send an event");
    $("composer-from").hidden = pending !== null;
    const ids = startedIds(route.tree);
    $("composer-at").replaceChildren(
      make("option", { value: "" }, `The visible leaf, ${shortName(route.leaf)}`),
      ...ids.map((id) => make("option", { value: id }, id)));
    $("composer-at").value = at ?? "";
    $("composer-find").value = "";
    this.#find();
    if (pending) $("composer-event").value = likelyOutcome(this.#events).name;
    this.#showFields();
    this.#showProblem(null);
    $("composer").showModal();
  }

  get #event() {
    return this.#events.find(({ name }) => name === $("composer-event").value);
  }

  /** The request that the form describes. */
  get #request() {
    const at = $("composer-at").value;
    return {
      event: this.#event.name, payload: valuesIn($("composer-fields")), ...(at && { at }),
      ...(this.#pending && { pending: this.#pending.id }),
    };
  }

  #showFields() {
    const { name: event, payload } = this.#event ?? { name: "", payload: {} };
    const last = remembered(event, payload);
    const fields = Object.entries(payload).map(([name, type]) => ({
      ...inputFor(name, Object.hasOwn(last, name) ? { ...type, default: last[name] } : type),
      prefix: "composer-field", pointer: pointerTo("payload", name),
    }));
    keyed($("composer-fields"), fields, ({ field }) => `${event} ${field}`, makeField, (element, { field: name }) => {
      suggestValues(element, [...(payload[name].choices ?? []), ...offeredValues(this.#route, name)]);
    });
    $("composer-empty").hidden = fields.length > 0 || !this.#event;
  }

  #showProblem(problem) {
    showProblemIn($("composer-form"), problem, (value) => {
      if (problem.pointer?.startsWith("/payload/")) return putValue($("composer-fields"), problem.pointer, value);
      $("composer-find").value = "";
      this.#find();
      $(problem.pointer === "/at" ? "composer-at" : "composer-event").value = value;
      this.#showFields();
    });
  }
}
