import assert from "node:assert/strict";
import { test } from "node:test";

import { isUnused } from "../../public/inspector/api.js";
import { noteUntouched, untouched } from "../../public/inspector/untouched.js";
import { FakeServer } from "./server.js";

test("a session is used again until something happens in it", async () => {
  const server = new FakeServer();
  assert.ok(await isUnused("A".repeat(22)));
  server.emit();
  assert.ok(!await isUnused("A".repeat(22)));
  server.end();
  assert.ok(!await isUnused("A".repeat(22)));
});

test("the session of the last visit is remembered", () => {
  const items = new Map();
  const storage = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  };
  assert.equal(untouched(storage), null);
  noteUntouched("x", storage);
  assert.equal(untouched(storage), "x");
  noteUntouched(null, storage);
  assert.equal(untouched(storage), null);
  const broken = { getItem() { throw new Error("blocked"); }, setItem() { throw new Error("blocked"); } };
  noteUntouched("x", broken);
  assert.equal(untouched(broken), null);
});
