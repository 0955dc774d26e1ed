import assert from "node:assert/strict";
import { test } from "node:test";

import { tookOf, versionOf } from "../../public/inspector/journal/took.js";

const at = (time, more) => ({ version: 1, time: `2026-11-27T08:00:${time}Z`, ...more });

test("an answer's duration is known if this page sent the event", () => {
  assert.equal(tookOf(at("00"), undefined, undefined), null);
  assert.deepEqual(tookOf(at("00"), undefined, 12.4), { text: "12 ms", what: "The answer took", isSlow: false });
  assert.equal(tookOf(at("00"), undefined, 0.2).text, "1 ms");
  assert.ok(tookOf(at("00"), undefined, 500).isSlow);
});

test("work takes from the event that started it to its outcome", () => {
  const outcome = at("09", { origin: "work", pending: "3-1" });
  assert.deepEqual(tookOf(outcome, at("07"), undefined), { text: "2 s", what: "The work took", isSlow: false });
  assert.equal(tookOf(outcome, at("09"), undefined).text, "<1 s");
  assert.ok(tookOf(outcome, at("04"), undefined).isSlow);
  assert.equal(tookOf(outcome, undefined, undefined), null);
  assert.equal(tookOf(at("00", { origin: "work" }), at("07"), undefined), null);
  assert.equal(tookOf(at("09", { origin: "timer", pending: "3-1" }), at("07"), undefined), null);
});

test("an id begins with the version that started the work", () => {
  assert.deepEqual(["12-1", "x", "", null, undefined].map(versionOf), [12, null, null, null, null]);
});
