// The page's texts: one word for one thing, and numbers of events.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { eventCount, firstEvents } from "../../public/inspector/counts.js";

const folder = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "../../public");
const files = readdirSync(folder, { recursive: true }).filter((name) => /\.(?:js|html)$/.test(name));

/** The texts of a file that people can read: what stands between tags, and literals with several words. */
function textsOf(name) {
  const text = readFileSync(join(folder, name), "utf8");
  const pattern = name.endsWith(".html")
    ? />([^<>]+)<|\b(?:aria-label|title|placeholder)="([^"]+)"/g : /"([^"\n]* [^"\n]*)"|`([^`]* [^`]*)`/g;
  const code = name.endsWith(".html") ? text : text.replaceAll(/^ *(?:\/\/|\/?\*).*\n/gm, "");
  return [...code.matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? "");
}

const words = [
  [/favourite|colour|neighbour/i, "the spelling of the API: favorite, color, neighbor"],
  [/download/i, "export, as for all sessions"],
  [/time travel|travel back|the present/i, "go back, and now"],
  [/\bwalks?\b/i, "explores, as in the command"],
];

test("the page has one word for each thing", () => {
  const found = files.flatMap((name) => textsOf(name).flatMap((text) => words
    .filter(([pattern]) => pattern.test(text)).map(([, better]) => `${name}: ${text.trim()}: ${better}`)));
  assert.deepEqual(found, []);
  assert.ok(files.flatMap(textsOf).length > 300);
});

test("numbers of events", () => {
  assert.deepEqual([0, 1, 2].map(eventCount), ["0 events", "1 event", "2 events"]);
  assert.deepEqual([0, 1, 2].map(firstEvents), ["no events", "the first event", "the first 2 events"]);
});
