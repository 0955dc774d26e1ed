// One session as the page knows it: the newest route, the journal, what is looked at (now, or a version of the past).
// It follows the live stream, and tells of every change with a `change` event. A `problem` event says why it changes no
// more, where it has not ended.

import * as api from "./api.js";
import { readJSON, writeJSON } from "./exact.js";
import { traceOf } from "./trace.js";

/** How many journal entries are read at first. */
const page = 50;

/** How many are read when older ones are asked for; the server gives no more at a time. */
const longPage = 1000;

/** How many are kept while the session goes on, and how many where older ones were asked for. */
const kept = 1000;
const mostKept = 20_000;

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
  /** Whether its work is withheld; `null` until that is known. */
  isWithheld = null;
  /** `connecting`, `live`, `lost`, `quarantined` or `ended`. */
  status = "connecting";
  /** The outcomes of the events this page sent, by version. */
  outcomes = new Map();

  #received = null;
  /** How many entries are kept. */
  #room = kept;
  /** The reading of older entries that is under way. */
  #older = null;
  /** The entry of a version that is older than the entries, where that is looked at. */
  #earlier = null;
  /** The way to a version of the past, while its route is read: the version, and what calls the reading off. */
  #journey = null;
  /** Kept as soon as there is a route to show, or never will be. */
  #opened = Promise.withResolvers();
  /** The requests for events that are under way, by the version they are meant for; the newest that came of one. */
  #turns = new Set();
  #made = 0;
  /** The entity tag of some version of the session, null until the server has said one. */
  #tag = null;
  #isPaused = false;
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
    const entry = this.entryOf(version);
    if (!entry) return null;
    const trace = this.outcomes.get(version)?.trace ?? traceOf(entry);
    return { ...entry, trace, asked: this.#named.get(entry.pending) ?? null };
  }

  /** The journal entry of a version, undefined where it is not at hand. */
  entryOf(version) {
    const [first] = this.entries;
    return first && version >= first.version
      ? this.entries[version - first.version] : [this.#earlier].find((entry) => entry?.version === version);
  }

  /** The version that is shown, or will be as soon as it has been read. */
  get destination() {
    return this.#journey?.version ?? this.shown.version;
  }

  /** Whether a version of the past is about to be shown. */
  get isTravelling() {
    return this.#journey !== null;
  }

  /** Whether an event was sent, at the version that is now, whose outcome is not shown yet. */
  get isBusy() {
    const { version } = this.route;
    return [...this.#turns].some((turn) => turn.version === version) || this.#made > version;
  }

  get hasOlder() {
    return this.entries.length > 0 && this.entries[0].version > 1;
  }

  /** Whether events can be sent: not in the past, and not after the end. */
  get isWritable() {
    return this.past === null && !this.#isOver;
  }

  /** Whether a fork of what is shown can withhold work: some is pending, and the session's own is not withheld. */
  get canWithhold() {
    return this.shown.pending?.length > 0 && !this.isWithheld;
  }

  get #isOver() {
    return ["quarantined", "ended", "closed"].includes(this.status);
  }

  async open() {
    try {
      await this.#readRoute();
    } catch (problem) {
      this.#note(problem);
    }
    this.#connect();
  }

  /** Stops following. The session itself goes on. */
  close() {
    this.#journey?.reading.abort();
    this.#journey = null;
    this.#opened.resolve();
    this.#stream?.close();
    this.status = "closed";
  }

  /**
   * Lets the stream go while nobody looks: a browser has six connections to a server for all of its pages, and six
   * streams would leave none.
   */
  pause() {
    this.#isPaused = true;
    this.#stream?.close();
    this.#stream = null;
  }

  /** Follows again. The stream begins with the route as it is now. */
  resume() {
    this.#isPaused = false;
    this.#connect();
  }

  /** Sends an event; the version that it made. */
  emit(request) {
    return this.#turn(request, (key) => api.emit(this.id, request, key));
  }

  /** Sends an event that is meant for the version shown, and for no other; the version that it made. */
  press(request) {
    const { version } = this.route;
    return this.#turn(request, async (key) => api.emit(this.id, request, key, await this.#tagOf(version)));
  }

  openPath(path) {
    return this.#turn(path, (key) => api.openPath(this.id, path, key));
  }

  /**
   * Shows the session as it was after an event. Of several versions asked for, the last one is meant, so the reading of
   * any other is called off. Says whether this one is shown.
   */
  async travel(version) {
    this.#journey?.reading.abort();
    const journey = { version, reading: new AbortController() };
    this.#journey = journey;
    try {
      await (this.route ?? this.#opened.promise);
      if (this.#journey !== journey) return false;
      if (version === this.route?.version) {
        this.returnToNow();
        return true;
      }
      const route = await this.#asked(api.route(this.id, version, journey.reading.signal));
      await this.#readEntry(version);
      if (this.#journey !== journey) return false;
      this.#journey = null;
      this.#learnNames(route);
      this.past = route;
      this.#change();
      return true;
    } catch (problem) {
      if (this.#journey !== journey) return false;
      this.#journey = null;
      this.#change();
      throw problem;
    }
  }

  /** Shows what is now, also where the past was only about to be shown. */
  returnToNow() {
    if (!this.past && !this.#journey) return;
    this.#journey?.reading.abort();
    this.#journey = null;
    this.past = null;
    this.#change();
  }

  /** A new session with the events up to a version, whose work is withheld or not; its id. */
  async fork(version, withholdsWork = false) {
    return (await this.#asked(api.fork(this.id, version, withholdsWork))).id;
  }

  async end() {
    await this.#asked(api.endSession(this.id));
    this.#end();
  }

  /** Reads older entries. They stay, whatever comes. */
  loadOlder() {
    this.#older ??= this.#readOlder().finally(() => { this.#older = null; });
    return this.#older;
  }

  async #readOlder() {
    if (!this.hasOlder) return;
    this.#room = mostKept;
    const first = this.entries[0].version;
    const after = Math.max(0, first - 1 - longPage);
    const older = await this.#asked(api.journal(this.id, after, first - 1 - after));
    if (this.entries[0].version !== first) return;
    this.entries = [...older, ...this.entries];
    this.#change();
  }

  /** Reads the entry of a version, so that its story can be told: with others, or by itself where it is far back. */
  async #readEntry(version) {
    if (version === 0 || this.entryOf(version)) return;
    if (this.hasOlder && version >= this.entries[0].version - longPage) await this.loadOlder();
    if (!this.entryOf(version)) [this.#earlier] = await this.#asked(api.journal(this.id, version - 1, 1));
  }

  /**
   * Whoever was told of no outcome may try again: at the same version, the same request has the same key, so that it
   * makes one event though it arrived the first time.
   */
  async #turn(request, send) {
    const turn = { version: this.route.version };
    const attempt = writeJSON([turn.version, request]);
    const key = this.#unanswered?.attempt === attempt ? this.#unanswered.key : api.newKey();
    this.#unanswered = null;
    this.#turns.add(turn);
    try {
      const outcome = await this.#asked(send(key));
      this.outcomes.set(outcome.version, outcome);
      this.#made = Math.max(this.#made, outcome.version);
      this.#receive(outcome.route);
      return outcome.version;
    } catch (problem) {
      this.#unanswered = { attempt, key };
      // What came first is on its way here, too; who is told of it should see it.
      if (problem.isConflict) await this.#readRoute().then(() => this.#following).catch(() => {});
      throw problem;
    } finally {
      this.#turns.delete(turn);
    }
  }

  /**
   * The entity tag of a version. They differ in the version alone, with which they begin, so that one of them tells
   * those of all routes that came by the stream.
   */
  async #tagOf(version) {
    this.#tag ??= (await api.taggedRoute(this.id)).tag;
    return this.#tag?.replace(/\d+/, version) ?? null;
  }

  async #readRoute() {
    const { route, tag } = await api.taggedRoute(this.id);
    this.#tag = tag;
    this.#receive(route);
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
    if (this.#isOver || this.#isPaused || this.#stream) return;
    const stream = new EventSource(api.eventsAddress(this.id));
    this.#stream = stream;
    stream.addEventListener("open", () => {
      this.#refusals = 0;
      this.#setStatus("live");
      this.#catchUp();
    });
    for (const name of ["route", "reset"]) {
      stream.addEventListener(name, ({ data }) => this.#receive(readJSON(data)));
    }
    stream.addEventListener("end", () => this.#end());
    stream.addEventListener("error", () => {
      this.#setStatus("lost");
      if (stream.readyState !== EventSource.CLOSED) return;
      if (this.#stream === stream) this.#stream = null;
      this.#reconnect();
    });
  }

  /**
   * The browser connects again by itself after a lost connection, and says which version it saw last; but not after an
   * answer that is an error. It does not say which error that was, so the route is asked for.
   */
  async #reconnect() {
    try {
      await this.#readRoute();
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
      await Promise.all([this.#readJournal(route.version), this.#readWork()].map((reading) => reading.catch(() => {})));
      this.route = route;
      this.#opened.resolve();
      this.#change();
    } while (this.route !== this.#received);
    this.#following = null;
  }

  /** Reads whether work is withheld, which stays as it is. */
  async #readWork() {
    this.isWithheld ??= (await api.session(this.id)).work === "withheld";
  }

  /** Reads what is new in the journal. At first, and where that is more than is kept, it is the newest page alone. */
  async #readJournal(version) {
    const last = () => this.entries.at(-1)?.version ?? 0;
    if (this.route === null || version - last() > this.#room) {
      const after = Math.max(last(), version - page);
      if (after < version) this.entries = await api.journal(this.id, after, page);
    }
    while (last() < version) {
      const fresh = await api.journal(this.id, last(), longPage);
      if (fresh.length === 0) return;
      this.entries = [...this.entries, ...fresh].slice(-this.#room);
    }
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
    this.#journey?.reading.abort();
    this.#journey = null;
    this.past = null;
    this.#opened.resolve();
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
