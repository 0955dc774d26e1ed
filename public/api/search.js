// @ts-check
// The search over operations, the app's events, problems, documents and topics.

import { $, make, setAttribute } from "../inspector/dom.js";

/** The most results that are shown. */
const most = 12;

/**
 * What the search finds. A result leads to the element with this `id`; an event is also filled into its form.
 * @typedef {{ kind: string, title: string, note: string, id: string, event?: any }} Entry
 */

/**
 * @param {import("./description.js").Description} description
 * @param {import("./description.js").Catalog | null} catalog
 * @returns {Entry[]}
 */
export function entriesOf({ operations, problems, schemas, topics }, catalog) {
  const sender = operations.find(({ bodies }) => bodies[0]?.schema.$ref === "#/components/schemas/Event")?.id ?? "";
  const isProblem = (/** @type {string} */ name) => problems.some((each) => each.name === name);
  return [
    ...operations.map(({ id, method, path, short, summary }) =>
      ({ kind: "Request", title: summary, note: [`${method} ${path}`, short?.path].filter(Boolean).join(" "), id })),
    ...(catalog?.events ?? []).filter(({ origin }) => origin === "client").map((event) =>
      ({ kind: "Event", title: event.name, note: Object.keys(event.payload).join(", "), id: sender, event })),
    ...problems.map(({ name, code, status }) => ({ kind: "Problem", title: code, note: status, id: `schema-${name}` })),
    ...schemas.filter(([name]) => !isProblem(name)).map(([name, { description = "" }]) =>
      ({ kind: "Document", title: name, note: description, id: `schema-${name}` })),
    ...topics.map(({ title }, index) => ({ kind: "Topic", title, note: "", id: `topic-${index}` })),
  ];
}

/**
 * The entries with every word of a query: first those with this title, then those with a word that begins like it.
 * @param {Entry[]} entries
 * @param {string} query
 */
export function found(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = (/** @type {Entry} */ { title, note }) => {
    const name = title.toLowerCase();
    const all = `${name} ${note.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return 4;
    if (name === words.join(" ")) return 0;
    return ` ${name}`.includes(` ${words[0]}`) ? 1 : name.includes(words[0]) ? 2 : 3;
  };
  return entries.map((entry) => ({ entry, rank: rank(entry) })).filter((each) => each.rank < 4)
    .toSorted((one, other) => one.rank - other.rank).slice(0, most).map(({ entry }) => entry);
}

export class Search {
  /** @type {Entry[]} */
  #entries = [];
  /** @type {Entry[]} */
  #results = [];
  #chosen = 0;

  /** Calls `go(entry)` for the entry that the user chooses. */
  constructor(go) {
    this.go = go;
    const field = $("search");
    field.addEventListener("input", () => this.#show(found(this.#entries, field.value)));
    field.addEventListener("focus", () => this.#show(found(this.#entries, field.value)));
    field.addEventListener("blur", () => this.#show([]));
    field.addEventListener("keydown", (event) => this.#press(event));
    // A press outside the field would take the focus from it, and so close the results before the click.
    $("results").addEventListener("pointerdown", (event) => event.preventDefault());
    $("results").addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option) this.#choose([...$("results").children].indexOf(option));
    });
    addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isTyping = document.activeElement?.matches("input, textarea, select");
      if (key !== "/" || ctrlKey || metaKey || altKey || isTyping) return;
      event.preventDefault();
      field.select();
    });
  }

  /** @param {Entry[]} entries */
  use(entries) {
    this.#entries = entries;
  }

  #press(event) {
    const { key } = event;
    const count = this.#results.length;
    const move = (/** @type {number} */ step) => count > 0 && this.#mark((this.#chosen + step + count) % count);
    /** @type {Record<string, () => unknown>} */
    const actions = {
      ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => count > 0 && this.#choose(this.#chosen),
      Escape: () => this.#clear(),
    };
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #clear() {
    $("search").value = "";
    this.#show([]);
  }

  #show(results) {
    const hasQuery = $("search").value.trim() !== "" && document.activeElement === $("search");
    this.#results = results;
    $("results").replaceChildren(...results.map(({ kind, title, note }, index) =>
      make("li", { role: "option", id: `result-${index}` },
        make("small", {}, kind), make("strong", {}, title), make("span", {}, note))));
    $("results").hidden = results.length === 0;
    $("search-state").textContent = hasQuery ? `${results.length || "Nothing"} found.` : "";
    $("search-state").classList.toggle("none", hasQuery && results.length === 0);
    setAttribute($("search"), "aria-expanded", results.length > 0);
    this.#mark(0);
  }

  #mark(index) {
    this.#chosen = index;
    for (const [each, option] of [...$("results").children].entries()) {
      setAttribute(option, "aria-selected", each === index);
      if (each === index) option.scrollIntoView({ block: "nearest" });
    }
    setAttribute($("search"), "aria-activedescendant", this.#results.length > 0 ? `result-${index}` : null);
  }

  #choose(index) {
    const entry = this.#results[index];
    this.#clear();
    this.go(entry);
  }
}
