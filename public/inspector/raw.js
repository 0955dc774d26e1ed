// @ts-check
// The dialog that shows a version's documents as the server sends them: the route, the event's outcome, the journal
// entry.

import { routeCommand } from "./curl.js";
import { $, make, setAttribute, setText } from "./dom.js";
import { writeJSON } from "./exact.js";

const kinds = ["route", "outcome", "entry"];

export class RawDocuments {
  /** @type {any} */
  #documents = {};
  #kind = "route";

  /**
   * Callbacks: copy(text), command(session, entry), which returns a curl command or null if the
   * event cannot be sent again.
   */
  constructor({ copy, command }) {
    this.command = command;
    for (const kind of kinds) $(`raw-${kind}`).addEventListener("click", () => this.#show(kind));
    $("raw-copy").addEventListener("click", () => copy($("raw-json").textContent));
    $("raw-curl").addEventListener("click", () => copy(this.#command));
    $("raw-close").addEventListener("click", () => $("raw").close());
  }

  /** Shows the documents of a version, starting with one of them. Only the page that sent the event has its outcome. */
  async open(session, version, kind) {
    this.session = session.id;
    this.version = version;
    const loaded = { outcome: session.outcomes.get(version), entry: session.entryOf(version) };
    const route = await session.routeOf(version).catch((problem) => {
      if (!loaded[kind]) throw problem;
    });
    this.#documents = { ...loaded, route };
    setText($("raw-heading"), `Version ${version}`);
    for (const each of kinds) $(`raw-${each}`).disabled = !this.#documents[each];
    this.#show(this.#documents[kind] ? kind : "route");
    if (!$("raw").open) $("raw").showModal();
  }

  #show(kind) {
    this.#kind = kind;
    for (const each of kinds) setAttribute($(`raw-${each}`), "aria-pressed", each === kind);
    $("raw-json").replaceChildren(...coloured(writeJSON(this.#documents[kind], 2)));
    $("raw-json").scrollTop = 0;
    $("raw-curl").disabled = this.#command === null;
  }

  get #command() {
    const { entry } = this.#documents;
    return this.#kind === "route" ? routeCommand(this.session, this.version) : this.command(this.session, entry);
  }
}

/** Marks the names in a JSON text. */
function coloured(json) {
  return json.split(/("(?:[^"\\]|\\.)*"(?=:))/).map((part, index) =>
    index % 2 === 1 ? make("span", { className: "json-name" }, part) : part);
}
