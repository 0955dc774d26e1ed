// @ts-check
// The dialog that shows a step's documents as the server sends them: the route, the event's outcome, the journal
// entry; and the whole journal.

import { routeCommand } from "./curl.js";
import { $, make, setAttribute, setText } from "./dom.js";
import { writeJSON } from "./exact.js";
import { JournalList } from "./journal/list.js";

const kinds = ["route", "outcome", "entry", "journal"];

export class RawDocuments {
  #list;
  /** @type {any} */
  #documents = {};
  #kind = "route";
  /** @type {any} */
  #session = null;
  #version = 0;

  /**
   * - copy(text).
   * - command(session, entry): a curl command, or null if the event cannot be sent again.
   * - travel(version), readOlder(): what the journal's lines and its button do.
   */
  constructor({ copy, command, travel, readOlder }) {
    this.command = command;
    this.#list = new JournalList({
      readOlder,
      travel: (version) => {
        $("raw").close();
        travel(version);
      },
    });
    for (const kind of kinds) $(`raw-${kind}`).addEventListener("click", () => this.#show(kind));
    $("raw-copy").addEventListener("click", () => copy($("raw-json").textContent));
    $("raw-curl").addEventListener("click", () => copy(this.#command));
    $("raw-close").addEventListener("click", () => $("raw").close());
  }

  /** Shows the documents of a version, starting with one of them. Only the page that sent the event has its outcome. */
  async open(session, version, kind) {
    const loaded = {
      outcome: session.outcomes.get(version), entry: session.entryOf(version), journal: session.entries,
    };
    // Before the first event, there is only the app's start.
    const route = session.id === null ? session.shown : await session.routeOf(version).catch((problem) => {
      if (!loaded[kind]) throw problem;
    });
    this.#session = session;
    this.#version = version;
    this.#documents = { ...loaded, route };
    for (const each of kinds) $(`raw-${each}`).disabled = !this.#documents[each];
    this.#show(this.#documents[kind] ? kind : "route");
    if (!$("raw").open) $("raw").showModal();
  }

  /** Shows new entries of the session whose journal is open. */
  show(session) {
    if ($("raw").open && this.#kind === "journal" && session === this.#session) this.#list.show(session);
  }

  #show(kind) {
    this.#kind = kind;
    const isJournal = kind === "journal";
    setText($("raw-heading"), isJournal ? "Journal" : `Step ${this.#version}`);
    for (const each of kinds) setAttribute($(`raw-${each}`), "aria-pressed", each === kind);
    $("raw-json").hidden = isJournal;
    $("raw-entries").hidden = !isJournal;
    for (const id of ["raw-curl", "raw-copy"]) $(id).hidden = isJournal;
    for (const id of ["download", "import"]) $(id).hidden = !isJournal;
    $("download").disabled = this.#session.id === null;
    if (isJournal) return this.#list.show(this.#session);
    $("raw-json").replaceChildren(...coloured(writeJSON(this.#documents[kind], 2)));
    $("raw-json").scrollTop = 0;
    $("raw-curl").disabled = this.#command === null;
  }

  get #command() {
    const { id } = this.#session;
    if (id === null) return null;
    return this.#kind === "route" ? routeCommand(id, this.#version) : this.command(id, this.#documents.entry);
  }
}

/** Marks the names in a JSON text. */
function coloured(json) {
  return json.split(/("(?:[^"\\]|\\.)*"(?=:))/).map((part, index) =>
    index % 2 === 1 ? make("span", { className: "json-name" }, part) : part);
}
