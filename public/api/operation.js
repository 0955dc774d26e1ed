// @ts-check
// An operation: its words, and beside them a sample request that can be sent and its answer.

import { make, setText } from "../inspector/dom.js";
import { Answer } from "./answer.js";
import { exampleText, formatted, showCode } from "./code.js";
import { eventExample, ownExample, requestFor, split } from "./description.js";
import { facts, fold, methodElement, prose, typeOf, unfold } from "./elements.js";

const keyOf = ({ place, name }) => `${place} ${name}`;

const isSession = (parameter) => ["path id", "header Session"].includes(keyOf(parameter));

export class Operation {
  #described;
  /** What is sent: the described operation, or the same one without the session's id in its path. */
  #sent;
  #page;
  #session = "";
  /** The parameters' values by place and name. */
  #values = /** @type {Record<string, string>} */ ({});
  #type = "";
  #accept = "";
  #text = "";
  /** @type {any} */
  #form = null;
  #fields = make("form", { className: "fields", noValidate: true });
  #command = make("code");
  #send = make("button", { type: "submit", className: "send" }, "Try it");
  #answer = new Answer();

  /**
   * - page: the API's `description` and the app's `catalog`, or null; and `toCommand(request)`, which returns a curl
   *   command, `copy(text)`, and `askForKey()`, if the server requires a key.
   */
  constructor(described, page) {
    this.#described = described;
    this.#page = page;
    this.#use(described);
    this.#type = described.bodies[0]?.type ?? "";
    this.#text = this.#sampleBody();
    const types = this.#goodAnswer?.contents ?? [];
    this.#accept = types.length > 1 ? types[0].type : "";
    this.element = this.#element();
    // The button is beside the form, which has the button's action as its own: Enter in a field sends.
    this.#fields.id = `${described.id}-fields`;
    this.#send.setAttribute("form", this.#fields.id);
    this.#send.addEventListener("click", (event) => this.#press(event));
    this.#fields.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.#showCommand();
    this.#showExample();
  }

  /** Sets the session that requests are sent to. */
  useSession(id) {
    this.#session = id;
    for (const parameter of this.#sent.parameters.filter(isSession)) this.#set(parameter, id);
    this.#showCommand();
  }

  /** Sets the event that is sent. */
  useEvent(event) {
    this.#text = formatted(eventExample(event));
    const control = this.#fields.querySelector("textarea");
    if (control) control.value = this.#text;
    this.#showCommand();
  }

  /** Opens the form. */
  open() {
    if (this.#form) unfold(this.#form);
  }

  // Words

  #element() {
    const { id, summary, description, method, path, short, parameters, bodies, answers } = this.#described;
    const [lead, rest] = split(description);
    const names = parameters.filter(({ place }) => place !== "cookie").map(({ name }) => name);
    if (names.length + bodies.length > 0) {
      const title = names.length === 0 ? "Body" : bodies.length === 0 ? "Parameters" : "Parameters and body";
      this.#form = fold(`${id}-form`, [title, " ", make("small", {}, names.join(", "))], () => {
        this.#fill();
        return [this.#fields];
      });
      this.#form.addEventListener("toggle", () => setText(this.#send, this.#form.open ? "Send" : "Try it"));
    }
    const good = answers.filter(({ status }) => status < "4").map(({ status }) => status);
    const statuses = [...good, `${answers.length - good.length} errors`].join(", ");
    return make("article", { className: "operation", id, "aria-labelledby": `${id}-title` },
      make("div", { className: "words" },
        make("h3", { id: `${id}-title` }, make("a", { href: `#${id}` }, summary)),
        make("p", { className: "endpoint" }, methodElement(method), " ", make("code", {}, path),
          ...(short ? [make("small", { id: short.id }, " or "), make("code", {}, short.path)] : [])),
        ...prose(lead), ...(rest ? [fold(`${id}-more`, ["More"], () => prose(rest))] : []),
        this.#form,
        fold(`${id}-answers`, ["Answers ", make("small", {}, statuses)], () => this.#answerElements())),
      make("div", { className: "sample" },
        make("div", { className: "sample-head" }, make("span", {}, "curl"),
          make("button", {
            type: "button", "aria-label": "Copy as curl", onclick: () => this.#page.copy(this.#command.textContent),
          }, "Copy"), this.#send),
        make("pre", {}, this.#command), this.#answer.element));
  }

  #answerElements() {
    const { description } = this.#page;
    return [facts(this.#described.answers.map((answer) => {
      const problems = description.problemsOf(answer);
      return {
        name: answer.status === "default" ? "others" : answer.status,
        content: [
          ...prose(answer.description),
          ...(problems.length > 0
            ? [make("p", { className: "codes" }, ...problems.flatMap(({ name, code }) =>
              [make("a", { href: `#schema-${name}` }, code), " "]))]
            : answer.contents.map(({ type, schema }) => make("p", {}, make("code", {}, type), ": ", typeOf(schema)))),
          answer.headers.length > 0 ? make("p", {}, make("small", {}, `Headers: ${answer.headers.join(", ")}`)) : null,
        ].filter(Boolean),
      };
    }))];
  }

  // The form

  /** Sends this operation from now on. What has no value yet gets its example. */
  #use(operation) {
    this.#sent = operation;
    for (const parameter of operation.parameters) {
      const { required, example } = parameter;
      if (isSession(parameter)) this.#set(parameter, this.#session);
      else if (required && example !== undefined) this.#values[keyOf(parameter)] ??= String(example);
    }
  }

  #sampleBody() {
    const { type, example } = this.#sent.bodies.find((each) => each.type === this.#type) ?? { type: "" };
    return exampleText(type, ownExample(example, this.#page.catalog));
  }

  #set(parameter, value) {
    this.#values[keyOf(parameter)] = value;
    const control = document.getElementById(this.#controlID(keyOf(parameter)));
    if (control) /** @type {any} */ (control).value = value;
  }

  #controlID(key) {
    return `try-${this.#described.id}-${key.replaceAll(" ", "-")}`;
  }

  /** Fills the form: first what is required and the body, then what is optional. */
  #fill() {
    const { short } = this.#described;
    const { parameters, bodies } = this.#sent;
    const types = this.#goodAnswer?.contents.map(({ type }) => type) ?? [];
    const paths = [this.#described, short].filter(Boolean).map(({ path }) => path);
    const shown = parameters.filter(({ place }) => place !== "cookie");
    const choice = (key, values, chosen, change) => (values.length > 1
      ? [this.#field(key, [key], "", menu(values, chosen), change)] : []);
    this.#fields.replaceChildren(
      ...choice("Path", paths, this.#sent.path, (path) => {
        this.#use(path === short.path ? short : this.#described);
        this.#fill();
        this.#fields.querySelector("select").focus();
      }),
      ...shown.filter(({ required }) => required).map((each) => this.#parameterField(each)),
      ...(bodies.length > 0 ? [this.#bodyField(bodies[0])] : []),
      ...choice("Content-Type", bodies.map(({ type }) => type), this.#type, (type) => {
        this.#type = type;
        this.#text = this.#sampleBody();
        this.#fields.querySelector("textarea").value = this.#text;
      }),
      ...choice("Accept", types, this.#accept, (type) => {
        this.#accept = type;
        this.#showExample();
      }),
      ...shown.filter(({ required }) => !required).map((each) => this.#parameterField(each)));
  }

  #bodyField({ schema }) {
    const rows = Math.min(12, this.#text.split("\n").length + 1);
    return this.#field("body", ["Body ", make("small", {}, typeOf(schema))], "",
      make("textarea", { rows, spellcheck: false, value: this.#text }), (text) => { this.#text = text; });
  }

  #parameterField(parameter) {
    const { name, place, required, schema, description } = parameter;
    const resolved = this.#page.description.resolved(schema);
    const value = this.#values[keyOf(parameter)] ?? "";
    const note = [place, ...(required ? ["required"] : [])].join(", ");
    return this.#field(keyOf(parameter), [make("code", {}, name), " ", make("small", {}, note)], description,
      resolved.enum ? menu(["", ...resolved.enum], value)
        : make("input", { type: "text", autocomplete: "off", spellcheck: false, value }),
      (text) => { this.#values[keyOf(parameter)] = text.trim(); });
  }

  /** A labeled control. `change` gets what is entered. */
  #field(key, label, hint, control, change) {
    const id = this.#controlID(key);
    control.id = id;
    if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
    control.addEventListener(control.localName === "select" ? "change" : "input", () => {
      change(control.value);
      this.#showCommand();
    });
    const text = make("div", { className: "hint", id: `${id}-hint` }, ...prose(hint));
    return make("div", { className: "field" }, make("label", { htmlFor: id }, ...label), control, hint ? text : null);
  }

  // The sample

  get #goodAnswer() {
    return this.#sent.answers.find(({ status }) => status < "4");
  }

  get #request() {
    // The server chooses the first type by itself.
    const accept = this.#accept === this.#goodAnswer?.contents[0]?.type ? "" : this.#accept;
    return requestFor(this.#sent, this.#values, { type: this.#type, body: this.#text, accept });
  }

  #showExample() {
    const { catalog, examples } = this.#page;
    const { status = "", contents = [] } = this.#goodAnswer ?? {};
    const { type, example } = contents.find((each) => each.type === this.#accept) ?? contents[0] ?? { type: "" };
    const shown = examples[this.#described.id] ?? example;
    const isOwn = JSON.stringify(ownExample(shown, catalog)) === JSON.stringify(shown);
    this.#answer.showExample(status, type, shown, isOwn ? "Example" : "Example of another app");
  }

  #showCommand() {
    showCode(this.#command, this.#page.toCommand(this.#request));
  }

  /** Opens the form, which then sends. What only reads or has no form is sent at once. */
  #press(event) {
    if (this.#form?.open) return;
    event.preventDefault();
    this.open();
    if (this.#form === null || this.#described.method === "GET") this.send();
    else (this.#fields.querySelector("textarea") ?? this.#fields.querySelector("input, select")).focus();
  }

  async send() {
    const missing = this.#sent.parameters
      .find((each) => each.place === "path" && !this.#values[keyOf(each)]);
    if (missing) {
      this.open();
      this.#answer.showStatus("",
        isSession(missing) ? "Choose a session at the top, or enter its id." : `Enter ${missing.name}.`);
      return document.getElementById(this.#controlID(keyOf(missing)))?.focus();
    }
    const { method, path, headers, body } = this.#request;
    return this.#answer.receive(path, { method, headers, body }, () => path !== "/login" && this.#page.askForKey());
  }
}

function menu(values, chosen) {
  return make("select", {},
    ...values.map((value) => make("option", { value, selected: value === chosen }, value)));
}
