import assert from "node:assert/strict";
import { test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { differenceText, once, rebuild, rebuiltText } from "../../public/inspector/rebuild.js";

const header = { journal: 2, app: "App", options: { locale: "de" }, path: "/" };
const entry = (version, event, more) => ({
  version, event, payload: {}, at: "App", handledBy: "App", path: `/${event}`, origin: "client", pending: null, ...more,
});

/**
 * A server with another build. `turn` returns what it makes of an event: an entry, `null` for an unknown one, or more
 * entries, of which the others are outcomes of work.
 */
class Build {
  sessions = [];
  requests = [];

  constructor(turn, { refusesHeader = false, optionsProblem = null } = {}) {
    this.turn = turn;
    this.refusesHeader = refusesHeader;
    this.optionsProblem = optionsProblem;
  }

  #add(entries = []) {
    this.sessions.push({ id: `${this.sessions.length}`, entries, pending: [] });
    return this.sessions.at(-1);
  }

  importJournal = async (text) => {
    const [, ...lines] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    if (this.refusesHeader) throw new Problem({ status: 422, line: 1, detail: "path was / and is /welcome." });
    const entries = [];
    for (const [index, each] of lines.entries()) {
      const [now] = each.origin === "client" ? [this.turn(each, entries)].flat() : [each];
      if (now === null || now.handledBy !== each.handledBy || now.path !== each.path) {
        throw new Problem({ status: 422, line: index + 2, detail: "differs" });
      }
      entries.push(now);
    }
    return this.#add(entries);
  };

  start = async (options) => {
    this.requests.push(["start", options]);
    if (options && this.optionsProblem) throw this.optionsProblem;
    return this.#add();
  };

  end = async (id) => this.requests.push(["end", id]);

  settle = async (id) => {
    const { entries, pending } = this.sessions[id];
    for (const each of pending.splice(0)) entries.push({ ...each, version: entries.length + 1 });
  };

  emit = async (id, request) => {
    this.requests.push(["emit", request.event, request.at]);
    const { entries, pending } = this.sessions[id];
    if (request.at === "App/Gone") throw new Problem({ status: 422, type: "/problems/unknown-coordinator" });
    const turn = this.turn(entry(entries.length + 1, request.event, request), entries);
    if (turn === null) throw new Problem({ status: 422, title: "Unknown event", detail: "There is no such event." });
    const [now, ...outcomes] = [turn].flat();
    entries.push(now);
    pending.push(...outcomes);
    return now;
  };

  events = async (id, after, limit) => this.sessions[id].entries.slice(after, after + limit);
}

const recorded = ["a", "b", "c", "d"].map((event, index) => entry(index + 1, event));
const same = (each) => ({ ...each, path: `/${each.event}`, handledBy: "App" });

test("a build that does the same replays everything", async () => {
  const build = new Build(same);
  const result = await rebuild({ header, entries: recorded }, build);
  assert.equal(rebuiltText(result), "Rebuilt. 4 events replayed.");
  assert.deepEqual([result.version, build.requests], [null, []]);
  assert.equal(rebuiltText(await rebuild({ header, entries: [] }, build)), "Rebuilt. 0 events replayed.");
});

test("events from the first difference on are sent again", async () => {
  const build = new Build((each) => (each.event === "b" ? { ...same(each), handledBy: "App/Other" } : same(each)));
  const result = await rebuild({ header, entries: recorded }, build);
  assert.equal(rebuiltText(result), "Rebuilt. 4 events replayed, 1 differs at step 2.");
  assert.deepEqual(result.differences.map(differenceText), ["Step 2, b: handled by App before, handled by Other now."]);
  assert.deepEqual(build.requests.map(([, event]) => event), ["b", "c", "d"]);
  assert.equal(result.version, 2);
});

test("an event that is refused is a difference, and the others follow", async () => {
  const build = new Build((each) => (each.event === "b" ? null : same(each)));
  const result = await rebuild({ header, entries: recorded }, build);
  assert.equal(rebuiltText(result), "Rebuilt. 3 of 4 events replayed, 1 differs at step 2.");
  assert.deepEqual(result.differences.map(differenceText), ["Step 2, b, was refused: There is no such event."]);
  assert.deepEqual([result.version, build.sessions.at(-1).entries.map(({ event }) => event)], [1, ["a", "c", "d"]]);
});

test("if many events differ, the first one is shown", async () => {
  const build = new Build((each) => ({ ...same(each), path: each.event < "c" ? `/${each.event}` : "/elsewhere" }));
  const result = await rebuild({ header, entries: recorded }, build);
  assert.equal(rebuiltText(result), "Rebuilt. 4 events replayed, 2 differ, the first at step 3.");
  assert.equal(differenceText(result.differences[0]), "Step 3, c: led to /c before, to /elsewhere now.");
  assert.equal(result.version, 3);
  const last = await rebuild({ header, entries: recorded.slice(0, 3) }, build);
  assert.equal(last.version, null);
});

test("an event whose coordinator is gone starts at the leaf", async () => {
  const build = new Build(({ event, ...each }) => same({ event: event === "a" ? "x" : event, ...each }));
  const entries = [recorded[0], entry(2, "b", { at: "App/Gone" })];
  const result = await rebuild({ header, entries }, build);
  assert.deepEqual(build.requests.slice(1), [["emit", "b", "App/Gone"], ["emit", "b", undefined]]);
  assert.deepEqual([result.replayed, result.differences.length], [2, 1]);
});

test("an outcome of work comes by itself, and a timer that does not come is not counted", async () => {
  const outcome = entry(3, "loaded", { origin: "work", pending: "2-1" });
  const build = new Build((each) =>
    each.event === "a" ? { ...same(each), path: "/other" } : each.event === "b" ? [same(each), outcome] : same(each));
  const timer = entry(4, "tick", { origin: "timer", pending: "2-2" });
  const result = await rebuild({ header, entries: [recorded[0], recorded[1], outcome, timer, entry(5, "c")] }, build);
  assert.equal(rebuiltText(result), "Rebuilt. 4 of 5 events replayed, 1 differs at step 1.");
  assert.deepEqual(build.sessions.at(-1).entries.map(({ event }) => event), ["a", "b", "loaded", "c"]);
});

test("an app that starts differently gets the events in a new session", async () => {
  const build = new Build(same, { refusesHeader: true });
  const result = await rebuild({ header, entries: recorded }, build);
  assert.equal(rebuiltText(result), "Rebuilt. The app starts differently. 4 events replayed.");
  assert.deepEqual([result.start, result.version], ["path was / and is /welcome.", 0]);
  assert.deepEqual(build.requests[0], ["start", header.options]);
  const optionsProblem = new Problem({ status: 422, type: "/problems/invalid-options" });
  const strict = new Build(same, { refusesHeader: true, optionsProblem });
  assert.equal((await rebuild({ header, entries: recorded }, strict)).replayed, 4);
});

test("without an answer, no half of a session is left", async () => {
  const build = new Build((each) => ({ ...same(each), path: "/other" }));
  build.emit = async () => { throw new Problem({ title: "No answer" }); };
  await assert.rejects(rebuild({ header, entries: recorded }, build), { title: "No answer" });
  assert.deepEqual(build.requests.at(-1), ["end", "0"]);
  build.importJournal = async () => { throw new Problem({ status: 429, title: "Session limit reached." }); };
  await assert.rejects(rebuild({ header, entries: recorded }, build), { title: "Session limit reached." });
});

test("the windows of a browser replay a session once for each run of the server", async () => {
  const items = new Map();
  const storage = { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value) };
  const held = new Map();
  const locks = {
    request: (name, action) => {
      const turn = (held.get(name) ?? Promise.resolve()).then(action);
      held.set(name, turn);
      return turn;
    },
  };
  let count = 0;
  const replay = async () => ({ id: `${++count}` });
  const windows = [1, 2].map(() => once("a", "run 1", replay, locks, storage));
  assert.deepEqual(await Promise.all(windows), [{ id: "1" }, { id: "1" }]);
  assert.deepEqual(await once("b", "run 1", replay, locks, storage), { id: "2" });
  assert.deepEqual(await once("a", "run 1", replay, null, storage), { id: "1" });
  assert.deepEqual(await once("a", "run 2", replay, locks, storage), { id: "3" });
});
