import assert from "node:assert/strict";
import { test } from "node:test";

import { catalog, serverTime, session, sessions, whenAnswered, whenKeyIsWanted } from "../../public/inspector/api.js";

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

test("the page prompts for the key if the server has one, and only then", async () => {
  let prompts = 0;
  whenKeyIsWanted(() => { prompts += 1; });
  for (const [status, headers, isUnauthorized] of [
    [401, { "WWW-Authenticate": "Bearer" }, true], [403, { "WWW-Authenticate": "Bearer" }, true], [403, {}, false],
  ]) {
    globalThis.fetch = async () => new Response(JSON.stringify({ title: "Refused" }), { status, headers });
    await assert.rejects(session("x"), { title: "Refused", isUnauthorized });
  }
  assert.equal(prompts, 2);
});

test("the sessions with a key and a reference come first, unless their state is not meant", async () => {
  const requests = [];
  const found = { "/sessions/by-key/a%2Fb": { id: "1", state: "live" } };
  globalThis.fetch = async (path) => {
    requests.push(path);
    if (path.startsWith("/sessions?")) return new Response(JSON.stringify({ sessions: [{ id: "2" }], next: null }));
    return new Response(JSON.stringify(found[path] ?? {}), { status: path in found ? 200 : 404 });
  };
  const idsFor = async (query) => (await sessions(query)).sessions.map(({ id }) => id);
  assert.deepEqual(await idsFor({ key: "a/b", reference: "r", limit: 5 }), ["1", "2"]);
  assert.deepEqual(requests, ["/sessions?limit=5", "/sessions/by-key/a%2Fb", "/sessions/by-reference/r"]);
  assert.deepEqual(await idsFor({ key: "a/b", state: "passive" }), ["2"]);
  assert.deepEqual(await idsFor({ "attribute.user": "Ann Lee" }), ["2"]);
  assert.equal(requests.at(-1), "/sessions?attribute.user=Ann+Lee");
});
