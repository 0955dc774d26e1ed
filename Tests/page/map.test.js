import assert from "node:assert/strict";
import { test } from "node:test";

import { largeMap, mapState, smallMap, smallPatterns } from "./fixtures.js";
import { card, gaps, pointOn } from "../../public/inspector/map/edges.js";
import { leadsOf } from "../../public/inspector/map/details.js";
import { follow, wayText } from "../../public/inspector/map/going.js";
import { edgeText, eventText, Graph } from "../../public/inspector/map/graph.js";
import { box, labelsOf, overlap } from "../../public/inspector/map/labels.js";
import { broken, layersOf, longestLine, tabGroups, untangle } from "../../public/inspector/map/layers.js";
import { boundsOf, layout, neighbour } from "../../public/inspector/map/layout.js";
import { findingsText, stateText, unreachedText } from "../../public/inspector/map/notes.js";
import { overlay } from "../../public/inspector/map/overlay.js";
import { matches } from "../../public/inspector/map/search.js";
import { tagsOf } from "../../public/inspector/map/tags.js";
import { nameLines, readable, smallestText, zoomFor } from "../../public/inspector/map/zoom.js";

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
    { ...finding, state: 0, journal: states[0].journal }, { ...finding, state: 2, journal: [...states[2].journal, action] },
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
  assert.equal(unreachedText(3), "3 not reached");
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

test("tabs are as far from the start as their neighbours", () => {
  const layers = layersOf(graph);
  assert.deepEqual(layers, [[0, 2], [1]]);
  assert.deepEqual(tabGroups(graph, layers), [[0, 2]]);
  assert.deepEqual(broken(Array.from({ length: 12 }, (_, index) => index)).map((line) => line.length), [6, 6]);
  assert.deepEqual([longestLine(9), longestLine(200)], [10, 15]);
});

test("lines are ordered so that edges cross less", () => {
  const step = (from, to) => ({ from, to, kind: "step", key: `${from} ${to}` });
  const lines = [[0, 1], [2, 3]];
  untangle(lines, { edges: [step(0, 3), step(1, 2)] }, []);
  assert.ok(lines[0].indexOf(0) === lines[1].indexOf(3));
});

/** Checks that no two cards of a plan have a common part. */
function checkCards({ places }) {
  const all = [...places.values()];
  for (const [index, a] of all.entries()) {
    for (const b of all.slice(0, index)) {
      assert.ok(Math.abs(a.x - b.x) >= card.width || Math.abs(a.y - b.y) >= card.height);
    }
  }
}

for (const direction of ["across", "down"]) {
  test(`cards do not cover each other ${direction}`, () => {
    const plan = layout(graph, direction);
    checkCards(plan);
    const { places, size, edges, groups } = plan;
    for (const { x } of places.values()) assert.ok(x >= card.width / 2 && x <= size.width - card.width / 2);
    assert.equal(edges.length, graph.edges.length);
    assert.deepEqual(groups[0].ids, [0, 2]);
    const [first, , , last] = edges[0].points;
    assert.deepEqual(pointOn(edges[0].points, 0), first);
    assert.deepEqual(pointOn(edges[0].points, 1), last);
  });

  test(`a large map is laid out in time ${direction}`, () => {
    const document = largeMap(200);
    assert.equal(document.transitions.length, 600);
    const start = process.cpuUsage();
    const large = new Graph(document, ["/room/{number}"]);
    const plan = layout(large, direction);
    boundsOf(plan);
    const labels = labelsOf(plan.edges.filter(({ role }) => role === "main"), plan, { size: 12, hasUsage: false });
    // Microseconds of this process, so that others do not count.
    assert.ok(process.cpuUsage(start).user < 2_000_000);
    assert.equal(large.screens.length, 200);
    checkCards(plan);
    assert.ok(labels.length > 100);
  });

  test(`labels cover no card and no other label ${direction}`, () => {
    const plan = layout(new Graph(largeMap(40), []), direction);
    for (const size of [12, 18]) {
      const labels = labelsOf(plan.edges.filter(({ role }) => role === "main"), plan, { size, hasUsage: false });
      assert.ok(labels.length > 10);
      const cards = [...plan.places.values()].map(({ x, y }) => box(x, y, card.width, card.height));
      const boxes = labels.map(({ text, x, y }) => box(x, y, text.length * size * 0.5, size));
      for (const [index, own] of boxes.entries()) {
        assert.ok(![...cards, ...boxes.slice(0, index)].some((other) => overlap(own, other)));
      }
    }
  });
}

test("an arrow key leads to the nearest card in its direction", () => {
  const plan = layout(graph, "across");
  assert.equal(neighbour(plan, 0, "right"), 1);
  assert.equal(neighbour(plan, 0, "left"), null);
});

// Text

test("text is never smaller than 11 pixels", () => {
  for (let scale = 0.02; scale < 2.6; scale *= 1.01) {
    const { size, level } = zoomFor(scale);
    assert.ok(size * scale >= smallestText - 1e-9, `${size} at ${scale}`);
    assert.equal(level === "far", scale < readable);
    if (level === "middle") assert.ok(2 * 1.1 * size <= card.height);
  }
  assert.equal(zoomFor(1).level, "near");
  assert.ok(gaps.down.layer > 2 * 18);
});

test("a long name has two lines or is shortened", () => {
  assert.deepEqual(nameLines("ComparisonResult", 12, 2), ["Comparison", "Result"]);
  assert.deepEqual(nameLines("Discard changes?", 12, 2), ["Discard ", "changes?"]);
  assert.deepEqual(nameLines("ComparisonResult", 12, 1), ["ComparisonR…"]);
  assert.deepEqual(nameLines("Home", 12, 2), ["Home"]);
});

test("from far away, names do not cover each other", () => {
  const large = new Graph(largeMap(200), []);
  const { places } = layout(large, "down");
  const tags = tagsOf(large.screens, places, 60);
  assert.ok(tags.length > 1 && tags[0].id === 0);
  const boxes = tags.map(({ x, y, width, height }) => box(x, y, width, height));
  for (const [index, own] of boxes.entries()) assert.ok(!boxes.slice(0, index).some((other) => overlap(own, other)));
});

test("a screen is found by its name, and then by its title", () => {
  const found = (text) => matches(graph.screens, text).map(({ name }) => name);
  assert.deepEqual(found("prof"), ["Profile"]);
  assert.deepEqual(found("TEAMS"), ["List"]);
  assert.deepEqual(found("alpine"), ["Detail"]);
  assert.deepEqual(found("il"), ["Detail", "Profile"]);
  assert.deepEqual(found("zzz"), []);
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
  assert.equal(wayText({ isLink: true, path: "/main" }), "Opens /main.");
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
