// The fragment of the page's address.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fragmentOf, homeFragment, isHome, journalFilterIn, sessionFilterIn, sessionIn, versionIn,
} from "../../public/inspector/fragment.js";

const id = `${"A".repeat(21)}A`;

test("a fragment names the session, the version and the journal's filter", () => {
  assert.equal(fragmentOf(id), `#session=${id}`);
  const filter = { text: "a & b=1 #é", handler: "App/Main", origin: "work" };
  const address = `http://localhost/${fragmentOf(id, 3, filter)}`;
  assert.equal(sessionIn(address), id);
  assert.equal(versionIn(address), 3);
  assert.deepEqual(journalFilterIn(address), filter);
  assert.ok(!isHome(address));
});

test("empty parts of a filter are left out", () => {
  assert.equal(fragmentOf(id, null, { text: "", handler: "", origin: "host" }), `#session=${id}&origin=host`);
  assert.equal(homeFragment({ text: "", state: "" }), "#home");
  assert.deepEqual(journalFilterIn(`#session=${id}`), { text: "", handler: "", origin: "" });
});

test("the list of sessions has a filter", () => {
  const fragment = homeFragment({ text: "/main/&session=1", state: "live" });
  assert.ok(isHome(fragment));
  assert.equal(sessionIn(fragment), null);
  assert.deepEqual(sessionFilterIn(fragment), { text: "/main/&session=1", state: "live" });
});

test("an address that was cut off has no broken text", () => {
  assert.equal(journalFilterIn(`#session=${id}&text=%C3`).text, "");
});
