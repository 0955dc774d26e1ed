import assert from "node:assert/strict";
import { test } from "node:test";

import { catalog, serverTime, session, whenAnswered } from "../../public/inspector/api.js";

/** The lead that the page computes for the server's clock, if an answer takes some time. */
async function leadAfter(context, { after, ahead = 0 }) {
  let now = 1_800_000_000_000;
  context.mock.method(Date, "now", () => now);
  context.mock.method(globalThis, "fetch", async () => {
    const date = new Date(now + ahead).toUTCString();
    now += after;
    return new Response("{}", { headers: { Date: date } });
  });
  await catalog();
  return serverTime() - now;
}

test("the duration of an answer does not count as a clock difference", async (context) => {
  assert.equal(await leadAfter(context, { after: 5000 }), 0);
  assert.equal(await leadAfter(context, { after: 0, ahead: 60_000 }), 60_000);
});

test("every answer is noted, and a missing one is not", async () => {
  let answers = 0;
  whenAnswered(() => { answers += 1; });
  globalThis.fetch = async () => new Response("{}", { status: 503 });
  await assert.rejects(session("x"), { status: 503 });
  assert.equal(answers, 1);
  globalThis.fetch = async () => { throw new TypeError("away"); };
  await assert.rejects(session("x"), { isNoAnswer: true });
  assert.equal(answers, 1);
});
