// All modules of the pages as files: they can be parsed, and a page uses each. JoinedPageTests.swift tests their imports.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const folder = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), "../../public");
const modules = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".js"));
const textOf = (name) => readFileSync(join(folder, name), "utf8");

/** A module's direct and indirect imports. */
function reached(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const [, path] of textOf(name).matchAll(/^(?:import|export)[^;]*? from "([^"]+)";/gm)) {
    reached(join(dirname(name), path), seen);
  }
  return seen;
}

const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));

/** The first module of a page. */
const entryOf = (page) => /<script type="module" src="\/([^"]+)">/.exec(textOf(page))[1];

test("every module can be parsed", () => {
  // Does what `node --check` does, in one process for all modules.
  const script = `
    const { readFileSync } = await import("node:fs");
    const { SourceTextModule } = await import("node:vm");
    for (const name of process.argv.slice(1)) new SourceTextModule(readFileSync(name, "utf8"), { identifier: name });
  `;
  const flags = ["--experimental-vm-modules", "--no-warnings", "--input-type=module", "--eval", script, "--"];
  execFileSync(process.execPath, [...flags, ...modules.map((name) => join(folder, name))], { stdio: "pipe" });
});

for (const page of pages) {
  test(`${page} has no style or script that its Content-Security-Policy forbids`, () => {
    assert.doesNotMatch(textOf(page), / style=| on[a-z]+=|<style|<script(?![^>]* src=)/);
  });
}

test("every module is used by a page", () => {
  // The server writes the pages of the app, which load one module.
  const entries = [...pages.map(entryOf), "web/app.js"];
  const used = new Set(entries.flatMap((entry) => [...reached(entry)]));
  assert.deepEqual(modules.filter((name) => !used.has(name)), []);
});

test("the types of every module are checked", () => {
  const { include, compilerOptions } = JSON.parse(readFileSync(join(folder, "../jsconfig.json"), "utf8"));
  assert.ok(compilerOptions.checkJs && compilerOptions.strict && include.includes("public/**/*.js"));
  for (const name of modules) {
    assert.match(textOf(name), /^\/\/ @ts-check\n/, name);
    assert.doesNotMatch(textOf(name), /@ts-(?:ignore|nocheck|expect-error)/, name);
  }
});

test("text is never markup", () => {
  for (const name of modules) assert.doesNotMatch(textOf(name), /innerHTML|outerHTML|insertAdjacentHTML/, name);
});

test("lines are at most 120 characters long", () => {
  for (const name of modules) {
    const long = textOf(name).split("\n").filter((line) => line.length > 120);
    assert.deepEqual(long, [], name);
  }
});
