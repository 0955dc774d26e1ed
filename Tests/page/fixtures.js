// Shared by the tests of the page's modules, with substitutes for what only browsers have.

// Node has it from version 22.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

// Node has it from version 21.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** A form's container with these controls. */
export function fakeForm(...controls) {
  const all = controls.map(({ type = "text", value = "", checked = false, name, ...dataset }) =>
    ({ type, value, checked, name, dataset: { pointer: `/payload/${name}`, ...dataset } }));
  return {
    controls: all,
    querySelectorAll: (selector) => (selector === "[data-field]" ? all : all.filter(({ type }) => type === "password")),
  };
}

/** A state of a map. */
export function mapState(id, screen, path, more = {}) {
  return {
    id, screen, title: screen, path, status: "ready", offers: [], pending: [], parked: null, journal: [], ...more,
  };
}

/** The route document of a screen in the first or the second tab of the small map. */
function sampleOf(name, index) {
  const tabs = ["Teams", "Profile"];
  const children = tabs.map((title) =>
    ({ id: title, coordinator: `${title}Coordinator`, title, kind: "leaf", children: [] }));
  return {
    screen: { name, actions: [] },
    navigation: { back: null, tabs: tabs.map((title) => ({ title })) },
    tree: { id: "App", kind: "tabBar", index, children, presented: null },
  };
}

/** A map of three screens: a list that leads to a detail of two teams, and a second tab. */
export const smallMap = {
  app: "Racing",
  appVersion: "1.0",
  states: [
    mapState(0, "List", "/main/teams", { title: "Teams" }),
    mapState(1, "Detail", "/main/teams/team/ferrari", {
      title: "Ferrari", journal: [{}], offers: ["teams.setFavorite"],
    }),
    mapState(2, "Profile", "/main/profile", { journal: [{}, {}] }),
    mapState(3, "Detail", "/main/teams/team/alpine", {
      title: "Alpine", journal: [{}], offers: ["teams.setFavorite"],
    }),
    mapState(4, "Detail", "/main/teams/team/ferrari", {
      title: "Ferrari", journal: [{}, {}], offers: ["teams.unsetFavorite"],
    }),
  ],
  transitions: [
    { from: 0, to: 1, event: "teams.didSelect", payload: { team: "ferrari" }, title: "Ferrari" },
    { from: 0, to: 3, event: "teams.didSelect", payload: { team: "alpine" }, title: "Alpine" },
    { from: 0, to: 2, event: "navigation.selectTab", payload: { tab: "Profile" }, title: "Profile" },
    { from: 2, to: 0, event: "navigation.selectTab", payload: { tab: "Teams" }, title: "Teams" },
    { from: 1, to: 0, event: "navigation.back", payload: {}, title: "Teams" },
    { from: 1, to: 4, event: "teams.setFavorite", payload: {}, title: "Add to favorites" },
    { from: 2, to: 1, event: "navigation.open", payload: { path: "/main/teams/team/ferrari" }, title: null },
  ],
  findings: [
    { class: "not-reached", kind: "event", detail: "x.y is declared, and was not offered.", state: null },
    { class: "wrong", kind: "dead-end", detail: "Nothing is offered.", state: 2 },
  ],
  documents: [
    { state: 0, route: sampleOf("List", 0) }, { state: 2, route: sampleOf("Profile", 1) },
  ],
  truncated: false,
  frontier: 0,
};

export const smallPatterns = ["/main/teams", "/main/teams/team/{team}", "/main/profile"];

/** A map with many screens, each of which leads to three others. */
export function largeMap(count) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    ...smallMap,
    states: numbers.map((number) => mapState(number, `Room${number}`, `/room/${number}`)),
    transitions: numbers.flatMap((number) => [1, 2, 3].map((step) => {
      const next = 3 * number + step;
      // The last rooms lead back to earlier ones.
      const to = next < count ? next : (7 * number + 31 * step) % count;
      return { from: number, to, event: "rooms.enter", payload: { room: to }, title: `Room ${to}` };
    })),
    findings: [],
    documents: [],
  };
}
