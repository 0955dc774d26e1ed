import assert from "node:assert/strict";
import { test } from "node:test";

import { Watch } from "../../public/inspector/watch.js";

const settled = () => new Promise(setImmediate);

/** A watch of a server that runs as `run`, or does not answer if that is null; and what it reported. */
function watched(context, isNeeded = () => true) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const made = { run: "a", reports: [] };
  made.watch = new Watch(async () => {
    if (made.run === null) throw new Error("No answer");
    return made.run;
  }, isNeeded);
  for (const type of ["change", "restart"]) made.watch.addEventListener(type, () => made.reports.push(type));
  return made;
}

test("a restart is reported once, also with several servers at one address", async (context) => {
  const made = watched(context);
  assert.equal(await made.watch.look(), "a");
  made.run = "b";
  assert.equal(await made.watch.look(), "b");
  for (made.run of ["a", "b"]) await made.watch.look();
  assert.deepEqual(made.reports, ["restart"]);
});

test("the watch notices by itself that the server is away and back", async (context) => {
  const made = watched(context);
  await made.watch.look();
  made.run = null;
  context.mock.timers.tick(2000);
  await settled();
  assert.ok(made.watch.isAway);
  made.run = "b";
  context.mock.timers.tick(300);
  await settled();
  assert.ok(!made.watch.isAway);
  assert.deepEqual(made.reports, ["change", "change", "restart"]);
  await assert.rejects(() => { made.run = null; return made.watch.look(); });
});

test("a page with a live stream sends no requests", async (context) => {
  const made = watched(context, () => false);
  made.run = null;
  context.mock.timers.tick(10_000);
  await settled();
  assert.ok(!made.watch.isAway);
});
