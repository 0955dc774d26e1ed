// The dialog to send any event of the app's catalog, from any started coordinator.

import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { problemContent } from "./problems.js";
import { shortName } from "./trace.js";

const inputTypes = { string: "text", integer: "number", number: "number", boolean: "checkbox" };

export class Composer {
  #events = [];
  #route = null;

  /** Callbacks: send(request), which may fail with a problem, and copy(request). */
  constructor({ send, copy }) {
    $("composer-event").addEventListener("change", () => this.#showFields());
    $("composer-copy").addEventListener("click", () => copy(this.#request));
    $("composer-cancel").addEventListener("click", () => $("composer").close());
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

  /** Whether it knows the catalog. */
  get isReady() {
    return this.#events.length > 0;
  }

  /** Offers the catalog's events, by domain. */
  offer(events) {
    this.#events = events;
    const domains = Map.groupBy(events, ({ name }) => name.slice(0, name.indexOf(".")));
    $("composer-event").replaceChildren(...[...domains].map(([domain, ofDomain]) => make("optgroup", { label: domain },
      ...ofDomain.map(({ name }) => make("option", { value: name }, name)))));
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

  /** The request as the form has it. A number field left empty is left out, and the server says that it is missing. */
  get #request() {
    const payload = {};
    for (const input of $("composer-fields").querySelectorAll("input")) {
      if (input.type === "checkbox") payload[input.name] = input.checked;
      else if (input.type === "text") payload[input.name] = input.value;
      else if (input.value !== "") payload[input.name] = input.valueAsNumber;
    }
    const at = $("composer-at").value;
    return { event: this.#event.name, payload, ...(at && { at }) };
  }

  #showFields() {
    const { name: event, payload } = this.#event;
    const fields = Object.entries(payload).map(([name, { type }]) => ({ name, type }));
    keyed($("composer-fields"), fields, ({ name }) => `${event} ${name}`, makeField,
      (field, { name }) => {
        const values = offeredValues(this.#route, name);
        field.querySelector("datalist").replaceChildren(...values.map((value) => make("option", { value })));
      });
    $("composer-empty").hidden = fields.length > 0;
  }

  #showProblem(problem) {
    const use = (value) => {
      $(problem.pointer === "/at" ? "composer-at" : "composer-event").value = value;
      this.#showFields();
    };
    $("composer-problem").replaceChildren(...(problem ? problemContent(problem, use) : []));
    $("composer-problem").hidden = problem === null;
    for (const input of $("composer-form").querySelectorAll("[data-pointer]")) {
      const isWrong = problem?.pointer === input.dataset.pointer;
      setAttribute(input, "aria-invalid", isWrong ? "true" : null);
      setAttribute(input, "aria-describedby", isWrong ? "composer-problem" : null);
      if (isWrong) input.focus();
    }
  }
}

function makeField({ name, type }) {
  const id = `composer-field-${name}`;
  const input = make("input", {
    id, name, type: inputTypes[type] ?? "text", autocomplete: "off",
    "data-field": name, "data-pointer": `/payload/${name}`,
  });
  input.setAttribute("list", `${id}-values`);
  if (type === "number") input.step = "any";
  const label = make("label", { htmlFor: id }, name, " ", make("span", { className: "field-type" }));
  setText(label.lastElementChild, type);
  return make("div", { className: "field" }, label, input, make("datalist", { id: `${id}-values` }));
}

/** The values that the route document's own actions have for a payload field: a start for whoever types one. */
function offeredValues(document, name) {
  const values = new Set();
  const collect = (value) => {
    if (value === null || typeof value !== "object") return;
    if (typeof value.event === "string" && value.payload?.[name] !== undefined) values.add(String(value.payload[name]));
    Object.values(value).forEach(collect);
  };
  collect(document);
  return [...values];
}

function startedIds({ id, started, children, presented }) {
  const below = [...children, ...(presented ? [presented] : [])].flatMap(startedIds);
  return started ? [id, ...below] : below;
}
