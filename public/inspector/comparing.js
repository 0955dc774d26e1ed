// @ts-check
// The dialog that shows two versions of one or two sessions side by side, and marks their differences.

import { compared, contentOf } from "./changes/difference.js";
import { fromFirst, pairs, refusedPlace, replayRows, replaySentence } from "./changes/replay.js";
import { fromDifference, shared, timelines } from "./changes/timelines.js";
import { sentences } from "./changes/words.js";
import { $, make, setAttribute, setText } from "./dom.js";
import { showProblemIn } from "./problems.js";
import { scrollable } from "./scrolling.js";
import { sessionIn } from "./fragment.js";
import { payloadText } from "./trace.js";

const sides = ["left", "right"];

/** The most events of two timelines that are shown, from their last common event. */
const length = 100;

/** The number of events per request while the page looks for the first difference, which is the server's limit. */
const page = 1000;

/** The most refused events of a replay that are listed. */
const mostRefused = 20;

export class Comparison {
  #own = "";
  /** The session that the page's own one was forked from, once it is known. */
  parent = { session: "" };
  /** The number of comparisons so far. Only the last one is shown. */
  #comparisons = 0;

  /**
   * Callbacks: readRoute(session, version), which reads the current route without a version; readSession(session);
   * readEvents(session, after, limit).
   */
  constructor({ readRoute, readSession, readEvents }) {
    this.readRoute = readRoute;
    this.readSession = readSession;
    this.readEvents = readEvents;
    $("compare-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#compare();
    });
    $("compare-swap").addEventListener("click", () => {
      const [left, right] = sides.map((side) => this.#entered(side));
      this.#enter("left", right);
      this.#enter("right", left);
      this.#compare();
    });
    $("compare-parent").addEventListener("click", () => {
      this.#enter("left", this.parent);
      this.#compare();
    });
    $("compare-all").addEventListener("click", () => {
      const isPressed = $("compare-all").getAttribute("aria-pressed") === "true";
      setAttribute($("compare-all"), "aria-pressed", !isPressed);
      $("compare-lines").classList.toggle("all", !isPressed);
    });
    $("compare-close").addEventListener("click", () => $("compare").close());
    scrollable($("compare-box"), $("compare-lines"));
    scrollable($("timelines-box"), $("timelines"));
  }

  /**
   * Opens with two versions of a session, or of a fork and its original. The parent of a fork can be chosen as well.
   */
  open(session, first, second, original = session) {
    this.#prepare(session, first, second, original);
    this.#offerParent(session);
    return this.#compare();
  }

  /**
   * Opens with a fork that replayed its original's events with an edit. Shows both timelines, and which events were not
   * accepted.
   *
   * - fork: the answer for the fork.
   */
  openReplay(fork, edit) {
    const { id, version, parent, edited } = fork;
    this.#prepare(id, parent.version, version, parent.session);
    return this.#compare(async () => {
      const shown = fromFirst(pairs(parent.version, edit, edited.refused), edit, length);
      const events = ["left", "right"].map((side, index) => {
        const first = shown.find((pair) => pair[side] !== null)?.[side];
        return first === undefined ? [] : this.readEvents([parent.session, id][index], first - 1, length);
      });
      const [ofLeft, ofRight] = await Promise.all(events);
      return replayRows(shown, ofLeft, ofRight);
    }, edited);
  }

  #prepare(session, first, second, original) {
    this.#own = session;
    this.#enter("left", { session: original, version: first });
    this.#enter("right", { session, version: second });
    $("compare-parent").hidden = true;
    $("compare").showModal();
  }

  async #offerParent(session) {
    const document = await this.readSession(session).catch(() => null);
    if (session !== this.#own || !document?.parent) return;
    this.parent = { session: document.parent.session };
    $("compare-parent").hidden = false;
  }

  /** @param {string} side @param {{ session: string, version?: any }} entered */
  #enter(side, { session, version = "" }) {
    $(`compare-${side}-session`).value = session === this.#own ? "" : session;
    $(`compare-${side}-version`).value = version;
  }

  /** The entered session and version. An empty field means the page's own session, or the newest version. */
  #entered(side) {
    const text = $(`compare-${side}-session`).value.trim();
    const version = $(`compare-${side}-version`).value.trim();
    return {
      session: text === "" ? this.#own : sessionIn(text) ?? text,
      version: version === "" ? undefined : encodeURIComponent(version),
    };
  }

  /**
   * Compares what was entered.
   *
   * - readRows: reads the rows of the two timelines.
   * - edited: the report of a replay, or null.
   */
  async #compare(readRows = (left, right) => this.#readRows(left, right), edited = null) {
    const comparison = ++this.#comparisons;
    const isOver = () => comparison !== this.#comparisons;
    showProblemIn($("compare-form"), null);
    this.#report(edited);
    try {
      const entered = sides.map((side) => this.#entered(side));
      const [left, right] = await Promise.all(entered.map(({ session, version }) => this.readRoute(session, version)));
      if (isOver()) return;
      this.#show(left, right);
      if (left.session === right.session) return;
      const rows = await readRows(left.session, right.session);
      if (!isOver()) this.#showTimelines(rows);
    } catch (problem) {
      if (!isOver()) showProblemIn($("compare-form"), problem);
    }
  }

  /** Shows what a replay did and which events it did not accept, or nothing. */
  #report(edited) {
    $("compare-report").hidden = edited === null;
    if (edited === null) return;
    const { refused } = edited;
    setText($("compare-counts"), replaySentence(edited));
    const more = refused.length - mostRefused;
    $("compare-refused").replaceChildren(
      ...refused.slice(0, mostRefused).map((each) => make("li", {},
        make("strong", {}, `${refusedPlace(each)} was not accepted.`), " ", each.problem.detail ?? each.problem.title)),
      more > 0 ? make("li", {}, `And ${more} more.`) : "");
  }

  #show(left, right) {
    const { changes, lines } = compared(contentOf(left), contentOf(right));
    const told = sentences(changes, right);
    $("compare-words").replaceChildren(
      ...(told.length > 0 ? told : ["No differences."]).map((text) => make("li", {}, text)));
    for (const [side, route] of [["left", left], ["right", right]]) {
      const whose = route.session === this.#own ? "" : ` of ${route.session.slice(0, 6)}`;
      setText($(`compare-${side}`), `Version ${route.version}${whose}`);
    }
    $("compare-rows").replaceChildren(...lines.map(makeLine));
    $("compare-box").scrollTop = 0;
    $("compare-box").classList.toggle("same", changes.length === 0);
    $("timelines-box").hidden = true;
  }

  /** The rows of two sessions' timelines, from their last common event. */
  async #readRows(...sessions) {
    const [one, other] = await Promise.all(sessions.map((session) => this.readSession(session)));
    for (let after = Math.max(0, shared(one, other) - 1); ; after += page) {
      const events = await Promise.all(sessions.map((session) => this.readEvents(session, after, page)));
      const rows = timelines(events[0], events[1]);
      if (rows.some(({ isFirst }) => isFirst)) return fromDifference(rows, length);
      if (events.some(({ length: count }) => count < page)) return rows.slice(-1);
    }
  }

  /** Shows the events of two different sessions. */
  #showTimelines(rows) {
    for (const side of sides) setText($(`timelines-${side}`), $(`compare-${side}`).textContent ?? "");
    $("timelines-rows").replaceChildren(...rows.map(makeEvent));
    $("timelines-box").hidden = false;
    $("timelines-rows").querySelector("[data-first]")?.scrollIntoView({ block: "nearest" });
  }
}

/** A row with an event of one or both timelines. Where they differ, it says what each event led to. */
function makeEvent({ left, right, isSame, isFirst, note = null }) {
  const cell = (entry, note) => {
    if (entry === null) return make("td", {}, note === null ? "" : make("em", {}, note));
    const { version, event, payload, path, handledBy } = entry;
    const result = isSame ? "" : `${path ? ` → ${path}` : ""}${handledBy === null ? ", not handled" : ""}`;
    return make("td", {}, `${version} ${event} ${payloadText(payload)}`.trimEnd(), result);
  };
  const marks = { ...(isSame && { "data-same": "" }), ...(isFirst && { "data-first": "" }) };
  return make("tr", marks, cell(left, null), cell(right, note));
}

/** A row with a line of both documents. Unchanged lines are hidden until the user shows them. */
function makeLine({ depth, left, right, mark, leads }) {
  const indent = "  ".repeat(depth);
  const cell = (text, name) => make("td", {},
    text === null ? "" : mark === null ? `${indent}${text}` : make(name, {}, `${indent}${text}`));
  return make("tr", { className: leads ? "leads" : "same", ...(mark && { "data-mark": mark }) },
    cell(left, "del"), cell(right, "ins"));
}
