// The states of the map's screens, and how often recorded sessions used them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mapState, smallMap, smallPatterns, smallUsage } from "./fixtures.js";
import { Graph } from "../../public/inspector/map/graph.js";
import { kindsOf, limited } from "../../public/inspector/map/kinds.js";
import { labelsOf } from "../../public/inspector/map/labels.js";
import { layout } from "../../public/inspector/map/layout.js";
import { readUsage, timesText, UsageError, usageText, usesText } from "../../public/inspector/map/usage.js";

const graph = new Graph(smallMap, smallPatterns);

// Kinds of states

const textsOf = (states) => kindsOf(states).map(({ count, text }) => `${count} ${text}`);
const cart = (more) => mapState(0, "Cart", "/cart", { offers: ["cart.put"], ...more });

test("states are of one kind if they offer the same events", () => {
  assert.deepEqual(textsOf(graph.screens[1].states), ["2 with teams.setFavorite", "1 with teams.unsetFavorite"]);
  assert.deepEqual(textsOf([cart(), cart({ path: "/cart/2" })]), ["2 all offer the same actions"]);
  const waiting = cart({ pending: ["prices"] });
  assert.deepEqual(textsOf([waiting, waiting]), ["2 all waiting for prices"]);
  assert.deepEqual(textsOf([cart({ status: "loading" })]), ["1 loading"]);
});

test("a kind is named by what differs", () => {
  assert.deepEqual(textsOf([
    cart({ status: "failed", offers: [] }),
    cart({ status: "loading", offers: [], pending: ["login", "prices"] }),
    cart(), cart(),
    cart({ offers: ["cart.put", "cart.checkOut"] }),
    cart({ offers: ["cart.put", "cart.checkOut"], parked: "/checkout" }),
  ]), [
    "2 ready, without cart.checkOut",
    "1 ready, with cart.checkOut",
    "1 ready, with cart.checkOut, /checkout parked",
    "1 loading, waiting for login, prices",
    "1 failed",
  ]);
  assert.deepEqual(textsOf([cart(), cart({ pending: ["prices"] })]), ["1 ready", "1 waiting for prices"]);
});

test("a kind says what it lacks if that is shorter", () => {
  const all = ["a.a", "a.b", "a.c", "a.d", "a.e"];
  assert.deepEqual(textsOf([cart({ offers: all }), cart({ offers: all.slice(1) }), cart({ offers: [] })]), [
    "1 with a.a, a.b, a.c and 2 more", "1 without a.a", "1 without a.a, a.b, a.c and 2 more",
  ]);
});

test("a form is named by its event, unless two forms share the event", () => {
  assert.deepEqual(textsOf([cart(), cart({ offers: ["cart.put", "account.logIn(user,password)"] })]),
    ["1 without account.logIn", "1 with account.logIn"]);
  assert.deepEqual(textsOf([cart({ offers: ["a.a(x)"] }), cart({ offers: ["a.a(x,y)"] })]),
    ["1 with a.a(x)", "1 with a.a(x,y)"]);
});

test("many kinds are listed by single differences", () => {
  const states = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((number) => cart({
    offers: ["a.a", "b.b", "b.c"].filter((_, index) => number & (index === 0 ? 1 : 2)),
    pending: number & 4 ? ["prices"] : [], parked: number & 8 ? "/a" : null,
  }));
  assert.deepEqual(textsOf(states),
    ["8 waiting for prices", "8 a link is parked", "8 with a.a", "8 with b.b, b.c"]);
});

test("a list has at most eight lines", () => {
  const lines = Array.from({ length: 12 }, (_, index) => index);
  assert.deepEqual(limited(lines), { lines: lines.slice(0, 8), more: 4 });
  assert.equal(limited(lines.slice(0, 8)).more, 0);
});

// Usage

const fileOf = (document) => JSON.stringify(document);

test("the usage of a screen is that of its states, and the usage of an edge that of its events", () => {
  const used = new Graph(smallUsage, smallPatterns);
  assert.ok(used.hasUsage && !graph.hasUsage);
  assert.deepEqual(used.screens.map(({ uses }) => uses), [4, 3, 0]);
  assert.deepEqual(["0 1", "1 0", "0 2"].map((key) => used.edge(...key.split(" ")).uses), [3, 1, 0]);
  assert.deepEqual(kindsOf(used.screens[1].states).map(({ uses }) => uses), [3, 0]);
  const text = "Usage from map.json: 2 of 3 screens, 2 of 6 events";
  assert.equal(usageText(used, smallUsage, "map.json", "1.0"), text);
  const other = { ...smallUsage, coverage: { ...smallUsage.coverage, outside: [{}, {}] } };
  assert.equal(usageText(used, other, "map.json", "2.0"),
    `${text} · 2 events are not on the map · version 1.0 of the app; this is 2.0`);
  assert.deepEqual([0, 1, 1204].map(usesText), ["never used", "used once", "used 1,204 times"]);
  assert.equal(timesText(1204), "1,204×");
  const [label] = labelsOf([layout(used, "down").edges[0]], layout(used, "down"), { size: 12, hasUsage: true });
  assert.equal(label.text, "didSelect 3×");
});

test("a file with usage is read", () => {
  assert.deepEqual(readUsage(fileOf(smallUsage), "map.json", "Racing"), smallUsage);
});

test("a file without usage says what is wrong and what to do", () => {
  const command = "explore --cover STORE > map.json";
  const noMap = `map.json is not a map. Write one with: ${command}`;
  const incomplete = `The usage in map.json is incomplete. Write it again with: ${command}`;
  const uses = { states: [1], transitions: [] };
  const strange = { ...smallUsage, transitions: [{ from: 0, to: 9, event: "a.b" }] };
  for (const [text, message] of [
    ["no JSON", noMap],
    ["[]", noMap],
    ["null", noMap],
    [fileOf(strange), noMap],
    [fileOf(smallMap), `map.json has no usage. Write it with: ${command}`],
    [fileOf({ ...smallUsage, app: "Shop" }), "map.json is a map of Shop, and this is Racing. Open a map of Racing."],
    [fileOf({ ...smallUsage, coverage: { uses } }), incomplete],
    [fileOf({ ...smallUsage, coverage: {} }), incomplete],
  ]) {
    assert.throws(() => readUsage(text, "map.json", "Racing"), (problem) =>
      problem instanceof UsageError && problem.message === message, message);
  }
});
