// @ts-check
// A journal as a Swift test that uses CoordinateTesting. It does not touch the page.

import { eventCount } from "../counts.js";
import { ExactNumber, writeJSON } from "../exact.js";

/** The longest line of code, in characters. */
const width = 120;

/**
 * The test that sends the journal's events and expects their recorded results. A journal with outcomes of work, or with
 * other events that clients cannot send to a new session, is replayed instead.
 *
 * - header: the first line of an exported journal.
 * - entries: the lines after it, as many as the test needs.
 * - filledIn: returns an event with placeholders for its required secrets.
 */
export function swiftTest(header, entries, filledIn = (entry) => entry) {
  const path = entries.at(-1)?.path ?? header.path ?? "/";
  const body = entries.every(({ origin = "client", pending = null }) => origin === "client" && pending === null)
    ? emitting(header, entries.map((entry) => ({ ...entry, ...filledIn(entry) })))
    : replaying(header, entries, path);
  const type = identifier(header.app);
  const count = eventCount(entries.length);
  return [
    ...["CoordinateTesting", type, "Testing"].sort().map((module) => `import ${module}`),
    "",
    `/// Recorded in ${oneLine(header.app)} ${oneLine(header.appVersion)}: ${count}, up to ${oneLine(path)}.`,
    `@Test func leadsTo${identifier(path)}() async throws {`,
    "    // Create the app as its program does.",
    `    try await withServer(app: ${type}App()) { server in`,
    ...body.map((line) => `        ${line}`),
    "    }",
    "}",
    "",
  ].join("\n");
}

function emitting(header, entries) {
  const client = hasFields(header.options)
    ? call("let client = try await server.client", [`options: ${literal(header.options)}`])
    : ["let client = server.client()"];
  if (entries.length === 0) return [...client, ...expectation("try await client.route().path", header.path ?? "/")];
  const first = entries.length > 1 ? "var outcome" : "let outcome";
  return [...client, ...entries.flatMap((entry, index) => [
    ...call(`${index === 0 ? first : "outcome"} = try await client.${methodFor(entry)}`, values(entry)),
    ...expectation("outcome.handledBy", entry.handledBy),
    ...expectation("outcome.path", entry.path),
  ])];
}

function values(entry) {
  if (isLink(entry)) return [quoted(entry.payload.path)];
  const { event, payload, at } = entry;
  return [quoted(event), hasFields(payload) && literal(payload), `at: ${quoted(at)}`].filter(Boolean);
}

function methodFor(entry) {
  return isLink(entry) ? "open" : "emit";
}

function isLink({ event, payload }) {
  return event === "navigation.open" && typeof payload?.path === "string";
}

/** Lines of a test that replays the recorded journal. */
function replaying(header, entries, path) {
  const lines = [header, ...entries].map((line) => writeJSON(line));
  // A raw string needs more number signs than follow any quote or backslash in it.
  const ends = lines.flatMap((line) => line.match(/["\\]#*/g) ?? []);
  const hashes = "#".repeat(ends.reduce((most, end) => Math.max(most, end.length), 1));
  return [
    "// The journal has outcomes of work or events from the host, so the test replays it.",
    `let journal = ${hashes}"""`,
    ...lines.map((line) => `    ${line}`),
    `    """${hashes}`,
    "let client = try await server.client(replaying: Array(journal.utf8))",
    ...expectation("try await client.route().path", path),
  ];
}

function expectation(what, value) {
  const line = `#expect(${what} == ${value === null ? "nil" : quoted(value)})`;
  return 8 + line.length <= width ? [line] : ["#expect(", `    ${what}`, `        == ${quoted(value)})`];
}

/** A call on one line, or with one argument per line if it is too long. */
function call(callee, parts) {
  const line = `${callee}(${parts.join(", ")})`;
  if (8 + line.length <= width) return [line];
  const inner = `    ${parts.join(", ")})`;
  if (8 + inner.length <= width) return [`${callee}(`, inner];
  return [`${callee}(`, ...parts.map((part, index) => `    ${part}${index < parts.length - 1 ? "," : ")"}`)];
}

// Swift literals

/** A value as a literal of `CoordinateTesting.JSON`. */
export function literal(value) {
  if (value === null) return ".null";
  if (typeof value === "string") return quoted(value);
  if (value instanceof ExactNumber) return isInt(value.text) ? value.text : `.double(${value.text})`;
  // A number that does not fit into an Int becomes a double.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `.double(${value})`;
  if (typeof value !== "object") return `${value}`;
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  const fields = Object.entries(value).map(([name, each]) => `${quoted(name)}: ${literal(each)}`);
  return fields.length === 0 ? "[:]" : `[${fields.join(", ")}]`;
}

/** Whether a text is a whole number that fits into Swift's Int. */
function isInt(text) {
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** A string literal. */
export function quoted(text) {
  const escapes = { "\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };
  const escaped = text.replaceAll(/[\\"\u0000-\u001f\u007f\u2028\u2029]/g, (character) =>
    escapes[character] ?? `\\u{${character.codePointAt(0).toString(16)}}`);
  return `"${escaped}"`;
}

/** Words joined in camel case: `/main/teams/team/ferrari` becomes `MainTeamsTeamFerrari`. */
function identifier(text) {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.map((word) => word[0].toUpperCase() + word.slice(1)).join("") || "Start";
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, " ");
}

function hasFields(object) {
  return Object.keys(object ?? {}).length > 0;
}
