// @ts-check
// Exported journals: a header, then one entry per line. It does not touch the page.

import { readJSON, writeJSON } from "../exact.js";

/** The lines of an exported journal. */
export function readJournal(text) {
  const [header, ...entries] = text.trimEnd().split("\n").map(readJSON);
  return { header, entries };
}

/** The exported journal with a header and entries. */
export function journalText(header, entries) {
  return [header, ...entries].map((line) => `${writeJSON(line)}\n`).join("");
}

/** The name of a session's file. */
export function fileName(app, id) {
  return `${plainName(app) || "journal"}-${id.slice(0, 6)}.ndjson`;
}

/** A name for a file: words of lowercase letters and digits. */
export function plainName(...words) {
  return words.join(" ").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
