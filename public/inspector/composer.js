// The dialog to send any event of the app's catalog, from any started coordinator.

import { isSendable } from "./catalog.js";
import { $, keyed, make } from "./dom.js";
import { clearSecrets, putValue, valuesIn } from "./entries.js";
import { makeField, suggestValues } from "./fields.js";
import { inputFor, pointerTo } from "./inputs.js";
import { startedIds } from "./nodes.js";
import { offeredValues } from "./offered.js";
import { showProblemIn } from "./problems.js";
import { shortName } from "./trace.js";

export class Composer {
  #events = [];
  #route = null;

  /** Callbacks: send(request), which may fail with a problem, and copy(request). */
  constructor({ send, copy }) {
    $("composer-event").addEventListener("change", () => this.#showFields());
    $("composer-copy").addEventListener("click", () => copy(this.#request));
    $("composer-cancel").addEventListener("click", () => $("composer").close());
    $("composer").addEventListener("close", () => clearSecrets($("composer-fields")));
    $("composer-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      this.#showProblem(null);
      try {
        await send(this.#request);
        $("composer").close();
      } catch (problem) {
        this.#showProblem(problem);
      }
    });
  }

  /** Whether it knows of an event to send. */
  get isReady() {
    return this.#events.some(isSendable);
  }

  /** Lists the catalog's events, by domain. Those that only the app may emit cannot be chosen. */
  offer(events) {
    this.#events = events;
    const domains = Map.groupBy(events, ({ name }) => name.slice(0, name.indexOf(".")));
    $("composer-event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
      ...ofDomain.map((event) => make("option", { value: event.name, disabled: !isSendable(event) },
        isSendable(event) ? event.name : `${event.name} (only the app emits it)`)))));
  }

  /** Opens for the coordinators of a route's tree; `at` is the one to send from, null for the visible leaf. */
  open(route, at = null) {
    this.#route = route;
    const ids = startedIds(route.tree);
    $("composer-at").replaceChildren(
      make("option", { value: "" }, `The visible leaf, ${shortName(route.leaf)}`),
      ...ids.map((id) => make("option", { value: id }, id)));
    $("composer-at").value = at ?? "";
    this.#showFields();
    this.#showProblem(null);
    $("composer").showModal();
  }

  get #event() {
    return this.#events.find(({ name }) => name === $("composer-event").value);
  }

  /** The request as the form has it. */
  get #request() {
    const at = $("composer-at").value;
    return { event: this.#event.name, payload: valuesIn($("composer-fields")), ...(at && { at }) };
  }

  #showFields() {
    const { name: event, payload } = this.#event;
    const fields = Object.entries(payload).map(([name, type]) => ({
      ...inputFor(name, type), prefix: "composer-field", pointer: pointerTo("payload", name),
    }));
    keyed($("composer-fields"), fields, ({ field }) => `${event} ${field}`, makeField, (element, { field: name }) => {
      suggestValues(element, [...(payload[name].choices ?? []), ...offeredValues(this.#route, name)]);
    });
    $("composer-empty").hidden = fields.length > 0;
  }

  #showProblem(problem) {
    showProblemIn($("composer-form"), problem, (value) => {
      if (problem.pointer?.startsWith("/payload/")) return putValue($("composer-fields"), problem.pointer, value);
      $(problem.pointer === "/at" ? "composer-at" : "composer-event").value = value;
      this.#showFields();
    });
  }
}
