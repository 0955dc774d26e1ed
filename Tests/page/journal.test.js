import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { FakeElement } from "./elements.js";

import { oncePerFrame } from "../../public/inspector/frames.js";
import { readJSON, writeJSON } from "../../public/inspector/exact.js";
import { handlersOf, isWanted, Sieve } from "../../public/inspector/journal/filter.js";
import { fileName, journalText, readJournal } from "../../public/inspector/journal/lines.js";
import { RowList } from "../../public/inspector/journal/rowlist.js";
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
  assert.equal(literal({ 'q"\\': "\n\t\u0001\u2028é🏁" }), String.raw`["q\"\\": "\n\t\u{1}\u{2028}é🏁"]`);
  assert.equal(literal(1e21), ".double(1e+21)");
  assert.equal(literal(-3), "-3");
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

/** The files that the Swift tests compile and run. `COPIED_TESTS=1` writes them again. */
function checkCopied(name, text) {
  const file = new URL(`../InspectorTests/Copied/${name}`, import.meta.url);
  if (process.env.COPIED_TESTS) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
}

test("the tests that swift compiles are those that are copied", () => {
  const main = "AppCoordinator/MainCoordinator";
  const team = "/main/teams/team/ferrari";
  const entries = [
    ["splash.didFinish", {}, "AppCoordinator/SplashCoordinator", "AppCoordinator", "/main/teams"],
    ["teams.didSelect", { team: "ferrari" }, `${main}/TeamsCoordinator/TeamsListCoordinator`, main, team],
    ["navigation.dismiss", {}, `${main}/TeamsCoordinator/TeamsDetailsCoordinator`, null, team],
    ["navigation.open", { path: "/main/profile/edit" }, main, "AppCoordinator", "/main/profile/edit"],
    ["profile.rename", { name: String.raw`Zoë "O'Neill" \(1) \n` }, `${main}/ProfileCoordinator/ProfileEditorCoordinator`,
      `${main}/ProfileCoordinator`, "/main/profile"],
  ].map(([event, payload, at, handledBy, path]) => ({ event, payload, at, handledBy, path, origin: "client" }));
  const header = { app: "Racing", appVersion: "1.0", options: {}, path: "/splash" };
  checkCopied("ProfileTest.swift", swiftTest(header, entries));
  checkCopied("TeamsTest.swift", swiftTest(header, entries.slice(0, 1)));
  // A session with events of the app is replayed. The file has its journal.
  const replayed = readFileSync(new URL("../InspectorTests/Copied/ResultsTest.swift", import.meta.url), "utf8");
  const journal = readJournal(/#"""\n([^]*?) *"""#/.exec(replayed)[1].replaceAll(/^ +/gm, ""));
  checkCopied("ResultsTest.swift", swiftTest(journal.header, journal.entries));
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
  assert.equal(room.countFor(), 100);
  assert.ok(room.grow(6000));
  assert.equal(room.countFor(), 200);
  assert.ok(room.countFor(1000) > 1000);
  room.reset();
  assert.equal(room.countFor(), 100);
  assert.ok(!room.grow(100));
});

test("after an event, the filter looks at the new entry only", () => {
  const sieve = new Sieve();
  let looks = 0;
  const entryOf = (version, event) => ({
    version, payload: {}, at: "App", path: "/", handledBy: version % 2 === 0 ? "App" : null,
    get event() {
      looks += 1;
      return event;
    },
  });
  const entries = Array.from({ length: 10_000 }, (_, index) => entryOf(index + 1, index % 10 === 0 ? "a.b" : "c.d"));
  const { found, handlers } = sieve.matches(entries, { text: "a.b" });
  assert.equal(found.length, 1000);
  assert.deepEqual([...handlers], ["App"]);
  looks = 0;
  const more = [...entries, entryOf(10_001, "a.b")];
  assert.equal(sieve.matches(more, { text: "a.b" }).found, found);
  assert.equal(found.length, 1001);
  assert.equal(looks, 1);
  // Another filter, another session, and older entries need a new look at all of them.
  assert.equal(sieve.matches(more, { text: "c" }).found.length, 9000);
  assert.equal(sieve.matches(entries.slice(1), { text: "c" }).found.length, 9000);
  assert.equal(sieve.matches([], { text: "c" }).found.length, 0);
});

test("after an event, only its row is touched", () => {

  const list = new FakeElement("ol");
  let updates = 0;
  const rows = new RowList(list, { create: () => new FakeElement(), update: () => { updates += 1; } });
  const entries = Array.from({ length: 10_000 }, (_, index) => ({ version: index + 1 }));
  const shown = () => list.children.map(({ dataset }) => Number(dataset.key));
  rows.show(entries, 0, { version: 0 });
  assert.equal(updates, 10_001);
  updates = 0;
  entries.push({ version: 10_001 });
  rows.show(entries, 0, { version: 0 });
  assert.equal(updates, 1);
  assert.deepEqual(shown(), Array.from({ length: 10_002 }, (_, index) => 10_001 - index));
  // The window moves, grows down to the beginning, and becomes another list.
  entries.push({ version: 10_002 });
  rows.show(entries, 9_999, null);
  assert.deepEqual(shown(), [10_002, 10_001, 10_000]);
  rows.show(entries, 9_997, null);
  assert.deepEqual(shown(), [10_002, 10_001, 10_000, 9_999, 9_998]);
  const few = entries.slice(0, 2);
  rows.show(few, 1, null);
  rows.show(few, 0, { version: 0 });
  assert.deepEqual(shown(), [2, 1, 0]);
  assert.equal(rows.row(3), undefined);
  updates = 0;
  rows.refresh();
  rows.show(few, 0, { version: 0 });
  assert.equal(updates, 3);
  rows.clear();
  assert.deepEqual([shown(), rows.row(1)], [[], undefined]);
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
