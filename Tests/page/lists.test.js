// The list of all sessions.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { openPage, said, textsOf } from "./elements.js";

openPage();
const { Home } = await import("../../public/inspector/home.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  openPage();
});

// The list of all sessions

const listed = (id, more = {}) => ({
  id, version: 1, path: "/main", appVersion: "1.0", state: "live", parent: null, pending: 0, work: null,
  createdAt: "2026-01-01T12:00:00Z", lastEventAt: null, ...more,
});

/** An open list, with the requests that it sent. `answer` returns a page of sessions, or a problem. */
async function openHome(answer, filter = { text: "", state: "" }) {
  const made = { queries: [], ended: [], filters: [], done: () => {} };
  made.home = new Home({
    read: async (query) => {
      made.queries.push(query);
      const page = answer(query);
      if (page instanceof Problem) throw page;
      return page;
    },
    end: (session, done) => {
      made.ended.push(session);
      made.done = done;
    },
    journal: async () => "", start: () => {}, addressOf: (id) => `#session=${id}`,
    now: () => Date.parse("2026-01-01T12:00:05Z"), filtered: (each) => made.filters.push(each),
  });
  made.home.open("a", "#session=a", filter);
  await settled();
  return made;
}

const page = (...sessions) => ({ sessions, next: null });
const shownIDs = () => document.root.querySelectorAll("#home-list .session").map(({ dataset }) => dataset.session);

test("a session says where it is, how old it is, and where it comes from", async () => {
  const fork = listed("forked-1", { parent: { session: "original", version: 2 }, pending: 1, work: "withheld", state: "passive" });
  await openHome(() => page(listed("a", { lastEventAt: "2026-01-01T12:00:02Z" }), fork));
  assert.deepEqual(textsOf(".session-path"), ["/main", "/main"]);
  assert.deepEqual(textsOf(".session-state"), ["in memory", "stored"]);
  assert.deepEqual(textsOf(".session-age"), ["last event 3 s ago", "created 5 s ago"]);
  assert.deepEqual(textsOf(".session-parent"), ["", "forked from origin, version 2"]);
  assert.deepEqual(textsOf(".session-pending"), ["", "1 pending, withheld"]);
  assert.equal(document.root.querySelector(".session-row").getAttribute("aria-current"), "true");
  assert.deepEqual(textsOf("#home-count"), ["2 sessions, last used first."]);
});

test("a session says its name, its key and its attributes, as text", async () => {
  const named = { name: "Checkout bug", key: "claim-7", attributes: { user: "<b>42</b>", plan: "pro" } };
  await openHome(() => page(listed("a", named), listed("b", { name: null, key: null, attributes: {} })));
  assert.deepEqual(textsOf(".session-name"), ["Checkout bug", ""]);
  assert.deepEqual(textsOf(".session-key"), ["key claim-7", ""]);
  assert.deepEqual(textsOf(".session-attributes code"), ["user=<b>42</b>", "plan=pro"]);
  assert.equal(document.root.querySelector(".session-attributes code").title, "user=<b>42</b>");
});

test("the server finds paths after a pause, and the page finds other text at once", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { queries, filters } = await openHome(() => page(listed("abc"), listed("xyz")));
  $("home-text").enter("ABC");
  assert.deepEqual([shownIDs(), queries.length], [["abc"], 1]);
  assert.deepEqual(textsOf("#home-count"), ["1 session, last used first."]);
  $("home-text").enter("/main/te");
  $("home-text").enter("/main/teams");
  context.mock.timers.tick(250);
  await settled();
  assert.deepEqual(queries.slice(1), [{ path: "/main/teams", limit: 50 }]);
  assert.deepEqual(filters.at(-1), { text: "/main/teams", state: "" });
  $("home-text").enter("nothing");
  assert.deepEqual(textsOf("#home-count"), ["No sessions match."]);
});

test("a long list is read a page at a time", async () => {
  const { queries } = await openHome(({ after }) =>
    after ? page(listed("c")) : { sessions: [listed("a"), listed("b")], next: "b" });
  assert.deepEqual(textsOf("#home-count"), ["2 sessions, last used first; there are more."]);
  $("home-more").click();
  await settled();
  assert.deepEqual(queries.at(-1), { limit: 50, after: "b" });
  assert.deepEqual([shownIDs(), $("home-more").hidden], [["a", "b", "c"], true]);
});

test("only the answer to the last request is shown", async () => {
  const answers = [];
  const home = new Home({
    read: () => new Promise((resolve) => answers.push(resolve)), filtered: () => {}, addressOf: () => "", now: () => 0,
  });
  home.open(null, null, { text: "", state: "" });
  home.open(null, null, { text: "/main", state: "live" });
  answers[1](page(listed("newer")));
  answers[0](page(listed("older")));
  await settled();
  assert.deepEqual(shownIDs(), ["newer"]);
});

test("a server that hides the list says why, and has nothing to search", async () => {
  await openHome(() => new Problem({ title: "Forbidden", detail: "Others can reach this server.", status: 403 }));
  assert.deepEqual(textsOf("#home-problem"), ["Forbidden Others can reach this server."]);
  assert.deepEqual([$("home-search").hidden, said($("home-count"))], [true, ""]);
});

test("an ended session leaves the list", async () => {
  const made = await openHome(() => page(listed("a"), listed("b"), listed("c")));
  $("home-list").querySelector("[data-session=b]").querySelector(".session-end").click();
  assert.deepEqual([made.ended.map(({ id }) => id), shownIDs()], [["b"], ["a", "b", "c"]]);
  made.done();
  assert.deepEqual(shownIDs(), ["a", "c"]);
  assert.deepEqual(textsOf("#home-count"), ["2 sessions, last used first."]);
});
