// @ts-check
// A form that sends a request of the description and shows the answer while it arrives.

import { make, setText } from "../dom.js";
import { requestFor } from "./description.js";

/** The most characters of an answer that are shown. Streams never end, so they are cut. */
const longestAnswer = 200_000;

const streams = "text/event-stream";

export class Tryout {
  #operation;
  #fields;
  /** @type {any} */
  #type = null;
  /** @type {any} */
  #accept = null;
  /** @type {any} */
  #body = null;
  #command = make("code");
  #status = make("p", { className: "tryout-status", role: "status" });
  #answer = make("pre", {
    className: "tryout-answer", tabIndex: 0, hidden: true, role: "region", "aria-label": "Answer",
  });
  #stop = make("button", { type: "button", className: "quiet", hidden: true }, "Stop");
  /** @type {any} */
  #sending = null;

  /**
   * - description: the API's description. - session: the id to start with.
   *
   * Callbacks: toCommand(request), which returns a curl command; copy(text); askForKey(), if the server requires a key.
   */
  constructor(operation, { description, session, toCommand, copy, askForKey }) {
    this.#operation = operation;
    this.toCommand = toCommand;
    this.askForKey = askForKey;
    const id = (name) => `try-${operation.id}-${name.replaceAll(" ", "-")}`;
    const field = (name, title, hint, control) => make("div", { className: "field" },
      make("label", { htmlFor: id(name) }, title, " ", make("span", { className: "field-type" }, hint)),
      Object.assign(control, { id: id(name) }));
    const menu = (values) => make("select", {}, ...values.map((value) => make("option", { value }, value)));
    const sendable = operation.parameters.filter(({ place }) => place !== "cookie");
    this.#fields = sendable.map(({ name, place, required, schema }) => {
      const { enum: choices } = description.resolved(schema);
      const control = choices
        ? menu(["", ...choices]) : make("input", { type: "text", autocomplete: "off", spellcheck: false });
      const isSession = (place === "path" && name === "id") || (place === "header" && name === "Session");
      if (isSession) control.dataset.session = "";
      control.dataset.parameter = `${place} ${name}`;
      return field(`${place} ${name}`, name, required ? place : `${place}, optional`, control);
    });
    const { bodies } = operation;
    if (bodies.length > 0) {
      const example = ({ schema, example }) => example ?? description.exampleOf(schema);
      const text = (content) => (content.type === "application/json" ? JSON.stringify(example(content), null, 2) : "");
      this.#body = make("textarea", { rows: 6, spellcheck: false, value: text(bodies[0]) });
      this.#fields.push(field("body", "Body", bodies.map(({ type }) => type).join(", "), this.#body));
      this.#type = bodies.length > 1 ? menu(bodies.map(({ type }) => type)) : null;
      if (this.#type) {
        this.#type.addEventListener("change", () => {
          this.#body.value = text(bodies.find(({ type }) => type === this.#type.value));
        });
        this.#fields.push(field("type", "Content-Type", "header", this.#type));
      }
    }
    const types = operation.answers.find(({ status }) => status === "200")?.contents.map(({ type }) => type) ?? [];
    if (types.length > 1) {
      this.#accept = menu(types);
      this.#fields.push(field("accept", "Accept", "header", this.#accept));
    }
    this.element = make("form", { className: "tryout", noValidate: true },
      make("h3", {}, "Try it"), make("div", { className: "fields" }, ...this.#fields),
      make("pre", { className: "tryout-command", tabIndex: 0, role: "region", "aria-label": "As curl" }, this.#command),
      make("div", { className: "tryout-tools" },
        make("button", { type: "submit", className: "primary" }, "Send"), this.#stop,
        make("button", { type: "button", className: "quiet", onclick: () => copy(this.#command.textContent) },
          "Copy as curl")),
      this.#status, this.#answer);
    this.use(session);
    this.element.addEventListener("input", () => this.#showCommand());
    this.#stop.addEventListener("click", () => this.#sending?.abort());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** Sets the session that requests are sent to. */
  use(session) {
    for (const control of this.element.querySelectorAll("[data-session]")) control.value = session;
    this.#showCommand();
  }

  get #request() {
    const values = Object.fromEntries([...this.element.querySelectorAll("[data-parameter]")]
      .map((control) => [control.dataset.parameter, control.value.trim()]));
    return requestFor(this.#operation, values, {
      type: this.#type?.value ?? this.#operation.bodies[0]?.type, body: this.#body?.value, accept: this.#accept?.value,
    });
  }

  #showCommand() {
    setText(this.#command, this.toCommand(this.#request));
  }

  async #send() {
    this.#sending?.abort();
    const { method, path, headers, body } = this.#request;
    const sending = new AbortController();
    this.#sending = sending;
    this.#answer.hidden = true;
    setText(this.#answer, "");
    setText(this.#status, "Sent…");
    this.#stop.hidden = false;
    try {
      const answer = await fetch(path, { method, headers, body, cache: "no-store", signal: sending.signal });
      const told = ["ETag", "Location", "Session", "Allow", "Retry-After", "Preference-Applied"]
        .filter((name) => answer.headers.has(name)).map((name) => `${name}: ${answer.headers.get(name)}`);
      setText(this.#status, [`${answer.status} ${answer.statusText}`, ...told].join(" · "));
      if (answer.headers.has("WWW-Authenticate") && path !== "/login") this.askForKey();
      await this.#show(answer);
    } catch (error) {
      if (sending !== this.#sending) return;
      const end = sending.signal.aborted ? "Stopped." : `No answer: ${error.message}.`;
      setText(this.#status, [this.#status.textContent, end].filter((each) => each !== "Sent…").join(" · "));
    } finally {
      if (sending === this.#sending) this.#stop.hidden = true;
    }
  }

  async #show(answer) {
    const type = answer.headers.get("Content-Type") ?? "";
    this.#answer.hidden = answer.body === null || answer.status === 204;
    if (!type.startsWith(streams)) return this.#write(indented(await answer.text(), type));
    for await (const piece of pieces(answer.body)) this.#write(this.#answer.textContent + piece);
  }

  #write(text) {
    setText(this.#answer, text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…` : text);
  }
}

/** The text of a body, piece by piece. */
async function* pieces(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function indented(text, type) {
  if (!/json\b/.test(type) || type.includes("ndjson")) return text;
  try {
    // Text with numbers that JavaScript would round stays unchanged.
    return /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
