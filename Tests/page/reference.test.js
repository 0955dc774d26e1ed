import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { answerText, exampleText, formatted } from "../../public/api/code.js";
import { Description } from "../../public/api/description.js";
import { entriesOf, found } from "../../public/api/search.js";

const document = JSON.parse(readFileSync(new URL("../../public/openapi.json", import.meta.url), "utf8"));
const catalog = {
  events: [
    { name: "teams.didSelect", origin: "client", payload: { team: {} } }, { name: "results.didLoad", origin: "app" },
  ],
  paths: [], options: [],
};
const entries = entriesOf(new Description(document), catalog);
const search = (query) => found(entries, query);

test("paths, summaries, events, problems, documents and topics are found", () => {
  for (const [query, kind, id] of [
    ["GET /sessions/{id}/changes", "Request", "getSessionChanges"], ["put /route", "Request", "putSessionRoute"],
    ["ends a session", "Request", "deleteSession"], ["unknown-event", "Problem", "schema-UnknownEvent"],
    ["journalentry", "Document", "schema-JournalEntry"], ["who may", "Topic", "topic-1"],
  ]) {
    const first = search(query)[0];
    assert.deepEqual([first?.kind, first?.id], [kind, id], query);
  }
  const [event] = search("teams select");
  assert.deepEqual([event.title, event.id, event.event], ["teams.didSelect", "postSessionEvent", catalog.events[0]]);
  assert.deepEqual(search("results.didLoad"), []);
});

test("titles that begin with the query come first, and an empty query finds nothing", () => {
  const titles = search("session").map(({ title }) => title.toLowerCase());
  assert.ok(titles[0].startsWith("session"));
  assert.ok(titles.length <= 12);
  assert.deepEqual(search("  "), []);
  assert.deepEqual(search("no such thing"), []);
});

test("JSON is on as few lines as are easy to read", () => {
  assert.equal(formatted({ event: "a", payload: { team: "b" } }), '{ "event": "a", "payload": { "team": "b" } }');
  assert.equal(formatted({ empty: {}, none: [], list: [1, null] }), '{ "empty": {}, "none": [], "list": [1, null] }');
  const long = "x".repeat(40);
  assert.equal(formatted({ long, list: [{ long }] }),
    `{\n  "long": "${long}",\n  "list": [\n    { "long": "${long}" }\n  ]\n}`);
});

test("an answer keeps its numbers and what is no JSON", () => {
  assert.equal(answerText("application/json", '{"seed":12345678901234567890}'), '{ "seed": 12345678901234567890 }');
  assert.equal(answerText("application/json", "{"), "{");
  assert.equal(answerText("text/plain", "{}\n"), "{}\n");
  assert.equal(exampleText("application/x-ndjson", [{ a: 1 }, { b: 2 }]), '{"a":1}\n{"b":2}');
  assert.equal(exampleText("text/plain", "a 1"), "a 1");
  assert.equal(exampleText("text/html", undefined), "");
});
