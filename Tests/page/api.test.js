import assert from "node:assert/strict";
import { test } from "node:test";

import { catalog, serverTime } from "../../public/inspector/api.js";

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
