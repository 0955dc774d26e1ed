// The list of all sessions, and the comparison of two versions.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { openPage, said, textsOf } from "./elements.js";

openPage();
const { Comparison } = await import("../../public/inspector/comparing.js");
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
  const made = { queries: [], ended: [], filters: [], refusal: null };
  made.home = new Home({
    read: async (query) => {
      made.queries.push(query);
      const page = answer(query);
      if (page instanceof Problem) throw page;
      return page;
    },
    end: async (id) => {
      made.ended.push(id);
      if (made.refusal) throw made.refusal;
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
  const fork = listed("forked-1", { parent: { session: "original", version: 2 }, pending: 1, work: "withheld" });
  await openHome(() => page(listed("a", { lastEventAt: "2026-01-01T12:00:02Z" }), fork));
  assert.deepEqual(textsOf(".session-path"), ["/main", "/main"]);
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

test("a session ends after a confirmation, also if it has ended already", async () => {
  const made = await openHome(() => page(listed("a"), listed("b"), listed("c")));
  const press = (id) => $("home-list").querySelector(`[data-session=${id}]`).querySelector(".session-end").click();
  press("b");
  assert.equal($("home-ending").getAttribute("open"), "");
  $("home-ending-cancel").click();
  assert.deepEqual([made.ended, shownIDs()], [[], ["a", "b", "c"]]);
  press("b");
  made.refusal = new Problem({ title: "Busy", status: 503 });
  $("home-ending-end").click();
  await settled();
  assert.deepEqual([textsOf("#home-ending .problem"), shownIDs().length], [["Busy"], 3]);
  made.refusal = new Problem({ type: "/problems/session-not-found", status: 404 });
  $("home-ending-end").click();
  await settled();
  assert.deepEqual([made.ended, shownIDs()], [["b", "b"], ["a", "c"]]);
  assert.deepEqual(textsOf("#home-count"), ["2 sessions, last used first."]);
});

// The comparison

const route = (session, version, path) => ({
  session, version, path, screen: { name: path, title: path, rows: [], actions: [] }, navigation: { tabs: [] },
  tree: { id: "App" },
});
const event = (version, name) => ({ version, event: name, payload: {}, at: "App", handledBy: "App", path: `/${name}` });

/** A comparison of the session "own" and its parent, whose requests wait for `answers`, if that is not null. */
function openComparison(answers = null) {
  const parent = { session: "original", version: 1 };
  const comparison = new Comparison({
    readRoute: async (session, version) => {
      if (version === "9") throw new Problem({ title: "No such version." });
      if (answers) await new Promise((resolve) => answers.push(resolve));
      return route(session, Number(version ?? 3), `/${session}/${version ?? 3}`);
    },
    readSession: async (id) => id === "own" ? { id, parent } : { id, parent: null },
    readEvents: async (session, after) => [event(1, "a"), event(2, session)].slice(after),
  });
  return comparison;
}

const go = async (field, text) => {
  $(`compare-${field}`).value = text;
  $("compare-form").requestSubmit();
  await settled();
};
const sides = () => [...textsOf("#compare-left"), ...textsOf("#compare-right")];
const open = async (...given) => {
  openComparison().open(...given);
  await settled();
};

test("two versions are compared in words and side by side", async () => {
  await open("own", 1, 2);
  assert.deepEqual(sides(), ["Version 1", "Version 2"]);
  assert.ok(textsOf("#compare-words li").includes("screen /own/1 → /own/2"));
  const [line] = document.root.querySelectorAll("#compare-rows [data-mark=changed]");
  assert.deepEqual(line.children.map(said), ['path: "/own/1"', 'path: "/own/2"']);
  assert.ok($("timelines-box").hidden);
  await go("left-version", "2");
  assert.deepEqual([textsOf("#compare-words li"), $("compare-box").matches(".same")], [["No differences."], true]);
  await go("right-version", "");
  $("compare-swap").click();
  await settled();
  assert.deepEqual(sides(), ["Version 3", "Version 2"]);
  await go("left-version", "9");
  assert.deepEqual(textsOf("#compare-problem"), ["No such version."]);
});

test("unchanged lines are hidden until the user shows them", async () => {
  await open("own", 1, 2);
  for (const isAll of [true, false]) {
    $("compare-all").click();
    assert.equal($("compare-lines").matches(".all"), isAll);
    assert.equal($("compare-all").getAttribute("aria-pressed"), String(isAll));
  }
});

test("a fork is compared with its parent, from their first different event", async () => {
  await open("own", 2, 3);
  $("compare-parent").click();
  await settled();
  assert.deepEqual(sides(), ["Version 3 of origin", "Version 3"]);
  assert.deepEqual(textsOf("#timelines-rows td"), ["1 a", "1 a", "2 original → /original", "2 own → /own"]);
  assert.deepEqual(textsOf("#timelines-rows [data-first] td").at(-1), "2 own → /own");
});

test("another session is named by its id or its address", async () => {
  await open("own", 1, 2);
  await go("right-session", "other");
  assert.deepEqual(sides(), ["Version 1", "Version 2 of other"]);
  await go("right-session", `http://localhost/#session=${"B".repeat(22)}&version=1`);
  assert.deepEqual(sides(), ["Version 1", "Version 2 of BBBBBB"]);
});

test("the last of two comparisons is shown", async () => {
  const answers = [];
  openComparison(answers).open("own", 1, 2);
  await go("left-version", "0");
  for (const answer of answers.splice(2)) answer();
  await settled();
  assert.deepEqual(sides(), ["Version 0", "Version 2"]);
  for (const answer of answers) answer();
  await settled();
  assert.deepEqual(sides(), ["Version 0", "Version 2"]);
});

test("a replay says what it kept, and which events it did not accept", async () => {
  const edited = {
    kept: 1, changed: 0, inserted: 0, dropped: 1,
    refused: [{ version: 3, problem: { title: "Gone", detail: "No work." } }],
  };
  const fork = { id: "own", version: 2, parent: { session: "original", version: 3 }, edited };
  openComparison().openReplay(fork, { version: 2, drop: true });
  await settled();
  assert.deepEqual(textsOf("#compare-counts"),
    ["Replayed in a new session: 1 event kept, 1 dropped, 1 not accepted. Its work is withheld."]);
  assert.deepEqual(textsOf("#compare-refused li"), ["Version 3 was not accepted. No work."]);
  assert.ok(textsOf("#timelines-rows td").includes("Dropped"));
});
