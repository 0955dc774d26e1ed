// The app on the phone, and the parked link.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { openPage, textsOf } from "./elements.js";

openPage();
const { Parked } = await import("../../public/inspector/parked.js");
const { inkOn } = await import("../../public/inspector/images.js");
const { Phone } = await import("../../public/inspector/phone.js");

const $ = (id) => document.getElementById(id);
const labels = (selectors) => document.root.querySelectorAll(selectors).map((each) => each.getAttribute("aria-label"));

let phone, performed;

beforeEach(() => {
  openPage();
  performed = [];
  phone = new Phone($, {
    perform: async (action) => performed.push(action.event), send: async () => 1, report: () => {},
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
    tree: { id: "App", children: [], presented: null }, ...more,
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

test("tabs have badges", () => {
  const tab = (title, badge, selected) => ({
    title, badge, selected, image: selected ? image({ symbol: "car" }) : null, action: action(title, "a.tab"),
  });
  phone.show(route({}, { tabs: [tab("Teams", null, true), tab("Profile", "1", false)] }), true);
  assert.deepEqual([textsOf("#tabs .badge"), labels("#tabs .tab")], [["1"], [null, "Profile, 1"]]);
  assert.equal($("screen").getAttribute("role"), "tabpanel");
  // A tab without an image has the first letter of its title.
  assert.deepEqual(textsOf("#tabs .tab-glyph"), ["P"]);
  assert.deepEqual($("tabs").querySelectorAll("use").map((use) => use.getAttribute("href")), ["/web/symbols.svg#car"]);
});

// Around the phone

test("a parked link is shown in the present and in the past", () => {
  const parked = new Parked();
  parked.show({ path: "/orders/17" }, true);
  assert.deepEqual(textsOf("#parked"), ["Parked /orders/17"]);
  parked.show({ path: "/orders/17" }, false);
  assert.deepEqual(textsOf("#parked"), ["Was parked /orders/17"]);
  parked.show(null, true);
  assert.deepEqual(textsOf("#parked"), []);
});
