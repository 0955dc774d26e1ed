// @ts-check
// The timeline: a strip of frames, one for each version of the session, the newest at the right. A second lane above it
// shows what the session was forked from. Only the frames that are nearly visible exist.

import { $, keyed, setAttribute } from "./dom.js";
import { oncePerFrame } from "./frames.js";
import { actionOf } from "./keys.js";
import { Columns } from "./timeline/columns.js";
import { branches, describe, makeFrame, makeGap, mark, picture } from "./timeline/frame.js";
import { showLabels, showPast } from "./timeline/head.js";
import { OtherLane, parentLane, replayLane } from "./timeline/other.js";
import { isSamePicture, Pictures } from "./timeline/pictures.js";
import { Strip } from "./timeline/strip.js";

export class Timeline {
  /** @type {any} */
  #session = null;
  #shown = 0;
  #newest = 0;
  #status = "";
  #columns = new Columns(0);
  #pictures = new Pictures({ changed: () => this.#renderSoon() });
  /** @type {OtherLane | null} */
  #other = null;
  /** The lanes that were given, and those of replays, by the session that they stand above. @type {Map<string, any>} */
  #others = new Map();
  /** The forks that this page created, as `{ version, id }`, by their parent. @type {Map<string, any[]>} */
  #forks = new Map();
  #renderSoon = oncePerFrame(() => this.#render());
  #strip = new Strip({ moved: () => this.#renderSoon(), resized: () => this.#refit() });
  #isReadingOlder = false;

  /**
   * - miniatures: draws the pictures.
   * - travel(version), fork(), now(): what the frames and the buttons of the past do.
   * - edit(entry), copy(entry), canCopy(entry), inspect(version): what the frames' tools do.
   * - readOlder(): loads older entries and returns whether that succeeded.
   * - readEvents(session, after, limit), readRoute(session, version, signal): read another session.
   */
  constructor(options) {
    this.options = options;
    const { edit, copy, inspect, fork, now } = options;
    $("fork").addEventListener("click", fork);
    $("now").addEventListener("click", now);
    $("timeline-close").addEventListener("click", () => {
      this.showOther(null);
      this.#focusShown();
    });
    $("frames").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const version = Number(target.closest("[data-version]")?.dataset.version);
      // The tools are hidden without the focus, so a dialog that closes returns it to the frame.
      if (button?.ariaHasPopup) target.closest(".frame").querySelector(".frame-travel").focus({ preventScroll: true });
      if (button?.matches(".frame-travel")) this.#travel(version);
      if (button?.matches(".frame-edit")) edit(this.#session.entryOf(version) ?? { version });
      if (button?.matches(".frame-copy")) copy(this.#session.entryOf(version));
      if (button?.matches(".frame-json")) inspect(version);
    });
    $("strip").addEventListener("keydown", (event) => this.#move(event));
    $("strip").addEventListener("focusin", () => this.#updateTabStop());
  }

  /** Shows a session's versions, and marks the one that is shown. */
  show(session) {
    const { id, route, shown, past, parent, status, outcomes } = session;
    const isOther = id !== this.#session?.id;
    const wasPast = !$("past").hidden;
    const hasFocus = () => $("timeline").contains(document.activeElement);
    const hadFocus = hasFocus();
    const follows = this.#strip.isAtEnd;
    const before = this.#columns.count;
    this.#session = session;
    if (isOther) this.#open();
    if (status !== this.#status) this.#pictures.retry();
    this.#status = status;
    if (parent && !this.#others.has(id)) this.#readParent(session);
    showPast(session);
    const newest = route?.version ?? 0;
    this.#strip.count = this.#columns.grown(newest).count;
    const { version = 0 } = shown ?? {};
    const hasMoved = version !== this.#shown;
    this.#shown = version;
    // Events can arrive faster than their pictures.
    if (!isOther && newest > this.#newest) this.#pictures.rest(500);
    this.#newest = newest;
    const isNew = this.#columns.count !== before && past === null;
    if (isOther) this.#revealFirst();
    else if (hasMoved && !isNew) this.#strip.reveal(this.#columns.columnOf(version));
    else if (isNew && (follows || outcomes.has(newest))) this.#strip.scrollToEnd();
    this.#render();
    const isLeft = wasPast && past === null && hasFocus();
    if (isLeft || (hadFocus && !hasFocus())) this.#focusShown();
  }

  /** Shows a fork that replayed its original with an edit under the original. */
  async showReplay(fork, edit) {
    this.showOther(await replayLane(fork, edit, this.options).catch(() => null), fork.id);
  }

  /**
   * Shows a second lane above a session, or none if `other` is null. `other` has the options of `OtherLane`.
   * @param {any} other
   * @param {string} id
   */
  showOther(other, id = this.#session?.id) {
    this.#others.set(id, other === null || other instanceof OtherLane ? other : new OtherLane(other));
    if (id !== this.#session?.id) return;
    this.#stand();
    this.#revealFirst();
    this.#render();
  }

  /** Marks the version at which the page forked a session. */
  addFork({ session, version }, id) {
    this.#forks.set(session, [...(this.#forks.get(session) ?? []), { version, id }]);
  }

  // Lanes

  #open() {
    this.#pictures.want([]);
    this.#pictures = new Pictures({ changed: () => this.#renderSoon() });
    $("frames").replaceChildren();
    this.#stand();
  }

  async #readParent(session) {
    this.#others.set(session.id, null);
    const lane = await parentLane(session.parent, this.options).catch(() => null);
    if (lane !== null && this.#others.get(session.id) === null) this.showOther(lane, session.id);
  }

  /** Stands the lanes under each other. */
  #stand() {
    const { id, route } = this.#session;
    const other = this.#others.get(id) ?? null;
    this.#other = other;
    $("other-frames").replaceChildren();
    const range = other !== null && other.first <= other.last ? other : null;
    this.#columns = new Columns(route?.version ?? 0, range, other?.pairs ?? null);
    $("other-lane").hidden = range === null;
    $("timeline").classList.toggle("double", range !== null);
    this.#strip.count = this.#columns.count;
    this.#strip.measure();
  }

  /** Reveals the place that the other lane is about, or the version that is shown. */
  #revealFirst() {
    const at = this.#session.past === null ? this.#other?.at ?? null : null;
    this.#strip.reveal(Math.min(this.#columns.count - 1, this.#columns.columnOf(at ?? this.#shown)));
  }

  #refit() {
    const { isAtEnd } = this.#strip;
    this.#strip.measure();
    if (this.#session === null) return;
    if (this.#session.past !== null) this.#strip.reveal(this.#columns.columnOf(this.#shown));
    else if (isAtEnd) this.#strip.scrollToEnd();
    this.#render();
  }

  // Frames

  #render() {
    if (this.#session === null) return;
    const { columns } = this.#strip;
    this.#want(columns.filter((column) => this.#strip.shows(column)));
    // The focused frame and the one that is shown stay, so that Tab leads to them.
    const kept = [this.#focused ?? -1, this.#columns.columnOf(this.#shown)]
      .filter((column) => column >= 0 && column < this.#columns.count);
    const all = [...new Set([...columns, ...kept])].sort((one, other) => one - other);
    this.#showLane("own", all);
    if (this.#other !== null) this.#showLane("other", all);
    for (const column of this.#other?.compared ?? []) this.#differs(column);
    showLabels(this.#session.parent, this.#other);
    this.#updateTabStop();
    this.#readOn(columns[0]);
  }

  /** @param {"own" | "other"} lane @param {number[]} columns */
  #showLane(lane, columns) {
    const list = lane === "own" ? $("frames") : $("other-frames");
    const addressOf = (version) => (lane === "own" ? null : this.#other?.addressOf(version) ?? null);
    const items = columns.map((column) => ({ column, ...this.#columns.at(column) })).map((item) =>
      ({ ...item, version: item[lane], gap: lane === "own" && item.own === null ? item.note : null }))
      .filter(({ version, gap }) => version !== null || gap !== null);
    keyed(list, items, ({ version, column }) => version ?? `gap ${column}`,
      ({ version, gap }) => (version === null ? makeGap(gap) : makeFrame(version, addressOf(version))),
      (frame, item) => this.#update(frame, lane, item));
  }

  #update(frame, lane, { column, version, reason }) {
    frame.style.left = `${this.#strip.leftOf(column)}px`;
    frame.dataset.column = column;
    if (version === null) return setAttribute(frame, "title", reason);
    const entry = this.#entryOf(lane, version);
    describe(frame, version, entry);
    const isOwn = lane === "own";
    mark(frame, {
      outline: this.#outline(lane, column, version),
      isCurrent: isOwn && version === this.#shown,
      isAfter: isOwn && version > this.#shown,
    });
    this.#draw(frame, this.#documentOf(lane, version));
    if (!isOwn) return frame.classList.toggle("branch", version === this.#other?.first && column > 0);
    const { hasEnded, id } = this.#session;
    frame.querySelector(".frame-edit").hidden = hasEnded || id === null;
    frame.querySelector(".frame-copy").hidden = !entry || !this.options.canCopy(entry);
    frame.querySelector(".frame-json").hidden = id === null;
    const forks = (this.#forks.get(id) ?? []).filter((fork) => fork.version === version);
    branches(frame, forks.map((fork) => fork.id));
  }

  async #draw(frame, route) {
    if (!route) return picture(frame, null);
    frame.route = route;
    const drawing = await this.options.miniatures.draw(route).catch(() => null);
    if (frame.route === route) picture(frame, drawing);
  }

  #entryOf(lane, version) {
    return lane === "own" ? this.#session.entryOf(version) : this.#other?.entryOf(version);
  }

  /** A frame is outlined if its screen changed; or, under a replay, if it differs from its counterpart. */
  #outline(lane, column, version) {
    if (this.#other?.compares) return this.#differs(column) ? "differs" : null;
    const [before, after] = [version - 1, version].map((each) => this.#documentOf(lane, each));
    return before && after && !isSamePicture(before, after) ? "changed" : null;
  }

  #differs(column) {
    const { own, other } = this.#columns.at(column);
    if (this.#other === null || own === null) return false;
    // An event that only the session has, because it was inserted.
    if (other === null) return this.#other.pairs?.[column - 1]?.left === null;
    return this.#other.differs(column, [this.#documentOf("other", other), this.#documentOf("own", own)],
      [this.#other.entryOf(other), this.#session.entryOf(own)]);
  }

  // Documents

  #keyOf(lane, version) {
    return `${lane === "own" ? lane : this.#other?.number} ${version}`;
  }

  #documentOf(lane, version) {
    if (lane === "own") {
      const loaded = this.#session.documentOf(version);
      if (loaded) this.#pictures.keep(this.#keyOf(lane, version), loaded);
    }
    return this.#pictures.known(this.#keyOf(lane, version));
  }

  /** Reads the documents of visible frames, and of those before them; then those that a replay compares. */
  #want(columns) {
    const before = Math.max(0, (columns[0] ?? 0) - 1);
    const wanted = [...columns, before, ...(this.#other?.compared ?? [])].flatMap((column) => {
      const { own, other } = this.#columns.at(column);
      return [...(own === null ? [] : [["own", own]]), ...(other === null ? [] : [["other", other]])];
    });
    const read = (lane, version) => (signal) => (lane === "own"
      ? this.#session.routeOf(version, signal) : this.#other?.documentOf(version, signal));
    const { id, hasEnded, isTravelling } = this.#session;
    this.#pictures.want(id !== null && !hasEnded && !isTravelling ? wanted.map(([lane, version]) =>
      ({ key: this.#keyOf(lane, version), read: read(lane, version) })) : []);
  }

  /** Loads older entries until the visible frames have names. */
  async #readOn(first) {
    const { hasOlder, firstEntry } = this.#session;
    if (this.#isReadingOlder || !hasOlder || Math.max(1, this.#columns.at(first).own ?? 1) >= firstEntry) return;
    this.#isReadingOlder = true;
    const isRead = await this.options.readOlder();
    this.#isReadingOlder = false;
    if (isRead) this.#renderSoon();
  }

  /** Travels, and reads no pictures in the meantime. */
  async #travel(version) {
    this.#pictures.want([]);
    await this.options.travel(version);
    this.#renderSoon();
  }

  // Keys

  /** The column of the focused frame, or null. */
  get #focused() {
    const frame = /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest("#strip .frame"));
    return frame ? Number(frame.dataset.column) : null;
  }

  #move(event) {
    if (!event.target.matches(".frame-travel")) return;
    const column = Number(event.target.closest(".frame").dataset.column);
    const isOwn = $("frames").contains(event.target);
    const action = actionOf("timeline", event);
    const list = { above: $("other-frames"), below: $("frames") }[action];
    const step = { previous: -1, next: 1, first: -Infinity, last: Infinity }[action];
    if (step !== undefined) {
      event.preventDefault();
      const next = this.#neighbor(isOwn ? "own" : "other", column, step);
      if (next !== null) this.#focus(next, isOwn ? $("frames") : $("other-frames"));
      if (next !== null && isOwn) this.#travel(this.#columns.at(next).own);
    } else if (list) {
      event.preventDefault();
      this.#focus(column, list);
    }
  }

  /** The next column in a direction in which a lane has a frame, or null. */
  #neighbor(lane, column, step) {
    const { count } = this.#columns;
    const direction = Math.sign(step);
    const has = (each) => this.#columns.at(each)[lane] !== null;
    let next = Number.isFinite(step) ? column + step : step < 0 ? 0 : count - 1;
    const back = Number.isFinite(step) ? direction : -direction;
    while (next >= 0 && next < count && !has(next)) next += back;
    return next >= 0 && next < count ? next : null;
  }

  #focus(column, list = $("frames")) {
    this.#strip.reveal(column);
    this.#render();
    list.querySelector(`[data-column="${column}"] .frame-travel`)?.focus({ preventScroll: true });
  }

  #focusShown() {
    this.#focus(this.#columns.columnOf(this.#shown));
  }

  /** Tab leads to the focused frame, or to the one that is shown. */
  #updateTabStop() {
    for (const id of ["frames", "other-frames"]) {
      const stops = [...$(id).querySelectorAll(".frame-travel")];
      const stop = stops.find((each) => each === document.activeElement)
        ?? stops.find((each) => each.hasAttribute("aria-current")) ?? stops.at(-1);
      for (const each of stops) each.tabIndex = each === stop ? 0 : -1;
    }
  }
}
