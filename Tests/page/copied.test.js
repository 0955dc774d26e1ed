// The tests that the page writes: in Swift, for a shell, and for pytest.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { readJSON } from "../../public/inspector/exact.js";
import { readJournal } from "../../public/inspector/journal/lines.js";
import { curl } from "../../public/inspector/test/curl.js";
import { pressIn } from "../../public/inspector/test/pressed.js";
import { literal as pythonLiteral, python } from "../../public/inspector/test/python.js";
import { literal, quoted, swift } from "../../public/inspector/test/swift.js";
import { testText } from "../../public/inspector/test/text.js";

const header = { app: "my notes", appVersion: "1.0", options: { locale: "de" }, path: "/" };
const entry = {
  version: 2, event: "teams.didSelect", payload: { team: "ferrari" }, at: "App/Main", handledBy: "App", origin: "client",
  path: "/main/teams/team/ferrari", pending: null,
};
const unhandled = { ...entry, version: 3, event: "navigation.dismiss", payload: {}, handledBy: null };
const link = { ...entry, event: "navigation.open", payload: { path: "/main/it's" }, path: "/main/it's" };
const posted = { ...entry, pending: "1-1" };
const server = { origin: "http://127.0.0.1:8080", hasKey: false };

/** What could end a literal, or be more than text in one of the languages. */
const hostile = `it's "quoted" ''' """ # \\#(x) "# \\n $HOME \${x} \`id\` $(id) 
 \r \t \u0000 \u2028 é 🏁 EOF\nJOURNAL\n`;

/** The lines between the opening and the closing of a test. */
const steps = (language, entries, prepared) => {
  const journal = { header, entries, isReplayed: false };
  return entries.flatMap((each, index) => language.step(prepared?.(each) ?? each, index, journal));
};

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

test("values are Python literals", () => {
  assert.equal(pythonLiteral({ a: [1, 2.5, true, false, null, {}, []] }), '{"a": [1, 2.5, True, False, None, {}, []]}');
  assert.equal(pythonLiteral(readJSON("[9223372036854775808]")), "[9223372036854775808]");
  // The escapes of JSON are those of Python.
  assert.equal(pythonLiteral(hostile), JSON.stringify(hostile));
});

test("a session with only client events becomes a test that sends them", () => {
  assert.equal(testText(swift, header, [entry]), `import CoordinateTesting
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

test("a shell script sends the events and expects their outcomes", () => {
  assert.deepEqual(steps(curl(server), [entry, unhandled, link]), [
    `event '{"event":"teams.didSelect","payload":{"team":"ferrari"},"at":"App/Main"}'`,
    `expect '{"handledBy":"App","path":"/main/teams/team/ferrari"}'`,
    `event '{"event":"navigation.dismiss","at":"App/Main"}'`,
    `expect '{"handledBy":null,"path":"/main/teams/team/ferrari"}'`,
    String.raw`open '{"path":"/main/it'\''s"}'`,
    String.raw`expect '{"handledBy":"App","path":"/main/it'\''s"}'`,
  ]);
  const text = testText(curl({ ...server, hasKey: true }), header, [entry]);
  assert.match(text, /^server=\$\{SERVER:-http:\/\/127\.0\.0\.1:8080\}$/m);
  assert.match(text, /-H "Authorization: Bearer \$COORDINATE_API_KEY"/);
  assert.match(text, /^session=.*'\{"options":\{"locale":"de"\}\}'/m);
});

test("a test for pytest sends the events and expects their outcomes", () => {
  const long = { ...entry, at: `App/${"Main".repeat(20)}` };
  assert.deepEqual(steps(python(server), [entry, unhandled, link, long]), [
    '    outcome = client.emit("teams.didSelect", {"team": "ferrari"}, at="App/Main")',
    '    assert outcome["handledBy"] == "App"',
    '    assert outcome["path"] == "/main/teams/team/ferrari"',
    '    outcome = client.emit("navigation.dismiss", at="App/Main")',
    '    assert outcome["handledBy"] is None',
    '    assert outcome["path"] == "/main/teams/team/ferrari"',
    '    outcome = client.open("/main/it\'s")',
    '    assert outcome["handledBy"] == "App"',
    '    assert outcome["path"] == "/main/it\'s"',
    "    outcome = client.emit(",
    '        "teams.didSelect",',
    '        {"team": "ferrari"},',
    `        at="App/${"Main".repeat(20)}",`,
    "    )",
    '    assert outcome["handledBy"] == "App"',
    '    assert outcome["path"] == "/main/teams/team/ferrari"',
  ]);
  const text = testText(python({ ...server, hasKey: true }), header, [entry]);
  assert.match(text, /^def test_leads_to_main_teams_team_ferrari\(\):$/m);
  assert.match(text, /client = Client\(json\.dumps\(\{"options": \{"locale": "de"\}\}\)\)/);
  assert.match(text, /os\.environ\["COORDINATE_API_KEY"\]/);
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
  const racing = { app: "Racing", appVersion: "1.0", options: {}, path: "/splash" };
  checkCopied("ProfileTest.swift", testText(swift, racing, entries));
  checkCopied("TeamsTest.swift", testText(swift, racing, entries.slice(0, 1)));
  const presses = [
    ["Continue", "splash.didFinish", {}, "/main/teams"], ["Ferrari", "teams.didSelect", { team: "ferrari" }, team],
    ["Charles Leclerc", "drivers.didSelect", { driver: "leclerc" }, "/main/teams/driver/leclerc"],
    ["Add to favorites", "drivers.setFavorite", { driver: "leclerc" }, "/main/teams/driver/leclerc"],
  ].map(([title, event, payload, path]) => ({ event, payload, path, pressed: { title, row: null, values: {} } }));
  const edit = { title: "Edit profile", row: null, values: {} };
  const save = { title: "Save", row: null, values: { name: String.raw`Zoë "O'Neill" \(1)` } };
  const link = { event: "navigation.open", payload: { path: "/main/profile" }, handledBy: "AppCoordinator" };
  checkCopied("PressedTest.swift", testText(swift, racing, [
    ...presses, { ...link, path: "/main/profile" }, { pressed: edit, path: "/main/profile/edit" },
    { pressed: save, path: "/main/profile" },
    { pressed: { title: "Drivers", row: null, values: {} }, path: "/main/drivers" },
  ]));
  // A session with events of the app is replayed. The file has its journal.
  const replayed = readFileSync(new URL("../InspectorTests/Copied/ResultsTest.swift", import.meta.url), "utf8");
  const journal = readJournal(/#"""\n([^]*?) *"""#/.exec(replayed)[1].replaceAll(/^ +/gm, ""));
  checkCopied("ResultsTest.swift", testText(swift, journal.header, journal.entries));
});

test("a press is told by its title, and throws if it is not handled", () => {
  const pressed = { title: 'Say "hi"', row: "bread", values: { count: 2 } };
  const prepared = (each) => ({ ...each, pressed });
  assert.deepEqual(steps(swift, [entry], prepared), [
    String.raw`        let outcome = try await client.press("Say \"hi\"", inRow: "bread", entering: ["count": 2])`,
    '        #expect(outcome.path == "/main/teams/team/ferrari")',
  ]);
  assert.equal(steps(curl(server), [entry], prepared)[0], '# Say "hi"');
  assert.equal(steps(python(server), [entry], prepared)[1],
    '    outcome = client.emit("teams.didSelect", {"team": "ferrari"})');
});

test("secrets are placeholders, and the test says so", () => {
  const prepared = (each) => ({ ...each, payload: { key: "secret" }, placeholders: ["key"] });
  const note = "The journal has no secrets: replace the placeholder for key.";
  assert.deepEqual(steps(swift, [entry], prepared).slice(0, 2), [
    `        // ${note}`,
    '        let outcome = try await client.emit("teams.didSelect", ["key": "secret"], at: "App/Main")',
  ]);
  assert.equal(steps(curl(server), [entry], prepared)[0], `# ${note}`);
  assert.equal(steps(python(server), [entry], prepared)[0], `    # ${note}`);
});

test("posted outcomes and events of the app are replayed, because a new session refuses them", () => {
  for (const [language, sends] of [
    [swift, /replaying: Array\(journal\.utf8\)/], [curl(server), /application\/x-ndjson' --data-binary @-/],
    [python(server), /^''', type="application\/x-ndjson"\)$/m],
  ]) {
    for (const each of [posted, { ...entry, origin: "work" }]) {
      const text = testText(language, { ...header, work: "withheld" }, [each], () => assert.fail("only as recorded"));
      assert.match(text, sends);
      assert.match(text, /"work":"withheld"/);
      assert.match(text, /(?:path|\{"path":).*"\/main\/teams\/team\/ferrari"/);
    }
  }
});

test("a recorded text cannot end its literal", () => {
  const work = { ...entry, origin: "work", payload: { text: hostile } };
  const lineOf = (language) => language.step(work, 0, { header, entries: [work], isReplayed: true })[0].trim();
  assert.doesNotMatch(lineOf(swift), /["\\]#/);
  assert.doesNotMatch(lineOf(python(server)), /'''/);
  for (const language of [swift, python(server), curl(server)]) assert.deepEqual(JSON.parse(lineOf(language)), work);
});

test("a session without events is still at its first path", () => {
  assert.match(testText(swift, header, []), /#expect\(try await client\.route\(\)\.path == "\/"\)/);
  assert.match(testText(curl(server), header, []), /^outcome=\$\(send "\$session\/route"\)\nexpect '\{"path":"\/"\}'$/m);
  assert.match(testText(python(server), header, []), /^ {4}assert client\.path\(\) == "\/"$/m);
});

test("a shell passes recorded texts on unchanged", () => {
  const folder = mkdtempSync(join(tmpdir(), "coordinate-"));
  const run = (entries) => {
    // Stands in for curl, and records what is sent.
    const script = `
      curl() {
        for each; do case $each in "{"*) printf '%s\\n' "$each" >> sent ;; @-) cat >> sent ;; esac; done
        echo '{}'
      }
      jq() { cat > /dev/null; echo /s; }
      ${testText(curl(server), header, entries)}`;
    execFileSync("sh", ["-c", script], { cwd: folder });
    return readFileSync(join(folder, "sent"), "utf8").trimEnd().split("\n").map(readJSON);
  };
  try {
    const payload = { text: hostile, [hostile]: [hostile] };
    const [options, request] = run([{ ...entry, payload }]);
    assert.deepEqual(options, { options: header.options });
    assert.deepEqual(request, { event: entry.event, payload, at: entry.at });
    rmSync(join(folder, "sent"));
    const work = { ...entry, origin: "work", payload };
    assert.deepEqual(run([work]), [header, work]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Presses

const action = (title, event, payload = {}, inputs = []) => ({ title, event, payload, inputs });
const add = action("Add", "a.add", { dish: "bread", count: 1 }, [{ field: "count" }]);
const dishes = {
  leaf: "App/List",
  screen: {
    rows: [
      { id: "bread", action: action("Bread", "a.show", { dish: "bread" }), delete: null, actions: [add] },
      { id: "soup", action: action("Soup", "a.show", { dish: "soup" }), delete: null, actions: [
        action("Add", "a.add", { dish: "soup", count: 1 }, [{ field: "count" }]),
      ] },
    ],
    actions: [action("Pay", "a.pay")],
  },
  navigation: {
    back: action("Menu", "navigation.back"), dismiss: null, tabs: [{ action: action("Menu", "navigation.selectTab") }],
  },
};

for (const [what, event, payload, expected, more] of [
  ["a button of the screen", "a.pay", {}, { title: "Pay", row: null, values: {} }],
  ["a row", "a.show", { dish: "soup" }, { title: "Soup", row: null, values: {} }],
  ["a button that other rows have", "a.add", { dish: "soup", count: 1 }, { title: "Add", row: "soup", values: {} }],
  ["an entered value", "a.add", { count: 3, dish: "bread" }, { title: "Add", row: "bread", values: { count: 3 } }],
  ["a title of two buttons", "navigation.back", {}, null],
  ["a payload that no button sends", "a.show", { dish: "cake" }, null],
  ["another coordinator", "a.pay", {}, null, { at: "App" }],
  ["an event that was not handled", "a.pay", {}, null, { handledBy: null }],
]) {
  test(`the press of an entry: ${what}`, () => {
    assert.deepEqual(pressIn(dishes, { event, payload, at: "App/List", handledBy: "App", ...more }), expected);
  });
}
