// @ts-check
// The palette: one field that finds screens, paths, events, buttons and commands, and does what is chosen.

import { Problem } from "./api.js";
import { showBusy } from "./busy.js";
import { $, make, setAttribute, setText } from "./dom.js";
import { actionOf, keyOf } from "./keys.js";
import { typedItem } from "./palette/items.js";
import { found, isThere, offered } from "./palette/matching.js";
import { movedOn, plainDetail } from "./problems.js";

/** @typedef {import("./palette/items.js").Item} Item */
/** @typedef {import("./palette/matching.js").Group<Item>} Group */

/** The number of items that are remembered as used. */
const mostRecent = 5;

const label = "Find a screen, an event, a command";

export class Palette {
  /** @type {() => Item[]} */
  #read = () => [];
  /** @type {Item[]} */
  #items = [];
  /** @type {Item[]} The items of the rows that are shown. */
  #rows = [];
  #chosen = 0;
  /** @type {string[]} The keys of the items that were used last, newest first. */
  #recent = [];
  /** @type {any} The server's problem with the last choice, or null. */
  #problem = null;
  #isBusy = false;

  /**
   * Callbacks: read(), which returns all items; open(path), which opens what the user typed; report(problem), for a
   * problem after the palette was closed.
   * @param {{ read: () => Item[], open: (path: string) => unknown, report: (problem: any) => void }} callbacks
   */
  constructor({ read, open, report }) {
    this.open = open;
    this.report = report;
    const [input, list] = [$("palette-text"), $("palette-list")];
    for (const [id, scope, action] of [
      ["palette-key", "page", "palette"], ["palette-take-key", "palette", "take"],
      ["palette-second-key", "palette", "second"],
    ]) setText($(id), keyOf(scope, action));
    $("open-palette").addEventListener("click", () => this.show(read));
    addEventListener("keydown", (event) => {
      if (actionOf("page", event) !== "palette" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.show(read);
    });
    $("palette").addEventListener("keydown", (event) => this.#pressed(event));
    // A press beside the dialog is a press on its backdrop.
    $("palette").addEventListener("click", ({ target }) => target === $("palette") && this.#close());
    input.addEventListener("input", () => {
      this.#problem = null;
      this.#find();
    });
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("pointermove", ({ target }) => {
      const index = indexOf(target);
      if (index !== null && index !== this.#chosen) this.#choose(index);
    });
    list.addEventListener("click", ({ target }) => {
      const index = indexOf(target);
      if (index !== null) this.#take(this.#rows[index]);
    });
    $("palette-take").addEventListener("click", () => this.#take(this.#rows[this.#chosen]));
    $("palette-second").addEventListener("click", () => this.#second());
  }

  /**
   * Opens with the items that `read` returns. It reads them again when the session changes.
   * @param {() => Item[]} read
   */
  show(read, purpose = label) {
    this.#read = read;
    this.#problem = null;
    this.#items = read();
    $("palette-text").value = "";
    $("palette-text").placeholder = purpose;
    setAttribute($("palette-text"), "aria-label", purpose);
    this.#find();
    $("palette").showModal();
  }

  /** Shows what the session offers by now. The chosen row stays, if it is still there. */
  refresh() {
    if (!$("palette").open || this.#isBusy) return;
    const { key } = this.#rows[this.#chosen] ?? {};
    this.#items = this.#read();
    this.#find(key);
  }

  #close() {
    $("palette").close();
    // What had the focus before can be gone.
    const { activeElement } = document;
    if (activeElement === document.body || $("palette").contains(activeElement)) $("open-palette").focus();
  }

  #pressed(event) {
    const action = actionOf("palette", event);
    if (event.target !== $("palette-text") && action !== "toggle") return;
    if (action === "next" || action === "previous") {
      const count = this.#rows.length;
      if (count > 0) this.#choose((this.#chosen + (action === "next" ? 1 : count - 1)) % count, true);
    } else if (action === "take") {
      this.#take(this.#rows[this.#chosen]);
    } else if (action === "second") {
      this.#second();
    } else if (action === "toggle") {
      event.stopPropagation();
      this.#close();
    } else {
      return;
    }
    event.preventDefault();
  }

  // Doing what is chosen

  /** @param {Item | undefined} item */
  #take(item) {
    if (!item) return;
    if (item.fills === undefined) return this.#perform(item, item.act);
    $("palette-text").value = item.fills;
    $("palette-text").focus();
    this.#find();
  }

  #second() {
    const item = this.#rows[this.#chosen];
    if (item?.second) this.#perform(item, item.second);
  }

  /**
   * Closes when it is done, so that a problem is shown where the user can correct the text.
   * @param {Item} item
   * @param {import("./palette/items.js").Act} act
   */
  async #perform({ key }, { run, leaves = false }) {
    if (this.#isBusy) return;
    this.#recent = [key, ...this.#recent.filter((each) => each !== key)].slice(0, mostRecent);
    if (leaves) {
      this.#close();
      return run();
    }
    this.#isBusy = true;
    try {
      await showBusy($("palette-list"), run());
      if ($("palette").open) this.#close();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.#refuse(problem);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Shows a problem, with its suggestions as rows. */
  #refuse(problem) {
    const isShownElsewhere = problem.isUnknownSession || problem.isUnauthorized;
    const shown = problem.isConflict ? movedOn(problem) : problem;
    if (!$("palette").open) return isShownElsewhere || this.report(shown);
    if (isShownElsewhere) return this.#close();
    this.#problem = shown;
    this.#find();
  }

  // Showing rows

  /**
   * Shows the items that match, and chooses the first one, or the one with a key.
   * @param {string} [key]
   */
  #find(key) {
    const text = $("palette-text").value.trim();
    const groups = this.#problem ? this.#suggested() : text === "" ? offered(this.#items, this.#recent)
      : this.#found(text);
    this.#rows = groups.flatMap(({ items }) => items);
    let index = 0;
    $("palette-list").replaceChildren(...groups.map(({ name, items, count }) =>
      make("div", { role: "group", "aria-label": name },
        make("div", { className: "palette-group", role: "presentation" }, name,
          count > items.length ? make("span", {}, `${items.length} of ${count}`) : null),
        ...items.map((item) => row(item, index++)))));
    $("palette-problem").hidden = this.#problem === null;
    $("palette-problem").replaceChildren(...(this.#problem
      ? [make("strong", {}, this.#problem.title), ` ${plainDetail(this.#problem)}`] : []));
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    setText($("palette-count"), this.#problem || text === "" ? ""
      : count === 0 ? `Nothing matches “${text}”.` : `${count} result${count === 1 ? "" : "s"}`);
    $("palette-list").hidden = this.#rows.length === 0;
    $("palette-list").scrollTop = 0;
    this.#choose(Math.max(0, this.#rows.findIndex((item) => item.key === key)));
  }

  /**
   * The items that match a text. A text that is a path can be opened even if it is unknown. What comes after the first
   * missing value of a pattern is ignored.
   * @param {string} text
   * @returns {Group[]}
   */
  #found(text) {
    if (!text.startsWith("/")) return found(this.#items, text);
    const typed = this.#items.find((item) => item.key === `path ${text}` && !item.fills) ?? typedItem(text, this.open);
    const untyped = Map.groupBy(this.#items.filter((item) => item !== typed && item.fills !== text),
      ({ group }) => group === typed.group);
    const [paths, others] = [true, false].map((isPath) => found(untyped.get(isPath) ?? [], text.split("{")[0]));
    const open = [{ name: "Open", items: [typed], count: 1 }];
    const lacksValue = text.includes("{") || (text.length > 1 && text.endsWith("/"));
    return lacksValue ? [...paths, ...others, ...open] : [...open, ...paths, ...others];
  }

  /** @returns {Group[]} What the problem suggests, and what it knows. */
  #suggested() {
    const { didYouMean, known = [] } = this.#problem;
    const itemOf = (/** @type {string} */ value) => this.#items.find(({ title }) => title === value)
      ?? (value.startsWith("/") ? typedItem(value, this.open) : undefined);
    const group = (/** @type {string} */ name, /** @type {any[]} */ values) => {
      const items = values.map(itemOf).filter(isThere);
      return { name, items, count: items.length };
    };
    const others = known.filter((/** @type {string} */ value) => value !== didYouMean);
    return [group("Did you mean", didYouMean ? [didYouMean] : []), group("Known paths", others)]
      .filter(({ count }) => count > 0);
  }

  /** Chooses the row with an index. */
  #choose(index, isByKey = false) {
    this.#chosen = index;
    for (const option of $("palette-list").querySelectorAll("[role=option]")) {
      const isChosen = indexOf(option) === index;
      setAttribute(option, "aria-selected", isChosen);
      if (isChosen && isByKey) option.scrollIntoView({ block: "nearest" });
    }
    const item = this.#rows[index];
    setAttribute($("palette-text"), "aria-activedescendant", item ? idOf(index) : null);
    $("palette-take").hidden = !item;
    setText($("palette-take-verb"), item?.act.verb ?? "");
    $("palette-second").hidden = !item?.second;
    setText($("palette-second-verb"), item?.second?.verb ?? "");
  }
}

/** @param {number} index */
const idOf = (index) => `palette-row-${index}`;

/** The index of the row that an element is in, or null. */
function indexOf(element) {
  const option = element.closest("[role=option]");
  return option ? Number(option.id.slice(idOf(0).length - 1)) : null;
}

/**
 * @param {Item} item
 * @param {number} index
 */
function row({ title, also, detail, code, mark, isCode }, index) {
  const parts = [
    [isCode ? "code" : "span", "palette-title", title], ["span", "palette-detail", also ?? detail],
    ["code", "palette-code", code], ["span", "palette-mark", mark],
  ];
  return make("div", { role: "option", id: idOf(index), className: "palette-row", "aria-selected": "false" },
    ...parts.filter(([, , text]) => text)
      .map(([name, className, text]) => make(String(name), { className }, String(text))));
}
