// @ts-check
// A journal as a shell script that sends its events with curl, and compares the answers with jq. It does not touch the
// page.

import { quoted } from "../curl.js";
import { writeJSON } from "../exact.js";
import { endOf, isLink, noted, recorded, requestFor, titled, whyReplayed } from "./text.js";

/**
 * The shell script for a server.
 * @param {import("../curl.js").Server} server
 * @returns {import("./text.js").Language}
 */
export const curl = ({ origin, hasKey }) => ({
  opening(journal) {
    const { header, isReplayed } = journal;
    const key = hasKey ? '-H "Authorization: Bearer $COORDINATE_API_KEY" ' : "";
    return [
      "#!/bin/sh",
      `# ${recorded(journal)}`,
      "# Needs curl 7.82 or later, and jq.",
      "set -eu",
      `server=\${SERVER:-${origin}}`,
      `send() { curl -sS --fail-with-body -H 'Prefer: return=minimal' ${key}"$@"; }`,
      'event() { outcome=$(send --json "$1" "$session/events"); }',
      'open() { outcome=$(send -X PUT --json "$1" "$session/route"); }',
      "expect() {",
      `  printf %s "$outcome" | jq -e --argjson expected "$1" '. * $expected == .' > /dev/null && return`,
      `  printf 'Expected %s, got %s\\n' "$1" "$outcome" >&2`,
      "  exit 1",
      "}",
      "",
      ...(isReplayed ? replayed(header) : [
        `session=$server$(send --json ${quoted(writeJSON({ options: header.options ?? {} }))} "$server/sessions" `
          + "| jq -er .links.self)",
      ]),
    ];
  },

  step(entry, index, { isReplayed }) {
    if (isReplayed) return [writeJSON(entry)];
    const { handledBy, path } = entry;
    return [
      ...titled(entry, "#"),
      ...noted(entry, "#"),
      isLink(entry) ? `open ${quoted(writeJSON(entry.payload))}` : `event ${quoted(requestFor(entry))}`,
      `expect ${quoted(writeJSON({ handledBy, path }))}`,
    ];
  },

  closing(journal) {
    const { entries, isReplayed } = journal;
    if (entries.length > 0 && !isReplayed) return [];
    return [
      ...(isReplayed ? [end, ")"] : []),
      'outcome=$(send "$session/route")',
      `expect ${quoted(writeJSON({ path: endOf(journal) }))}`,
    ];
  },
});

/** The line that ends the journal in the script. No line of a journal equals it. */
const end = "JOURNAL";

function replayed(header) {
  return [
    `# ${whyReplayed}`,
    `session=$server$(send -H 'Content-Type: application/x-ndjson' --data-binary @- "$server/sessions" << '${end}' `
      + "| jq -er .links.self",
    writeJSON(header),
  ];
}
