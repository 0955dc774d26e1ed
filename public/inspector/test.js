// @ts-check
// The test of the way here, in the panel. The server writes it. A step is one event, and choosing it shows its version.

import * as api from "./api.js";
import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { roving } from "./keyboard.js";
import { actionOf } from "./keys.js";
import { keep, recall } from "./panel.js";

const names = ["swift", "curl", "python"];

/** The most steps on the page. */
const most = 200;

const hint = "Each press adds a line here. Copy the test when you are done.";

export class TestPanel {
  #language = recall("language", names);
  /** @type {any} */
  #session = null;
  /** @type {any} The test and its language, or null until the server has written it. */
  #test = null;
  /** The session, the language and the version of the last request. */
  #asked = "";
  /** @type {Promise<void> | null} The request for the test, or null. */
  #reading = null;
  /** The first step on the page. The last steps are shown unless the user looks at earlier ones. */
  #first = 0;
  #followsEnd = true;
  /** The version that is marked. */
  #marked = 0;
  /** The text of each step on the page. */
  #texts = new WeakMap();
  #updateTabStop = roving($("test-steps"), "[role=option]");

  /** Callbacks: travel(version); copy(text). They can throw problems, which `attempt` shows. */
  constructor({ travel, copy, attempt }) {
    const choose = (target) => {
      const step = target.closest("[role=option]");
      if (step && document.getSelection()?.isCollapsed !== false) travel(Number(step.dataset.version));
    };
    $("test-steps").addEventListener("click", ({ target }) => choose(target));
    $("test-steps").addEventListener("keydown", (event) => {
      if (actionOf("test", event) !== "press") return;
      event.preventDefault();
      choose(event.target);
    });
    $("test-languages").addEventListener("click", ({ target }) => {
      const language = target.closest("[data-language]")?.dataset.language;
      if (language) this.#choose(language);
    });
    $("test-copy").addEventListener("click", () => attempt(async () => {
      while (this.#reading) await this.#reading;
      if (!this.#isCurrent) await this.#read();
      const { opening, steps, closing } = this.#test;
      await copy([opening, ...steps, closing].join(""));
    }));
    $("test-earlier").addEventListener("click", () => this.#look(this.#first - most / 2));
    $("test-later").addEventListener("click", () => this.#look(this.#first + most / 2));
    this.attempt = attempt;
  }

  show(session) {
    if (session.id !== this.#session?.id) {
      this.#test = null;
      this.#first = 0;
      this.#followsEnd = true;
    }
    this.#session = session;
    if (session.shown.version !== this.#marked) {
      this.#marked = session.shown.version;
      this.#followsEnd = session.past === null;
      const isOutside = this.#marked <= this.#first || this.#marked > this.#first + most;
      if (!this.#followsEnd && isOutside) this.#first = this.#marked - most / 2;
    }
    this.#update();
  }

  /** Shows the test, which was hidden until now. */
  open() {
    this.#update();
  }

  /** The session's version; 0 in a preview, which has no session yet. */
  get #version() {
    const { id, entries, route } = this.#session ?? {};
    return typeof id === "string" ? entries.at(-1)?.version ?? route?.version ?? 0 : 0;
  }

  /** Whether the test is in the chosen language, and has all steps. */
  get #isCurrent() {
    return this.#test?.language === this.#language && this.#test.steps.length >= this.#version;
  }

  /** Requests the test to show it. If that fails, Copy and the next event request it again. */
  #readOnce() {
    const asked = `${this.#session.id} ${this.#language} ${this.#version}`;
    if (this.#reading || this.#asked === asked || this.#session.hasEnded) return;
    this.#asked = asked;
    this.attempt(() => this.#read());
  }

  #read() {
    this.#reading ??= this.#readTest().finally(() => {
      this.#reading = null;
      this.#update();
    });
    return this.#reading;
  }

  async #readTest() {
    const { id } = this.#session;
    const language = this.#language;
    const test = await api.test(id, language);
    if (id === this.#session.id) this.#test = { ...test, language };
  }

  #choose(language) {
    this.#language = language;
    keep("language", language);
    this.#update();
  }

  #look(first) {
    this.#first = first;
    this.#followsEnd = first + most >= this.#test.steps.length;
    this.#update();
  }

  #update() {
    for (const button of $("test-languages").querySelectorAll("button")) {
      setAttribute(button, "aria-pressed", button.dataset.language === this.#language);
    }
    const isEmpty = this.#version === 0;
    $("test-copy").disabled = isEmpty;
    if ($("test-panel").hidden) return;
    if (!isEmpty && !this.#isCurrent) this.#readOnce();
    $("test").hidden = isEmpty || this.#test === null;
    $("test-none").hidden = !$("test").hidden;
    setText($("test-none"), isEmpty ? hint : "Writing the test…");
    if ($("test").hidden) return;
    const { opening, steps, closing } = this.#test;
    const last = Math.max(0, steps.length - most);
    this.#first = this.#followsEnd ? last : Math.min(Math.max(0, this.#first), last);
    showLines($("test-opening"), linesOf(opening));
    showLines($("test-closing"), linesOf(closing));
    $("test-earlier").hidden = this.#first === 0;
    $("test-later").hidden = this.#first === last;
    const shown = steps.slice(this.#first, this.#first + most)
      .map((text, index) => ({ version: this.#first + index + 1, text }));
    keyed($("test-steps"), shown, ({ version }) => version, makeStep, (step, { version, text }) => {
      step.dataset.version = version;
      setAttribute(step, "aria-selected", version === this.#marked);
      if (this.#texts.get(step) !== text) showLines(step, linesOf(text));
      this.#texts.set(step, text);
    });
    const marked = $("test-steps").querySelector("[aria-selected=true]");
    this.#updateTabStop(marked);
    if (this.#isNewlyMarked()) (marked ?? $("test-opening")).scrollIntoView({ block: "nearest" });
  }

  #scrolled = "";
  /** Whether another step is marked than the one that was scrolled to. */
  #isNewlyMarked() {
    const place = `${this.#session.id} ${this.#marked} ${this.#language}`;
    const isNew = place !== this.#scrolled;
    this.#scrolled = place;
    return isNew;
  }
}

function makeStep() {
  return make("li", { className: "test-step", role: "option", tabIndex: -1 });
}

/** The lines of a text, each of which ends with a line feed. */
function linesOf(text) {
  return text.split("\n").slice(0, -1);
}

/** Shows lines of code, each in an element, so that a long one wraps below its own beginning. */
function showLines(element, lines) {
  keyed(element, lines, (line) => line, makeLine, (shown, line) => {
    const indent = line.search(/\S|$/);
    shown.className = /^\s*(?:#expect|expect|assert)\b/.test(line) ? "line expects" : "line";
    setAttribute(shown, "data-indent", indent);
    setText(shown.firstElementChild, line.slice(0, indent));
    setText(shown.lastElementChild, `${line.slice(indent)}\n`);
  });
}

function makeLine() {
  return make("span", {}, make("span", { className: "indent" }), make("span"));
}
