// The app as a phone would show it, from `screen` and `navigation` of a route document. It knows no app: every button
// sends back the action that the document offers for it.

import { $, icon, keyed, make, setAttribute, setText } from "./dom.js";
import { roving } from "./keyboard.js";
import { animate } from "./motion.js";
import { scrollable } from "./scrolling.js";
import { isAlert, statusText } from "./status.js";

export class Phone {
  /** What each button sends when it is pressed. */
  #actions = new WeakMap();
  #shown = null;
  #updateTabStop = roving($("tabs"), "[role=tab]", { horizontal: true });

  /** - perform: called with the action of the button that was pressed; - open: with a path to go to. */
  constructor({ perform, open }) {
    scrollable($("screen"), $("content"));
    $("phone").addEventListener("click", ({ target }) => {
      const action = this.#actions.get(target.closest("button"));
      if (action) perform(action);
    });
    $("breadcrumbs").addEventListener("click", ({ target }) => {
      const link = target.closest("button");
      if (link) open(link.dataset.path);
    });
  }

  /** Shows a route document; without `isWritable` it can be looked at only. */
  show(route, isWritable) {
    const { screen, navigation } = route;
    const hadFocus = $("phone").contains(document.activeElement);
    const title = screen.title ?? screen.name;

    setText($("screen-title"), title);
    this.#showButton($("back"), navigation.back, `Back to ${navigation.back?.title}`);
    this.#showButton($("dismiss"), navigation.dismiss);
    setText($("back-title"), navigation.back?.title ?? "");
    setText($("dismiss"), navigation.dismiss?.title ?? "");

    this.#showStatus(screen);
    keyed($("rows"), screen.rows, ({ id, action }) => `${route.leaf} ${id} ${action !== null}`, makeRow,
      (item, row) => this.#updateRow(item, row));
    const actions = screen.actions.map((action, index) => ({ action, key: `${route.leaf} ${index}` }));
    keyed($("actions"), actions, ({ key }) => key, () => make("button", { type: "button", className: "action" }),
      (button, { action }) => {
        setText(button, action.title);
        this.#offer(button, action);
      });
    this.#showTabs(navigation.tabs);
    this.#showModal(route);
    $("phone").classList.toggle("bare", screen.rows.length + navigation.tabs.length === 0 && !isAlert(screen));
    this.#showBreadcrumbs(route, isWritable);

    for (const button of $("phone").querySelectorAll("button")) button.disabled = !isWritable;
    this.#animate(route);
    const focused = document.activeElement;
    if (hadFocus && !($("phone").contains(focused) && focused.checkVisibility())) {
      $("screen-title").focus({ preventScroll: true });
    }
    this.#shown = route;
  }

  #offer(button, action) {
    this.#actions.set(button, action);
    button.dataset.event = action.event;
  }

  #showButton(button, action, label = null) {
    button.hidden = !action;
    if (!action) return;
    this.#offer(button, action);
    setAttribute(button, "aria-label", label);
  }

  /** Loading and failures are told in place; what was there before may still be. */
  #showStatus(screen) {
    const { status = "ready", message = null } = screen;
    $("screen-status").hidden = status === "ready" && message === null;
    $("screen-status").dataset.status = status;
    setText($("screen-message"), message ?? statusText(screen));
    $("screen-failed").hidden = status !== "failed" || message === null;
  }

  #updateRow(item, { title, subtitle, favorite, action, delete: remove }) {
    const [tap, deletion] = item.children;
    setText(tap.querySelector(".row-title"), title);
    setText(tap.querySelector(".row-subtitle"), subtitle ?? "");
    tap.querySelector(".favorite").hidden = !favorite;
    if (action) this.#offer(tap, action);
    this.#showButton(deletion, remove, `${remove?.title}: ${title}`);
    setAttribute(deletion, "title", remove?.title ?? null);
  }

  #showTabs(tabs) {
    $("tabs").hidden = tabs.length === 0;
    keyed($("tabs"), tabs, ({ title, action }) => JSON.stringify(action?.payload) ?? title, makeTab, (item, tab) => {
      setText(item.querySelector(".tab-glyph"), [...tab.title][0] ?? "");
      setText(item.querySelector(".tab-title"), tab.title);
      const badge = item.querySelector(".badge");
      badge.hidden = tab.badge === null;
      setText(badge, tab.badge ?? "");
      setAttribute(item, "aria-selected", tab.selected);
      setAttribute(item, "aria-label", tab.badge === null ? null : `${tab.title}, ${tab.badge}`);
      this.#offer(item, tab.action);
    });
    this.#updateTabStop($("tabs").querySelector("[aria-selected=true]"));
  }

  /** A modal is a sheet or an alert over the screen it is presented on, of which only the title is known. */
  #showModal({ tree, screen, navigation }) {
    const asks = isAlert(screen);
    const under = asks || navigation.dismiss ? presentedOn(tree) : null;
    $("under").hidden = under === null;
    setText($("under-title"), under?.title ?? under?.coordinator ?? "");
    $("face").classList.toggle("sheet", under !== null && !asks);
    $("phone").classList.toggle("asking", asks);
    setAttribute($("screen"), "role", asks ? "alertdialog" : navigation.tabs.length > 0 ? "tabpanel" : "group");
    setAttribute($("screen"), "aria-describedby", asks && screen.message !== null ? "screen-message" : null);
  }

  #showBreadcrumbs({ breadcrumbs, leaf }, isWritable) {
    const last = breadcrumbs.length - 1;
    const items = breadcrumbs.map((crumb, index) => ({ ...crumb, isLast: index === last }));
    keyed($("breadcrumbs"), items, ({ path, isLast }) => `${path} ${isLast}`,
      ({ isLast }) => make("li", {}, make(isLast ? "span" : "button", isLast ? {} : { type: "button" })),
      (item, { title, path, isLast }) => {
        const crumb = item.firstElementChild;
        setText(crumb, title);
        setAttribute(crumb, "title", path);
        setAttribute(crumb, "aria-current", isLast ? "page" : null);
        if (isLast) return;
        crumb.dataset.path = path;
        crumb.disabled = !isWritable;
      });
    if (this.#shown?.leaf !== leaf) $("breadcrumbs").scrollLeft = $("breadcrumbs").scrollWidth;
  }

  /** A deeper screen comes from the right, one gone back to from the left, a sheet from below; an alert appears. */
  #animate(route) {
    if (!this.#shown || this.#shown.leaf === route.leaf) return;
    $("screen").scrollTop = 0;
    if (isAlert(route.screen) || isAlert(this.#shown.screen)) {
      animate($("content"), { scale: [isAlert(route.screen) ? 1.1 : 1, 1], opacity: [0, 1] }, { duration: 200 });
      return;
    }
    const wasSheet = this.#shown.navigation.dismiss !== null;
    const isSheet = route.navigation.dismiss !== null;
    if (isSheet && !wasSheet) {
      animate($("face"), { transform: ["translateY(60%)", "none"], opacity: [0.4, 1] }, { duration: 320 });
      return;
    }
    const deeper = route.breadcrumbs.length - this.#shown.breadcrumbs.length;
    const from = wasSheet === isSheet ? Math.sign(deeper) * 28 : 0;
    const keyframes = { transform: [`translateX(${from}px)`, "none"], opacity: [0, 1] };
    animate($("content"), keyframes, { duration: 260 });
  }
}

/** A row that can be tapped is a button, and one that cannot is text. */
function makeRow({ id, action }) {
  return make("li", { className: "row", "data-row": id },
    make(action ? "button" : "div", { className: "tap" },
      make("span", { className: "row-words" },
        make("span", { className: "row-title" }), make("span", { className: "row-subtitle" })),
      make("span", { className: "favorite", role: "img", "aria-label": "favourite" }, icon("star"))),
    make("button", { type: "button", className: "delete" }, icon("minus")));
}

function makeTab() {
  return make("button", { type: "button", role: "tab", className: "tab", "aria-controls": "screen" },
    make("span", { className: "tab-glyph", "aria-hidden": "true" }),
    make("span", { className: "tab-title" }),
    make("span", { className: "badge" }));
}

/** The screen's node below the top-most modal: the visible leaf of who presents it, were it not presenting. */
function presentedOn(tree) {
  let presenter = null;
  for (let node = tree; node; node = node.presented ?? node.children[node.index]) {
    if (node.presented) presenter = node;
  }
  while (presenter?.children.length > 0) presenter = presenter.children[presenter.index];
  return presenter;
}
