// The module of the app's web pages: what it decides without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewer, shownVersion } from "../../public/web/page.js";

const page = (version) => ({ body: { dataset: { version } } });

test("a page shows a version, unless it is a message", () => {
  assert.equal(shownVersion(page("7")), 7);
  assert.equal(shownVersion(page("0")), 0);
  assert.equal(shownVersion(page(undefined)), null);
});

test("only a later version replaces the page", () => {
  assert.equal(isNewer("8", 7), true);
  for (const id of ["7", "6", "", "x", "-8", "8.5"]) assert.equal(isNewer(id, 7), false);
  assert.equal(isNewer("8", null), false);
});
