// The app's map as GET /map tells it, ready to be drawn: screens, and between any two of them one edge with all events
// that lead from the one to the other.

/** The library's own events that lead nowhere new: back the way one came, or to another tab. */
const backEvents = new Set(["navigation.back", "navigation.dismiss", "navigation.popToRoot"]);

/** How much an edge says of the app, least first: what it is drawn as is the most that one of its events says. */
const kinds = ["link", "back", "tab", "step"];

export class Graph {
  /** Screens in the order of the map; the id of each is its place. */
  screens = [];
  /** Edges in the order of the map; those from a screen to itself among them. */
  edges = [];
  /** What is to be said of the app as a whole. */
  findings = [];

  #byName = new Map();
  #edges = new Map();
  #matchers;

  /** - patterns: the paths that the app declares, as the catalog lists them. */
  constructor({ states, transitions, findings, truncated, frontier }, patterns) {
    this.isTruncated = truncated;
    this.frontier = frontier;
    this.#matchers = patterns.map((pattern) => ({ pattern, expression: expressionFor(pattern) }));
    this.findings = findings.filter(({ state }) => state === null);
    const takenPaths = new Set();
    for (const { id, screen, title, path, journal } of states) {
      const own = findings.filter(({ state }) => state === id);
      const pattern = this.patternOf(path);
      // An alert has the path of what it is about, which is found before it.
      const isFirst = !takenPaths.has(path);
      takenPaths.add(path);
      const found = {
        id, title, path, pattern, journal, name: screen, findings: own,
        isLink: isFirst && pattern !== null && !own.some(({ kind }) => kind === "link-differs"),
      };
      this.screens.push(found);
      this.#byName.set(screen, found);
    }
    for (const transition of transitions) this.#add(transition);
    if (!truncated) return;
    // Of a screen that was not taken further, nobody knows where its link leads.
    const taken = new Set(this.edges.map(({ from }) => from));
    for (const screen of this.screens) screen.isLink &&= taken.has(screen.id);
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
      known = { event, origin, kind: kindOf(event, title), titles: [], payloads: [] };
      edge.events.push(known);
    }
    if (title !== null && !known.titles.includes(title)) known.titles.push(title);
    known.payloads.push(JSON.stringify(payload));
    if (kinds.indexOf(known.kind) > kinds.indexOf(edge.kind)) edge.kind = known.kind;
  }

  screenNamed(name) {
    return this.#byName.get(name) ?? null;
  }

  edge(from, to) {
    return this.#edges.get(`${from} ${to}`) ?? null;
  }

  /** The edges that begin at a screen. */
  edgesFrom(id) {
    return this.edges.filter(({ from }) => from === id);
  }

  /** The declared pattern of a path; null where there is none. */
  patternOf(path) {
    const bare = path.split("?")[0];
    return this.#matchers.find(({ expression }) => expression.test(bare))?.pattern ?? null;
  }
}

function kindOf(event, title) {
  if (backEvents.has(event)) return "back";
  if (event === "navigation.selectTab") return "tab";
  return event === "navigation.open" && title === null ? "link" : "step";
}

/** The paths that a pattern stands for; their queries are left out. */
function expressionFor(pattern) {
  const parts = pattern.split("?")[0].split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/** An event in a few words: what the button says, where it always says the same. */
export function eventText({ event, titles, origin }) {
  if (origin !== "client") return `${origin}: ${event}`;
  return titles.length === 1 ? titles[0] : event;
}

/** The events of an edge that say most, in a few words. */
export function edgeText({ events, kind }) {
  const [first, ...others] = events.filter((each) => each.kind === kind);
  const name = first.titles.length === 1 ? first.titles[0] : first.event.slice(first.event.indexOf(".") + 1);
  return others.length > 0 ? `${name} +${others.length}` : name;
}
