// What the tests of the page's modules share. Browsers have what is made up for here.

// Not in Node before 21.
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** An element that can have children, text and attributes: as much of one as updating needs. */
export class FakeElement {
  dataset = {};
  textContent = "";
  #children = [];
  #attributes = new Map();
  #parent = null;

  constructor(name = "li") {
    this.name = name;
  }

  get children() {
    return this.#children;
  }

  get firstElementChild() {
    return this.#children[0] ?? null;
  }

  get nextElementSibling() {
    const siblings = this.#parent.children;
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  insertBefore(child, next) {
    child.remove();
    const index = next === null ? this.#children.length : this.#children.indexOf(next);
    this.#children.splice(index, 0, child);
    child.#parent = this;
    this.moves = (this.moves ?? 0) + 1;
  }

  remove() {
    const siblings = this.#parent?.children ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.#parent = null;
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }
}

/** A form's container with these controls in it. */
export function fakeForm(...controls) {
  const all = controls.map(({ type = "text", value = "", checked = false, name, ...dataset }) =>
    ({ type, value, checked, name, dataset: { pointer: `/payload/${name}`, ...dataset } }));
  return {
    controls: all,
    querySelectorAll: (selector) => (selector === "[data-field]" ? all : all.filter(({ type }) => type === "password")),
  };
}

/** A map of three screens: a list that leads to a detail, and a second tab. */
export const smallMap = {
  states: [
    { id: 0, screen: "List", title: "Teams", path: "/main/teams", journal: [] },
    { id: 1, screen: "Detail", title: "Ferrari", path: "/main/teams/team/ferrari", journal: [] },
    { id: 2, screen: "Profile", title: "Profile", path: "/main/profile", journal: [] },
  ],
  transitions: [
    { from: 0, to: 1, event: "teams.didSelect", payload: { team: "ferrari" }, title: "Ferrari" },
    { from: 0, to: 1, event: "teams.didSelect", payload: { team: "alpine" }, title: "Alpine" },
    { from: 0, to: 2, event: "navigation.selectTab", payload: { tab: "Profile" }, title: "Profile" },
    { from: 2, to: 0, event: "navigation.selectTab", payload: { tab: "Teams" }, title: "Teams" },
    { from: 1, to: 0, event: "navigation.back", payload: {}, title: "Teams" },
    { from: 2, to: 1, event: "navigation.open", payload: { path: "/main/teams/team/ferrari" }, title: null },
  ],
  findings: [
    { kind: "unused-event", detail: "Nobody offers x.y.", state: null },
    { kind: "dead-end", detail: "Nothing is offered.", state: 2 },
  ],
  truncated: false,
  frontier: 0,
};

export const smallPatterns = ["/main/teams", "/main/teams/team/{team}", "/main/profile"];
