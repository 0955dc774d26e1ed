// @ts-check
// The answer beside an operation: the description's example, and then what the server answered.

import { make, setText } from "../inspector/dom.js";
import { answerText, exampleText, showCode } from "./code.js";

/** The most characters of an answer that are shown. Streams never end, so they are cut. */
const longestAnswer = 200_000;

/** The lines of an example that are shown at first. */
const shownLines = 7;

const streams = "text/event-stream";

export class Answer {
  #stop = make("button", { type: "button", hidden: true }, "Stop");
  #status = make("p", { role: "status" });
  #headers = make("details", { className: "headers", hidden: true });
  #body = make("pre", { hidden: true });
  #all = make("button", { type: "button", className: "all", hidden: true });
  /** @type {AbortController | null} */
  #sending = null;

  constructor() {
    this.#stop.addEventListener("click", () => this.#sending?.abort());
    this.element = make("div", { className: "answer" },
      make("div", { className: "sample-head" }, this.#status, this.#stop), this.#headers, this.#body, this.#all);
  }

  /** Shows the beginning of an example, and offers the rest. */
  showExample(status, type, example, note) {
    const text = exampleText(type, example);
    const lines = text.split("\n");
    // A cut that hides only a few lines is not worth its button.
    const isCut = lines.length > shownLines + 3;
    this.showStatus(status, text ? note : type.split(";")[0] || "No body");
    this.#headers.hidden = true;
    this.#body.hidden = text === "";
    this.#all.hidden = !isCut;
    showCode(this.#body, isCut ? lines.slice(0, shownLines).join("\n") : text);
    setText(this.#all, `All ${lines.length} lines`);
    this.#all.onclick = () => {
      this.#showBody(text);
      this.#body.focus();
    };
  }

  showStatus(status, ...notes) {
    this.#status.replaceChildren(
      ...(status ? [make("span", { className: `status ${status < "4" ? "" : "error"}` }, status), " "] : []),
      notes.filter(Boolean).join(" · "));
  }

  /** Sends a request and shows the answer while it arrives. Calls `askForKey` if the server requires a key. */
  async receive(path, request, askForKey) {
    this.#sending?.abort();
    const sending = new AbortController();
    this.#sending = sending;
    this.showStatus("", "Sent…");
    this.#stop.hidden = false;
    const begin = performance.now();
    const notes = [];
    let status = "";
    try {
      const answer = await fetch(path, { ...request, cache: "no-store", signal: sending.signal });
      status = `${answer.status} ${answer.statusText}`.trim();
      notes.push(`${Math.round(performance.now() - begin)} ms`);
      this.showStatus(status, ...notes);
      this.#showHeaders([...answer.headers]);
      if (answer.headers.has("WWW-Authenticate")) askForKey();
      const type = answer.headers.get("Content-Type") ?? "";
      this.#showBody("");
      if (!type.startsWith(streams)) return this.#showBody(answerText(type, await answer.text()));
      for await (const piece of pieces(answer.body)) this.#showBody(this.#body.textContent + piece);
    } catch (error) {
      if (sending !== this.#sending) return;
      this.showStatus(status, ...notes, sending.signal.aborted ? "Stopped." : `No answer: ${error.message}.`);
    } finally {
      if (sending === this.#sending) this.#stop.hidden = true;
    }
  }

  #showHeaders(headers) {
    this.#headers.hidden = headers.length === 0;
    this.#headers.replaceChildren(make("summary", {}, `${headers.length} headers`),
      make("dl", {}, ...headers.map(([name, value]) =>
        make("div", {}, make("dt", {}, name), " ", make("dd", {}, value)))));
  }

  /** Shows a text that can be so long that it scrolls. */
  #showBody(text) {
    Object.assign(this.#body, { tabIndex: 0, role: "region", ariaLabel: "Answer", hidden: text === "" });
    this.#all.hidden = true;
    showCode(this.#body, text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…` : text);
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
