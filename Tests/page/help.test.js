import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the README has the section on hosting an app that the help names", () => {
  const [, code] = /<pre class="help-code"[^>]*>([^<]*)<\/pre>/.exec(read("public/index.html"));
  assert.ok(read("README.md").includes(code));
  assert.ok(read("README.md").includes("## Host your own app"));
});
