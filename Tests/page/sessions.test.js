import assert from "node:assert/strict";
import { test } from "node:test";

import {
  attributeChanges, families, fileName, isMeant, joined, pendingText, queryFor,
} from "../../public/inspector/sessions.js";

const listed = (id, parent = null, more = {}) => ({
  id, version: 3, path: "/main/teams", appVersion: "1.0", state: "live",
  parent: parent && { session: parent, version: 1 }, ...more,
});
const shape = (list) => list.map(({ session, forks }) => (forks.length > 0 ? [session.id, shape(forks)] : session.id));

test("forks are listed below their originals, in any order", () => {
  const sessions = [listed("c", "b"), listed("x"), listed("b", "a"), listed("d", "a"), listed("a")];
  assert.deepEqual(shape(families(sessions)), [["a", [["b", ["c"]], "d"]], "x"]);
});

test("a fork whose original is not listed starts a group", () => {
  assert.deepEqual(shape(families([listed("b", "gone"), listed("c", "b")])), [["b", ["c"]]]);
  assert.deepEqual(families([]), []);
});

test("the server searches for paths, attributes, keys and references, and the page for words", () => {
  const reference = "A".repeat(22);
  for (const [text, query] of [
    ["", {}], ["/main", { path: "/main" }], ["user=42", { "attribute.user": "42" }],
    ["user=Ann Lee  plan.id=a=b", { "attribute.user": "Ann Lee", "attribute.plan.id": "a=b" }],
    ["user=", { "attribute.user": "" }], ["claim 7", { key: "claim 7" }], ["Claim=7", { key: "Claim=7" }],
    [reference, { key: reference, reference }],
  ]) assert.deepEqual(queryFor(text, ""), query, text);
  assert.deepEqual(queryFor("ferrari", "live"), { key: "ferrari", state: "live" });
  const session = listed("AbC", "Parent", { path: "/main/teams/team/ferrari", appVersion: "2.1" });
  for (const text of ["", "abc", "ferrari 2.1", "parent", "/any"]) assert.ok(isMeant(session, text), text);
  assert.ok(!isMeant(session, "ferrari 3"));
  const names = { name: "Checkout bug", key: "claim-7", reference: "Ref", attributes: { user: "Ann Lee" } };
  for (const text of ["checkout", "claim-7", "ref", "ann", "lee bug", "plan=any"]) {
    assert.ok(isMeant({ ...session, ...names }, text), text);
  }
  assert.ok(!isMeant(session, "null"));
});

test("only attributes that differ are sent, and what is no object is sent as it is", () => {
  const old = { user: "42", plan: "pro" };
  for (const [text, changes] of [
    [JSON.stringify(old), undefined], ['{"user": "42"}', { plan: null }], ["", { user: null, plan: null }],
    ['{"user": "43", "plan": "pro", "constructor": "x"}', { user: "43", constructor: "x" }],
    ["user=42", "user=42"], ["[]", []], ["null", null], ['{"user": 42, "plan": "pro"}', { user: 42 }],
  ]) assert.deepEqual(attributeChanges(old, text), changes, text);
  assert.deepEqual(attributeChanges({ constructor: "x" }, "{}"), { constructor: null });
});

test("a session that is read twice is listed once, with its newer document", () => {
  const all = joined([listed("a"), listed("b")], [listed("b", null, { version: 9 }), listed("c")]);
  assert.deepEqual(all.map(({ id, version }) => [id, version]), [["a", 3], ["b", 9], ["c", 3]]);
  assert.equal(fileName(all[1]), "b-9.ndjson");
});

test("the list shows pending and withheld work", () => {
  for (const [more, text] of [
    [{ pending: 0, work: null }, ""], [{ pending: 2, work: null }, "2 pending"], [{}, ""],
    [{ pending: 2, work: "withheld" }, "2 pending, withheld"], [{ pending: 0, work: "withheld" }, "work withheld"],
  ]) assert.equal(pendingText(listed("a", null, more)), text);
});
