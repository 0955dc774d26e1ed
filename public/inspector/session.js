// One session as the page knows it: the newest route, the journal, what is looked at (now, or a version of the past).
// It follows the live stream, and tells of every change with a `change` event. A `problem` event says why it changes no
// more, where it has not ended.

import * as api from "./api.js";
import { traceOf } from "./trace.js";

/** How many journal entries are read at a time. */
const page = 50;

/** How many are kept while the session goes on. */
const kept = 1000;

/** How long to wait before connecting again, in milliseconds: twice as long each time, up to the longest. */
const firstDelay = 1000;
const longestDelay = 10_000;

export class Session extends EventTarget {
  /** The newest route document, null until the first one is here. */
  route = null;
  /** Journal entries without a gap, oldest first. */
  entries = [];
  /** The route document of the version travelled to, null where the page shows what is now. */
  past = null;
  /** `connecting`, `live`, `lost`, `quarantined` or `ended`. */
  status = "connecting";
  /** The outcomes of the events this page sent, by version. */
  outcomes = new Map();

  #received = null;
  /** Work and timers that a route document named as pending, by id: whoever hears of an outcome can say whose it is. */
  #named = new Map();
  #following = null;
  #stream = null;
  /** How often the stream was refused since it was last there. */
  #refusals = 0;
  /** The last request that no outcome came of, and its key. */
  #unanswered = null;

  constructor(id) {
    super();
    this.id = id;
  }

  /** The route document to show. */
  get shown() {
    return this.past ?? this.route;
  }

  /**
   * The journal entry of the event that led to what is shown, with its trace, and the work or timer it is told by where
   * that is known; null where there is none.
   */
  get story() {
    const version = this.shown?.version;
    const entry = this.entries.find((entry) => entry.version === version);
    if (!entry) return null;
    const trace = this.outcomes.get(version)?.trace ?? traceOf(entry);
    return { ...entry, trace, asked: this.#named.get(entry.pending) ?? null };
  }

  get hasOlder() {
    return this.entries.length > 0 && this.entries[0].version > 1;
  }

  /** Whether events can be sent: not in the past, and not after the end. */
  get isWritable() {
    return this.past === null && !this.#isOver;
  }

  get #isOver() {
    return ["quarantined", "ended", "closed"].includes(this.status);
  }

  async open() {
    try {
      this.#receive(await api.route(this.id));
    } catch (problem) {
      this.#note(problem);
    }
    this.#connect();
  }

  /** Stops following. The session itself goes on. */
  close() {
    this.#stream?.close();
    this.status = "closed";
  }

  /** Sends an event; the version that it made. */
  emit(request) {
    return this.#turn(request, (key) => api.emit(this.id, request, key));
  }

  openPath(path) {
    return this.#turn(path, (key) => api.openPath(this.id, path, key));
  }

  /** Shows the session as it was after an event. */
  async travel(version) {
    if (version === this.route.version) return this.returnToNow();
    const route = await this.#asked(api.route(this.id, version));
    if (this.hasOlder && version < this.entries[0].version) await this.loadOlder();
    this.#learnNames(route);
    this.past = route;
    this.#change();
  }

  returnToNow() {
    if (!this.past) return;
    this.past = null;
    this.#change();
  }

  /** A new session with the events up to a version; its id. */
  async fork(version) {
    return (await this.#asked(api.fork(this.id, version))).id;
  }

  async end() {
    await this.#asked(api.endSession(this.id));
    this.#end();
  }

  async loadOlder() {
    const first = this.entries[0].version;
    const after = Math.max(0, first - 1 - page);
    const older = await this.#asked(api.journal(this.id, after, first - 1 - after));
    if (this.entries[0].version !== first) return;
    this.entries = [...older, ...this.entries];
    this.#change();
  }

  /**
   * Whoever was told of no outcome may try again: at the same version, the same request has the same key, so that it
   * makes one event though it arrived the first time.
   */
  async #turn(request, send) {
    const attempt = JSON.stringify([this.route.version, request]);
    const key = this.#unanswered?.attempt === attempt ? this.#unanswered.key : api.newKey();
    this.#unanswered = null;
    try {
      const outcome = await this.#asked(send(key));
      this.outcomes.set(outcome.version, outcome);
      this.#receive(outcome.route);
      return outcome.version;
    } catch (problem) {
      this.#unanswered = { attempt, key };
      throw problem;
    }
  }

  async #asked(answer) {
    try {
      return await answer;
    } catch (problem) {
      this.#note(problem);
      throw problem;
    }
  }

  // The stream

  #connect() {
    if (this.#isOver) return;
    const stream = new EventSource(api.eventsAddress(this.id));
    this.#stream = stream;
    stream.addEventListener("open", () => {
      this.#refusals = 0;
      this.#setStatus("live");
      this.#catchUp();
    });
    for (const name of ["route", "reset"]) {
      stream.addEventListener(name, ({ data }) => this.#receive(JSON.parse(data)));
    }
    stream.addEventListener("end", () => this.#end());
    stream.addEventListener("error", () => {
      this.#setStatus("lost");
      if (stream.readyState === EventSource.CLOSED) this.#reconnect();
    });
  }

  /**
   * The browser connects again by itself after a lost connection, and says which version it saw last; but not after an
   * answer that is an error. It does not say which error that was, so the route is asked for.
   */
  async #reconnect() {
    try {
      this.#receive(await api.route(this.id));
    } catch (problem) {
      this.#note(problem);
    }
    const delay = Math.min(firstDelay * 2 ** this.#refusals++, longestDelay);
    // Not all pages come back at the same moment.
    setTimeout(() => this.#connect(), delay * (0.5 + Math.random() / 2));
  }

  #receive(route) {
    this.#learnNames(route);
    if (this.#received && route.version <= this.#received.version) return;
    this.#received = route;
    this.#catchUp();
  }

  #learnNames({ pending = [] }) {
    for (const each of pending) {
      this.#named.delete(each.id);
      this.#named.set(each.id, each);
    }
    for (const id of this.#named.keys()) {
      if (this.#named.size <= kept) break;
      this.#named.delete(id);
    }
  }

  #catchUp() {
    if (this.#received) this.#following ??= this.#follow();
  }

  /** A route says where the session is, the journal why: both are shown at once. */
  async #follow() {
    do {
      const route = this.#received;
      // What cannot be read now is read when the connection is back.
      await this.#readJournal(route.version).catch(() => {});
      this.route = route;
      this.#change();
    } while (this.route !== this.#received);
    this.#following = null;
  }

  /** Reads what is new in the journal. At first, and where that is more than is kept, it is the newest page alone. */
  async #readJournal(version) {
    const known = this.entries.at(-1)?.version ?? 0;
    const isNear = this.route !== null && version - known <= kept;
    const after = isNear ? known : Math.max(known, version - page);
    if (after >= version) return;
    const fresh = await api.journal(this.id, after, isNear ? kept : page);
    this.entries = after === known ? [...this.entries, ...fresh].slice(-kept) : fresh;
  }

  /** A problem may be the end of it, or of what can be done with it. */
  #note(problem) {
    if (problem.isUnknownSession) this.#end();
    if (!problem.isChangedApp || this.#isOver) return;
    this.#stream?.close();
    this.#setStatus("quarantined");
    this.dispatchEvent(Object.assign(new Event("problem"), { problem }));
  }

  #end() {
    this.#stream?.close();
    this.past = null;
    this.#setStatus("ended");
  }

  #setStatus(status) {
    if (this.status === status || this.status === "closed") return;
    this.status = status;
    this.#change();
  }

  #change() {
    if (this.status !== "closed") this.dispatchEvent(new Event("change"));
  }
}
