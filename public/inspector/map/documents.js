// @ts-check
// The documents that the map is drawn from: the server's, or a file with the usage of recorded sessions.

import { readUsage } from "./usage.js";

export class MapDocuments {
  /** @type {any} The server's map; null until it is read. */
  own = null;
  /** @type {any} A map with usage that is shown instead, `{ name, document }`. */
  usage = null;
  #isReading = false;

  /** - read: returns the `document`, or the `delay` in seconds after which to ask again. */
  constructor(read) {
    this.read = read;
  }

  get shown() {
    return this.usage?.document ?? this.own;
  }

  /** Whether the server's map is read, or is being read. */
  get isOpen() {
    return this.own !== null || this.#isReading;
  }

  /** Reads the server's map; returns when it is there. */
  async open() {
    this.#isReading = true;
    try {
      while (!this.own) {
        const { document, delay } = await this.read();
        if (document) this.own = document;
        else await new Promise((resolve) => { setTimeout(resolve, 1000 * delay); });
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads a file with usage. Throws a `UsageError` if it has none for this app. */
  async openUsage(file) {
    this.usage = { name: file.name, document: readUsage(await file.text(), file.name, this.own.app) };
  }
}
