// @ts-check
// What changed, in the banner about the last event and in the focused journal entry. Each version's changes are read
// when they are first shown.

import { compared, contentOf } from "./changes/difference.js";
import { sentences } from "./changes/words.js";
import { $, keyed, make, setText } from "./dom.js";

/** The number of versions whose sentences are kept. */
const kept = 200;

export class WhatChanged {
  /** @type {any} */
  #session = null;
  #isLive = false;
  #hasStory = false;
  /** The version that is shown, and the version of the focused journal entry. */
  #shown = 0;
  #focused = 0;
  /** The sentences by version, or null if the server could not provide them. */
  #told = new Map();
  #isAsking = false;

  /** The lists in the journal's rows. */
  #lists = new Map();

  /**
   * Callbacks: read(version), which returns the route documents before and after a version's event, and can throw a
   * problem; row(version), the row in the journal or undefined.
   */
  constructor({ read, row }) {
    this.read = read;
    this.row = row;
    $("entries").addEventListener("focusin", ({ target }) => {
      // A click on an entry travels to it. Inserting content under the pointer would be in the way.
      if (!target.matches(":focus-visible")) return;
      this.#focused = Number(target.closest("[data-version]")?.dataset.version ?? 0);
      this.#update();
    });
  }

  show({ id, status, shown, story }) {
    if (id !== this.#session) this.#told.clear();
    if (id !== this.#session || shown.version !== this.#shown) this.#focused = 0;
    this.#session = id;
    this.#isLive = status === "live";
    this.#hasStory = story !== null;
    this.#shown = shown.version;
    this.#update();
  }

  /** The versions whose changes are needed. Version 0 has no event. */
  get #looked() {
    return [...new Set([this.#shown, this.#focused])].filter((version) => version > 0);
  }

  #update() {
    const looked = this.#looked;
    $("changed").hidden = !this.#hasStory;
    fill($("changed-list"), this.#told.get(this.#shown));
    $("changed-list").title = this.#told.get(this.#shown)?.join(", ") ?? "";
    for (const [version, list] of this.#lists) {
      if (looked.includes(version) && list.parentElement === this.row(version)) continue;
      list.remove();
      this.#lists.delete(version);
    }
    for (const version of looked) {
      const row = this.row(version);
      if (row === undefined) continue;
      if (!this.#lists.has(version)) {
        this.#lists.set(version, make("ul", { className: "entry-changes", "aria-label": "What changed" }));
        row.append(this.#lists.get(version));
      }
      fill(this.#lists.get(version), this.#told.get(version));
    }
    this.#ask();
  }

  /** Reads one version at a time. Versions that are no longer shown are skipped. */
  async #ask() {
    const version = this.#looked.find((each) => !this.#told.has(each));
    if (this.#isAsking || !this.#isLive || version === undefined) return;
    this.#isAsking = true;
    const session = this.#session;
    const told = await this.read(version)
      .then(([before, after]) => sentences(compared(contentOf(before), contentOf(after)).changes, after))
      .catch(() => null);
    this.#isAsking = false;
    if (session === this.#session) this.#remember(version, told);
    this.#update();
  }

  #remember(version, told) {
    this.#told.set(version, told);
    for (const each of this.#told.keys()) {
      if (this.#told.size <= kept) break;
      if (!this.#looked.includes(each)) this.#told.delete(each);
    }
  }
}

/** Shows sentences, or nothing until they are known. */
function fill(list, told) {
  const texts = told?.length === 0 ? ["Nothing changed"] : told ?? [];
  keyed(list, texts, (text) => text, () => make("li"), setText);
}
