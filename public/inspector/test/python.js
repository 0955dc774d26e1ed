// @ts-check
// A journal as a test for pytest, which sends its events with requests. It does not touch the page.

import { ExactNumber, writeJSON } from "../exact.js";
import { endOf, hasFields, isLink, noted, recorded, titled, whyReplayed, width, wordsIn } from "./text.js";

/** What the lines of the test's body begin with. */
const indent = " ".repeat(4);

/**
 * The test for a server.
 * @param {import("../curl.js").Server} server
 * @returns {import("./text.js").Language}
 */
export const python = ({ origin, hasKey }) => ({
  opening(journal) {
    const { header, isReplayed } = journal;
    const key = hasKey ? ['    http.headers["Authorization"] = "Bearer " + os.environ["COORDINATE_API_KEY"]'] : [];
    return [
      `# ${recorded(journal)}`,
      "# Needs pytest and requests.",
      "import json",
      "import os",
      "",
      "import requests",
      "",
      `SERVER = os.environ.get("SERVER", ${literal(origin)})`,
      "",
      "",
      "class Client:",
      '    """A session of the app."""',
      "",
      "    http = requests.Session()",
      ...key,
      "",
      '    def __init__(self, body, type="application/json"):',
      '        self.session = self.send("POST", "/sessions", body, type)["links"]["self"]',
      "",
      '    def send(self, method, path, body=None, type="application/json"):',
      '        headers = {"Content-Type": type, "Prefer": "return=minimal"}',
      "        answer = self.http.request(method, SERVER + path, data=body and body.encode(), headers=headers)",
      "        assert answer.ok, answer.text",
      "        return answer.json()",
      "",
      "    def emit(self, event, payload={}, at=None):",
      '        body = {"event": event, "payload": payload, "at": at}',
      '        return self.send("POST", f"{self.session}/events", json.dumps(body))',
      "",
      "    def open(self, path):",
      '        return self.send("PUT", f"{self.session}/route", json.dumps({"path": path}))',
      "",
      "    def path(self):",
      '        return self.send("GET", f"{self.session}/route")["path"]',
      "",
      "",
      `def test_leads_to_${name(endOf(journal))}():`,
      ...(isReplayed ? replayed(header) : client(header)),
    ];
  },

  step(entry, index, { isReplayed }) {
    if (isReplayed) return [rawLine(entry)];
    const { handledBy, path } = entry;
    return [
      ...titled(entry, "#"),
      ...noted(entry, "#"),
      ...call(`outcome = client.${isLink(entry) ? "open" : "emit"}`, values(entry)),
      `assert outcome["handledBy"] ${handledBy === null ? "is None" : `== ${literal(handledBy)}`}`,
      `assert outcome["path"] == ${literal(path)}`,
    ].map((line) => indent + line);
  },

  closing(journal) {
    const { entries, isReplayed } = journal;
    if (entries.length > 0 && !isReplayed) return [];
    return [
      ...(isReplayed ? [`''', type="application/x-ndjson")`] : []),
      `${indent}assert client.path() == ${literal(endOf(journal))}`,
    ];
  },
});

function client({ options }) {
  return [`${indent}client = Client(${hasFields(options) ? `json.dumps({"options": ${literal(options)}})` : '"{}"'})`];
}

function replayed(header) {
  return [
    `${indent}# ${whyReplayed}`,
    `${indent}client = Client(r'''${rawLine(header)}`,
  ];
}

/** A line of the journal in a raw string, which three quotes would end. */
function rawLine(line) {
  return writeJSON(line).replaceAll("''", String.raw`'\u0027`);
}

function values(entry) {
  if (isLink(entry)) return [literal(entry.payload.path)];
  const { event, payload, at, pressed } = entry;
  return [
    literal(event), ...(hasFields(payload) ? [literal(payload)] : []),
    // A press starts at the visible leaf.
    ...(pressed ? [] : [`at=${literal(at)}`]),
  ];
}

/** A call on one line, or with one argument per line if it is too long. */
function call(callee, parts) {
  const line = `${callee}(${parts.join(", ")})`;
  return indent.length + line.length <= width ? [line] : [`${callee}(`, ...parts.map((part) => `    ${part},`), ")"];
}

// Python literals

/** A value as a literal: as in JSON, but for three names and numbers that are not finite. */
export function literal(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value instanceof ExactNumber) return writeJSON(value);
  return `{${Object.entries(value).map(([key, each]) => `${literal(key)}: ${literal(each)}`).join(", ")}}`;
}

/** Words in snake case: `/main/teams` becomes `main_teams`. */
function name(text) {
  return wordsIn(text.toLowerCase()).join("_") || "start";
}
