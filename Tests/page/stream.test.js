import assert from "node:assert/strict";
import { test } from "node:test";

import { SharedStream } from "../../public/inspector/stream.js";
import { FakeServer } from "./server.js";

/** Locks like those of a browser: each name has one holder, and the others wait. */
class FakeLocks {
  #waiting = [];
  #isHeld = false;

  async request(_, { signal }, hold) {
    const turn = { signal, ...Promise.withResolvers() };
    this.#waiting.push(turn);
    this.#next();
    await turn.promise;
    await hold();
    this.#isHeld = false;
    this.#next();
  }

  #next() {
    if (this.#isHeld) return;
    const turn = this.#waiting.shift();
    if (!turn) return;
    if (turn.signal.aborted) return this.#next();
    this.#isHeld = true;
    turn.resolve();
  }
}

const event = (stream, type) => new Promise((resolve) => stream.addEventListener(type, resolve, { once: true }));

test("windows of one session share one stream", async () => {
  const server = new FakeServer();
  const locks = new FakeLocks();
  const windows = Array.from({ length: 7 }, () => new SharedStream("/sessions/a/route", locks));
  await Promise.all(windows.map((stream) => event(stream, "open")));
  assert.equal(server.openStreams, 1);
  const routes = Promise.all(windows.map((stream) => event(stream, "route")));
  server.emit();
  assert.deepEqual((await routes).map(({ data }) => JSON.parse(data).version), Array(7).fill(1));
  // The next window continues, and a new one gets the current route.
  const opened = event(windows[1], "open");
  windows[0].close();
  await opened;
  assert.equal(server.openStreams, 1);
  server.emit();
  const late = new SharedStream("/sessions/a/route", locks);
  assert.equal(JSON.parse((await event(late, "route")).data).version, 2);
  for (const stream of [...windows, late]) stream.close();
  assert.equal(server.openStreams, 0);
});

test("a refused stream is closed in every window", async () => {
  const server = new FakeServer();
  const locks = new FakeLocks();
  const windows = [1, 2].map(() => new SharedStream("/sessions/b/route", locks));
  await Promise.all(windows.map((stream) => event(stream, "open")));
  const errors = Promise.all(windows.map((stream) => event(stream, "error")));
  server.refuse();
  await errors;
  assert.deepEqual(windows.map(({ readyState }) => readyState), [2, 2]);
});

test("without locks every window has a stream", async () => {
  const server = new FakeServer();
  const windows = [1, 2].map(() => new SharedStream("/sessions/c/route", null));
  await Promise.all(windows.map((stream) => event(stream, "open")));
  assert.equal(server.openStreams, 2);
  for (const stream of windows) stream.close();
});

test("a stream without a connection says that it waits", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  new FakeServer();
  globalThis.EventSource = class extends EventTarget { close() {} };
  const stream = new SharedStream("/sessions/d/route", null);
  const waiting = event(stream, "waiting");
  context.mock.timers.tick(3000);
  await waiting;
  stream.close();
});
