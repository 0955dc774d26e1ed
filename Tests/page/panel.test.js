// The panel beside the storyboard: what happened, what changed, pending work, and the test of the way here.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, textsOf } from "./elements.js";

openPage();
const { WhatChanged } = await import("../../public/inspector/changed.js");
const { Pending } = await import("../../public/inspector/pending.js");
const { Story } = await import("../../public/inspector/story.js");
const { TestPanel } = await import("../../public/inspector/test.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

beforeEach(() => openPage());

// Pending work

const now = Date.parse("2026-01-01T12:00:00.250Z");
const work = { id: "1-1", name: "prices", kind: "work", at: "App/Page", due: null };
const timer = (due) => ({ id: "2-1", name: "offer", kind: "timer", at: "App/Page", due });

test("pending work says whether it runs", () => {
  const posted = [];
  const pending = new Pending({ now: () => now, post: ({ id }) => posted.push(id) });
  const shown = (...more) => {
    pending.show([work], ...more);
    return ["#pending-heading", ".pending-words", ".pending-state", ".pending-post"].flatMap(textsOf);
  };
  assert.deepEqual(shown(true, false), ["Pending", "prices Page", "running"]);
  assert.deepEqual(shown(false, false), ["Was pending", "prices Page", "was running"]);
  assert.deepEqual(shown(false, true), ["Was pending", "prices Page", "was withheld"]);
  assert.deepEqual(shown(true, true), ["Pending", "prices Page", "withheld", "Post outcome"]);
  $("pending-list").querySelector(".pending-post").click();
  assert.deepEqual(posted, ["1-1"]);
  pending.show([], true, false);
  assert.deepEqual(textsOf("#pending, #pending-badge"), []);
  // Whether work is withheld is said even if nothing is pending.
  pending.show([], true, true);
  assert.match(textsOf("#pending-withheld")[0], /^This session’s work is withheld: it does not start/);
});

test("a timer counts down each second until it is due", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let passed = 0;
  const pending = new Pending({ now: () => now + passed, post: () => {} });
  const state = () => textsOf(".pending-state")[0];
  const go = (milliseconds) => {
    passed += milliseconds;
    context.mock.timers.tick(milliseconds);
  };
  pending.show([timer("2026-01-01T12:00:02Z")], true, false);
  assert.deepEqual([state(), $("pending-list").querySelector("[role=timer]") !== null], ["in 2 s", true]);
  go(750);
  assert.equal(state(), "in 1 s");
  go(1000);
  assert.equal(state(), "due now");
  for (const [seconds, text] of [[300, "in 4 min 59 s"], [7555, "in 2 h 5 min 54 s"], [179_990, "in 2 d 1 h 59 min"]]) {
    passed = 0;
    pending.show([timer(new Date(now + 1000 * seconds - 250 - 999).toISOString())], true, false);
    assert.ok(state().startsWith(text.split(" ").slice(0, 5).join(" ")), `${state()} ${text}`);
  }
});

test("in the past, or withheld, a timer has its time and does not count", () => {
  const pending = new Pending({ now: () => now, post: () => {} });
  for (const [isLive, isWithheld] of [[false, false], [true, true]]) {
    pending.show([timer("2026-01-01T12:05:00Z")], isLive, isWithheld);
    assert.match(textsOf(".pending-state")[0], /^due .*\d\d:\d5:00$/);
    assert.equal($("pending-list").querySelector("[role=timer]"), null);
  }
});

// What happened

const shown = { path: "/dishes", version: 3, screen: { style: "page" } };
const story = {
  version: 3, event: "work.didFinish", payload: { result: "x".repeat(500) }, handledBy: "App/Page", origin: "work",
  pending: "1-1", asked: { name: "prices" },
  trace: [{ coordinator: "App/Page/List", intercepted: false }, { coordinator: "App/Page", intercepted: true }],
};

test("an event is a chain from its origin to its path", () => {
  const happened = new Story();
  happened.show({ id: "s", story, shown, past: null, route: shown });
  assert.deepEqual(textsOf("#story-origin"), ['Background task "prices" (started at version 1) reported']);
  assert.equal($("story-icon").querySelector("use").href, "#icon-work");
  assert.deepEqual(["#story-event", "#story-trace li", "#story-end", "#story li.story-now"].flatMap(textsOf),
    ["work.didFinish", "List passed on", "Page handled it", "now at /dishes"]);
  assert.deepEqual([$("story-payload").textContent.length, $("story-payload").title.length], [400, 508]);
  assert.deepEqual(textsOf("#story-step, #story-none"), []);
  const plain = { ...story, payload: {}, origin: "client", pending: null, handledBy: null, trace: [] };
  happened.show({ id: "s", story: plain, shown, past: null, route: shown });
  assert.deepEqual(["#story-origin", "#story-end", "#story-icon"].flatMap(textsOf), ["", "no coordinator handled it"]);
  assert.deepEqual(textsOf("#story-trace"), []);
});

test("the past has the number of its step", () => {
  const happened = new Story();
  const go = (version) => {
    const past = { ...shown, version };
    happened.show({ id: "s", story: version > 0 ? story : null, shown: past, past, route: shown });
    return textsOf("#story-step, #story-at, #story-none");
  };
  assert.deepEqual(go(1), ["Step 1 of 3", "then at"]);
  assert.deepEqual(go(0), ["The start, before step 1 of 3"]);
});

test("before anything happened, the panel says what to do", () => {
  const start = { ...shown, version: 0 };
  new Story().show({ id: null, story: null, shown: start, past: null, route: start });
  assert.match(textsOf("#story-none, #story, #story-step").join(), /^Press a button of the app\.[^]*handles it\.$/);
});

test("the changes of a version are read once, unless the page has seen the event", async () => {
  const route = (version, title) => ({ version, screen: { name: "A", title }, navigation: {}, tree: {} });
  const asked = [];
  const changed = new WhatChanged({
    read: async (version) => {
      asked.push(version);
      if (version === 1) throw new Error("away");
      return [route(version - 1, "Teams"), route(version, version === 8 ? "Teams" : "Other")];
    },
  });
  const show = async (version, title) => {
    changed.show({ id: "s", status: "live", shown: route(version, title) });
    await settled();
    return textsOf("#changed-list li");
  };
  assert.deepEqual([await show(0), asked], [[], []]);
  assert.deepEqual(await show(5, "Teams"), ["Title Teams → Other"]);
  assert.deepEqual(await show(5, "Teams"), ["Title Teams → Other"]);
  assert.deepEqual(await show(6, "Haas"), ["Title Teams → Haas"]);
  assert.deepEqual(await show(8), ["Nothing changed"]);
  // A version whose changes could not be read is not asked for again.
  assert.deepEqual([await show(1), await show(3), await show(1)], [[], ["Title Teams → Other"], []]);
  assert.deepEqual(asked, [5, 8, 1, 3]);
});

// The test

const session = (version, more) => ({
  id: "s", entries: [{ version }], past: null, route: null, hasEnded: false, shown: { version }, ...more,
});

/** A panel whose test is shown, the server's sessions with their versions, and what was requested and copied. */
function testPanel(versions) {
  document.getSelection = () => ({ isCollapsed: true });
  const [requests, copied, travelled, failures] = [[], [], [], []];
  globalThis.fetch = async (path) => {
    requests.push(path);
    const [, id, language] = /^\/sessions\/(.*)\/test\?as=(.*)$/.exec(path);
    const steps = Array.from(
      { length: versions[id] }, (_, index) => `    ${language} ${id}${index + 1}\n#expect(${id})\n`);
    return new Response(JSON.stringify({ opening: `import ${language}\n`, steps, closing: "}\n" }));
  };
  const panel = new TestPanel({
    travel: (version) => travelled.push(version), copy: (text) => copied.push(text),
    attempt: (action) => action().catch(({ status }) => failures.push(status)),
  });
  panel.open();
  const show = (session) => {
    panel.show(session);
    return answered();
  };
  return { show, requests, copied, travelled, failures };
}

/** Waits until the panel has read the answers to its requests. */
async function answered() {
  for (let turns = 0; turns < 10; turns += 1) await settled();
}

const shownSteps = () => textsOf("#test-steps [role=option]").map((step) => step.split(" #")[0]);

test("the test grows with each event, and choosing a step shows its version", async () => {
  const versions = { s: 1, t: 1 };
  const { show, requests, copied, travelled } = testPanel(versions);
  await show(session(0, { id: null, entries: [] }));
  assert.ok($("test").hidden && !$("test-none").hidden && $("test-copy").disabled);
  await show(session(1));
  assert.ok($("test-none").hidden);
  versions.s = 2;
  await show(session(2));
  await show(session(2));
  assert.deepEqual(shownSteps(), ["swift s1", "swift s2"]);
  assert.equal(requests.length, 2);
  assert.match(textsOf("#test-steps [aria-selected=true]")[0], /s2/);
  const [first] = $("test-steps").children;
  first.firstElementChild.click();
  assert.ok(first.press("Enter"));
  assert.deepEqual(travelled, [1, 1]);
  await show(session(2, { past: {}, shown: { version: 1 } }));
  assert.match(textsOf("#test-steps [aria-selected=true]")[0], /s1/);
  for (const button of $("test-languages").children) {
    button.click();
    $("test-copy").click();
    await answered();
  }
  assert.deepEqual(copied, ["swift", "curl", "python"].map((language) =>
    `import ${language}\n    ${language} s1\n#expect(s)\n    ${language} s2\n#expect(s)\n}\n`));
  // Another session has another test.
  await show(session(1, { id: "t" }));
  assert.deepEqual(shownSteps(), ["python t1"]);
});

test("a long test has its last steps on the page, and earlier ones on request", async () => {
  const { show, copied } = testPanel({ s: 10_000 });
  await show(session(10_000));
  const versions = () => [0, -1].map((index) => Number($("test-steps").children.at(index).dataset.version));
  assert.deepEqual(versions(), [9801, 10_000]);
  $("test-earlier").click();
  assert.deepEqual(versions(), [9701, 9900]);
  $("test-later").click();
  assert.deepEqual([versions(), textsOf("#test-later")], [[9801, 10_000], []]);
  await show(session(10_000, { past: {}, shown: { version: 500 } }));
  assert.deepEqual(versions(), [401, 600]);
  $("test-copy").click();
  await answered();
  assert.equal(copied[0].match(/swift s/g).length, 10_000);
});

test("a test that cannot be written is requested again by the next event", async () => {
  const { show, requests, failures } = testPanel({ s: 2 });
  const answer = globalThis.fetch;
  globalThis.fetch = async (path) => {
    requests.push(path);
    return new Response("{}", { status: 503 });
  };
  await show(session(1));
  await show(session(1));
  assert.deepEqual([requests.length, failures], [1, [503]]);
  globalThis.fetch = answer;
  await show(session(2));
  assert.equal(shownSteps().length, 2);
});
