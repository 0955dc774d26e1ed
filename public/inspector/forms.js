// @ts-check
// Forms: actions of a route document that have inputs. What the user entered stays when new documents arrive, unless
// the app changed the value. It is sent in the action's payload.

import { Problem } from "./api.js";
import { showBusy } from "./busy.js";
import { keyed, make, setAttribute, setText } from "./dom.js";
import { clearSecrets, controlsIn, entriesIn, payloadWith, putValue, showValue } from "./entries.js";
import { makeField, showErrorIn, updateField } from "./fields.js";
import { controlFor, pointerTo } from "./inputs.js";
import { pointsInto, refusalContent } from "./problems.js";

/** Whether an action needs input before it is sent. */
export function isForm(action) {
  return action?.inputs?.length > 0;
}

let count = 0;

class Form {
  #fields = make("div", { className: "fields" });
  #submit = make("button", { type: "submit", className: "action submit" });
  #prefix = `form-${++count}`;
  /** @type {any} */
  #action = null;
  #version = -1;
  #isSending = false;
  /**
   * The version that accepted the form, and the fields' contents when it was sent. From that version on, the app's
   * values count.
   * @type {any}
   */
  #taken = null;
  /** @type {any} The field that the last problem points to. */
  #refused = null;

  constructor({ send, report, finish }) {
    this.send = send;
    this.report = report;
    this.finish = finish;
    this.element = make("form", { className: "form", noValidate: true }, this.#fields, this.#submit);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#perform();
    });
    this.#fields.addEventListener("input", ({ target }) => {
      if (this.#refused?.contains(target)) this.#forgive();
    });
  }

  /** Shows a form as in the document of a version. */
  show(action, version, label) {
    this.#action = action;
    this.#version = version;
    this.element.dataset.event = action.event;
    setAttribute(this.#submit, "data-role", action.role);
    setAttribute(this.element, "aria-label", label);
    setText(this.#submit, action.title);
    keyed(this.#fields, action.inputs, (input) => `${input.field} ${input.type} ${input.required} ${controlFor(input)}`,
      (input) => makeField({ ...input, prefix: this.#prefix, pointer: pointerTo("payload", input.field) }),
      (field, input) => {
        updateField(field, input);
        if (field !== this.#refused) showErrorIn(field, errorOf(input));
      });
    this.#settle();
  }

  clearSecrets() {
    clearSecrets(this.#fields);
  }

  async #perform() {
    if (this.#isSending || this.#taken !== null) return;
    const { event, payload } = this.#action;
    const entries = entriesIn(this.#fields);
    this.#isSending = true;
    this.#forgive();
    try {
      const version = await showBusy(this.#submit,
        this.send({ event, payload: payloadWith(this.#fields, payload) }));
      this.#taken = { version, entries };
      this.#settle();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (!this.element.isConnected || !this.#showRefusal(problem)) this.report(problem);
    } finally {
      this.#isSending = false;
    }
  }

  /** Shows the app's values after the form was accepted. What the user entered since sending it stays. */
  #settle() {
    if (this.#taken === null || this.#version < this.#taken.version) return;
    const { entries } = this.#taken;
    const now = entriesIn(this.#fields);
    this.#taken = null;
    for (const { field, value } of this.#action.inputs) {
      const control = [...now.keys()].find(({ name }) => name === field);
      if (now.get(control) === entries.get(control)) showValue(control, value);
    }
    const wrong = this.#fields.querySelector("[aria-invalid]");
    if (!wrong) this.finish();
    else if (this.element.contains(document.activeElement)) wrong.focus();
  }

  /** Shows a problem at its field. Returns false if the problem points to no field of this form. */
  #showRefusal(problem) {
    const field = [...this.#fields.children].find((field) => pointsInto(problem, controlsIn(field)[0]));
    if (!field) return false;
    const [control] = controlsIn(field);
    const own = problem.pointer === control.dataset.pointer;
    this.#refused = field;
    showErrorIn(field, refusalContent({ ...problem, pointer: own ? undefined : problem.pointer }, (value) => {
      putValue(field, problem.pointer, value);
      control.focus();
      this.#forgive();
    }));
    control.focus();
    return true;
  }

  /** Removes the problem, because the user corrects the field or sends it again. */
  #forgive() {
    const field = this.#refused;
    this.#refused = null;
    if (!field?.isConnected) return;
    const input = this.#action.inputs.find(({ field: name }) => name === controlsIn(field)[0].name);
    showErrorIn(field, errorOf(input));
  }
}

function errorOf({ error }) {
  return error === null ? [] : [error];
}

/**
 * The forms of the screen, by key. Forms that can be filled in are kept while the past is shown, without their secrets.
 * The past has its own forms.
 */
export class Forms {
  #forms = new Map();
  #used = new Set();
  /** @type {any} */
  #route = null;
  #isWritable = false;

  /**
   * Callbacks: send(request), which returns the version it created; report(problem); finish(key), after it was
   * accepted.
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
  }

  /** Starts showing a document. */
  begin(route, isWritable) {
    this.#used.clear();
    this.#route = route;
    this.#isWritable = isWritable;
  }

  /** The key of a form. It stays the same as long as the coordinator, the event and the fields are the same. */
  key(place, { event, inputs }) {
    const { session, leaf } = this.#route;
    return JSON.stringify([this.#isWritable, session, leaf, place, event, inputs.map(({ field }) => field)]);
  }

  /** The element of a form. */
  element(key) {
    return this.#form(key).element;
  }

  /** Shows a form. */
  show(key, action, label = action.title) {
    this.#used.add(key);
    this.#form(key).show(action, this.#route.version, label);
  }

  /** Removes the forms that were not shown. */
  end() {
    for (const [key, form] of this.#forms) {
      if (this.#used.has(key)) continue;
      form.clearSecrets();
      if (this.#isWritable) this.#forms.delete(key);
    }
  }

  #form(key) {
    const known = this.#forms.get(key);
    if (known) return known;
    const form = new Form({ ...this.callbacks, finish: () => this.callbacks.finish(key) });
    this.#forms.set(key, form);
    return form;
  }
}
