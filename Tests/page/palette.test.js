// The palette: what it finds, what it offers, and its keys.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { Catalog } from "../../public/inspector/catalog.js";
import { found, offered } from "../../public/inspector/palette/matching.js";
import { openPage, said, textsOf } from "./elements.js";
import { smallMap, smallPatterns } from "./fixtures.js";

openPage();
const { Graph } = await import("../../public/inspector/storyboard/graph.js");
const { Palette } = await import("../../public/inspector/palette.js");
const { actionItems, commandItems, eventItems, handledHere, pathItems, screenItems } =
  await import("../../public/inspector/palette/items.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  openPage();
});

// Finding

const item = (title, group = "Screens", more = {}) => ({ key: title, title, group, ...more });
const titles = (groups) => groups.flatMap(({ items }) => items.map(({ title }) => title));

for (const [text, expected] of [
  ["teams.didselect", ["teams.didSelect"]],
  ["team", ["teams.didSelect", "teams.setFavorite", "/main/teams/team/ferrari"]],
  ["sel", ["teams.didSelect"]],
  ["fav team", ["teams.setFavorite"]],
  ["FERR", ["/main/teams/team/ferrari"]],
  ["/main/te", ["/main/teams/team/ferrari"]],
  ["hulken", ["Nico Hülkenberg"]],
  ["green", ["Nico Hülkenberg"]],
  ["ulken", ["Nico Hülkenberg"]],
  ["team nothing", []],
]) {
  test(`“${text}” finds ${expected.join(", ") || "nothing"}`, () => {
    const all = ["teams.didSelect", "teams.setFavorite", "/main/teams/team/ferrari"].map((title) => item(title));
    assert.deepEqual(titles(found([...all, item("Nico Hülkenberg", "Screens", { words: "green" })], text)), expected);
  });
}

test("the best matches come first: a title, its beginning, its words, other words, any letters", () => {
  const all = [
    item("Restarts"), item("Other", "Screens", { words: "start" }), item("Fresh start"), item("Starter"), item("Start"),
  ];
  assert.deepEqual(titles(found(all, "start")), ["Start", "Starter", "Fresh start", "Other", "Restarts"]);
});

test("groups keep their order, but an exact match comes first", () => {
  const all = [item("Teams list"), item("Teams", "Events"), item("Team", "Commands")];
  assert.deepEqual(found(all, "tea").map(({ name }) => name), ["Screens", "Events", "Commands"]);
  assert.deepEqual(found(all, "teams").map(({ name }) => name), ["Events", "Screens"]);
});

test("at most fifty rows are shown of any number of items", () => {
  const all = Array.from({ length: 5000 }, (_, index) => item(`Room ${index}`, index % 5 === 0 ? "Screens" : "Paths"));
  const groups = found(all, "room");
  assert.deepEqual(groups.map(({ count, items }) => [count, items.length]), [[1000, 25], [4000, 25]]);
  assert.equal(titles(offered(all, [])).length, 45);
});

test("before anything is typed, what was used last comes first, once", () => {
  const all = [item("A"), item("B"), item("New", "Commands")];
  assert.deepEqual(offered(all, ["New", "gone", "B"]).map(({ name, items }) => [name, ...titles([{ items }])]),
    [["Recently used", "New", "B"], ["Screens", "A"]]);
});

// What is offered

const { screens } = new Graph(smallMap, smallPatterns);
const action = (title, event, payload = {}, more = {}) => ({ title, event, payload, role: null, ...more });
const route = {
  leaf: "App/Main",
  tree: { id: "App", started: true, children: [{ id: "App/Main", started: true, children: [] }], presented: null },
  screen: {
    name: "Detail", actions: [action("Add to favorites", "teams.setFavorite"),
      action("Rename", "teams.rename", {}, { inputs: [{ field: "name" }] })],
    rows: [{ id: 1, title: "Ferrari", subtitle: "Two drivers", action: action("Ferrari", "teams.didSelect"),
      delete: action("Remove", "teams.remove"), actions: [] }],
  },
  navigation: {
    back: action("Teams", "navigation.back"), dismiss: null,
    tabs: [{ title: "Profile", selected: false, action: action("Profile", "navigation.selectTab") }],
  },
};
const events = [
  { name: "drivers.didSelect", payload: { driver: { type: "string" } } },
  { name: "login.didFinish", payload: {}, origin: "app" },
  { name: "teams.didSelect", payload: { team: { type: "string" } } },
  { name: "teams.unsetFavorite", payload: {} },
];

test("a screen is found by its name, its title and its path, and is shown or gone to", () => {
  const done = [];
  const items = screenItems(screens, { go: ({ name }) => done.push(`go ${name}`), show: ({ id }) => done.push(id) });
  assert.deepEqual(items.map(({ title, also, code }) => [title, also, code]), [
    ["List", "Teams", "/main/teams"], ["Detail", undefined, "/main/teams/team/{team}"],
    ["Profile", undefined, "/main/profile"],
  ].map(([title, also, code], index) => [title, also ?? items[index].also, code]));
  assert.equal(items[1].also, undefined, "the title of one of several states is not the screen's");
  items[1].act.run();
  items[1].second.run();
  assert.deepEqual(done, ["go Detail", 1]);
});

test("the buttons of the screen are offered, and forms are left to the phone", () => {
  assert.deepEqual(actionItems(route, () => {}).map(({ title, detail }) => [title, detail]), [
    ["Add to favorites", undefined], ["Ferrari", "Two drivers"], ["Remove", "Ferrari"], ["Teams", "Back"],
    ["Profile", "Tab"],
  ]);
  assert.deepEqual(actionItems(null, () => {}), []);
});

test("events that the screen handles come first: those it offers now, and those that the map knows", () => {
  assert.ok(["teams.didSelect", "teams.unsetFavorite"].every((event) => handledHere(route, screens).includes(event)));
  const done = [];
  const context = { route, screens, send: (event) => done.push(`send ${event}`), fillIn: (event) => done.push(event) };
  const items = eventItems(events, context);
  assert.deepEqual(items.map(({ title, mark }) => [title, mark]), [
    ["teams.didSelect", "handled here"], ["teams.unsetFavorite", "handled here"], ["drivers.didSelect", undefined],
  ]);
  for (const { act } of items) act.run();
  assert.deepEqual(done, ["teams.didSelect", "send teams.unsetFavorite", "drivers.didSelect"]);
  assert.ok(eventItems(events, { ...context, isOutcome: true }).some(({ title }) => title === "login.didFinish"));
});

test("a pattern offers its values, with the titles of their screens", () => {
  const catalog = new Catalog({
    paths: smallPatterns,
    events: [{ name: "teams.didSelect", payload: { team: { type: "string", choices: ["alpine", "haas"] } } }],
  });
  const items = pathItems(catalog, screens, { link: { event: "navigation.open", payload: { path: "/new" } } });
  assert.deepEqual(items.map(({ title, also, fills }) => [title, also, fills]), [
    ["/main/teams", "Teams", undefined], ["/main/teams/team/{team}", undefined, "/main/teams/team/"],
    ["/main/profile", "Profile", undefined], ["/main/teams/team/ferrari", "Ferrari", undefined],
    ["/main/teams/team/alpine", "Alpine", undefined], ["/main/teams/team/haas", undefined, undefined], ["/new", undefined, undefined],
  ]);
});

test("only commands that are available are offered", () => {
  const run = () => {};
  const items = commandItems([{ title: "A", run }, { title: "B", run, isAvailable: () => false }]);
  assert.deepEqual(items.map(({ title }) => title), ["A"]);
});

// The dialog

/** An open palette of the small map, and what was done with it. The server refuses paths with `wrong`. */
function openPalette() {
  const done = [];
  const open = async (path) => {
    done.push(path);
    if (!path.includes("wrong")) return;
    const didYouMean = "/main/teams";
    throw new Problem({ title: "Unknown path", detail: `No such path. Did you mean ${didYouMean}?`, didYouMean,
      known: ["/main/teams", "/main/profile", "/elsewhere"] });
  };
  const read = () => [
    ...screenItems(screens, { go: ({ name }) => done.push(name), show: ({ name }) => done.push(`show ${name}`) }),
    ...pathItems(new Catalog({ paths: smallPatterns }), screens, null, open),
    ...commandItems([{ title: "New session", run: () => done.push($("palette").open ? "open" : "closed") }]),
  ];
  const palette = new Palette({ read, open, report: (problem) => done.push(problem.title) });
  $("open-palette").focus();
  $("open-palette").click();
  return { palette, done };
}

const type = (text) => $("palette-text").enter(text);
const press = async (key, more = {}) => {
  $("palette-text").fire("keydown", { key, ...more });
  await settled();
};
const rows = () => $("palette-list").querySelectorAll("[role=option]");
const chosen = () => said($("palette-list").querySelector("[aria-selected=true] .palette-title"));

test("arrows choose a row, which the field names, and Enter does it", async () => {
  const { done } = openPalette();
  assert.deepEqual([chosen(), said($("palette-take"))], ["List", "Go thereEnter"]);
  await press("ArrowUp");
  assert.equal(chosen(), "New session");
  await press("ArrowDown");
  await press("ArrowDown");
  assert.equal(chosen(), "Detail");
  assert.equal($("palette-text").getAttribute("aria-activedescendant"), rows()[1].id);
  await press("Enter");
  assert.deepEqual([done, $("palette").open], [["Detail"], false]);
});

test("Shift and Enter do the second thing, if a row has one", async () => {
  const { done } = openPalette();
  await press("Enter", { shiftKey: true });
  assert.deepEqual([done, $("palette").open], [["show List"], false]);
  $("open-palette").click();
  type("new");
  await press("Enter", { shiftKey: true });
  assert.ok($("palette").open && $("palette-second").hidden);
});

test("the palette is closed before a command runs, and what was used comes first next time", async () => {
  const { done } = openPalette();
  type("new");
  assert.deepEqual(textsOf("#palette-count"), ["1 result"]);
  rows()[0].click();
  assert.deepEqual(done, ["closed"]);
  $("open-palette").click();
  assert.deepEqual([textsOf(".palette-group")[0], chosen()], ["Recently used", "New session"]);
});

test("a typed path can be opened even if it is unknown", async () => {
  const { done } = openPalette();
  type("/main/profile/x");
  assert.deepEqual([textsOf(".palette-group"), chosen()], [["Open"], "/main/profile/x"]);
  await press("Enter");
  assert.deepEqual([done, $("palette").open], [["/main/profile/x"], false]);
});

test("a pattern types its beginning, and its values are offered", async () => {
  const { done } = openPalette();
  type("/main/teams/team/{team}");
  assert.deepEqual([chosen(), said($("palette-take"))], ["/main/teams/team/{team}", "Choose a valueEnter"]);
  await press("Enter");
  assert.equal($("palette-text").value, "/main/teams/team/");
  $("palette-text").enter("/main/teams/team/f");
  await press("Enter");
  type("Ferrari");
  assert.equal(chosen(), "/main/teams/team/ferrari");
  await press("Enter");
  assert.deepEqual(done, ["/main/teams/team/f", "/main/teams/team/ferrari"]);
});

test("a refused path stays, and its suggestions are rows", async () => {
  const { done } = openPalette();
  type("/wrong");
  await press("Enter");
  assert.deepEqual(textsOf("#palette-problem"), ["Unknown path No such path."]);
  assert.deepEqual([textsOf(".palette-group"), chosen()], [["Did you mean", "Known paths"], "/main/teams"]);
  assert.deepEqual(rows().map((each) => said(each.querySelector(".palette-title"))),
    ["/main/teams", "/main/profile", "/elsewhere"]);
  await press("Enter");
  assert.deepEqual([done, $("palette").open], [["/wrong", "/main/teams"], false]);
});

test("a problem after the palette was closed is reported", async () => {
  const { done } = openPalette();
  type("/wrong");
  $("palette-text").press("Enter");
  $("palette-text").press("Escape");
  await settled();
  assert.deepEqual([done, document.activeElement], [["/wrong", "Unknown path"], $("open-palette")]);
});

test("the chosen row stays when the session changes", async () => {
  const { palette } = openPalette();
  type("/main");
  await press("ArrowDown");
  await press("ArrowDown");
  const before = chosen();
  palette.refresh();
  assert.equal(chosen(), before);
});

test("nothing that matches is said", () => {
  openPalette();
  type("xyzzy");
  assert.deepEqual([textsOf("#palette-count"), $("palette-list").hidden], [["Nothing matches “xyzzy”."], true]);
  assert.ok($("palette-take").hidden);
});
