import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, said, textsOf } from "./elements.js";

import { oncePerFrame } from "../../public/inspector/frames.js";
import { writeJSON } from "../../public/inspector/exact.js";
import { handlersOf, isWanted } from "../../public/inspector/journal/filter.js";
import { fileName, journalText, readJournal } from "../../public/inspector/journal/lines.js";

const entry = {
  version: 2, event: "teams.didSelect", payload: { team: "ferrari" }, at: "App/Main", handledBy: "App", origin: "client",
  path: "/main/teams/team/ferrari",
};

test("an entry is shown if it matches every part of the filter", () => {
  assert.ok(isWanted(entry, {}));
  assert.ok(isWanted(entry, { text: "FERRARI didselect", handler: "App", origin: "client" }));
  assert.ok(!isWanted(entry, { text: "ferrari haas" }));
  assert.ok(!isWanted(entry, { handler: "unhandled" }));
  assert.ok(isWanted({ ...entry, handledBy: null }, { handler: "unhandled" }));
  assert.ok(!isWanted(entry, { origin: "timer" }));
});

test("every handler is listed once", () => {
  assert.deepEqual(handlersOf([entry, { handledBy: null }, { handledBy: "A" }, entry]), ["A", "App"]);
});

test("a journal is a header and entries", () => {
  assert.deepEqual(readJournal('{"journal":2}\n{"version":1}\n'), { header: { journal: 2 }, entries: [{ version: 1 }] });
  assert.equal(fileName("Formula Racing!", "abcdefgh"), "formula-racing-abcdef.ndjson");
  assert.equal(fileName("✓", "abcdefgh"), "journal-abcdef.ndjson");
});

test("a journal's numbers keep their digits", () => {
  const line = '{"version":1,"payload":{"a":12345678901234567890}}';
  const text = `{"journal":2}\n${line}\n`;
  const { header, entries } = readJournal(text);
  assert.equal(writeJSON(entries[0]), line);
  assert.equal(journalText(header, entries), text);
});

test("many changes are shown once per frame, and at once on a hidden page", () => {
  const frames = [];
  let isHidden = false;
  let shows = 0;
  const soon = oncePerFrame(() => { shows += 1; }, { isHidden: () => isHidden, frame: (go) => frames.push(go) });
  for (let change = 0; change < 50; change += 1) soon();
  assert.deepEqual([frames.length, shows], [1, 0]);
  frames[0]();
  assert.equal(shows, 1);
  soon();
  soon.now();
  frames[1]();
  assert.equal(shows, 2);
  isHidden = true;
  soon();
  assert.equal(shows, 3);
});

// The journal and the documents in the dialog

openPage();
globalThis.location ??= /** @type {any} */ ({ origin: "http://localhost", href: "http://localhost/" });
const { RawDocuments } = await import("../../public/inspector/raw.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

/** An open dialog of a session with these entries, and what it did. */
async function openRaw(entries, more = {}, kind = "journal") {
  openPage();
  const made = { copied: [], travels: [], reads: 0 };
  const session = {
    id: "A".repeat(22), entries, outcomes: new Map(), hasOlder: false, tookOf: () => null,
    entryOf: (version) => entries.find((each) => each.version === version),
    routeOf: async (version) => ({ version, path: "/" }), ...more,
  };
  const raw = new RawDocuments({
    copy: (text) => made.copied.push(text),
    command: (_, { event }) => (event === "a.secret" ? null : `curl ${event}`),
    travel: (version) => made.travels.push(version),
    readOlder: async () => { made.reads += 1; },
  });
  await raw.open(session, entries.at(-1)?.version ?? 0, kind);
  return Object.assign(made, { raw, session });
}

const numbered = (version, event, handledBy, origin = "client") =>
  ({ version, event, payload: {}, at: "App", path: "/", handledBy, origin, pending: null, time: "2026-01-01T12:00:00Z" });
const few = [numbered(1, "a.b", "App"), numbered(2, "a.c", "App/Main", "timer"), numbered(3, "a.secret", null)];
const lines = () => $("entries").querySelectorAll(".entry").map(({ dataset }) => Number(dataset.version));

test("the journal has a line for each entry that matches, newest first", async () => {
  const { travels } = await openRaw(few);
  assert.deepEqual([lines(), textsOf("#filter-count")], [[3, 2, 1], [""]]);
  assert.deepEqual($("filter-handlers").children.map(said), ["App", "Main"]);
  $("filter-text").enter("A.B");
  assert.deepEqual([lines(), textsOf("#filter-count")], [[1], ["1 of 3 entries"]]);
  $("filter-text").enter("");
  for (const [field, value, versions] of [["handler", "unhandled", [3]], ["origin", "timer", []], ["handler", "", [2]]]) {
    $(`filter-${field}`).value = value;
    $(`filter-${field}`).fire("change");
    assert.deepEqual(lines(), versions);
  }
  $("entries").querySelector(".entry").click();
  assert.deepEqual([travels, $("raw").getAttribute("open")], [[2], null]);
});

test("a long journal shows its newest lines, and more of them on demand", async () => {
  const many = Array.from({ length: 450 }, (_, index) => numbered(index + 51, "a.b", "App"));
  const made = await openRaw(many, { hasOlder: true });
  assert.deepEqual([lines().length, lines()[0]], [200, 500]);
  $("load-older").click();
  await settled();
  assert.deepEqual([lines().length, made.reads], [400, 0]);
  $("load-older").click();
  await settled();
  assert.deepEqual([lines().length, made.reads], [450, 1]);
  // New entries are shown while the journal is open.
  made.session.entries = [...many, numbered(501, "a.b", "App")];
  made.raw.show(made.session);
  assert.equal(lines()[0], 501);
});

test("a step's documents are shown and copied, if they are there", async () => {
  const { copied } = await openRaw(few, {}, "outcome");
  assert.deepEqual([said($("raw-heading")), $("raw-outcome").disabled], ["Step 3", true]);
  assert.deepEqual(JSON.parse(said($("raw-json"))), { version: 3, path: "/" });
  $("raw-curl").click();
  $("raw-entry").click();
  // A secret cannot be sent again.
  assert.ok($("raw-curl").disabled);
  $("raw-copy").click();
  assert.match(copied[0], /curl .*route\?version=3/);
  assert.equal(JSON.parse(copied[1]).event, "a.secret");
  $("raw-journal").click();
  assert.deepEqual([said($("raw-heading")), $("raw-json").hidden, $("download").hidden], ["Journal", true, false]);
});

test("before the first event, there is the app's start", async () => {
  await openRaw([], { id: null, shown: { version: 0, path: "/splash" }, routeOf: null }, "route");
  assert.equal(JSON.parse(said($("raw-json"))).path, "/splash");
  assert.ok($("raw-curl").disabled);
  $("raw-journal").click();
  assert.deepEqual(textsOf("#entries-none"), ["Nothing has happened yet."]);
});
