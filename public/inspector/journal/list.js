// @ts-check
// The journal in the dialog of raw documents: its entries as lines, newest first, with a filter.

import { $, keyed, make, setText } from "../dom.js";
import { roving } from "../keyboard.js";
import { originText } from "../origin.js";
import { payloadText, shortName } from "../trace.js";
import { handlersOf, isWanted } from "./filter.js";

/** The number of lines at first, and the number that is added. */
const step = 200;

/** The parts of the filter, and the ids of their fields. */
const fields = { text: "filter-text", handler: "filter-handler", origin: "filter-origin" };

const origins = { client: "clients", work: "work", timer: "timers", host: "the host" };

export class JournalList {
  #updateTabStop = roving($("entries"), ".entry");
  /** @type {any} */
  #session = null;
  #count = step;

  /** Callbacks: travel(version), and readOlder(), which loads older entries. */
  constructor({ travel, readOlder }) {
    $("entries").addEventListener("click", ({ target }) => {
      const version = target.closest("[data-version]")?.dataset.version;
      if (version !== undefined) travel(Number(version));
    });
    $("journal-filters").addEventListener("submit", (event) => event.preventDefault());
    $("filter-text").addEventListener("input", () => this.#filter());
    for (const id of [fields.handler, fields.origin]) $(id).addEventListener("change", () => this.#filter());
    $("load-older").addEventListener("click", async () => {
      this.#count += step;
      if (this.#wanted.length < this.#count && this.#session.hasOlder) await readOlder();
      this.#show();
    });
    for (const [value, name] of Object.entries(origins)) {
      $("filter-origin").append(make("option", { value }, `from ${name}`));
    }
  }

  /** Shows a session's entries that match the filter. */
  show(session) {
    if (session.id !== this.#session?.id) this.#count = step;
    this.#session = session;
    keyed($("filter-handlers"), handlersOf(session.entries), (id) => id, (id) => make("option", { value: id }),
      (option, id) => {
        setText(option, shortName(id));
        option.title = id;
      });
    this.#show();
  }

  get #wanted() {
    const filter = Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, $(id).value]));
    return this.#session.entries.filter((entry) => isWanted(entry, filter));
  }

  #filter() {
    this.#count = step;
    this.#show();
  }

  #show() {
    const { entries, hasOlder } = this.#session;
    const wanted = this.#wanted;
    setText($("filter-count"), wanted.length === entries.length
      ? "" : `${wanted.length} of ${entries.length} entries`);
    $("entries-none").hidden = wanted.length > 0;
    setText($("entries-none"), entries.length === 0 ? "Nothing has happened yet." : "No entries match.");
    $("load-older").hidden = wanted.length <= this.#count && !hasOlder;
    const lines = wanted.slice(-this.#count).reverse();
    keyed($("entries"), lines, ({ version }) => version, makeLine, (line, entry) => this.#measure(line, entry));
    this.#updateTabStop($("entries").querySelector(".entry"));
  }

  /** Shows how long an entry's event or work took, once that is known. */
  #measure(line, entry) {
    const took = this.#session.tookOf(entry);
    const part = line.querySelector(".entry-took");
    if (took === null || part.title !== "") return;
    const { text, what, isSlow } = took;
    part.replaceChildren(text, ...(isSlow ? [make("span", { className: "visually-hidden" }, ", slow")] : []));
    part.title = `${what}${isSlow ? " That is slow." : ""}`;
    part.classList.toggle("slow", isSlow);
  }
}

function makeLine(entry) {
  const { version, event, payload, time, handledBy, path } = entry;
  const className = `entry${handledBy === null ? " unhandled" : ""}`;
  return make("li", {},
    make("button", { type: "button", className, tabIndex: -1, "data-version": version },
    make("span", { className: "entry-version" }, String(version)),
    make("span", { className: "entry-event" }, event),
    make("span", { className: "entry-payload" }, payloadText(payload)),
    make("span", { className: "entry-origin" }, originText(entry)),
    make("span", { className: "entry-handled" }, handledBy === null ? "Not handled" : shortName(handledBy)),
    make("span", { className: "entry-path" }, path),
    make("span", { className: "entry-took" }),
    make("time", { className: "entry-time", dateTime: time },
      new Date(time).toLocaleTimeString([], { hour12: false }))));
}
