import assert from "node:assert/strict";
import { test } from "node:test";

import { compared, contentOf } from "../../public/inspector/changes/difference.js";
import { sentences } from "../../public/inspector/changes/words.js";
import { readJSON, writeJSON } from "../../public/inspector/exact.js";

const changes = (older, newer) => compared(older, newer).changes
  .map(({ pointer, from, to }) => `${pointer}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);

const action = (event, payload, title) => ({ event, payload, title });

const differences = [
  ["equal documents", { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ["a field", { a: 1, b: 2 }, { a: 1, b: 3 }, ["/b: 2 → 3"]],
  ["an added subtree", { a: null }, { a: { b: [1] } }, ['/a: null → {"b":[1]}']],
  ["a null or missing field", { a: null, c: [null] }, { b: null, c: [] }, []],
  ["another type", { a: {} }, { a: [] }, ["/a: {} → []"]],
  ["added and removed fields", { a: 1, b: 1, c: 1, d: 1 }, { x: 1, c: 2, a: 2, y: 1 },
    ["/x: null → 1", "/c: 1 → 2", "/d: 1 → null", "/a: 1 → 2", "/b: 1 → null", "/y: null → 1"]],
  ["escaped names", { "a/b": 1, "~1": 1, "": 1 }, { "a/b": 2, "~1": 2, "": 2 },
    ["/a~1b: 1 → 2", "/~01: 1 → 2", "/: 1 → 2"]],
  ["elements by their id", [{ id: "a", v: 1 }, { id: "b", v: 1 }], [{ id: "x" }, { id: "b", v: 2 }, { id: "a", v: 1 }],
    ['/0: null → {"id":"x"}', "/1/v: 1 → 2"]],
  ["duplicate ids", [{ id: 1, v: 1 }, { id: 1, v: 2 }], [{ id: 1, v: 1 }, { id: 1, v: 3 }, { id: 1 }],
    ["/1/v: 2 → 3", '/2: null → {"id":1}']],
  ["an id of another type", [{ id: 1 }], [{ id: "1" }], ['/0: {"id":1} → null', '/0: null → {"id":"1"}']],
  ["elements with and without an id", [7, { id: 1, v: 1 }, 8], [{ id: 1, v: 2 }, 7, 9], ["/0/v: 1 → 2", "/2: 8 → 9"]],
  ["actions by what they send, not by their place",
    [action("a.add", {}, "Add"), action("a.pay", { sum: 1 }, "Pay")],
    [action("a.sort", {}, "Sort"), action("a.pay", { sum: 1 }, "Pay now"), action("a.add", {}, "Add")],
    ['/0: null → {"event":"a.sort","payload":{},"title":"Sort"}', '/1/title: "Pay" → "Pay now"']],
  ["actions that send something else, by their title", [action("a.pay", { sum: 1 }, "Pay"), action("a.add", {}, "Add")],
    [action("a.add", {}, "Add"), action("a.pay", { sum: 2 }, "Pay")], ["/1/payload/sum: 1 → 2"]],
  ["an action that another one replaces", [action("a.add", {}, "Add")], [action("a.remove", {}, "Remove")],
    ['/0/event: "a.add" → "a.remove"', '/0/title: "Add" → "Remove"']],
  ["names that every object inherits", { constructor: 1 }, { toString: 1 }, ["/constructor: 1 → null", "/toString: null → 1"]],
];

for (const [name, older, newer, expected] of differences) {
  test(`differences: ${name}`, () => assert.deepEqual(changes(older, newer), expected));
}

test("every line of both documents is listed, side by side", () => {
  const { lines } = compared(
    { screen: { title: "Teams", rows: [] }, back: null }, { screen: { title: "Haas", rows: [] }, back: { title: "Teams" } });
  assert.deepEqual(lines.map(({ depth, left, right, mark }) => [depth, left, right, mark]), [
    [0, "screen:", "screen:", null],
    [1, 'title: "Teams"', 'title: "Haas"', "changed"],
    [1, "rows: []", "rows: []", null],
    [0, "back: null", "back:", "changed"],
    [1, null, 'title: "Teams"', "new"],
  ]);
  assert.deepEqual(lines.map(({ leads }) => leads), [true, true, false, true, true]);
});

test("session and version are not compared", () => {
  assert.deepEqual(contentOf({ session: "x", version: 1, path: "/" }), { path: "/" });
});

const route = {
  path: "/cart", screen: { name: "Cart", title: "Cart", rows: [{ title: "Shoes" }], actions: [{ title: "Pay" }] },
  navigation: { tabs: [{ title: "Home" }, { title: "Cart" }] }, tree: { id: "App" },
};
const told = (...all) => sentences(all.map(([pointer, from, to]) => ({ pointer, from, to })), route);

test("changes that follow from a new screen are left out", () => {
  assert.deepEqual(told(
    ["/path", "/home", "/cart"], ["/leaf", "App/Home", "App/Cart"], ["/screen/name", "Home", "Cart"],
    ["/screen/rows/0", null, { title: "Shoes" }], ["/navigation/tabs/0/selected", true, false],
    ["/navigation/tabs/1/selected", false, true], ["/tree/route", "home", "cart"],
    ["/tree/children/1", null, { id: "App/Cart" }],
  ), ["screen Home → Cart", "tab Home → Cart", "Cart appeared"]);
});

test("a badge of a tab and its coordinator is reported once", () => {
  assert.deepEqual(told(["/navigation/tabs/1/badge", null, "1"], ["/tree/children/1/badge", null, "1"]),
    ["Cart badge 0 → 1"]);
});

test("a change that follows from another one is shown if it is the only one", () => {
  assert.deepEqual(told(["/path", "/cart", "/cart?q=shoes"]), ["path /cart → /cart?q=shoes"]);
  assert.deepEqual(told(), []);
});

test("long values are shortened", () => {
  const [text] = told(["/screen/message", null, "x".repeat(100)]);
  assert.equal(text, `message “${"x".repeat(39)}…”`);
  assert.deepEqual(told(["/screen/rows/0/value", "a\nb", "c"]), ["row Shoes: a ↵ b → c"]);
});

test("numbers with more digits than JavaScript keeps are compared exactly", () => {
  const [older, newer] = [readJSON('{"a":12345678901234567890}'), readJSON('{"a":12345678901234567891}')];
  assert.deepEqual(compared(older, older).changes, []);
  const { changes: [change, ...others], lines } = compared(older, newer);
  assert.deepEqual(others, []);
  assert.equal(writeJSON(change), '{"pointer":"/a","from":12345678901234567890,"to":12345678901234567891}');
  assert.deepEqual(lines.map(({ left, right }) => [left, right]), [["a: 12345678901234567890", "a: 12345678901234567891"]]);
  assert.deepEqual(sentences([change], newer), ["a 12345678901234567890 → 12345678901234567891"]);
});

const cart = {
  screen: {
    name: "Cart", title: "Cart", rows: [{ title: "Shoes" }], actions: [{ title: "Save", inputs: [{ title: "Zip" }] }],
  },
  navigation: { tabs: [{ title: "Cart" }] }, tree: { id: "App" },
};

for (const [pointer, from, to, text] of [
  ["/screen/title", "Teams", "Drivers", "title Teams → Drivers"],
  ["/screen/status", "loading", "failed", "loading → failed"],
  ["/screen/message", null, "No network", "message “No network”"],
  ["/screen/style", "page", "sheet", "opened as a sheet"],
  ["/screen/rows/1", null, { title: "Haas" }, "row Haas appeared"],
  ["/screen/rows/1", { title: "Haas" }, null, "row Haas gone"],
  ["/screen/rows/0/value", "1", "2", "row Shoes: 1 → 2"],
  ["/screen/rows/0/title", "Boots", "Shoes", "row Boots → Shoes"],
  ["/screen/rows/0/favorite", false, true, "row Shoes ★"],
  ["/screen/rows/0/favorite", true, false, "row Shoes no longer ★"],
  ["/screen/rows/0/delete", null, { title: "x" }, "row Shoes has a new action"],
  ["/screen/rows/0/section", null, "new", "row Shoes in section new"],
  ["/screen/rows/0/section", "new", null, "row Shoes in no section"],
  ["/screen/rows/0/image/color", null, "#e8002d", "row Shoes has a new image"],
  ["/screen/rows/0/image", null, { symbol: "car" }, "row Shoes has a new image"],
  ["/screen/sections/0", null, { id: "new", title: null }, "section new appeared"],
  ["/screen/sections/0", { id: "new", title: "New shoes" }, null, "section New shoes gone"],
  ["/screen/sections/0/title", "New", "Newest", "section New → Newest"],
  ["/screen/empty", null, "There are no shoes.", "“There are no shoes.”"],
  ["/screen/content/points/0", 1, 2, "content changed"],
  ["/screen/actions/0/inputs/0/value", "8001", "80", "Zip 8001 → 80"],
  ["/screen/actions/0/inputs/0/error", null, "Four digits, please.", "Zip: Four digits, please."],
  ["/screen/actions/0/inputs/0/error", "Four digits, please.", null, "Zip is valid now"],
  ["/screen/actions/0/payload/zip", "8001", "80", "button Save has a new action"],
  ["/navigation/tabs/0/badge", "2", null, "Cart badge 2 → 0"],
  ["/navigation/tabs/0/badge", "new", null, "Cart badge new → none"],
  ["/navigation/tabs/0/selected", false, true, "tab none → Cart"],
  ["/navigation/back", null, { title: "Teams" }, "Back leads to Teams"],
  ["/parked", null, { path: "/orders/17" }, "/orders/17 parked"],
  ["/pending/0", null, { id: "1-1", name: "prices", kind: "work" }, "work prices started"],
  ["/pending/0", { id: "1-1", name: "offer", kind: "timer" }, null, "timer offer finished"],
  ["/tree/children/0", null, { id: "App/Cart" }, "Cart appeared"],
  ["/tree/presented", { id: "App/Alert" }, null, "Alert dismissed"],
  ["/tree/started", false, true, "App started"],
  ["/tree/route", "cart", "home", "App route cart → home"],
  ["/colours/0/a~1b", "red", "blue", "colours/0/a~1b red → blue"],
]) {
  test(`a change is told as: ${text}`, () => assert.deepEqual(sentences([{ pointer, from, to }], cart), [text]));
}

test("several changes of a kind are combined", () => {
  const route = { screen: { rows: [] }, navigation: { tabs: [] }, tree: {} };
  const rows = [0, 1, 2, 3].map((row) => ({ pointer: `/screen/rows/${row}`, from: null, to: { title: `Row ${row}` } }));
  assert.deepEqual(sentences(rows, route), ["4 rows appeared"]);
  assert.deepEqual(sentences(rows.slice(0, 2), route), ["rows Row 0 and Row 1 appeared"]);
});
