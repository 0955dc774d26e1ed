// @ts-check
// The list of all sessions, if the server provides it: find, open, export and end them. Its address is `#home`, so that
// the browser's Back button works.

import { Problem } from "./api.js";
import { showBusy } from "./busy.js";
import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { ago } from "./durations.js";
import { save } from "./journal/files.js";
import { problemContent, showProblemIn } from "./problems.js";
import { families, fileName, isMeant, joined, pairsOf, pendingText, queryFor, stateText } from "./sessions.js";

/** The number of sessions per page. */
const page = 50;

/** The delay between the last keystroke and the request, in milliseconds. */
const typingPause = 250;

export class Home {
  isOpen = false;
  #sessions = [];
  /** @type {any} */
  #next = null;
  /** Whether the last request succeeded. Otherwise the number of sessions is unknown. */
  #isKnown = false;
  /** The number of requests so far. */
  #readings = 0;
  #timer = 0;
  #asked = "";

  /**
   * Callbacks: read(query), which returns a page of sessions; end(session, done), which asks before it ends a session;
   * journal(id), which returns its lines; start(), for a new session; addressOf(id); now(), the server's time;
   * filtered(filter), after the user changed the filter.
   */
  constructor({ read, end, journal, start, addressOf, now, filtered }) {
    this.read = read;
    this.journal = journal;
    this.addressOf = addressOf;
    this.now = now;
    this.filtered = filtered;
    $("home-new").addEventListener("click", start);
    $("home-more").addEventListener("click", () => showBusy($("home-more"), this.#readMore()));
    $("home-search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#search();
    });
    $("home-text").addEventListener("input", () => {
      this.#show();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#search(), typingPause);
    });
    $("home-state").addEventListener("change", () => this.#search());
    $("home-list").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const session = this.#sessions.find(({ id }) => id === target.closest("[data-session]")?.dataset.session);
      if (button?.matches(".session-export")) showBusy(button, this.#export(session));
      if (button?.matches(".session-end")) end(session, () => this.#remove(session));
    });
  }

  /**
   * Shows the current sessions that match a filter.
   *
   * - current: the id of the session that the page showed before, or null. - back: the address that leads back to it.
   */
  open(current, back, { text, state }) {
    this.current = current;
    setAttribute($("home-back"), "href", back);
    if ($("home-text").value.trim() !== text) $("home-text").value = text;
    $("home-state").value = state;
    if ($("home-state").selectedIndex < 0) $("home-state").value = "";
    $("home-back").hidden = current === null;
    if (!this.isOpen) this.#toggle(true);
    this.#begin();
  }

  close() {
    clearTimeout(this.#timer);
    if (this.isOpen) this.#toggle(false);
  }

  #toggle(isOpen) {
    const hadFocus = $("home").contains(document.activeElement);
    this.isOpen = isOpen;
    $("home").hidden = !isOpen;
    document.body.classList.toggle("at-home", isOpen);
    if (isOpen) $("home-heading").focus();
    else if (hadFocus) $("screen-title").focus({ preventScroll: true });
  }

  get #filter() {
    return { text: $("home-text").value.trim(), state: $("home-state").value };
  }

  get #query() {
    const { text, state } = this.#filter;
    return queryFor(text, state);
  }

  /** Sends a new request if the query changed. */
  #search() {
    clearTimeout(this.#timer);
    this.filtered(this.#filter);
    if (JSON.stringify(this.#query) !== this.#asked) this.#begin();
  }

  #begin() {
    this.#asked = JSON.stringify(this.#query);
    return this.#read({ ...this.#query, limit: page }, () => []);
  }

  #readMore() {
    return this.#read({ ...this.#query, limit: page, after: this.#next }, () => this.#sessions);
  }

  /**
   * Reads a page and appends it to the sessions in `kept`. After a failure, the user can try again. An answer is
   * ignored if a newer request was sent.
   */
  async #read(query, kept) {
    const reading = ++this.#readings;
    setAttribute($("home-list"), "aria-busy", "true");
    let answer = { sessions: [], next: query.after ?? null };
    let problem = null;
    try {
      answer = await this.read(query);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem = error;
    }
    if (reading !== this.#readings) return;
    setAttribute($("home-list"), "aria-busy", null);
    this.#isKnown = problem === null;
    this.#sessions = joined(kept(), answer.sessions);
    this.#next = answer.next;
    this.#showProblem(problem);
    this.#show();
  }

  /** Shows a problem above the list. If the key is missing, the login dialog is open already. */
  #showProblem(problem) {
    const isShown = problem !== null && !problem.isUnauthorized;
    $("home-problem").replaceChildren(...(isShown ? [make("div", {}, ...problemContent(problem))] : []));
    $("home-problem").hidden = !isShown;
    $("home-search").hidden = problem?.status === 403;
  }

  #show() {
    const { text } = this.#filter;
    const meant = this.#sessions.filter((session) => isMeant(session, text));
    this.#list($("home-list"), families(meant));
    $("home-more").hidden = this.#next === null;
    setText($("home-count"), this.#isKnown ? this.#countText(meant.length) : "");
  }

  #countText(count) {
    if (count === 0) return `No sessions match${this.#next === null ? "." : " so far. Load more to continue."}`;
    const more = this.#next === null ? "" : "; there are more";
    return `${count} ${count === 1 ? "session" : "sessions"}, last used first${more}.`;
  }

  #list(list, items) {
    keyed(list, items, ({ session }) => session.id, makeItem, (item, { session, forks }) => {
      this.#describe(item.firstElementChild, session);
      this.#list(item.lastElementChild, forks);
      item.lastElementChild.hidden = forks.length === 0;
    });
  }

  #describe(row, session) {
    const { id, version, path, appVersion, state, parent, createdAt, lastEventAt, name, key } = session;
    const part = (name) => row.querySelector(`.session-${name}`);
    const short = id.slice(0, 6);
    part("path").href = this.addressOf(id);
    setText(part("path"), path);
    setAttribute(row, "aria-current", id === this.current ? "true" : null);
    part("state").dataset.state = state;
    setText(part("state"), stateText(state));
    part("state").title = state;
    showWhole(part("name"), name ?? "");
    showWhole(part("key"), key ? `key ${key}` : "");
    keyed(part("attributes"), pairsOf(session), (pair) => pair, () => make("code"), showWhole);
    setText(part("id"), short);
    part("id").title = id;
    setText(part("version"), `version ${version}`);
    setText(part("app"), `app ${appVersion}`);
    setText(part("pending"), pendingText(session));
    setText(part("parent"), parent ? `forked from ${parent.session.slice(0, 6)}, version ${parent.version}` : "");
    const used = lastEventAt ?? createdAt;
    setText(part("age"), `${lastEventAt ? "last event" : "created"} ${ago(used, this.now())}`);
    part("age").dateTime = used;
    part("age").title = `Created ${new Date(createdAt).toLocaleString()}`;
    part("export").setAttribute("aria-label", `Export ${short}, at ${path}`);
    part("end").setAttribute("aria-label", `End ${short}, at ${path}`);
  }

  // Actions for one session

  async #export(session) {
    try {
      save(await this.journal(session.id), fileName(session));
      this.#showProblem(null);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.#showProblem(problem);
    }
  }

  #remove({ id }) {
    this.#sessions = this.#sessions.filter((session) => session.id !== id);
    this.#show();
    $("home-heading").focus();
  }
}

/** Shows a text that can be cut, and the whole text as its title. */
function showWhole(element, text) {
  setText(element, text);
  setAttribute(element, "title", text);
}

function makeItem({ session: { id } }) {
  const tool = (name, text) => make("button", { type: "button", className: `quiet session-${name}` }, text);
  return make("li", { className: "session", "data-session": id },
    make("div", { className: "session-row" },
      make("p", { className: "session-place" },
        make("a", { className: "session-path" }), make("span", { className: "session-state" })),
      make("p", { className: "session-facts" },
        make("span", { className: "session-name" }), make("span", { className: "session-key" }),
        make("span", { className: "session-attributes" }),
        make("code", { className: "session-id" }), make("span", { className: "session-version" }),
        make("time", { className: "session-age" }), make("span", { className: "session-pending" }),
        make("span", { className: "session-parent" }), make("span", { className: "session-app" })),
      make("div", { className: "session-tools" }, tool("export", "Export"), tool("end danger", "End"))),
    make("ul", { className: "session-forks" }));
}
