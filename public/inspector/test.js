// @ts-check
// The test of the way here, in the panel. It grows with each event. A step is one event, and choosing it shows its
// version.

import { thisServer } from "./curl.js";
import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { roving } from "./keyboard.js";
import { actionOf } from "./keys.js";
import { keep, recall } from "./panel.js";
import { curl } from "./test/curl.js";
import { pressIn } from "./test/pressed.js";
import { python } from "./test/python.js";
import { swift } from "./test/swift.js";
import { isForeign, testText } from "./test/text.js";
import { readJournal } from "./journal/lines.js";

const names = ["swift", "curl", "python"];

/** The most steps on the page. */
const most = 200;

const hint = "Each press adds a line here. Copy the test when you are done.";

export class TestPanel {
  #language = recall("language", names);
  /** @type {any} */
  #session = null;
  /** @type {any} The first line of the exported journal, or null until it is known. */
  #header = null;
  /** The journal's entries from the first one on, as far as they are known. */
  #entries = /** @type {any[]} */ ([]);
  #isReplayed = false;
  /** The presses that the page could see, by the version that they led to. */
  #presses = new Map();
  /** @type {any} The newest route document of the session. */
  #route = null;
  /** The first step on the page. The last steps are shown unless the user looks at earlier ones. */
  #first = 0;
  #followsEnd = true;
  /** The version that is marked. */
  #marked = 0;
  /** @type {Promise<void> | null} The request for the whole journal, or null. */
  #reading = null;
  /** @type {any} The session whose whole journal was requested to show it. */
  #asked = null;
  /** The text of each step on the page. */
  #texts = new WeakMap();
  #updateTabStop = roving($("test-steps"), "[role=option]");

  /**
   * Callbacks: travel(version); copy(text); filledIn(entry), which adds placeholders for secrets to an entry's event.
   * They can throw problems, which `attempt` shows.
   */
  constructor({ travel, copy, filledIn, attempt }) {
    this.filledIn = filledIn;
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
      await this.#readWhole();
      await copy(testText(this.#writer, this.#header, this.#entries, (entry) => this.#prepared(entry)));
    }));
    $("test-earlier").addEventListener("click", () => this.#look(this.#first - most / 2));
    $("test-later").addEventListener("click", () => this.#look(this.#first + most / 2));
    this.attempt = attempt;
  }

  get #writer() {
    const server = thisServer();
    return { swift, curl: curl(server), python: python(server) }[this.#language] ?? swift;
  }

  show(session) {
    if (session.id !== this.#session?.id) this.#forget();
    this.#session = session;
    this.#header ??= session.header ?? null;
    this.#learn(session);
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

  #forget() {
    this.#header = null;
    this.#entries = [];
    this.#isReplayed = false;
    this.#presses.clear();
    this.#first = 0;
    this.#followsEnd = true;
    // The first press in a preview creates the session, so its route is still that of version 0.
    if (this.#session?.id !== null) this.#route = null;
  }

  /** Takes the entries that are new. */
  #learn({ entries, firstEntry, outcomes, route }) {
    this.#take(entries.slice(Math.max(0, this.#entries.length + 1 - firstEntry)));
    for (const entry of entries.slice(Math.max(0, (this.#route?.version ?? 0) + 1 - firstEntry))) {
      const before = entry.version - 1 === this.#route?.version ? this.#route : outcomes.get(entry.version - 1)?.route;
      const press = before ? pressIn(before, { ...entry, ...this.filledIn(entry) }) : null;
      if (press) this.#presses.set(entry.version, press);
    }
    if (route) this.#route = route;
  }

  #take(entries) {
    for (const entry of entries) {
      if (entry.version !== this.#entries.length + 1) continue;
      this.#entries.push(entry);
      this.#isReplayed ||= isForeign(entry);
    }
  }

  /** Whether the journal has entries before those that the session has loaded. */
  get #isMissing() {
    return this.#header === null || this.#entries.length < (this.#session.entries.at(-1)?.version ?? 0);
  }

  /** Reads the whole journal to show it. If that fails, Copy tries again. */
  #readOnce() {
    if (this.#asked === this.#session) return;
    this.#asked = this.#session;
    this.attempt(() => this.#readWhole());
  }

  #readWhole() {
    if (!this.#isMissing) return Promise.resolve();
    this.#reading ??= this.#readJournal().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #readJournal() {
    const session = this.#session;
    const { header, entries } = readJournal(await session.exportedJournal({ isWhole: true }));
    if (session !== this.#session) return;
    this.#header = header;
    this.#take(entries.slice(this.#entries.length));
    this.#update();
  }

  #choose(language) {
    this.#language = language;
    keep("language", language);
    this.#update();
  }

  #look(first) {
    this.#first = first;
    this.#followsEnd = first + most >= this.#entries.length;
    this.#update();
  }

  /** An entry with what the page knows of it: its press, and placeholders for secrets. */
  #prepared(entry) {
    const { payload } = this.filledIn(entry);
    const placeholders = Object.keys(payload ?? {}).filter((name) => !(name in (entry.payload ?? {})));
    return { ...entry, payload, placeholders, pressed: this.#presses.get(entry.version) };
  }

  #update() {
    for (const button of $("test-languages").querySelectorAll("button")) {
      setAttribute(button, "aria-pressed", button.dataset.language === this.#language);
    }
    const hasSession = typeof this.#session?.id === "string";
    const isEmpty = !hasSession || (this.#entries.length === 0 && this.#session.route?.version === 0);
    $("test-copy").disabled = isEmpty;
    if ($("test-panel").hidden) return;
    if (hasSession && this.#isMissing) this.#readOnce();
    const isRead = hasSession && !this.#isMissing;
    $("test-none").hidden = !isEmpty && isRead;
    setText($("test-none"), isEmpty ? hint : "Reading the journal…");
    $("test").hidden = isEmpty || !isRead;
    if ($("test").hidden) return;
    const all = this.#entries;
    const last = Math.max(0, all.length - most);
    this.#first = this.#followsEnd ? last : Math.min(Math.max(0, this.#first), last);
    $("test").classList.toggle("replayed", this.#isReplayed);
    const journal = { header: this.#header, entries: all, isReplayed: this.#isReplayed };
    const writer = this.#writer;
    showLines($("test-opening"), writer.opening(journal));
    showLines($("test-closing"), writer.closing(journal));
    $("test-earlier").hidden = this.#first === 0;
    $("test-later").hidden = this.#first === last;
    const steps = all.slice(this.#first, this.#first + most);
    keyed($("test-steps"), steps, ({ version }) => version, makeStep, (step, entry) => {
      step.dataset.version = entry.version;
      setAttribute(step, "aria-selected", entry.version === this.#marked);
      const lines = writer.step(this.#isReplayed ? entry : this.#prepared(entry), entry.version - 1, journal);
      const text = lines.join("\n");
      if (this.#texts.get(step) !== text) showLines(step, lines);
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
