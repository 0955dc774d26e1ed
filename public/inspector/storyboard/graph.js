// @ts-check
// The app's map as GET /map describes it, ready for a drawing: screens, and between any two of them one edge with all
// events that lead from the one to the other.

/** The library's own events that lead back. */
const backEvents = new Set(["navigation.back", "navigation.dismiss", "navigation.popToRoot"]);

/** The kinds of events, from the least to the most informative. An edge is drawn as the last kind among its events. */
const kinds = ["link", "back", "tab", "step"];

/** A map of the screens that the server has found so far, without the events between them. */
export function partialMap(documents) {
  const states = documents.map(({ route: { screen: { name, title, status }, path, version } }, id) => ({
    id, screen: name, title, path, status, offers: [], pending: [], parked: null, journal: Array(version).fill(null),
  }));
  return {
    states, transitions: [], findings: [], truncated: false, frontier: 0, isPartial: true,
    documents: documents.map(({ route }, state) => ({ state, route })),
  };
}

export class Graph {
  /** The screens in the order of the map; the id of each is its position. */
  screens;
  /** The edges in the order of the map, those from a screen to itself among them. */
  edges = [];
  /** The findings that are faults of the app. */
  wrong;
  /** The findings that say what the walk did not reach. */
  unreached;
  /** The app's tabs in their order, each with its id and title. */
  tabs;

  #byName;
  #edges = new Map();
  #outgoing = new Map();
  #matchers;
  #patterns = new Map();
  #screensAt = new Map();

  /** - patterns: the paths that the app declares, as the catalog lists them. */
  constructor(document, patterns) {
    const { app, appVersion, states, transitions, findings, truncated, frontier, isPartial = false } = document;
    Object.assign(this, { app, appVersion, isTruncated: truncated, frontier, isPartial });
    this.#matchers = patterns.map((pattern) => ({ pattern, expression: expressionFor(pattern) }));
    this.wrong = findings.filter(isWrong);
    this.unreached = findings.filter((finding) => !isWrong(finding));
    this.screens = screensOf(document, (path) => this.patternOf(path));
    this.#byName = new Map(this.screens.map((screen) => [screen.name, screen]));
    const screenOf = states.map(({ screen }) => this.#byName.get(screen)?.id);
    for (const transition of transitions) {
      this.#add({ ...transition, from: screenOf[transition.from], to: screenOf[transition.to] });
    }
    const tabs = this.screens.flatMap(({ sample }) => tabsIn(sample)?.tabs ?? []);
    // Only the visible tab bar has the titles of its tabs.
    const titles = new Map(tabs.filter(({ title }) => title !== null).map(({ id, title }) => [id, title]));
    this.tabs = [...new Map(tabs.map(({ id, name }) => [id, { id, title: titles.get(id) ?? name }])).values()];
    this.#outgoing = Map.groupBy(this.edges, ({ from }) => from);
  }

  #add({ from, to, event, payload, title, origin = "client" }) {
    const key = `${from} ${to}`;
    let edge = this.#edges.get(key);
    if (!edge) {
      edge = { key, from, to, kind: "link", events: [] };
      this.#edges.set(key, edge);
      this.edges.push(edge);
    }
    let known = edge.events.find((each) => each.event === event && each.origin === origin);
    if (!known) {
      known = { event, origin, kind: kindOf(event, title), titles: [], payloads: new Set() };
      edge.events.push(known);
    }
    if (title !== null && !known.titles.includes(title)) known.titles.push(title);
    known.payloads.add(JSON.stringify(payload));
    if (kinds.indexOf(known.kind) > kinds.indexOf(edge.kind)) edge.kind = known.kind;
  }

  screenNamed(name) {
    return this.#byName.get(name) ?? null;
  }

  /** The screens that are shown at a path, and then those that are shown at others of its pattern. */
  screensAt(path) {
    let found = this.#screensAt.get(path);
    if (!found) {
      const pattern = this.patternOf(path);
      const isAlike = (each) => pattern !== null && this.patternOf(each) === pattern;
      const same = this.screens.filter(({ paths }) => paths.has(path));
      const alike = this.screens.filter(({ paths }) => !paths.has(path) && [...paths].some(isAlike));
      found = [...same, ...alike];
      this.#screensAt.set(path, found);
    }
    return found;
  }

  edge(from, to) {
    return this.#edges.get(`${from} ${to}`) ?? null;
  }

  /** The edges that begin at a screen. */
  edgesFrom(id) {
    return this.#outgoing.get(id) ?? [];
  }

  /** The declared pattern of a path, or null. */
  patternOf(path) {
    const bare = path.split("?")[0];
    if (!this.#patterns.has(bare)) {
      this.#patterns.set(bare, this.#matchers.find(({ expression }) => expression.test(bare))?.pattern ?? null);
    }
    return this.#patterns.get(bare);
  }
}

function kindOf(event, title) {
  if (backEvents.has(event)) return "back";
  if (event === "navigation.selectTab") return "tab";
  return event === "navigation.open" && title === null ? "link" : "step";
}

/** The paths of a pattern, without their queries. */
function expressionFor(pattern) {
  const parts = pattern.split("?")[0].split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/** An event in a few words: the text of its button, if that is always the same. */
export function eventText({ event, titles, origin, kind }) {
  if (origin !== "client") return `${origin}: ${event}`;
  if (titles.length === 1) return titles[0];
  return kind === "back" ? "Back" : event;
}

/** The most informative events of an edge, in a few words. */
export function edgeText({ events, kind }) {
  const [first, ...others] = events.filter((each) => each.kind === kind);
  const name = first.titles.length === 1 ? first.titles[0] : first.event.slice(first.event.indexOf(".") + 1);
  return others.length > 0 ? `${name} +${others.length}` : name;
}

// Screens

/**
 * The screens of a map's document, each with its states, in the order of each screen's first state. The walk
 * distinguishes many states of a screen, and people know it as one. The id of a screen is its position.
 *
 * - patternOf: returns the declared pattern of a path, or null.
 */
function screensOf(document, patternOf) {
  const isLink = linksOf(document, patternOf);
  const samples = new Map((document.documents ?? []).map(({ state, route }) => [state, route]));
  const wrong = document.findings.filter(isWrong);
  return [...Map.groupBy(document.states, ({ screen }) => screen)].map(([name, states], id) => {
    const link = states.find(isLink);
    const nearest = states.reduce((best, state) => (state.journal.length < best.journal.length ? state : best));
    const { title, path } = link ?? nearest;
    const ids = new Set(states.map((state) => state.id));
    const sample = samples.get(states.find((state) => samples.has(state.id))?.id) ?? null;
    return {
      id, name, states, title, path, sample,
      pattern: patternOf(path),
      paths: new Set(states.map((state) => state.path)),
      journal: nearest.journal,
      isLink: link !== undefined,
      tab: tabsIn(sample)?.selected ?? null,
      findings: wrong.filter(({ state }) => ids.has(state)),
    };
  });
}

/** The outermost tabs of a route document, and the id of the selected one; null if it has none. */
function tabsIn(route) {
  for (let node = route?.tree; node; node = node.children[node.index] ?? node.presented) {
    if (node.kind !== "tabBar") continue;
    const shown = route.navigation.tabs.length === node.children.length ? route.navigation.tabs : [];
    const tabs = node.children.map(({ id, title, coordinator }, index) =>
      ({ id, name: title ?? coordinator, title: shown[index]?.title ?? null }));
    return { tabs, selected: tabs[node.index]?.id ?? null };
  }
  return null;
}

/** Whether a finding is a fault of the app, and not only something that the walk did not reach. */
const isWrong = (finding) => finding.class !== "not-reached";

/** Returns whether the path of a state leads to its screen when it is opened as a link. */
function linksOf({ states, transitions, findings, truncated }, patternOf) {
  // An alert has the path of the screen below it, which comes first.
  const owners = new Map();
  for (const { path, screen } of states) if (!owners.has(path)) owners.set(path, screen);
  // The walk reports one of several similar links that differ.
  const kindOf = ({ screen, path }) => `${screen} ${patternOf(path)}`;
  const differing = new Set(findings
    // Those of an action end with its event.
    .filter(({ kind, state, journal }) =>
      kind === "link-differs" && state !== null && journal.length === states[state].journal.length)
    .map(({ state }) => kindOf(states[state])));
  // If the walk ended early, links are known only of states that it expanded.
  const expanded = new Set(transitions.map(({ from }) => from));
  return (state) => owners.get(state.path) === state.screen && patternOf(state.path) !== null
    && !differing.has(kindOf(state)) && (!truncated || expanded.has(state.id));
}
