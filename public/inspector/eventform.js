// @ts-check
// The part of a dialog that describes an event: a search, the catalog's events, and the fields of the payload.

import { isSendable } from "./catalog.js";
import { $, keyed, make, setText } from "./dom.js";
import { clearSecrets, payloadWith, putValue, valuesIn } from "./entries.js";
import { makeField, suggestValues } from "./fields.js";
import { chosen, found } from "./finding.js";
import { inputFor, pointerTo } from "./inputs.js";
import { actionOf } from "./keys.js";
import { offeredValues } from "./offered.js";
import { showProblemIn } from "./problems.js";
import { remember, remembered } from "./remembered.js";

export class EventForm {
  #events = [];
  /** @type {any} */
  #route = null;
  #canSend = isSendable;
  /** @type {any} The recorded event that the form begins with, or null. */
  #given = null;
  #part;

  /**
   * - prefix: what the ids of the dialog's elements begin with.
   * - needing: the ids of the buttons that need an event.
   */
  constructor(prefix, needing) {
    this.#part = (name) => $(`${prefix}-${name}`);
    this.prefix = prefix;
    this.needing = needing;
    const [find, form] = [this.#part("find"), this.#part("form")];
    find.addEventListener("input", () => this.#find());
    find.addEventListener("keydown", (event) => this.#pressed(event));
    this.#part("event").addEventListener("change", () => this.#showFields());
    // The problem belongs to what was sent.
    form.addEventListener("input", () => this.showProblem(null));
    form.closest("dialog")?.addEventListener("close", () => clearSecrets(this.#part("fields")));
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

  /**
   * Shows the events that can be sent, and suggests values from a route document.
   *
   * - isOutcome: whether the form describes the outcome of work, which can be any event.
   * - given: a recorded event whose payload can be changed, or null.
   * - event: the name of the event to select, or undefined for the last one.
   */
  show(route, /** @type {any} */ { isOutcome = false, given = null, event = given?.event } = {}) {
    this.#route = route;
    this.#given = given;
    this.#canSend = isOutcome ? () => true : isSendable;
    this.#part("find").value = "";
    this.#find();
    if (event !== undefined) this.#part("event").value = event;
    // The fields keep what was typed for an event, but a recorded event begins with its own payload.
    if (given) this.#part("fields").replaceChildren();
    this.#showFields();
    this.showProblem(null);
  }

  /** The event and payload that the form describes, or null if no event is selected. */
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
      if (problem.pointer?.startsWith("/payload/")) return putValue(this.#part("fields"), problem.pointer, value);
      this.#part("find").value = "";
      this.#find();
      (problem.pointer === "/at" ? this.#part("at") : this.#part("event")).value = value;
      this.#showFields();
    });
  }

  get #event() {
    return this.#events.find(({ name }) => name === this.#part("event").value);
  }

  #list(events) {
    const domains = Map.groupBy(events, ({ name }) => name.slice(0, name.indexOf(".")));
    this.#part("event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
      ...ofDomain.map((event) => make("option", { value: event.name, disabled: !this.#canSend(event) },
        this.#canSend(event) ? event.name : `${event.name} (only the app can emit it)`)))));
  }

  /** Lists the events that match the search, and selects the best match. */
  #find() {
    const text = this.#part("find").value.trim();
    const sendable = this.#events.filter((event) => this.#canSend(event)).map(({ name }) => name);
    const names = found(sendable, text);
    setText(this.#part("found"), text === "" ? "" : names.length === 0 ? "No events match."
      : `${names.length} of ${sendable.length} events`);
    const { value } = this.#part("event");
    this.#list(text === "" ? this.#events : this.#events.filter(({ name }) => names.includes(name)));
    this.#part("event").value = chosen(names, text === "" ? value : names[0]) ?? "";
    for (const id of this.needing) $(id).disabled = names.length === 0;
    if (this.#part("event").value !== value) this.#showFields();
  }

  #pressed(event) {
    const action = actionOf("find", event);
    if (action === null) return;
    event.preventDefault();
    const menu = this.#part("event");
    if (action === "take") {
      return (this.#part("fields").querySelector("[data-field]") ?? $(this.needing[0])).focus();
    }
    const options = [...menu.options].filter(({ disabled }) => !disabled);
    const next = options[options.indexOf(menu.selectedOptions[0]) + (action === "next" ? 1 : -1)];
    if (!next) return;
    menu.value = next.value;
    this.#showFields();
  }

  #showFields() {
    const { name: event, payload } = this.#event ?? { name: "", payload: {} };
    const last = event === this.#given?.event ? this.#given.payload : remembered(event, payload);
    const fields = Object.entries(payload).map(([name, type]) => ({
      ...inputFor(name, Object.hasOwn(last, name) ? { ...type, default: last[name] } : type),
      prefix: `${this.prefix}-field`, pointer: pointerTo("payload", name),
    }));
    keyed(this.#part("fields"), fields, ({ field }) => `${event} ${field}`, makeField, (element, { field: name }) => {
      suggestValues(element, [...(payload[name].choices ?? []), ...offeredValues(this.#route, name)]);
    });
    this.#part("empty").hidden = fields.length > 0 || !this.#event;
  }
}
