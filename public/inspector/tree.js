// @ts-check
// The tree of coordinators: what is visible, and which coordinators the last event visited.

import { $, icon, keyed, make, setAttribute, setText } from "./dom.js";
import { isolated } from "./direction.js";
import { roving } from "./keyboard.js";
import { actionOf } from "./keys.js";
import { animate } from "./motion.js";
import { below, find, visibleChain } from "./nodes.js";
import { shortName } from "./trace.js";

/** The time an event takes from one coordinator to the next in the animation, in milliseconds. */
const hop = 200;

const kinds = { leaf: "leaf", container: "container", navigation: "stack", tabBar: "tab bar" };

export class Tree {
  #updateTabStop = roving($("tree"), "[role=treeitem]");
  /** @type {any} */
  #shown = {};

  /** - select: called with the id of the pressed coordinator. */
  constructor({ select }) {
    const press = (target) => {
      const item = target.closest("[role=treeitem]");
      if (item?.matches("[data-started=true]")) select(item.dataset.coordinator);
    };
    $("tree").addEventListener("click", ({ target }) => {
      if (target.closest(".node")) press(target);
    });
    $("tree").addEventListener("keydown", (event) => {
      const { target } = event;
      const action = actionOf("tree", event);
      if (action === "press") press(target);
      else if (action === "out") target.parentElement.closest("[role=treeitem]")?.focus();
      else if (action === "in") target.querySelector("[role=treeitem]")?.focus();
      else return;
      event.preventDefault();
    });
  }

  /** Shows a route document's tree, and marks the coordinators that the last event visited. */
  show(route, story) {
    const hadFocus = $("tree").contains(document.activeElement);
    const trace = story?.trace ?? [];
    const steps = new Map(trace.map((step, index) => [step.coordinator, { ...step, index }]));
    const gone = trace.map(({ coordinator }) => coordinator).filter((id) => !find(route.tree, id));
    const visible = visibleChain(route.tree);
    this.#showNodes($("tree"), [{ ...route.tree, level: 1 }], { steps, gone, visible, leaf: visible.at(-1) });
    const current = $("tree").querySelector("[aria-current]");
    this.#updateTabStop(current);
    if (hadFocus && !$("tree").contains(document.activeElement)) current.focus();
    if (this.#shown.leaf !== route.leaf) current.firstElementChild.scrollIntoView({ block: "nearest" });
    const isNew = story && (this.#shown.version !== story.version || this.#shown.session !== route.session);
    const isPreview = this.#shown.version === 0 && !this.#shown.session;
    if (isNew && (isPreview || this.#shown.session === route.session)) this.#animate(trace);
    this.#shown = route;
  }

  #showNodes(list, nodes, context) {
    keyed(list, nodes, ({ id, isGone }) => (isGone ? `${id} gone` : id), makeNode, (item, node) => {
      this.#updateNode(item, node, context);
      this.#showNodes(item.lastElementChild, below(node, context.gone), context);
      item.lastElementChild.hidden = item.lastElementChild.childElementCount === 0;
    });
  }

  #updateNode(item, node, { steps, visible, leaf }) {
    const step = steps.get(node.id);
    const isVisible = visible.includes(node.id);
    const said = step ? (step.intercepted ? "handled it" : "passed it on") : "";
    const facts = node.isGone ? ["ended since"] : [
      kinds[node.kind] ?? node.kind,
      !node.started && "not started",
      node.isPresented && "modal",
      node.title && `“${isolated(node.title)}”`,
      node.position,
      node.section && `section ${node.section}`,
    ].filter(Boolean);

    item.dataset[node.isGone ? "gone" : "coordinator"] = node.id;
    item.dataset.kind = node.kind ?? "gone";
    item.dataset.started = Boolean(node.started);
    item.dataset.visible = isVisible;
    item.classList.toggle("in-section", Boolean(node.section));
    item.classList.toggle("section-begins", Boolean(node.beginsSection));
    item.classList.toggle("section-ends", Boolean(node.endsSection));
    setAttribute(item, "data-section", node.section ?? null);
    setAttribute(item, "data-trace", step ? (step.intercepted ? "handled" : "passed") : null);
    setAttribute(item, "aria-level", node.level);
    setAttribute(item, "aria-current", node.id === leaf ? "true" : null);
    setAttribute(item, "aria-label", [
      shortName(node.id), ...facts, node.route && `route ${node.route}`, node.badge && `badge ${node.badge}`,
      isVisible && "on the screen", said,
    ].filter(Boolean).join(", "));

    const part = (name) => item.firstElementChild.querySelector(`.${name}`);
    setAttribute(part("icon").firstElementChild, "href", `#icon-${node.kind ?? "gone"}`);
    item.firstElementChild.title = node.id;
    setText(part("node-name"), shortName(node.id));
    // The symbol of a leaf needs no word.
    setText(part("node-facts"), facts.filter((fact) => fact !== kinds.leaf).join(" · "));
    for (const [name, text] of [["node-route", node.route], ["badge", node.badge]]) {
      part(name).hidden = !text;
      setText(part(name), text || "");
    }
    part("node-said").title = said;
    part("node-said").hidden = said === "";
  }

  /** Animates a bubble from the leaf to the handler. The coordinators that it passes light up. */
  #animate(trace) {
    if (!$("tree").checkVisibility()) return;
    const origin = $("tree").getBoundingClientRect();
    const places = [];
    for (const { coordinator, intercepted } of trace) {
      const item = $("tree").querySelector(
        `[data-coordinator="${CSS.escape(coordinator)}"], [data-gone="${CSS.escape(coordinator)}"]`);
      const { left, top, width, height } = item.querySelector(".icon").getBoundingClientRect();
      places.push(`translate(${left - origin.left + width / 2}px, ${top - origin.top + height / 2}px)`);
      const delay = (places.length - 1) * hop;
      const appear = { duration: 260, delay, fill: "backwards" };
      animate(item.querySelector(".node-said"), { opacity: [0, 1], transform: ["translateY(6px)", "none"] }, appear);
      if (!intercepted) continue;
      animate(item.querySelector(".icon"), { transform: ["none", "scale(1.35)", "none"] }, { duration: 420, delay });
    }
    const rise = { duration: Math.max(1, places.length - 1) * hop + 160, easing: "ease-in-out" };
    const first = places.length === 1 ? [places[0], places[0]] : places;
    animate($("bubble"), { transform: first, opacity: [...first.slice(1).map(() => 1), 0] }, rise);
  }
}

function makeNode() {
  return make("li", { role: "treeitem", tabIndex: -1 },
    make("div", { className: "node" },
      icon("leaf"),
      make("span", { className: "node-name" }),
      make("span", { className: "badge" }),
      make("i", { className: "node-said" }),
      make("span", { className: "node-words" },
        make("span", { className: "node-facts" }), make("code", { className: "node-route" }))),
    make("ul", { role: "group" }));
}
