// The storyboard: its screens, their places and edges, the session on it, and what it says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { largeMap, mapState, smallMap, smallPatterns } from "./fixtures.js";
import { kindTexts, leadsOf, stateText } from "../../public/inspector/storyboard/details.js";
import { box, card, jump, labelsOf, overlap, pointOn } from "../../public/inspector/storyboard/edges.js";
import { edgeText, eventText, Graph, partialMap } from "../../public/inspector/storyboard/graph.js";
import { findingsText, kindsOf, limited } from "../../public/inspector/storyboard/kinds.js";
import { lanesOf, layersOf } from "../../public/inspector/storyboard/layers.js";
import { layout, neighbour } from "../../public/inspector/storyboard/layout.js";
import { smallestText, unitFor } from "../../public/inspector/storyboard/viewport.js";
import { follow, overlay, wayText } from "../../public/inspector/storyboard/way.js";

const graph = new Graph(smallMap, smallPatterns);

test("where the session is, a screen leads to what it offers now", () => {
  assert.deepEqual(leadsOf(graph, 1), ["Teams → List", "Add to favorites → stays here"]);
  const shown = {
    navigation: { back: { event: "navigation.back", payload: {}, title: "All teams" } },
    screen: { actions: [{ event: "teams.unsetFavorite", payload: {}, title: "Remove from favorites" }] },
  };
  assert.deepEqual(leadsOf(graph, 1, shown), ["All teams → List", "teams.setFavorite → stays here"]);
});

// Screens

test("states of the same name are one screen, in the order of their first states", () => {
  assert.deepEqual(graph.screens.map(({ id, name }) => [id, name]), [[0, "List"], [1, "Detail"], [2, "Profile"]]);
  assert.deepEqual(graph.screens.map(({ states }) => states.map(({ id }) => id)), [[0], [1, 3, 4], [2]]);
  assert.deepEqual([...graph.screens[1].paths], ["/main/teams/team/ferrari", "/main/teams/team/alpine"]);
  assert.equal(graph.screenNamed("Detail").id, 1);
});

test("the way to a screen is the shortest of its states", () => {
  const states = [
    mapState(0, "Start", "/a"),
    mapState(1, "Far", "/b", { journal: [{}, {}, {}] }),
    mapState(2, "Far", "/c", { journal: [{}] }),
  ];
  const { screens } = new Graph({ ...smallMap, states, transitions: [], findings: [] }, ["/b"]);
  assert.equal(screens[1].journal.length, 1);
  assert.deepEqual([screens[1].isLink, screens[1].path], [true, "/b"]);
});

test("while the app is explored, a screen is as far from the start as its first document", () => {
  const route = (name, version, path = `/${name}`) => ({
    version, path, screen: { name, title: name, status: "ready" }, navigation: { tabs: [] },
    tree: { kind: "leaf", children: [], presented: null },
  });
  const routes = [route("Start", 0), route("Home", 1), route("Help", 1), route("Detail", 3)];
  const partial = new Graph(partialMap(routes.map((each, state) => ({ state, route: each }))), ["/Start"]);
  assert.deepEqual(layersOf(partial), [[0], [1, 2], [3]]);
  const { places, edges } = layout(partial);
  assert.deepEqual([places.size, edges, partial.isPartial], [4, [], true]);
  assert.deepEqual(partial.screens.map(({ sample }) => sample), routes);
});

test("a path leads to the first screen that has it", () => {
  const states = [mapState(0, "Form", "/form"), mapState(1, "Alert", "/form")];
  const { screens } = new Graph({ ...smallMap, states, transitions: [], findings: [] }, ["/form"]);
  assert.deepEqual(screens.map(({ isLink }) => isLink), [true, false]);
});

test("a link that leads elsewhere does not count, and neither do similar links", () => {
  const states = [mapState(0, "Order", "/orders/1"), mapState(1, "Order", "/orders/2"), mapState(2, "Home", "/home")];
  const finding = { class: "wrong", kind: "link-differs", detail: "It leads to a login." };
  const action = { event: "orders.select", payload: {}, at: "App" };
  const findings = [
    { ...finding, state: 0, journal: states[0].journal },
    { ...finding, state: 2, journal: [...states[2].journal, action] },
  ];
  const { screens } = new Graph({ ...smallMap, states, transitions: [], findings }, ["/orders/{order}", "/home"]);
  assert.deepEqual(screens.map(({ isLink }) => isLink), [false, true]);
});

test("on an incomplete map, only expanded states have known links", () => {
  const cut = new Graph({ ...smallMap, truncated: true, transitions: smallMap.transitions.slice(0, 3) }, smallPatterns);
  assert.deepEqual(cut.screens.map(({ isLink }) => isLink), [true, false, false]);
});

test("between two screens there is one edge with all events of their states", () => {
  const edge = graph.edge(0, 1);
  assert.equal(edge.kind, "step");
  assert.deepEqual(edge.events.map(({ event, titles }) => [event, titles]),
    [["teams.didSelect", ["Ferrari", "Alpine"]]]);
  assert.equal(edgeText(edge), "didSelect");
  assert.equal(eventText(edge.events[0]), "teams.didSelect");
  assert.equal(graph.edge(1, 0).kind, "back");
  assert.equal(graph.edge(0, 2).kind, "tab");
  assert.equal(graph.edge(2, 1).kind, "link");
  assert.deepEqual(graph.edgesFrom(1).map(({ to }) => to), [0, 1]);
});

test("a path belongs to its pattern, without its query", () => {
  assert.equal(graph.patternOf("/main/teams/team/alpine?tab=2"), "/main/teams/team/{team}");
  assert.equal(graph.patternOf("/main/teams/team/a/b"), null);
  assert.deepEqual(graph.screensAt("/main/teams/team/haas").map(({ name }) => name), ["Detail"]);
});

// What the map says of itself

test("findings are faults or say what was not reached", () => {
  assert.deepEqual(graph.wrong.map(({ kind }) => kind), ["dead-end"]);
  assert.deepEqual(graph.unreached.map(({ kind }) => kind), ["event"]);
  assert.deepEqual(graph.screens.map(({ findings }) => findings.length), [0, 0, 1]);
  assert.deepEqual([1, 14].map(findingsText), ["1 finding", "14 findings"]);
});

test("an incomplete map says so", () => {
  assert.equal(stateText(graph), "");
  const cut = (frontier) => stateText(new Graph({ ...smallMap, truncated: true, frontier }, smallPatterns));
  const rest = "may lead further. It does not list what it did not reach.";
  assert.equal(cut(1200), `The map is incomplete: the server stopped exploring, and 1,200 states ${rest}`);
  assert.equal(cut(1), `The map is incomplete: the server stopped exploring, and 1 state ${rest}`);
  assert.equal(stateText({ ...graph, screens: [] }), "The app has no screens.");
});

// Layout

test("the first screens of tabs are as far from the start as each other, and each tab is a lane", () => {
  const layers = layersOf(graph);
  assert.deepEqual(layers, [[0, 2], [1]]);
  // A screen without a sample belongs to the tab that leads to it.
  assert.deepEqual(lanesOf(graph, layers), [{ title: "Teams", ids: [0, 1] }, { title: "Profile", ids: [2] }]);
});

test("screens outside of the tabs come before them, in the middle", () => {
  const later = smallMap.states.map((state) => ({ ...state, id: state.id + 1 }));
  const states = [mapState(0, "Splash", "/splash"), ...later];
  const transitions = [
    { from: 0, to: 1, event: "splash.didFinish", payload: {}, title: "Continue" },
    ...smallMap.transitions.map((each) => ({ ...each, from: each.from + 1, to: each.to + 1 })),
  ];
  const documents = smallMap.documents.map((each) => ({ ...each, state: each.state + 1 }));
  const whole = new Graph({ ...smallMap, states, transitions, documents, findings: [] }, smallPatterns);
  const { places, lanes } = layout(whole);
  assert.deepEqual([...places.values()].map(({ column }) => column), [0, 1, 2, 1]);
  const middle = (lanes[0].y + lanes[1].y + lanes[1].height) / 2;
  assert.ok(Math.abs(places.get(0).y - middle) < card.height / 2);
});

/** Checks that no two cards of a plan have a common part, and that no drawn edge runs through a card. */
function checkPlan({ places, edges, bounds }) {
  const all = [...places].map(([id, { x, y }]) => ({ id, ...box(x, y, card.width, card.height) }));
  for (const [index, own] of all.entries()) {
    assert.ok(!all.slice(0, index).some((other) => overlap(own, other)));
    assert.ok(own.left >= bounds.x && own.right <= bounds.x + bounds.width);
    assert.ok(own.top >= bounds.y && own.bottom <= bounds.y + bounds.height);
  }
  for (const { path } of edges) {
    for (const { x, y } of pointsOf(path)) {
      const point = box(x, y, 0, 0);
      const hit = all.find((each) => overlap(point, { ...each, left: each.left + 1, right: each.right - 1 }));
      assert.equal(hit, undefined, path);
    }
  }
}

/** Points on a path of curves and lines. */
function pointsOf(path) {
  const parts = [...path.matchAll(/([MCL])([^MCL]+)/g)].map(([, name, text]) => {
    const numbers = text.trim().split(/[ ,]+/).map(Number);
    const points = [];
    for (let at = 0; at < numbers.length; at += 2) points.push({ x: numbers[at], y: numbers[at + 1] });
    return { name, points };
  });
  let from = parts[0].points[0];
  return parts.slice(1).flatMap(({ name, points }) => {
    const to = points.at(-1);
    const curve = name === "C" ? [from, ...points] : [from, from, to, to];
    from = to;
    return Array.from({ length: 41 }, (_, index) => pointOn(curve, index / 40));
  });
}

test("cards do not cover each other, and edges do not run through them", () => {
  for (const each of [graph, ...[5, 40, 200].map((count) => new Graph(largeMap(count), []))]) checkPlan(layout(each));
});

test("a small storyboard has all edges that lead on, and a large one those with which screens are reached", () => {
  const count = (screens, role) =>
    layout(new Graph(largeMap(screens), [])).edges.filter((edge) => edge.role === role).length;
  assert.ok(count(15, "main") >= 14);
  assert.deepEqual([count(200, "main"), count(200, "side")], [0, 199]);
});

test("a way without an edge is drawn as well", () => {
  const { path, points } = jump(layout(graph), 2, 1);
  assert.match(path, /^M.*C/);
  assert.deepEqual(pointOn(points, 0), points[0]);
});

test("a large storyboard is laid out in time, about as wide as it is high", () => {
  const document = largeMap(200);
  const start = process.cpuUsage();
  const plan = layout(new Graph(document, ["/room/{number}"]));
  // Microseconds of this process, so that others do not count.
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  const { width, height } = plan.bounds;
  assert.ok(width / height > 0.6 && width / height < 2);
});

test("labels cover no card and no other label", () => {
  const plan = layout(new Graph(largeMap(40), []));
  const labels = labelsOf(plan.edges.filter(({ role }) => role !== "hidden"), plan);
  assert.ok(labels.length > 10);
  const cards = [...plan.places.values()].map(({ x, y }) => box(x, y, card.width, card.height));
  const boxes = labels.map(({ text, x, y }) => box(x, y, text.length * 6, 12));
  for (const [index, own] of boxes.entries()) {
    assert.ok(![...cards, ...boxes.slice(0, index)].some((other) => overlap(own, other)));
  }
});

test("an arrow key leads to the nearest card in its direction", () => {
  const plan = layout(graph);
  assert.equal(neighbour(plan, 0, "right"), 1);
  assert.equal(neighbour(plan, 0, "down"), 2);
  assert.equal(neighbour(plan, 0, "left"), null);
});

test("text is never smaller than 11 pixels", () => {
  for (let scale = 0.02; scale < 2.6; scale *= 1.01) assert.ok(12 * unitFor(scale) * scale >= smallestText - 1e-9);
});

// Sessions

test("the map shows a session's screens from its journal", () => {
  const entries = [
    { version: 1, event: "teams.didSelect", payload: { team: "ferrari" }, path: "/main/teams/team/ferrari" },
    { version: 2, event: "navigation.back", payload: {}, path: "/main/teams" },
    { version: 3, event: "navigation.selectTab", payload: { tab: "Profile" }, path: "/main/profile" },
  ];
  const whole = overlay(graph, { entries, version: 3, names: new Map() });
  assert.equal(whole.here, 2);
  assert.deepEqual([...whole.seen], [0, 1, 2]);
  assert.equal(whole.last, "0 2");
  const earlier = overlay(graph, { entries, version: 1, names: new Map() });
  assert.deepEqual([earlier.here, [...earlier.way]], [1, [["0 1", 1]]]);
});

test("a screen is opened by its link, or by the events that lead there", async () => {
  assert.equal(wayText({ isLink: true, path: "/main" }, true), "Opens /main.");
  assert.equal(wayText({ isLink: true, path: "/main" }, false), "Starts a new session and opens /main.");
  assert.equal(wayText({ isLink: false, journal: [] }), "Starts a new session.");
  const steps = [
    { event: "a.b", payload: {}, at: "App" }, { event: "a.done", origin: "work" }, { event: "a.late", origin: "timer" },
    { event: "a.never", payload: {} },
  ];
  const sends = (journal) => wayText({ isLink: false, journal });
  assert.equal(sends(steps.slice(0, 1)), "Starts a new session and sends 1 event: b.");
  assert.equal(sends(steps.slice(0, 2)), "Starts a new session and sends 2 events: b, done.");
  assert.equal(sends([...steps, ...steps]), "Starts a new session and sends 8 events: b, done, late, …, never.");
  const told = [];
  await follow(steps, { emit: ({ event }) => told.push(event), settle: () => told.push("settled") });
  assert.deepEqual(told, ["a.b", "settled"]);
});

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

test("the kinds of a screen's states are listed if they differ", () => {
  assert.deepEqual(kindTexts(graph.screens[1]), ["2 with teams.setFavorite", "1 with teams.unsetFavorite"]);
  assert.deepEqual(kindTexts(graph.screens[0]), []);
});
