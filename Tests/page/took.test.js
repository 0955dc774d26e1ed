import assert from "node:assert/strict";
import { test } from "node:test";

import { turnDuration } from "../../public/inspector/api.js";
import { tookOf, versionOf } from "../../public/inspector/journal/took.js";

const at = (time, more) => ({ version: 1, time: `2026-11-27T08:00:${time}Z`, ...more });

test("an answer's duration is known if this page sent the event", () => {
  assert.equal(tookOf(at("00"), undefined, undefined), null);
  assert.deepEqual(tookOf(at("00"), undefined, { trip: 12.4 }),
    { text: "12 ms", what: "The answer took 12 ms.", isSlow: false });
  assert.equal(tookOf(at("00"), undefined, { trip: 1.23 }).text, "1.2 ms");
  assert.ok(tookOf(at("00"), undefined, { trip: 500 }).isSlow);
});

test("a turn's duration comes before the answer's", () => {
  const took = (turn, trip) => tookOf(at("00"), undefined, { turn, trip });
  assert.deepEqual(took(0.42, 12.4),
    { text: "turn 0.4 ms", what: "The turn took 0.4 ms, and the answer 12 ms.", isSlow: false });
  assert.equal(took(0.01, 12).text, "turn <0.1 ms");
  assert.deepEqual(took(2, 700),
    { text: "turn 2 ms, answer 700 ms", what: "The turn took 2 ms, and the answer 700 ms.", isSlow: true });
  assert.ok(took(50, 60).isSlow);
});

test("the server's header has the turn's duration", () => {
  assert.deepEqual(["turn;dur=0.421", "db;dur=3, turn;dur=2", "turn", "return;dur=1", "", null].map(turnDuration),
    [0.421, 2, undefined, undefined, undefined, undefined]);
});

test("work takes from the event that started it to its outcome", () => {
  const outcome = at("09", { origin: "work", pending: "3-1" });
  assert.deepEqual(tookOf(outcome, at("07"), undefined), { text: "2 s", what: "The work took 2 s.", isSlow: false });
  assert.equal(tookOf(outcome, at("09"), undefined).text, "<1 s");
  assert.ok(tookOf(outcome, at("04"), undefined).isSlow);
  assert.equal(tookOf(outcome, undefined, undefined), null);
  assert.equal(tookOf(at("00", { origin: "work" }), at("07"), undefined), null);
  assert.equal(tookOf(at("09", { origin: "timer", pending: "3-1" }), at("07"), undefined), null);
});

test("an id begins with the version that started the work", () => {
  assert.deepEqual(["12-1", "x", "", null, undefined].map(versionOf), [12, null, null, null, null]);
});
