// @ts-check
// The app's map as GET /map describes it, ready for a drawing: screens, and between any two of them one edge with all
// events that lead from the one to the other.

import { isWrong, screensOf } from "./screens.js";

/** The library's own events that lead back. */
const backEvents = new Set(["navigation.back", "navigation.dismiss", "navigation.popToRoot"]);

/** The kinds of events, from the least to the most informative. An edge is drawn as the last kind among its events. */
const kinds = ["link", "back", "tab", "step"];

export class Graph {
  /** The screens in the order of the map; the id of each is its position. */
  screens;
  /** The edges in the order of the map, those from a screen to itself among them. */
  edges = [];
  /** The findings that are faults of the app. */
  wrong;
  /** The findings that say what the walk did not reach. */
  unreached;
  /** Whether the document has the usage of recorded sessions. */
  hasUsage;

  #byName;
  #edges = new Map();
  #outgoing = new Map();
  #matchers;
  #patterns = new Map();
  #screensAt = new Map();

  /** - patterns: the paths that the app declares, as the catalog lists them. */
  constructor(document, patterns) {
    const { app, appVersion, states, transitions, findings, truncated, frontier, coverage } = document;
    Object.assign(this, { app, appVersion, isTruncated: truncated, frontier });
    this.#matchers = patterns.map((pattern) => ({ pattern, expression: expressionFor(pattern) }));
    this.hasUsage = coverage !== undefined;
    this.wrong = findings.filter(isWrong);
    this.unreached = findings.filter((finding) => !isWrong(finding));
    this.screens = screensOf(document, (path) => this.patternOf(path));
    this.#byName = new Map(this.screens.map((screen) => [screen.name, screen]));
    const screenOf = states.map(({ screen }) => this.#byName.get(screen)?.id);
    for (const [index, transition] of transitions.entries()) {
      const ends = { from: screenOf[transition.from], to: screenOf[transition.to] };
      this.#add({ ...transition, ...ends, uses: coverage?.uses.transitions[index] ?? 0 });
    }
    this.#outgoing = Map.groupBy(this.edges, ({ from }) => from);
  }

  #add({ from, to, event, payload, title, origin = "client", uses }) {
    const key = `${from} ${to}`;
    let edge = this.#edges.get(key);
    if (!edge) {
      edge = { key, from, to, kind: "link", events: [], uses: 0 };
      this.#edges.set(key, edge);
      this.edges.push(edge);
    }
    let known = edge.events.find((each) => each.event === event && each.origin === origin);
    if (!known) {
      known = { event, origin, kind: kindOf(event, title), titles: [], payloads: new Set(), uses: 0 };
      edge.events.push(known);
    }
    if (title !== null && !known.titles.includes(title)) known.titles.push(title);
    known.payloads.add(JSON.stringify(payload));
    known.uses += uses;
    edge.uses += uses;
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
export function eventText({ event, titles, origin }) {
  if (origin !== "client") return `${origin}: ${event}`;
  return titles.length === 1 ? titles[0] : event;
}

/** The most informative events of an edge, in a few words. */
export function edgeText({ events, kind }) {
  const [first, ...others] = events.filter((each) => each.kind === kind);
  const name = first.titles.length === 1 ? first.titles[0] : first.event.slice(first.event.indexOf(".") + 1);
  return others.length > 0 ? `${name} +${others.length}` : name;
}
