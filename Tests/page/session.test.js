import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Session } from "../../public/inspector/session.js";
import { FakeServer, happened } from "./server.js";

const sessions = [];
after(() => sessions.forEach((session) => session.close()));

/** A session on a server with a number of events, when the page has read it. */
async function opened(server) {
  const session = new Session("A".repeat(22));
  sessions.push(session);
  session.open();
  await happened(session, () => session.route?.version === server.version && session.status === "live");
  return session;
}

test("after its end, a session still exports what the page has", async () => {
  const server = new FakeServer(2);
  const session = await opened(server);
  const whole = await session.exportedJournal();
  server.end();
  await happened(session, () => session.hasEnded);
  assert.equal(await session.exportedJournal(), whole);
});

test("a session's first entries are loaded soon, so that it can be replayed as a whole", async () => {
  const server = new FakeServer(60);
  const session = await opened(server);
  assert.equal(session.firstEntry, 11);
  await happened(session, () => session.firstEntry === 1);
  assert.equal(session.entries.length, 60);
});

test("after its end, a long session exports the entries that were loaded", async () => {
  const server = new FakeServer(1060);
  const session = await opened(server);
  server.end();
  await happened(session, () => session.hasEnded);
  assert.ok(session.isCutOff);
  assert.equal((await session.exportedJournal()).trimEnd().split("\n").length, 51);
});

test("after its end, a session says what it can no longer do", async () => {
  const server = new FakeServer(2);
  const session = await opened(server);
  server.end();
  await happened(session, () => session.hasEnded);
  await assert.rejects(session.travel(1), { title: "The session has ended.", message: /Version 1 was not loaded/ });
  await assert.rejects(session.fork(1), { message: /cannot be forked/ });
  assert.equal((await session.routeOf(2)).version, 2);
});

test("a session that a restarted server does not have keeps what the page has of it", async () => {
  const server = new FakeServer(3);
  const session = await opened(server);
  await happened(session, () => server.requests.includes("HEAD /livez"));
  const restarted = new Promise((resolve) => session.addEventListener("restart", resolve));
  server.restart();
  server.refuse();
  await restarted;
  assert.deepEqual([session.status, session.hasEnded, session.isWritable], ["restarted", true, false]);
  const { header, entries } = session.loadedJournal;
  assert.deepEqual([header.app, entries.map(({ version }) => version)], ["App", [1, 2, 3]]);
  assert.equal(session.documentOf(3).version, 3);
  assert.equal(session.documentOf(2), null);
});

test("a past version stays shown after a restart, so that it is shown again in the replayed session", async () => {
  const server = new FakeServer(3);
  const session = await opened(server);
  await happened(session, () => server.requests.includes("HEAD /livez"));
  await session.travel(1);
  server.restart();
  server.refuse();
  await happened(session, () => session.status === "restarted");
  assert.equal(session.past.version, 1);
});

test("a session that ends while the connection is lost has ended", async () => {
  const server = new FakeServer(1);
  const session = await opened(server);
  await happened(session, () => server.requests.includes("HEAD /livez"));
  server.hasEnded = true;
  server.refuse();
  await happened(session, () => session.status === "ended");
});

test("after a restart with the session, it continues", async () => {
  const server = new FakeServer(1);
  const session = await opened(server);
  server.run = "another";
  server.refuse();
  await happened(session, () => session.status === "lost");
  await happened(session, () => session.status === "live");
  server.emit();
  await happened(session, () => session.route.version === 2);
});

test("a fork knows the session that it comes from", async () => {
  const server = new FakeServer(1);
  assert.equal((await opened(server)).parent, null);
  server.parent = { session: "B".repeat(22), version: 1 };
  assert.deepEqual((await opened(server)).parent, server.parent);
});

test("entries that could not be read are read with the next ones", async () => {
  const server = new FakeServer();
  const session = await opened(server);
  const whole = globalThis.fetch;
  globalThis.fetch = async (path, request) => {
    if (path.includes("after=")) throw new TypeError("cut off");
    return whole(path, request);
  };
  server.emit();
  await happened(session, () => session.route.version === 1);
  assert.deepEqual(session.entries, []);
  globalThis.fetch = whole;
  server.emit();
  await happened(session, () => session.entries.length === 2);
});
