// @ts-check
// One session: its newest route, its journal, and the version that is shown. It follows the live stream, and sends a
// `change` event after every change. A `problem` event reports why the session accepts no more changes although it has
// not ended. A `restart` event reports that another run of the server does not have the session.

import * as api from "./api.js";
import { readJSON, writeJSON } from "./exact.js";
import { journalText, readJournal } from "./journal/lines.js";
import { tookOf, versionOf } from "./journal/took.js";
import { patience, SharedStream } from "./stream.js";
import { traceOf } from "./trace.js";

/** The number of journal entries in the first request. */
const page = 50;

/** The number of entries per request for older ones, which is the server's limit. */
const longPage = 1000;

/** How many times as many entries are kept for a while, before the oldest are dropped. */
const slack = 1.25;

/** The most entries that are kept while following, and after the user loaded older ones. */
const kept = 1000;
const mostKept = 20_000;

/**
 * The delay before reconnecting, in milliseconds. It doubles after each attempt, up to the longest. A developer often
 * restarts a server on the same machine.
 */
const isNear = ["localhost", "127.0.0.1", "[::1]"].includes(globalThis.location?.hostname);
const [firstDelay, longestDelay] = isNear ? [100, 1000] : [1000, 10_000];

export class Session extends EventTarget {
  /** @type {any} The newest route document, or null until the first one arrives. */
  route = null;
  /** Journal entries without a gap, oldest first. */
  entries = [];
  /** @type {any} The route document of the past version that is shown, or null if the page shows the present. */
  past = null;
  /** @type {boolean | null} Whether the session's work is withheld, or null until that is known. */
  isWithheld = null;
  /**
   * The `session` and `version` that this session was forked from, or null if it is no fork or until that is known.
   * @type {any}
   */
  parent = null;
  /**
   * `connecting`, `waiting` for a connection, `live`, `lost`, `quarantined`, `ended`, or `restarted` if another run of
   * the server does not have it.
   */
  status = "connecting";
  /** The outcomes of the events that this page sent, by version. */
  outcomes = new Map();

  /** The newest route documents that the page received, by version. */
  #documents = new Map();
  /** How long the answers to this page's events and their turns took, in milliseconds, by version. */
  #trips = new Map();
  /** @type {any} */
  #received = null;
  /** @type {any} The first line of the exported journal, or null until it is known. */
  #header = null;
  /** The most entries that are kept now. */
  #room = kept;
  /** @type {Promise<void> | null} The request for older entries that is in progress, or null. */
  #older = null;
  /** @type {any} The entry of the past version that is shown, if it is older than `entries`. */
  #earlier = null;
  /**
   * The past version that is being read, and what aborts the reading.
   * @type {{ version: number, reading: AbortController } | null}
   */
  #journey = null;
  /** Resolves once there is a route to show, or there will never be one. */
  #opened = Promise.withResolvers();
  /**
   * The requests for events in progress, by the version they are for; and the newest version that one of them created.
   */
  #turns = new Set();
  #made = 0;
  /** @type {string | null} The entity tag of some version of the session, or null until the server has sent one. */
  #tag = null;
  #isPaused = false;
  /** Work and timers that route documents listed as pending, by id. An outcome's sentence uses their names. */
  #named = new Map();
  /** @type {Promise<void> | null} */
  #following = null;
  /** @type {Promise<void> | null} */
  #reconnecting = null;
  #readRun;
  /** @type {string | null} The run of the server that has the session, or null until it is known. */
  #run = null;
  /** @type {SharedStream | null} */
  #stream = null;
  /** The number of refusals since the stream was last open. */
  #refusals = 0;
  /** @type {{ attempt: string, key: string } | null} The last request that got no answer, and its idempotency key. */
  #unanswered = null;

  /**
   * - readRun: returns an id of the server's current run. - outcome: the outcome of the session's last event, if it is
   * known.
   */
  constructor(id, readRun = api.serverRun, outcome = /** @type {any} */ (null)) {
    super();
    this.id = id;
    this.#readRun = readRun;
    if (outcome) this.outcomes.set(outcome.version, outcome);
  }

  /** The route document to show. */
  get shown() {
    return this.past ?? this.route;
  }

  /**
   * The journal entry of the event that led to the version shown, with its trace, and its work or timer if that is
   * known. Null for version 0 or if the entry is unknown.
   */
  get story() {
    const version = this.shown?.version;
    const entry = this.entryOf(version);
    if (!entry) return null;
    const trace = this.outcomes.get(version)?.trace ?? traceOf(entry);
    return { ...entry, trace, asked: this.#named.get(entry.pending) ?? null };
  }

  /** The journal entry of a version, or undefined if it is not loaded. */
  entryOf(version) {
    const [first] = this.entries;
    return first && version >= first.version
      ? this.entries[version - first.version] : [this.#earlier].find((entry) => entry?.version === version);
  }

  /** How long an entry's event or work took, or null if that is unknown. */
  tookOf(entry) {
    return tookOf(entry, this.entryOf(versionOf(entry.pending) ?? 0), this.#trips.get(entry.version));
  }

  /** The version that is shown, or will be shown once it is read. */
  get destination() {
    return this.#journey?.version ?? this.shown.version;
  }

  /** Whether a past version is being read. */
  get isTravelling() {
    return this.#journey !== null;
  }

  /** Whether an event was sent at the current version and its outcome is not shown yet. */
  get isBusy() {
    const { version } = this.route ?? {};
    return version === undefined || [...this.#turns].some((turn) => turn.version === version) || this.#made > version;
  }

  /** The version of the oldest loaded entry, or 1 if there is none. */
  get firstEntry() {
    return this.entries[0]?.version ?? 1;
  }

  get hasOlder() {
    return !this.hasEnded && this.firstEntry > 1;
  }

  /** Whether events can be sent: not in the past, and not after the session has ended. */
  get isWritable() {
    return this.past === null && !this.#isOver;
  }

  /**
   * Whether a fork of the version shown can withhold work: something is pending, and the session's own work is not
   * withheld.
   */
  get canWithhold() {
    return this.shown.pending?.length > 0 && !this.isWithheld;
  }

  /** Whether the server no longer has the session. Then only what the page has read is left. */
  get hasEnded() {
    return ["ended", "restarted"].includes(this.status);
  }

  /** What the page has of the journal: its first line, or null if it is not known, and the loaded entries. */
  get loadedJournal() {
    return { header: this.#header, entries: this.entries };
  }

  /** Whether the journal's first entries are lost: the session has ended and the page did not load them. */
  get isCutOff() {
    return this.hasEnded && this.firstEntry > 1;
  }

  get #isOver() {
    return ["quarantined", "restarted", "ended", "closed"].includes(this.status);
  }

  async open() {
    const timer = setTimeout(() => this.#setStatus("waiting"), patience);
    try {
      await this.#readRoute();
    } catch (problem) {
      this.#note(problem);
    }
    clearTimeout(timer);
    this.#connect();
  }

  /** Reads what is shown again, because another build of the app can show it differently. */
  async refresh() {
    this.outcomes.clear();
    this.#documents.clear();
    try {
      const { route, tag } = await api.taggedRoute(this.id);
      this.#tag = tag;
      if (route.version >= (this.#received?.version ?? 0)) this.#received = route;
      this.#catchUp();
      await this.#following;
      if (this.past !== null) this.past = await api.route(this.id, this.past.version);
      this.#change();
    } catch (problem) {
      await this.#note(problem);
    }
  }

  /** Stops following. The session itself continues. */
  close() {
    this.#journey?.reading.abort();
    this.#journey = null;
    this.#opened.resolve();
    this.#stream?.close();
    this.status = "closed";
  }

  /**
   * Closes the stream while the page is hidden. A browser has six connections to a server for all of its pages.
   */
  pause() {
    this.#isPaused = true;
    this.#stream?.close();
    this.#stream = null;
  }

  /** Follows again. The stream starts with the current route. */
  resume() {
    this.#isPaused = false;
    this.#connect();
  }

  /** Sends an event. Returns the version that it created. */
  emit(request) {
    return this.#turn(request, (key) => api.emit(this.id, request, key));
  }

  /** Sends an event that is valid only at the version shown. Returns the version that it created. */
  press(request) {
    const { version } = this.route;
    return this.#turn(request, async (key) => api.emit(this.id, request, key, await this.#tagOf(version)));
  }

  openPath(path) {
    return this.#turn(path, (key) => api.openPath(this.id, path, key));
  }

  /**
   * Shows the session as it was after an event. If several versions are requested, only the last one is shown, and the
   * other requests are aborted. Returns whether this version is shown.
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
      const route = await this.routeOf(version, journey.reading.signal);
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

  /** Shows the present. Also cancels a past version that is still being read. */
  returnToNow() {
    if (!this.past && !this.#journey) return;
    this.#journey?.reading.abort();
    this.#journey = null;
    this.past = null;
    this.#change();
  }

  /** The route document of a version. After the session has ended, only some versions have one. */
  async routeOf(version, signal) {
    const known = this.hasEnded ? this.documentOf(version)
      : [this.route, this.past].find((route) => route?.version === version);
    if (!known) this.#requireServer(`Version ${version} was not loaded, so the page cannot show it.`);
    return known ?? this.#asked(api.route(this.id, version, signal));
  }

  /** The route document of a version, if the page has it, or else null. */
  documentOf(version) {
    const others = [this.route, this.past].find((route) => route?.version === version);
    return others ?? this.outcomes.get(version)?.route ?? this.#documents.get(version) ?? null;
  }

  /** The journal as exported. After the session has ended, its entries are those that the page has loaded. */
  async exportedJournal() {
    if (!this.hasEnded) return this.#asked(api.exportedJournal(this.id));
    if (this.#header === null) this.#requireServer("The page did not load its journal.");
    return journalText(this.#header, this.entries);
  }

  /** Creates a fork with the events up to a version, with its work withheld or not. Returns its id. */
  async fork(version, withholdsWork = false) {
    this.#requireServer("It cannot be forked. Export its journal and import it to continue.");
    return (await this.#asked(api.fork(this.id, version, withholdsWork))).id;
  }

  /**
   * Replays all events with an edit of one of them, in a fork. Returns the answer for the fork. If the edit itself is
   * not accepted, it ends the fork and throws the problem.
   */
  async replay(edit) {
    this.#requireServer("Its events cannot be replayed.");
    const fork = await this.#asked(api.replay(this.id, this.route.version, [edit]));
    const refusal = fork.edited.refused.find(({ version, after }) => version === edit.version && after === edit.after);
    if (refusal === undefined) return fork;
    await api.endSession(fork.id).catch(() => {});
    throw new api.Problem(refusal.problem);
  }

  async end() {
    await this.#asked(api.endSession(this.id));
    this.#end();
  }

  /** Loads older entries and keeps them. */
  loadOlder() {
    this.#room = mostKept;
    return this.#loadMore();
  }

  #loadMore() {
    this.#older ??= this.#readOlder().finally(() => { this.#older = null; });
    return this.#older;
  }

  async #readOlder() {
    if (!this.hasOlder) return;
    const first = this.entries[0].version;
    const after = Math.max(0, first - 1 - longPage);
    const older = await this.#asked(api.journal(this.id, after, first - 1 - after));
    if (this.entries[0].version !== first) return;
    this.entries = [...older, ...this.entries];
    this.#change();
  }

  /** Reads the entry of a version for its sentence: together with others, or alone if it is far back. */
  async #readEntry(version) {
    if (version === 0 || this.entryOf(version) || this.hasEnded) return;
    if (this.hasOlder && version >= this.entries[0].version - longPage) await this.loadOlder();
    if (!this.entryOf(version)) [this.#earlier] = await this.#asked(api.journal(this.id, version - 1, 1));
  }

  /**
   * Sends a request. If it gets no answer, the user can send it again: at the same version, the same request has the
   * same idempotency key, so that it creates only one event.
   */
  async #turn(request, send) {
    const turn = { version: this.route.version };
    const attempt = writeJSON([turn.version, request]);
    const key = this.#unanswered?.attempt === attempt ? this.#unanswered.key : api.newKey();
    this.#unanswered = null;
    this.#turns.add(turn);
    const sent = performance.now();
    try {
      const { outcome, duration } = await this.#asked(send(key));
      this.outcomes.set(outcome.version, outcome);
      this.#trips.set(outcome.version, { trip: performance.now() - sent, turn: duration });
      this.#made = Math.max(this.#made, outcome.version);
      this.#receive(outcome.route);
      // The stream can have been faster than the answer with the duration.
      if (this.route.version >= outcome.version) this.#change();
      return outcome.version;
    } catch (problem) {
      this.#unanswered = { attempt, key };
      // The event that came first is about to arrive. The problem is shown after it.
      if (problem.isConflict) await this.#readRoute().then(() => this.#following).catch(() => {});
      throw problem;
    } finally {
      this.#turns.delete(turn);
    }
  }

  /**
   * The entity tag of a version. Tags begin with the version and otherwise equal each other, so the tag of one version
   * gives the tags of all routes from the stream.
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

  /** Throws a problem with this detail if the session has ended. */
  #requireServer(detail) {
    if (this.hasEnded) throw new api.Problem({ title: "The session has ended.", detail });
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
    const stream = new SharedStream(api.eventsAddress(this.id));
    this.#stream = stream;
    stream.addEventListener("open", () => {
      this.#refusals = 0;
      this.#setStatus("live");
      this.#catchUp();
      this.#learnRun();
    });
    for (const name of ["route", "reset"]) {
      stream.addEventListener(name, (/** @type {any} */ { data }) => this.#receive(readJSON(data)));
    }
    stream.addEventListener("end", () => this.#end());
    stream.addEventListener("waiting", () => this.#setStatus("waiting"));
    stream.addEventListener("error", () => {
      this.#setStatus("lost");
      stream.close();
      if (this.#stream === stream) this.#stream = null;
      this.#reconnecting ??= this.#reconnect().finally(() => { this.#reconnecting = null; });
    });
  }

  /**
   * A browser waits for seconds before it reconnects after a lost connection, and does not reconnect after an error
   * answer. So the page requests the route until it gets it.
   */
  async #reconnect() {
    while (!this.#isOver && !this.#isPaused) {
      const delay = Math.min(firstDelay * 2 ** this.#refusals++, longestDelay);
      // A random delay keeps all pages from reconnecting at the same moment.
      await new Promise((resolve) => { setTimeout(resolve, delay * (0.5 + Math.random() / 2)); });
      if (this.#isOver || this.#isPaused) return;
      try {
        await this.#readRoute();
        return this.#connect();
      } catch (problem) {
        await this.#note(problem);
      }
    }
  }

  async #learnRun() {
    this.#run = await this.#readRun().catch(() => null) ?? this.#run;
  }

  #receive(route) {
    this.#learnNames(route);
    this.#documents.set(route.version, route);
    if (this.#documents.size > kept) this.#documents.delete(this.#documents.keys().next().value);
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

  /** A route and its journal entry are shown together. */
  async #follow() {
    do {
      const route = this.#received;
      const isShort = this.route === null && route.version <= page;
      const journal = isShort ? [this.#readWhole()] : [this.#readJournal(route.version), this.#readHeader()];
      // Whatever cannot be read now is read after reconnecting.
      await Promise.all([...journal, this.#readOrigin()].map((reading) => reading.catch(() => {})));
      this.route = route;
      this.#opened.resolve();
      this.#change();
    } while (this.route !== this.#received);
    this.#following = null;
    // With all entries, the page can replay the session after a restart of the server.
    if (this.hasOlder && this.route.version <= kept) this.#loadMore().catch(() => {});
  }

  /** Reads where the session comes from and whether its work is withheld. Neither changes. */
  async #readOrigin() {
    if (this.isWithheld !== null) return;
    const { work, parent } = await api.session(this.id);
    this.isWithheld = work === "withheld";
    this.parent = parent;
  }

  /** Reads a short journal and its first line in one request. */
  async #readWhole() {
    const { header, entries } = readJournal(await api.exportedJournal(this.id));
    this.#header = header;
    this.entries = entries;
  }

  /** Reads the journal's first line. It never changes, and the server deletes it when the session ends. */
  async #readHeader() {
    this.#header ??= await api.journalHeader(this.id);
  }

  /**
   * Reads the new journal entries. At first, or if there are more than the page keeps, it reads only the newest ones.
   */
  async #readJournal(version) {
    const last = () => this.entries.at(-1)?.version ?? 0;
    if (this.route === null || version - last() > this.#room) {
      const after = Math.max(last(), version - page);
      if (after < version) this.entries = await api.journal(this.id, after, page);
    }
    while (last() < version) {
      const fresh = await api.journal(this.id, last(), longPage);
      if (fresh.length === 0) return;
      const all = [...this.entries, ...fresh];
      // Dropping some at a time, and not one with each event, leaves the others' rows as they are.
      this.entries = all.length > this.#room * slack ? all.slice(-this.#room) : all;
    }
  }

  /** A problem can mean that the session has ended or accepts no more changes. */
  async #note(problem) {
    if (problem.isUnknownSession) return this.#leave();
    if (!problem.isChangedApp || this.#isOver) return;
    this.#stream?.close();
    this.#setStatus("quarantined");
    this.dispatchEvent(Object.assign(new Event("problem"), { problem }));
  }

  /** Leaves an unknown session: it has ended, or the server was restarted without it. */
  async #leave() {
    if (this.route === null || this.#run === null) return this.#end();
    const run = await this.#readRun().catch(() => null);
    // Without an answer, the page asks again after it has reconnected.
    if (run === null || this.#isOver) return;
    if (run === this.#run) return this.#end();
    this.#end("restarted");
    this.dispatchEvent(new Event("restart"));
  }

  #end(status = "ended") {
    this.#stream?.close();
    this.#journey?.reading.abort();
    this.#journey = null;
    // After a restart, the replayed session is shown at the same version.
    if (status === "ended") this.past = null;
    this.#opened.resolve();
    this.#setStatus(status);
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
