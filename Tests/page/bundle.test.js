// The bundle that the inspector is served as.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bundle, hashOf, scriptOf, stale } from "../../.ci/bundle.js";

const files = bundle();

test("the bundle is up to date", () => {
  assert.deepEqual(stale(files), [], "run make bundle");
});

test("the page loads nothing but the bundle, after the design and the theme of the app", () => {
  const page = files.get("index.html");
  const loaded = [...page.matchAll(/<(?:link|script|img) [^>]*(?:href|src)="\/([^"]+)"/g)].map(([, path]) => path);
  const design = ["web/tokens.css", "web/theme.css"];
  assert.deepEqual(new Set(loaded), new Set([...files.keys(), ...design].filter((name) => name !== "index.html")));
  const sheets = loaded.filter((name) => name.endsWith(".css"));
  assert.deepEqual([sheets.length, sheets.slice(0, 2)], [3, design]);
});

test("a cold load is less than 100 kB", () => {
  const sizes = [...files.keys()].map((name) => readFileSync(new URL(`../../public/${name}.gz`, import.meta.url)).length);
  assert.ok(sizes.reduce((sum, size) => sum + size) < 100_000, `${sizes}`);
});

const run = (modules) => new Function(`const told = [];\n${scriptOf(new Map(Object.entries(modules)))}return told;`);

test("modules keep their names apart and run in order", () => {
  const told = globalThis.told = [];
  run({
    "a.js": "// A\nconst own = 1;\nexport const one = own;\nexport function two() {\n  return own + 1;\n}\n",
    "b/c.js": `import {\n  one, two as twice,\n} from "../a.js";\nimport * as all from "../a.js";
const own = one + twice();
export class Three {\n  /** A comment. */\n  value = own + all.one;\n}\n`,
    "main.js": 'import { Three } from "./b/c.js";\nglobalThis.told.push(new Three().value);\n',
  })();
  assert.deepEqual(told, [4]);
  delete globalThis.told;
});

test("forms of import and export that are not known are refused", () => {
  for (const text of ["export default 1;\n", "export { a };\n", 'export { a } from "./b.js";\n', "export let a = 1;\n"]) {
    assert.throws(() => scriptOf(new Map([["a.js", text]])), /does not know/);
  }
});

test("hashes are those of the server's entity tags", () => {
  assert.equal(hashOf(Buffer.from("")), 0xCBF2_9CE4_8422_2325n.toString(36));
  assert.equal(hashOf(Buffer.from("a")), 0xAF63_DC4C_8601_EC8Cn.toString(36));
});
