// The fragment of the page's address.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fragmentOf, homeFragment, isHome, sessionFilterIn, sessionIn, versionIn,
} from "../../public/inspector/fragment.js";

const id = `${"A".repeat(21)}A`;

test("a fragment names the session and the version", () => {
  assert.equal(fragmentOf(id), `#session=${id}`);
  const address = `http://localhost/${fragmentOf(id, 3)}`;
  assert.deepEqual([sessionIn(address), versionIn(address), isHome(address)], [id, 3, false]);
});

test("the list of sessions has a filter", () => {
  const fragment = homeFragment({ text: "/main/&session=1", state: "live" });
  assert.ok(isHome(fragment));
  assert.equal(sessionIn(fragment), null);
  assert.deepEqual(sessionFilterIn(fragment), { text: "/main/&session=1", state: "live" });
  assert.equal(homeFragment({ text: "", state: "" }), "#home");
});

test("an address that was cut off has no broken text", () => {
  assert.equal(sessionFilterIn("#home&text=%C3").text, "");
});
