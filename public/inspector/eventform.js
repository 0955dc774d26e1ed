// @ts-check
// The part of a dialog that describes an event: the fields of its payload, and a menu of the catalog's events if the
// dialog has one.

import { isSendable } from "./catalog.js";
import { $, keyed, make, setText } from "./dom.js";
import { clearSecrets, payloadWith, putValue, valuesIn } from "./entries.js";
import { makeField, suggestValues } from "./fields.js";
import { inputFor, pointerTo } from "./inputs.js";
import { offeredActions, offeredValues } from "./offered.js";
import { showProblemIn } from "./problems.js";
import { remember, remembered } from "./remembered.js";

export class EventForm {
  #events = [];
  /** The name of the event that the form describes. Empty if the catalog has none that can be sent. */
  #name = "";
  /** @type {any} */
  #route = null;
  #canSend = isSendable;
  /** @type {any} The recorded event that the form begins with, or null. */
  #given = null;
  #part;

  /**
   * - prefix: what the ids of the dialog's elements begin with. Its element `event` is a menu, or shows the name.
   * - needing: the ids of the buttons that need an event.
   * @param {string} prefix
   * @param {string[]} [needing]
   */
  constructor(prefix, needing = []) {
    this.#part = (name) => $(`${prefix}-${name}`);
    this.prefix = prefix;
    this.needing = needing;
    const form = this.#part("form");
    this.#part("event").addEventListener("change", ({ target }) => this.#choose(target.value));
    // The problem belongs to what was sent.
    form.addEventListener("input", () => this.showProblem(null));
    form.closest("dialog")?.addEventListener("close", () => clearSecrets(this.#part("fields")));
  }

  /** Accepts the catalog's events. */
  offer(events) {
    this.#events = events;
  }

  /**
   * Shows the fields of an event, with values that a route document suggests.
   *
   * - isOutcome: whether the form describes the outcome of work, which can be any event.
   * - given: a recorded event whose payload can be changed, or null.
   * - event: the name of the event, or undefined for the last one.
   */
  show(route, /** @type {any} */ { isOutcome = false, given = null, event = given?.event } = {}) {
    this.#route = route;
    this.#given = given;
    this.#canSend = isOutcome ? () => true : isSendable;
    this.#list();
    // The fields keep what was typed for an event, but a recorded event begins with its own payload.
    if (given) this.#part("fields").replaceChildren();
    this.#choose(event ?? (this.#name || this.#events.find(this.#canSend)?.name) ?? "");
    this.showProblem(null);
  }

  /** The event and payload that the form describes, or null without an event. */
  get request() {
    if (!this.#event) return null;
    const { name } = this.#event;
    const fields = this.#part("fields");
    const payload = name === this.#given?.event ? payloadWith(fields, this.#given.payload) : valuesIn(fields);
    return { event: name, payload };
  }

  /** Suggests the payload of a request for the next one. */
  remember({ event, payload }) {
    const declared = this.#events.find(({ name }) => name === event);
    if (declared) remember(event, payload, declared.payload);
  }

  showProblem(problem) {
    showProblemIn(this.#part("form"), problem, (value) => {
      if (problem.pointer?.startsWith("/payload/")) putValue(this.#part("fields"), problem.pointer, value);
      else if (problem.pointer === "/at") this.#part("at").value = value;
      else this.#choose(value);
    });
  }

  get #event() {
    return this.#events.find(({ name }) => name === this.#name);
  }

  /** Lists the events by domain. Events that only the app can emit are disabled, except as outcomes. */
  #list() {
    if (!this.#part("event").matches("select")) return;
    const domains = Map.groupBy(this.#events, ({ name }) => name.slice(0, name.indexOf(".")));
    this.#part("event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
      ...ofDomain.map((event) => make("option", { value: event.name, disabled: !this.#canSend(event) },
        this.#canSend(event) ? event.name : `${event.name} (only the app can emit it)`)))));
  }

  /** Shows an event's name and its fields. */
  #choose(name) {
    this.#name = name;
    if (this.#part("event").matches("select")) this.#part("event").value = name;
    else setText(this.#part("event"), name);
    for (const id of this.needing) $(id).disabled = !this.#event;
    const payload = this.#event?.payload ?? {};
    const values = name === this.#given?.event ? this.#given.payload
      : { ...this.#offered, ...remembered(name, payload) };
    const fields = Object.entries(payload).map(([field, type]) => ({
      ...inputFor(field, Object.hasOwn(values, field) ? { ...type, default: values[field] } : type),
      prefix: `${this.prefix}-field`, pointer: pointerTo("payload", field),
    }));
    keyed(this.#part("fields"), fields, ({ field }) => `${name} ${field}`, makeField, (element, { field }) => {
      suggestValues(element, [...(payload[field].choices ?? []), ...offeredValues(this.#route, field)]);
    });
    this.#part("empty").hidden = fields.length > 0 || !this.#event;
  }

  /** The payload with which the screen offers the event. */
  get #offered() {
    return offeredActions(this.#route).find(({ event }) => event === this.#name)?.payload ?? {};
  }
}
