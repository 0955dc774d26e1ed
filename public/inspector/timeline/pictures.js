// @ts-check
// The route documents of the timeline's frames. They are read when a frame stays visible, a few at a time, and the last
// ones are kept. It does not touch the page.

import { writeJSON } from "../exact.js";

/** The number of documents that are kept, and of requests at once. */
const kept = 300;
const atOnce = 2;

/** How long a document must be wanted before it is read, in milliseconds. */
const patience = 100;

/** From which duration on reading counts as slow, and how long it rests after a failure, in milliseconds. */
const slow = 250;
const longestRest = 10_000;

/**
 * @typedef {{ screen: unknown, navigation: unknown }} Route
 * @typedef {{ key: string, read: (signal: AbortSignal) => Promise<any> | any }} Wanted
 */

export class Pictures {
  /** The documents by key, the latest last. Null if a document could not be read. @type {Map<string, Route | null>} */
  #documents = new Map();
  /** What is wanted and not there yet, the most important first, and since when. @type {Map<string, any>} */
  #wanted = new Map();
  /** @type {Map<string, AbortController>} */
  #reading = new Map();
  /** @type {any} */
  #timer = null;
  /** The time before which no reading begins. */
  #rested = 0;
  #isSlow = false;
  #failures = 0;

  /**
   * - changed: called after a document has arrived.
   * @param {{ changed: () => void, now?: () => number }} page
   */
  constructor({ changed, now = () => performance.now() }) {
    this.changed = changed;
    this.now = now;
  }

  /**
   * The document with a key, null if it could not be read, or undefined if it is not there.
   * @param {string} key
   */
  known(key) {
    const document = this.#documents.get(key);
    if (document) this.keep(key, document);
    return document;
  }

  /**
   * @param {string} key
   * @param {Route | null} document
   */
  keep(key, document) {
    this.#documents.delete(key);
    this.#documents.set(key, document);
    for (const each of this.#documents.keys()) {
      if (this.#documents.size <= kept) break;
      this.#documents.delete(each);
    }
  }

  /** Begins no reading for a while, so that the server has time for what the user does. */
  rest(/** @type {number} */ milliseconds) {
    this.#rested = Math.max(this.#rested, this.now() + milliseconds);
  }

  /** Reads what could not be read before when it is wanted again. */
  retry() {
    for (const [key, document] of this.#documents) {
      if (document === null) this.#documents.delete(key);
    }
  }

  /**
   * Sets what is wanted, the most important first. Requests for anything else are aborted, and what could not be read
   * can be wanted again later.
   * @param {Wanted[]} items
   */
  want(items) {
    const keys = new Set(items.map(({ key }) => key));
    for (const [key, document] of this.#documents) {
      if (document === null && !keys.has(key)) this.#documents.delete(key);
    }
    const before = this.#wanted;
    this.#wanted = new Map(items.filter(({ key }) => !this.#documents.has(key))
      .map(({ key, read }) => [key, { read, since: before.get(key)?.since ?? this.now() }]));
    for (const [key, reading] of this.#reading) {
      if (this.#wanted.has(key)) continue;
      this.#reading.delete(key);
      reading.abort();
    }
    this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    const waiting = [...this.#wanted].filter(([key]) => !this.#reading.has(key));
    if (waiting.length === 0 || this.#isFull) return;
    const due = Math.max(Math.min(...waiting.map(([, { since }]) => since)) + patience, this.#rested);
    this.#timer = setTimeout(() => this.#start(), Math.max(0, due - this.now()));
  }

  get #isFull() {
    return this.#reading.size >= (this.#isSlow ? 1 : atOnce);
  }

  #start() {
    for (const [key, { read, since }] of this.#wanted) {
      if (this.#isFull || this.now() < this.#rested) break;
      if (!this.#reading.has(key) && since + patience <= this.now()) this.#read(key, read);
    }
    this.#schedule();
  }

  /**
   * @param {string} key
   * @param {Wanted["read"]} read
   */
  async #read(key, read) {
    const reading = new AbortController();
    const begun = this.now();
    this.#reading.set(key, reading);
    let document = null;
    try {
      document = await read(reading.signal);
      if (!reading.signal.aborted) this.#failures = 0;
    } catch {
      // The frame shows no picture.
      if (!reading.signal.aborted) this.rest(Math.min(1000 * 2 ** this.#failures++, longestRest));
    }
    if (reading.signal.aborted) return;
    const duration = this.now() - begun;
    this.#isSlow = duration > slow;
    if (this.#isSlow) this.rest(duration);
    this.#reading.delete(key);
    this.#wanted.delete(key);
    this.keep(key, document ?? null);
    this.changed();
    this.#schedule();
  }
}

/** What a picture shows, as JSON. @type {WeakMap<Route, string>} */
const contents = new WeakMap();

/** @param {Route} route */
function contentOf(route) {
  if (!contents.has(route)) contents.set(route, writeJSON([route.screen, route.navigation]));
  return contents.get(route);
}

/**
 * Whether the pictures of two documents look the same.
 * @param {Route} one
 * @param {Route} other
 */
export function isSamePicture(one, other) {
  return one === other || contentOf(one) === contentOf(other);
}
