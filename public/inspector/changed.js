// @ts-check
// What the event of the version shown changed, in sentences. Each version's changes are read when they are first shown.

import { compared, contentOf } from "./changes/difference.js";
import { sentences } from "./changes/words.js";
import { $, keyed, make, setText } from "./dom.js";

/** The number of versions whose sentences are kept. */
const kept = 200;

export class WhatChanged {
  /** @type {any} */
  #session = null;
  #isLive = false;
  /** @type {any} The route document of the version that is shown. Version 0 has no event. */
  #shown = null;
  /** The sentences by version, or null if the server could not provide them. */
  #told = new Map();
  #isAsking = false;

  /**
   * - read: returns the route documents before and after a version's event, or throws a problem.
   */
  constructor({ read }) {
    this.read = read;
  }

  show({ id, status, shown }) {
    const before = id === this.#session ? this.#shown : null;
    if (id !== this.#session) this.#told.clear();
    this.#session = id;
    this.#isLive = status === "live";
    this.#shown = shown;
    // The page has both documents of an event that arrives while it looks.
    if (before?.version === shown.version - 1) this.#remember(shown.version, told(before, shown));
    this.#update();
  }

  #update() {
    const told = this.#told.get(this.#shown.version);
    $("changed").hidden = !told;
    const texts = told?.length === 0 ? ["Nothing changed"] : (told ?? []).map(capitalized);
    keyed($("changed-list"), texts, (text) => text, () => make("li"), setText);
    this.#ask();
  }

  /** Reads one version at a time. Versions that are no longer shown are skipped. */
  async #ask() {
    const { version } = this.#shown;
    if (this.#isAsking || !this.#isLive || version === 0 || this.#told.has(version)) return;
    this.#isAsking = true;
    const session = this.#session;
    const texts = await this.read(version).then(([before, after]) => told(before, after)).catch(() => null);
    this.#isAsking = false;
    if (session === this.#session) this.#remember(version, texts);
    this.#update();
  }

  #remember(version, texts) {
    if (!this.#told.has(version)) this.#told.set(version, texts);
    for (const each of this.#told.keys()) {
      if (this.#told.size <= kept) break;
      if (each !== this.#shown.version) this.#told.delete(each);
    }
  }
}

/** The sentences for what differs in the second of two route documents. */
function told(before, after) {
  return sentences(compared(contentOf(before), contentOf(after)).changes, after);
}

/** A sentence with a capital letter. A name that comes first stays as it is. */
function capitalized(text) {
  return text.replace(/^[a-z]+(?= )/, (word) => word[0].toUpperCase() + word.slice(1));
}
