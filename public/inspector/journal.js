// @ts-check
// The journal: every event of the session, newest first, with its handler and the path after it.

import { $, icon, make, setAttribute, setText } from "./dom.js";
import { roving, withinRows } from "./keyboard.js";
import { RowList } from "./journal/rowlist.js";
import { Room } from "./journal/rows.js";
import { originIcon, originText } from "./origin.js";
import { payloadText, shortName } from "./trace.js";

/** The newest rows whose durations can become known after they are shown. */
const unmeasured = 50;

export class Journal {
  #updateTabStop = roving($("entries"), ".entry-travel");
  #room = new Room();
  /** @type {any} */
  #session = null;
  /** The number of rows that match the filter. */
  #total = 0;
  #rows = new RowList($("entries"), { create: makeEntry, update: (row, entry) => this.#update(row, entry) });
  /** The version that is marked as shown. */
  #marked = 0;

  /**
   * Callbacks: travel(version), copy(entry), canCopy(entry), edit(entry), inspect(version), loadOlder(), readOn().
   * `tools` decides which entries are shown.
   */
  constructor({ travel, copy, canCopy, edit, inspect, loadOlder, readOn, tools }) {
    this.canCopy = canCopy;
    this.tools = tools;
    $("entries").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const version = Number(target.closest("[data-version]")?.dataset.version);
      if (button?.matches(".entry-travel")) travel(version);
      if (button?.matches(".entry-copy")) copy(this.entries.find((entry) => entry.version === version));
      if (button?.matches(".entry-edit")) edit(this.#session.entryOf(version) ?? { version });
      if (button?.matches(".entry-json")) inspect(version);
    });
    withinRows($("entries"), ".entry");
    $("load-older").addEventListener("click", loadOlder);
    // Scrolling to the end loads older entries.
    const box = $("entries").parentElement;
    const end = new IntersectionObserver(async (changes) => {
      if (!changes.at(-1)?.isIntersecting) return;
      if (this.#room.grow(this.#total)) this.show(this.#session);
      else if (!this.#session?.hasOlder || !await readOn()) return;
      // If the end stays visible, the observer reports no change. So it starts to observe again.
      end.unobserve($("entries-end"));
      end.observe($("entries-end"));
    }, { root: box, rootMargin: "0px 0px 400px" });
    end.observe($("entries-end"));
    // At the newest entry, the rows far below are removed.
    box.addEventListener("scroll", () => {
      if (box.scrollTop === 0) this.#room.reset();
    });
  }

  /** Shows a session's entries, and marks the entry of the version that is shown. */
  show(session) {
    if (session.id !== this.#session?.id) {
      this.#room.reset();
      this.#rows.clear();
    }
    this.#session = session;
    this.entries = session.entries;
    const height = this.tools.heightBefore(session);
    const wanted = this.tools.wanted(session.entries);
    const hasBeginning = !session.hasOlder && !this.tools.isFiltering;
    this.#total = wanted.length + (hasBeginning ? 1 : 0);
    const count = this.#room.countFor(session.past === null ? -1 : placeOf(session.past.version, wanted));
    this.#rows.show(wanted, Math.max(0, wanted.length - count),
      hasBeginning && count > wanted.length ? { version: 0 } : null);
    this.#mark(session.shown.version);
    for (const entry of wanted.slice(-Math.min(unmeasured, count))) this.#measure(this.#rows.row(entry.version), entry);
    this.#updateTabStop(this.#rows.row(session.shown.version)?.firstElementChild ?? null);
    $("load-older").hidden = !session.hasOlder;
    setText($("journal-count"), String(session.route.version));
    this.tools.settle(session, { height });
  }

  /** Updates all entries when they are shown next, because other ones can be copied. */
  refresh() {
    this.#rows.refresh();
  }

  /** The row of a version, or undefined. */
  row(version) {
    return this.#rows.row(version);
  }

  /** Scrolls to the entry of a version. */
  reveal(version) {
    this.row(version)?.scrollIntoView({ block: "nearest" });
  }

  /** Marks the version that is shown, and the ones after it. Only those between it and the one before change. */
  #mark(version) {
    const [from, to] = [Math.min(version, this.#marked), Math.max(version, this.#marked)];
    this.#marked = version;
    for (let each = from; each <= to; each++) this.#markRow(this.#rows.row(each), each);
  }

  #markRow(row, version) {
    if (row === undefined) return;
    const { version: shown } = this.#session.shown;
    setAttribute(row.firstElementChild, "aria-current", version === shown ? "true" : null);
    row.classList.toggle("after", version > shown);
  }

  #update(row, entry) {
    if (row.dataset.version === undefined) describe(row, entry);
    this.#markRow(row, entry.version);
    this.#measure(row, entry);
    if (entry.version > 0) row.querySelector(".entry-copy").hidden = !this.canCopy(entry);
  }

  #measure(row, entry) {
    if (row === undefined || row.dataset.took !== undefined || entry.version === 0) return;
    showDuration(row, this.#session.tookOf(entry));
  }
}

/** The place of a version among entries, counted from the newest one. */
function placeOf(version, entries) {
  if (version === 0) return entries.length;
  const index = entries.findIndex((entry) => entry.version === version);
  return index < 0 ? -1 : entries.length - 1 - index;
}

function makeEntry({ version }) {
  const copies = version === 0 ? null : make("button", {
    type: "button", className: "entry-tool entry-copy", tabIndex: -1, title: "Copy as curl",
    "aria-label": `Copy event ${version} as curl`,
  }, icon("terminal"));
  return make("li", { className: "entry" },
    make("button", { type: "button", className: "entry-travel", tabIndex: -1 },
      make("span", { className: "entry-version" }),
      make("span", { className: "entry-origin", hidden: true }),
      make("span", { className: "entry-event" }),
      make("span", { className: "entry-payload" }),
      make("span", { className: "entry-times" },
        make("time", { className: "entry-time" }), make("span", { className: "entry-took", hidden: true })),
      make("span", { className: "entry-handled" }),
      make("span", { className: "entry-path" })),
    make("button", {
      type: "button", className: "entry-tool entry-edit", tabIndex: -1, title: "Edit and replay",
      "aria-label": `Edit version ${version} and replay`, "aria-haspopup": "dialog",
    }, icon("edit")),
    copies,
    make("button", {
      type: "button", className: "entry-tool entry-json", tabIndex: -1, title: "JSON",
      "aria-label": `JSON of version ${version}`,
    }, icon("braces")));
}

/** Shows how long an entry's event or work took, once that is known. */
function showDuration(item, took) {
  if (took === null) return;
  const { text, what, isSlow } = took;
  const part = item.querySelector(".entry-took");
  part.replaceChildren(text, ...(isSlow ? [make("span", { className: "visually-hidden" }, ", slow")] : []));
  part.title = `${what}${isSlow ? " That is slow." : ""}`;
  part.hidden = false;
  part.classList.toggle("slow", isSlow);
  item.dataset.took = text;
}

/** Describes an entry. It never changes, so this happens once. */
function describe(item, entry) {
  const { version, event, payload, time, handledBy, path } = entry;
  item.dataset.version = version;
  const part = (name) => item.querySelector(`.entry-${name}`);
  setText(part("version"), String(version));
  if (version === 0) {
    setText(part("event"), "Session started");
    item.classList.add("beginning");
    return;
  }
  item.dataset.event = event;
  setText(part("event"), event);
  setText(part("payload"), payloadText(payload));
  setText(part("time"), new Date(time).toLocaleTimeString([], { hour12: false }));
  part("time").dateTime = time;
  setText(part("handled"), handledBy === null ? "Not handled" : shortName(handledBy));
  item.classList.toggle("unhandled", handledBy === null);
  setText(part("path"), path);
  const origin = originText(entry);
  if (origin === "") return;
  const symbol = originIcon(entry);
  part("origin").replaceChildren(...(symbol ? [icon(symbol)] : []), origin);
  part("origin").hidden = false;
}
