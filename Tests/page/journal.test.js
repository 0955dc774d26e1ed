import assert from "node:assert/strict";
import { test } from "node:test";

import { oncePerFrame } from "../../public/inspector/frames.js";
import { readJSON, writeJSON } from "../../public/inspector/exact.js";
import { handlersOf, isWanted } from "../../public/inspector/journal/filter.js";
import { fileName, journalText, readJournal } from "../../public/inspector/journal/lines.js";
import { Room } from "../../public/inspector/journal/rows.js";
import { literal, quoted, swiftTest } from "../../public/inspector/journal/swift.js";

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

test("values are Swift literals", () => {
  assert.equal(literal({ a: [1, 2.5, true, null, {}, []] }), '["a": [1, 2.5, true, .null, [:], []]]');
  assert.equal(literal(1e21), ".double(1e+21)");
  assert.equal(
    literal(readJSON("[9223372036854775807,9223372036854775808,-9223372036854775808,0.1234567890123456789]")),
    "[9223372036854775807, .double(9223372036854775808), -9223372036854775808, .double(0.1234567890123456789)]");
  assert.equal(quoted('"\\(x)\n\u0001\u2028é'), '"\\"\\\\(x)\\n\\u{1}\\u{2028}é"');
});

test("a session with only client events becomes a test that sends them", () => {
  const header = { app: "my notes", appVersion: "1.0", options: { locale: "de" }, path: "/" };
  assert.equal(swiftTest(header, [entry]), `import CoordinateTesting
import MyNotes
import Testing

/// Recorded in my notes 1.0: 1 event, up to /main/teams/team/ferrari.
@Test func leadsToMainTeamsTeamFerrari() async throws {
    // Create the app as its program does.
    try await withServer(app: MyNotesApp()) { server in
        let client = try await server.client(options: ["locale": "de"])
        let outcome = try await client.emit("teams.didSelect", ["team": "ferrari"], at: "App/Main")
        #expect(outcome.handledBy == "App")
        #expect(outcome.path == "/main/teams/team/ferrari")
    }
}
`);
});

test("secrets are replaced by placeholders", () => {
  const text = swiftTest({ app: "A", appVersion: "1" }, [entry], (each) => ({ ...each, payload: { key: "secret" } }));
  assert.match(text, /\["key": "secret"\]/);
});

test("a recorded text cannot end its string literal", () => {
  const text = swiftTest({ app: "A", appVersion: "1" }, [{ ...entry, origin: "work", payload: { text: '"""#\\#(x)' } }]);
  assert.match(text, /let journal = ##"""\n/);
  assert.ok(text.includes('\\"\\"\\"#'));
});

test("posted outcomes are replayed, because a new session refuses them", () => {
  const text = swiftTest({ app: "A", appVersion: "1", work: "withheld" }, [{ ...entry, pending: "1-1" }]);
  assert.match(text, /replaying: Array/);
  assert.match(text, /"work":"withheld"/);
});

test("a session without events is still at its first path", () => {
  assert.match(swiftTest({ app: "A", appVersion: "1", path: "/" }, []), /#expect\(try await client\.route\(\)\.path == "\/"\)/);
});

test("only the rows that can be reached are on the page", () => {
  const room = new Room();
  const rows = Array.from({ length: 6000 }, (_, index) => 6000 - index);
  assert.equal(room.shown(rows).length, 100);
  assert.ok(room.grow(rows.length));
  assert.equal(room.shown(rows).length, 200);
  assert.ok(room.shown(rows, 1000).includes(5000));
  room.reset();
  assert.equal(room.shown(rows).length, 100);
  assert.ok(!room.grow(100));
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
