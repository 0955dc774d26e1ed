import assert from "node:assert/strict";
import { test } from "node:test";

import { smallMap, smallPatterns } from "./fixtures.js";
import { card, pointOn, placeLabels } from "../../public/inspector/map/edges.js";
import { follow, wayText } from "../../public/inspector/map/going.js";
import { edgeText, eventText, Graph } from "../../public/inspector/map/graph.js";
import { broken, layersOf, tabGroups, untangle } from "../../public/inspector/map/layers.js";
import { layout, neighbour } from "../../public/inspector/map/layout.js";
import { overlay } from "../../public/inspector/map/overlay.js";

const graph = new Graph(smallMap, smallPatterns);

test("between two screens there is one edge with all its events", () => {
  const edge = graph.edge(0, 1);
  assert.equal(edge.kind, "step");
  assert.deepEqual(edge.events.map(({ event, titles }) => [event, titles]), [["teams.didSelect", ["Ferrari", "Alpine"]]]);
  assert.equal(edgeText(edge), "didSelect");
  assert.equal(eventText(edge.events[0]), "teams.didSelect");
  assert.equal(graph.edge(1, 0).kind, "back");
  assert.equal(graph.edge(0, 2).kind, "tab");
  assert.equal(graph.edge(2, 1).kind, "link");
});

test("a path belongs to its pattern, and its query to neither", () => {
  assert.equal(graph.patternOf("/main/teams/team/alpine?tab=2"), "/main/teams/team/{team}");
  assert.equal(graph.patternOf("/main/teams/team/a/b"), null);
  assert.deepEqual(graph.findings.map(({ kind }) => kind), ["unused-event"]);
  assert.deepEqual(graph.screenNamed("Profile").findings.map(({ kind }) => kind), ["dead-end"]);
});

test("a screen of a map that was not walked to its end is a link only where it was gone through", () => {
  const cut = new Graph({ ...smallMap, truncated: true, transitions: smallMap.transitions.slice(0, 2) }, smallPatterns);
  assert.deepEqual(cut.screens.map(({ isLink }) => isLink), [true, false, false]);
});

test("tabs are as far from the start as their neighbours", () => {
  const layers = layersOf(graph);
  assert.deepEqual(layers, [[0, 2], [1]]);
  assert.deepEqual(tabGroups(graph, layers), [[0, 2]]);
  assert.deepEqual(broken(Array.from({ length: 12 }, (_, index) => index)).map((line) => line.length), [6, 6]);
});

test("lines are ordered so that edges cross less", () => {
  const step = (from, to) => ({ from, to, kind: "step", key: `${from} ${to}` });
  const lines = [[0, 1], [2, 3]];
  untangle(lines, { edges: [step(0, 3), step(1, 2)] }, []);
  assert.ok(lines[0].indexOf(0) === lines[1].indexOf(3));
});

for (const direction of ["across", "down"]) {
  test(`cards do not cover each other ${direction}`, () => {
    const { places, size, edges, groups } = layout(graph, direction);
    const all = [...places.values()];
    for (const [index, a] of all.entries()) {
      for (const b of all.slice(0, index)) {
        assert.ok(Math.abs(a.x - b.x) >= card.width || Math.abs(a.y - b.y) >= card.height);
      }
      assert.ok(a.x >= card.width / 2 && a.x <= size.width - card.width / 2);
    }
    assert.equal(edges.length, graph.edges.length);
    assert.deepEqual(groups[0].ids, [0, 2]);
    const [first, , , last] = edges[0].points;
    assert.deepEqual(pointOn(edges[0].points, 0), first);
    assert.deepEqual(pointOn(edges[0].points, 1), last);
    assert.ok(placeLabels([[edges[0], 10]], new Map()).has(edges[0].key));
  });
}

test("an arrow key leads to the nearest card in its direction", () => {
  const plan = layout(graph, "across");
  assert.equal(neighbour(plan, 0, "right"), 1);
  assert.equal(neighbour(plan, 0, "left"), null);
});

test("a session lies on the map where its journal led", () => {
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

test("a screen is gone to by its link, or by the events that lead there", async () => {
  assert.equal(wayText({ isLink: true, path: "/main" }), "Opens /main.");
  assert.equal(wayText({ isLink: false, journal: [] }), "Begins a new session.");
  const steps = [
    { event: "a.b", payload: {}, at: "App" }, { event: "a.done", origin: "work" }, { event: "a.late", origin: "timer" },
    { event: "a.never", payload: {} },
  ];
  assert.equal(wayText({ isLink: false, journal: steps.slice(0, 2) }), "Begins a new session and sends 2 events: b, done.");
  const told = [];
  await follow(steps, { emit: ({ event }) => told.push(event), settle: () => told.push("settled") });
  assert.deepEqual(told, ["a.b", "settled"]);
});
