import assert from "node:assert/strict";
import { test } from "node:test";

import "./elements.js";

import { ago, duration } from "../../public/inspector/durations.js";
import { below, find, startedIds, visibleChain } from "../../public/inspector/nodes.js";
import { offeredValues } from "../../public/inspector/offered.js";
import { emitter, isPosted, originIcon, originText } from "../../public/inspector/origin.js";
import { closed, statusText } from "../../public/inspector/status.js";
import { spoken } from "../../public/inspector/story.js";
import { payloadText, shortName, shortPayload, traceOf } from "../../public/inspector/trace.js";

const screen = { title: "Teams", style: "page", status: "ready", message: null };

test("what happened is announced in sentences", () => {
  const shown = { path: "/main/teams", version: 1, screen, parked: null, pending: [] };
  assert.equal(spoken({ story: null, shown, past: null }), "/main/teams.");
  const story = { event: "splash.didFinish", handledBy: "App/Main", payload: {} };
  assert.equal(spoken({ story, shown, past: shown }),
    "Version 1, read-only. /main/teams. splash.didFinish handled by Main.");
  const waiting = {
    ...shown, parked: { path: "/orders/17" }, pending: [{ name: "prices" }, { name: "offer" }],
    screen: { ...screen, style: "alert", title: "Discard", status: "failed", message: "No network" },
  };
  assert.equal(spoken({ story: { ...story, handledBy: null }, shown: waiting, past: null }),
    "/main/teams. Discard. Failed: No network. splash.didFinish not handled. Parked: /orders/17. "
    + "Pending: prices, offer.");
  assert.equal(spoken({ story: null, shown: { ...shown, pending: [{ name: "prices" }] }, past: null, isWithheld: true }),
    "/main/teams. Work withheld. Pending: prices.");
});

test("an event that no client sent names its origin", () => {
  const work = { origin: "work", pending: "12-1", asked: { name: "prices" } };
  assert.equal(emitter(work), 'Background task "prices" (started at version 12) reported');
  assert.equal(emitter({ origin: "timer", pending: "3-2" }), "Timer 3-2 (set at version 3) fired");
  assert.equal(emitter({ origin: "host" }), "The host emitted");
  assert.equal(emitter({}), null);
  assert.equal(originText(work), "from work 12-1");
  const posted = { ...work, origin: "client" };
  assert.equal(emitter(posted), 'Posted as the outcome of "prices" (pending since version 12):');
  assert.equal(originText(posted), "outcome of 12-1");
  assert.ok(isPosted(posted) && !isPosted(work) && !isPosted({ origin: "client", pending: null }));
  assert.equal(originIcon({ origin: "client" }), null);
});

test("a screen's sentence ends with a punctuation mark", () => {
  assert.equal(closed("Saved"), "Saved.");
  assert.equal(closed("Sure?"), "Sure?");
  for (const [screen, text] of [
    [{}, ""], [{ message: "Saved" }, "Saved."], [{ status: "loading" }, "Loading…"],
    [{ status: "loading", message: "Loading the teams…" }, "Loading the teams…"],
    [{ status: "failed" }, "This failed."], [{ status: "failed", message: "Why?" }, "Failed: Why?"],
  ]) assert.equal(statusText(screen), text);
});

test("the trace leads from an event's first coordinator to its handler", () => {
  assert.deepEqual(traceOf({ at: "App/Main/List", handledBy: "App/Main" }), [
    { coordinator: "App/Main/List", intercepted: false }, { coordinator: "App/Main", intercepted: true },
  ]);
  assert.equal(traceOf({ at: "App/Main/List", handledBy: null }).length, 3);
  assert.equal(shortName("App/Main/List-2"), "List-2");
});

test("a payload fits on one line", () => {
  assert.equal(payloadText({ name: "two\nlines", count: 3, tags: ["a"] }), 'name: two ↵ lines, count: 3, tags: ["a"]');
  assert.equal(payloadText(null), "");
});

test("a long payload is cut", () => {
  assert.equal(shortPayload({ text: "x".repeat(100) }).length, 60);
  assert.ok(shortPayload({ text: "x".repeat(100) }).endsWith("x…"));
  assert.equal(shortPayload({ text: "short" }), payloadText({ text: "short" }));
});

const tree = {
  id: "App", kind: "container", started: true, index: 0, presented: null, children: [{
    id: "App/Stack", kind: "navigation", started: true, index: 1, children: [
      { id: "App/Stack/List", kind: "leaf", started: true, section: null, children: [], presented: null },
      { id: "App/Stack/Detail", kind: "leaf", started: true, section: "s", children: [], presented: null },
    ],
    presented: { id: "App/Stack/Alert", kind: "leaf", started: true, children: [], presented: null },
  }],
};

test("the visible chain prefers presented coordinators to children", () => {
  assert.deepEqual(visibleChain(tree), ["App", "App/Stack", "App/Stack/Alert"]);
  assert.equal(find(tree, "App/Stack/Detail").section, "s");
  assert.equal(find(tree, "App/Unknown"), undefined);
  assert.deepEqual(startedIds(tree),
    ["App", "App/Stack", "App/Stack/List", "App/Stack/Detail", "App/Stack/Alert"]);
});

test("a node lists its stack, its modal, and coordinators that have ended", () => {
  const [list, detail, alert, gone] = below(tree.children[0], ["App/Stack/Old", "App/Stack/Old/Leaf", "App/Other"]);
  assert.equal(list.position, "1 of 2 on the stack");
  assert.ok(detail.beginsSection && detail.endsSection);
  assert.ok(alert.isPresented);
  assert.deepEqual([gone.id, gone.isGone], ["App/Stack/Old", true]);
});

test("suggested values come from the document's own actions", () => {
  const document = {
    screen: { rows: [{ action: { event: "teams.didSelect", payload: { team: "ferrari" } }, delete: null }] },
    other: [{ event: "teams.setFavorite", payload: { team: "alpine" } }, { event: "x.y", payload: { team: "ferrari" } }],
  };
  assert.deepEqual(offeredValues(document, "team"), ["ferrari", "alpine"]);
});

test("times are written in their largest units", () => {
  assert.equal(duration(299), "4 min 59 s");
  assert.equal(duration(90_061), "1 d 1 h 1 min");
  const now = Date.parse("2026-01-01T12:00:00Z");
  assert.equal(ago("2026-01-01T11:59:57Z", now), "3 s ago");
  assert.equal(ago("2025-12-30T11:00:00Z", now), "2 d ago");
  assert.equal(ago("2026-01-01T12:00:01Z", now), "now");
});
