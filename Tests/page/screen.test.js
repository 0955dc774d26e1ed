// The app on the phone, and what stands around it: pending work, the banner, the parked link.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeElement, openPage, textsOf } from "./elements.js";

openPage();
const { WhatChanged } = await import("../../public/inspector/changed.js");
const { Parked } = await import("../../public/inspector/parked.js");
const { Pending } = await import("../../public/inspector/pending.js");
const { inkOn } = await import("../../public/inspector/images.js");
const { Phone } = await import("../../public/inspector/phone.js");
const { Story } = await import("../../public/inspector/story.js");

const $ = (id) => document.getElementById(id);
const labels = (selectors) => document.root.querySelectorAll(selectors).map((each) => each.getAttribute("aria-label"));

let phone, performed;

beforeEach(() => {
  openPage();
  performed = [];
  phone = new Phone({
    perform: async (action) => performed.push(action.event), send: async () => 1, report: () => {},
    open: (path) => performed.push(path),
  });
});

const action = (title, event, inputs = [], role = null) => ({ title, event, payload: {}, role, opens: null, inputs });
const row = (id, more) => ({
  id, title: id, subtitle: null, favorite: false, value: null, image: null, section: null, action: null, actions: [],
  delete: null, ...more,
});
const image = (more) => ({ url: null, symbol: null, letters: null, color: null, alt: "", ...more });

/** A route document of a screen with these parts. */
function route(screen, navigation = {}, more = {}) {
  return {
    session: "s", version: 1, leaf: "App/Screen",
    screen: {
      name: "Screen", title: "Dishes", style: "page", status: "ready", message: null, sections: [], rows: [], actions: [],
      empty: null, content: null, ...screen,
    },
    navigation: { back: null, dismiss: null, tabs: [], ...navigation },
    breadcrumbs: [], tree: { id: "App", children: [], presented: null }, ...more,
  };
}

const count = [{
  field: "count", title: "How many", type: "integer", value: 0, choices: null, required: true, secret: false,
  error: null,
}];
const dishes = [
  row("bread", { value: "0", favorite: true, actions: [action("−", "a.less"), action("Set", "a.set", count)] }),
  row("soup", {
    value: "1", action: action("Soup", "a.show"), delete: action("Drop", "a.drop"),
    actions: [action("Set", "a.set", count)],
  }),
];

test("a row shows its value and its buttons, whose names include the row", () => {
  phone.show(route({ rows: dishes }), true);
  assert.deepEqual(textsOf("#rows .row-value"), ["0", "1"]);
  assert.equal(textsOf("#rows .favorite").length, 1);
  assert.deepEqual(labels("#rows [data-row=soup] .row-button"), ["Set: soup"]);
  assert.deepEqual(labels("#rows [data-row=soup] .delete"), ["Drop: soup"]);
  assert.deepEqual(textsOf("#rows [data-row=bread] button"), ["−", "Set"]);
  $("rows").querySelector("[data-row=soup] .tap").click();
  assert.deepEqual(performed, ["a.show"]);
});

test("rows are in their sections, after those without one", () => {
  const sections = [{ id: "a", title: "Hot", footer: "From noon" }, { id: "b", title: null, footer: null }];
  const rows = [row("bread"), row("soup", { section: "a" }), row("stew", { section: "a" }), row("ice", { section: "b" })];
  const lists = () => $("rows").querySelectorAll(".list").map((list) => list.children.map((each) => each.dataset.row));
  phone.show(route({ sections, rows }), true);
  assert.deepEqual(lists(), [["bread"], ["soup", "stew"], ["ice"]]);
  assert.deepEqual([textsOf(".section-title"), textsOf(".section-footer")], [["Hot"], ["From noon"]]);
  const [kept] = $("rows").querySelectorAll("[data-row=stew]");
  // A section keeps its place, and a row its element, when others go.
  phone.show(route({ sections, rows: rows.slice(2) }), true);
  assert.deepEqual(lists(), [["stew"], ["ice"]]);
  assert.equal($("rows").querySelector("[data-row=stew]"), kept);
});

test("a text stands in place of rows that a screen could have", () => {
  phone.show(route({ empty: "The cart is empty." }), true);
  assert.deepEqual(textsOf("#screen-empty"), ["The cart is empty."]);
  assert.ok(!$("phone").matches(".bare"));
  phone.show(route({ rows: dishes }), true);
  assert.deepEqual(textsOf("#screen-empty"), []);
});

test("a row has an image: a file, a symbol, or letters on their color", () => {
  const shown = (more) => {
    phone.show(route({ rows: [row("bread", { image: more === null ? null : image(more) })] }), true);
    const [place] = $("rows").querySelectorAll(".row-image");
    const [element] = place.children;
    return place.hidden ? null : {
      name: element.localName, alt: element.getAttribute("aria-label") ?? element.getAttribute("alt"),
      isDecorative: element.getAttribute("aria-hidden") === "true", style: { ...element.style },
      source: element.getAttribute("src") ?? element.querySelector("use")?.getAttribute("href") ?? element.textContent,
    };
  };
  assert.deepEqual(shown({ url: "/images/lamp.svg", alt: "A lamp" }),
    { name: "img", alt: "A lamp", isDecorative: false, style: {}, source: "/images/lamp.svg" });
  assert.equal(shown({ url: "/images/lamp.svg" }).alt, "");
  assert.deepEqual(shown({ symbol: "car", color: "#e8002d" }), {
    name: "svg", alt: null, isDecorative: true, style: { color: "#e8002d" }, source: "/web/symbols.svg#car",
  });
  assert.equal(shown({ symbol: "a#b" }).source, "/web/symbols.svg#a%23b");
  assert.deepEqual(shown({ letters: "16", color: "#ff8000", alt: "Number 16" }), {
    name: "span", alt: "Number 16", isDecorative: false,
    style: { backgroundColor: "#ff8000", color: "#000000" }, source: "16",
  });
  assert.deepEqual(shown({ letters: "LH" }).style, {});
  assert.equal(shown(null), null);
});

test("an image stays the same element until it differs", () => {
  const element = (color) => {
    phone.show(route({ rows: [row("bread", { image: image({ letters: "B", color }) })] }), true);
    return $("rows").querySelector(".letters");
  };
  const first = element("#000000");
  assert.equal(element("#000000"), first);
  assert.notEqual(element("#ffffff"), first);
});

test("letters are black or white, whichever has more contrast", () => {
  for (const [color, ink] of [
    ["#000000", "#ffffff"], ["#ffffff", "#000000"], ["#757575", "#ffffff"], ["#767676", "#000000"],
    ["#ffd400", "#000000"], ["#00008b", "#ffffff"],
  ]) assert.equal(inkOn(color), ink, color);
});

test("buttons, rows and forms have the roles of their actions", () => {
  const roles = [null, "primary", "destructive", "cancel"];
  const rows = [row("bread", { action: action("Eat", "a.eat", [], "destructive") })];
  phone.show(route({ rows, actions: roles.map((role) => action(role, "a.b", [], role)) }), true);
  const shown = (selector) => document.root.querySelectorAll(selector).map((each) => each.getAttribute("data-role"));
  assert.deepEqual(shown("#actions .action"), roles);
  assert.deepEqual(shown("#rows .tap"), ["destructive"]);
  phone.show(route({ actions: [action("Join", "a.join", count, "primary")] }), true);
  assert.deepEqual(shown("#actions [type=submit]"), ["primary"]);
  phone.show(route({ actions: [action("Join", "a.join", count)] }), true);
  assert.deepEqual(shown("#actions [type=submit]"), [null]);
});

test("a button with an input opens its form below the row, one at a time", () => {
  const setButton = (id) => $("rows").querySelector(`[data-row=${id}] .row-actions`).lastElementChild;
  const [first, second] = [() => setButton("bread"), () => setButton("soup")];
  const open = () => labels("#rows form");
  phone.show(route({ rows: dishes }), true);
  first().click();
  assert.deepEqual([open(), document.activeElement.name], [["Set: bread"], "count"]);
  assert.equal(first().getAttribute("aria-expanded"), "true");
  document.activeElement.enter("7");
  second().click();
  assert.deepEqual(open(), ["Set: soup"]);
  second().click();
  assert.deepEqual(open(), []);
  // Closing forgets what was typed, and Escape returns the focus to the button.
  first().click();
  assert.equal(document.activeElement.value, "0");
  document.activeElement.press("Escape");
  assert.deepEqual([open(), document.activeElement], [[], first()]);
  assert.deepEqual(performed, []);
  // The form goes with its row.
  first().click();
  phone.show(route({ rows: dishes.slice(1) }), true);
  assert.deepEqual(open(), []);
  phone.show(route({ rows: dishes }), true);
  assert.deepEqual(open(), []);
});

test("the open form of a row is not shown in the past, and keeps its text", () => {
  phone.show(route({ rows: dishes }), true);
  $("rows").querySelector("[data-row=bread] .row-actions").lastElementChild.click();
  document.activeElement.enter("7");
  phone.show(route({ rows: dishes }), false, true);
  assert.deepEqual(labels("#rows form"), []);
  phone.show(route({ rows: dishes }), true);
  assert.equal($("rows").querySelector("[data-field=count]").value, "7");
});

test("a read-only screen has no control, and in the past a press starts a fork", () => {
  const screen = route({ rows: dishes, actions: [action("Join", "a.join", count), action("Go", "a.go")] },
    { back: action("Home", "a.back") });
  const enabled = () => document.root.querySelectorAll("#phone button, #phone input")
    .filter((each) => each.checkVisibility() && !each.disabled && each.id !== "begin-start");
  phone.show(screen, false);
  assert.deepEqual(enabled(), []);
  phone.show(screen, false, true);
  assert.ok(enabled().length > 3);
  assert.deepEqual(new Set(enabled().map((each) => each.getAttribute("aria-haspopup"))), new Set(["dialog"]));
  // A form cannot be filled in there.
  assert.ok(!enabled().some((each) => each.type === "submit" || each.textContent === "Set"));
});

test("an alert is a dialog that names the screen below it", () => {
  const tree = {
    id: "App", index: 0, presented: null, children: [{
      id: "App/Form", title: "Note", index: 0, children: [],
      presented: { id: "App/Form/Alert", index: 0, children: [], presented: null },
    }],
  };
  const alert = { title: "Discard changes?", style: "alert", message: "The note is not saved." };
  phone.show(route({ ...alert, actions: [action("Discard", "a.b"), action("Keep", "a.c")] }, {}, { tree }), true);
  const semantics = () => ["role", "aria-describedby"].map((name) => $("screen").getAttribute(name));
  assert.deepEqual(semantics(), ["alertdialog", "screen-message"]);
  assert.deepEqual([textsOf("#screen-message"), textsOf("#under-title")], [["The note is not saved."], ["Note"]]);
  assert.deepEqual(textsOf("#back, #dismiss, #tabs"), []);
  assert.ok($("phone").matches(".asking") && !$("phone").matches(".bare"));
  phone.show(route({}), true);
  assert.ok(!$("phone").matches(".asking") && $("under").hidden);
  assert.deepEqual(semantics(), ["group", null]);
});

test("a sheet is shown over its presenter", () => {
  phone.show(route({ style: "sheet" }, { dismiss: action("Close", "a.close") }), true);
  assert.ok($("face").matches(".sheet"));
  assert.deepEqual(textsOf("#dismiss"), ["Close"]);
});

test("a screen says that it is loading, or how it failed, above its rows", () => {
  const shown = (screen) => {
    phone.show(route({ rows: dishes, ...screen }), true);
    return [...textsOf("#screen-status"), textsOf("#rows .row-title").length];
  };
  assert.deepEqual(shown({ status: "loading" }), ["Loading…", 2]);
  assert.deepEqual(shown({ status: "failed", message: "The source is away" }), ["Failed: The source is away", 2]);
  assert.deepEqual(shown({ message: "Saved" }), ["Saved", 2]);
  assert.deepEqual(shown({}), [2]);
});

test("tabs have badges, and breadcrumbs lead back", () => {
  const tab = (title, badge, selected) => ({
    title, badge, selected, image: selected ? image({ symbol: "car" }) : null, action: action(title, "a.tab"),
  });
  const breadcrumbs = [{ title: "Teams", path: "/teams" }, { title: "Haas", path: "/teams/haas" }];
  phone.show(route({}, { tabs: [tab("Teams", null, true), tab("Profile", "1", false)] }, { breadcrumbs }), true);
  assert.deepEqual([textsOf("#tabs .badge"), labels("#tabs .tab")], [["1"], [null, "Profile, 1"]]);
  assert.equal($("screen").getAttribute("role"), "tabpanel");
  // A tab without an image has the first letter of its title.
  assert.deepEqual(textsOf("#tabs .tab-glyph"), ["P"]);
  assert.deepEqual($("tabs").querySelectorAll("use").map((use) => use.getAttribute("href")), ["/web/symbols.svg#car"]);
  assert.deepEqual(textsOf("#breadcrumbs [aria-current=page]"), ["Haas"]);
  $("breadcrumbs").querySelector("button").click();
  assert.deepEqual(performed, ["/teams"]);
});

// Around the phone

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
  assert.deepEqual(textsOf("#pending, #withheld, #pending-badge"), []);
  // Whether work is withheld is said even if nothing is pending.
  pending.show([], true, true);
  assert.deepEqual(textsOf("#withheld"), ["Work withheld"]);
  assert.ok(!$("pending").hidden);
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

const shown = { path: "/dishes", version: 3, screen: { style: "page" } };
const story = {
  event: "work.didFinish", payload: { result: "x".repeat(80) }, handledBy: "App/Page", origin: "work", pending: "1-1",
  asked: { name: "prices" },
  trace: [{ coordinator: "App/Page/List", intercepted: false }, { coordinator: "App/Page", intercepted: true }],
};

test("the banner tells an event from its origin to its path", () => {
  const banner = new Story({ now() {}, fork() {}, travel() {} });
  banner.show({ story, shown, past: null, route: shown });
  assert.deepEqual(textsOf("#story-origin"), ['Background task "prices" (started at version 1) reported']);
  assert.equal($("story-icon").querySelector("use").href, "#icon-work");
  assert.deepEqual(["story-event", "story-trace", "story-handled", "story-route"].map((id) => textsOf(`#${id}`)[0]),
    ["work.didFinish", "List", "Page", "/dishes"]);
  assert.deepEqual([$("story-payload").textContent.length, $("story-payload").title.length], [60, 88]);
  const plain = { ...story, origin: "client", pending: null, handledBy: null, trace: [] };
  banner.show({ story: plain, shown, past: null, route: shown });
  assert.deepEqual(["#story-origin", "#story-handled", "#story-icon"].flatMap(textsOf), ["Event", "no coordinator"]);
});

test("the banner of the past steps between versions", () => {
  const visited = [];
  const banner = new Story({ now() {}, fork() {}, travel: (version) => visited.push(version) });
  const go = (version) => {
    const past = { ...shown, version };
    banner.show({ story, shown: past, past, route: shown, destination: version, canWithhold: true });
    for (const id of ["earlier", "later"]) $(id).click();
  };
  go(1);
  assert.deepEqual([textsOf("#past-version"), visited.splice(0)], [["Version 1 of 3"], [0, 2]]);
  assert.equal($("fork").getAttribute("aria-haspopup"), "dialog");
  go(0);
  assert.deepEqual(visited, [1]);
});

test("a new session has a welcome instead of a story", () => {
  const banner = new Story({ now() {}, fork() {}, travel() {} });
  banner.show({ story: null, shown, past: null, route: shown, isUntouched: true });
  assert.ok(!$("welcome").hidden && $("story").hidden);
});

test("a parked link is shown in the present and in the past", () => {
  const parked = new Parked();
  parked.show({ path: "/orders/17" }, true);
  assert.deepEqual(textsOf("#parked"), ["Parked /orders/17"]);
  parked.show({ path: "/orders/17" }, false);
  assert.deepEqual(textsOf("#parked"), ["Was parked /orders/17"]);
  parked.show(null, true);
  assert.deepEqual(textsOf("#parked"), []);
});

// What changed

const settled = () => new Promise(setImmediate);

test("the changes of visible versions are read once, and told in the banner and in the focused entry", async () => {
  const rows = [1, 2, 3].map((version) => $("entries").appendChild(Object.assign(new FakeElement(), { version })));
  for (const row of rows) {
    row.dataset.version = row.version;
    row.append(Object.assign(new FakeElement("button"), { className: "entry-travel" }));
  }
  const asked = [];
  const changed = new WhatChanged({
    read: async (version) => {
      asked.push(version);
      if (version === 1) throw new Error("away");
      return [route({ title: version }), route({ title: version === 3 ? version : "Other" })];
    },
    row: (version) => rows[version - 1],
  });
  const show = async (version) => {
    changed.show({ id: "s", status: "live", shown: { version }, story: version > 0 ? {} : null });
    await settled();
  };
  await show(0);
  assert.deepEqual([asked, $("changed").hidden], [[], true]);
  await show(2);
  await show(2);
  assert.deepEqual([asked, textsOf("#changed-list li")], [[2], ["title 2 → Other"]]);
  assert.deepEqual(textsOf("#entries [data-version=2] .entry-changes li"), ["title 2 → Other"]);
  await show(3);
  assert.deepEqual(textsOf("#changed-list li"), ["Nothing changed"]);
  assert.deepEqual(textsOf("#entries [data-version=2] .entry-changes"), []);
  // A version whose changes could not be read is not asked for again.
  await show(1);
  await show(1);
  assert.deepEqual([asked, textsOf("#changed-list li")], [[2, 3, 1], []]);
});
