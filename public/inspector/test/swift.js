// @ts-check
// A journal as a Swift test that uses CoordinateTesting. It does not touch the page.

import { ExactNumber, writeJSON } from "../exact.js";
import { endOf, hasFields, isLink, noted, recorded, whyReplayed, width, wordsIn } from "./text.js";

/** What the lines of the test's body begin with. */
const indent = " ".repeat(8);

/**
 * Sends the journal's events and expects their recorded results. A journal with outcomes of work, or with other events
 * that clients cannot send to a new session, is replayed instead.
 * @type {import("./text.js").Language}
 */
export const swift = {
  opening(journal) {
    const { header, isReplayed } = journal;
    const type = identifier(header.app);
    return [
      ...["CoordinateTesting", type, "Testing"].sort().map((module) => `import ${module}`),
      "",
      `/// ${recorded(journal)}`,
      `@Test func leadsTo${identifier(endOf(journal))}() async throws {`,
      "    // Create the app as its program does.",
      `    try await withServer(app: ${type}App()) { server in`,
      ...(isReplayed ? replayed(header) : client(header)).map((line) => indent + line),
    ];
  },

  step(entry, index, { entries, isReplayed }) {
    if (isReplayed) return [`${indent}    ${rawLine(entry)}`];
    const declaration = entries.length > 1 ? "var " : "let ";
    const outcome = `${index === 0 ? declaration : ""}outcome`;
    return [
      ...noted(entry, "//"),
      ...call(`${outcome} = try await client.${methodFor(entry)}`, values(entry)),
      // A press throws an error if no coordinator handles its event.
      ...(entry.pressed ? [] : expectation("outcome.handledBy", entry.handledBy)),
      ...expectation("outcome.path", entry.path),
    ].map((line) => indent + line);
  },

  closing(journal) {
    const replay = [
      '    """#', "let client = try await server.client(replaying: Array(journal.utf8))",
      ...expectation("try await client.route().path", endOf(journal)),
    ];
    const start = expectation("try await client.route().path", endOf(journal));
    const last = journal.isReplayed ? replay : journal.entries.length === 0 ? start : [];
    return [...last.map((line) => indent + line), "    }", "}"];
  },
};

function client({ options }) {
  return hasFields(options)
    ? call("let client = try await server.client", [`options: ${literal(options)}`])
    : ["let client = server.client()"];
}

function replayed(header) {
  return [
    `// ${whyReplayed}`,
    'let journal = #"""',
    `    ${rawLine(header)}`,
  ];
}

/** A line of the journal in a raw string, which a number sign after a quote or a backslash would end or escape. */
function rawLine(line) {
  return writeJSON(line).replaceAll(/(?<=["\\])#/g, String.raw`\u0023`);
}

function methodFor(entry) {
  if (isLink(entry)) return "open";
  return entry.pressed ? "press" : "emit";
}

function values(entry) {
  if (isLink(entry)) return [quoted(entry.payload.path)];
  const { event, payload, at, pressed } = entry;
  const parts = pressed
    ? [quoted(pressed.title), pressed.row !== null && `inRow: ${quoted(pressed.row)}`,
      hasFields(pressed.values) && `entering: ${literal(pressed.values)}`]
    : [quoted(event), hasFields(payload) && literal(payload), `at: ${quoted(at)}`];
  return parts.filter(Boolean);
}

function expectation(what, value) {
  const line = `#expect(${what} == ${value === null ? "nil" : quoted(value)})`;
  return indent.length + line.length <= width ? [line] : ["#expect(", `    ${what}`, `        == ${quoted(value)})`];
}

/** A call on one line, or with one argument per line if it is too long. */
function call(callee, parts) {
  const line = `${callee}(${parts.join(", ")})`;
  if (indent.length + line.length <= width) return [line];
  const inner = `    ${parts.join(", ")})`;
  if (indent.length + inner.length <= width) return [`${callee}(`, inner];
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
  return wordsIn(text).map((word) => word[0].toUpperCase() + word.slice(1)).join("") || "Start";
}
