// @ts-check
// The app on a phone, drawn from `screen` and `navigation` of a route document. It does not know the app: every button
// and every form sends the action that the document offers for it.

import { showBusy } from "./busy.js";
import { distinct, keyed, make, setAttribute, setText } from "./dom.js";
import { writeJSON } from "./exact.js";
import { Forms, isForm } from "./forms.js";
import { showImage } from "./images.js";
import { roving } from "./keyboard.js";
import { animate } from "./motion.js";
import { offer, offeredBy } from "./offers.js";
import { Rows } from "./rows.js";
import { scrollable } from "./scrolling.js";
import { isAlert, isSheet, statusText } from "./status.js";

/** What a phone does whose buttons cannot be pressed. */
/** @type {any} */
const noActions = { perform() {}, send() {}, report() {} };

export class Phone {
  #part;
  #forms;
  #rows;
  /** @type {any} */
  #shown = null;
  #isWritable = false;
  #isPast = false;
  #updateTabStop;

  /**
   * - part: returns a part of the phone by its name: those of the page by their ids, those of a copy by their names.
   *
   * Callbacks: perform(action) for a pressed button; send(request) for a form, which returns the version that it
   * created or throws a problem; report(problem) for a problem that no field shows.
   */
  constructor(part, { perform, send, report } = noActions) {
    this.#part = part;
    this.element = part("phone");
    this.#forms = new Forms({ send, report, finish: (key) => queueMicrotask(() => this.#rows.close(key)) });
    this.#rows = new Rows(this.#part("rows"), this.#forms,
      () => this.show(this.#shown, this.#isWritable, this.#isPast));
    this.#updateTabStop = roving(this.#part("tabs"), "[role=tab]", { horizontal: true });
    scrollable(this.#part("screen"), this.#part("content"));
    this.element.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const action = offeredBy(button);
      if (isForm(action)) this.#rows.toggle(button);
      else if (action) showBusy(button, perform(action));
    });
  }

  /**
   * Shows a route document. Without `isWritable`, it is read-only. Actions of a past version can still be pressed to
   * start a fork with them.
   */
  show(route, isWritable, isPast = false) {
    const { screen, navigation } = route;
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const title = screen.title ?? screen.name;

    setText(this.#part("screen-title"), title);
    offer(this.#part("back"), navigation.back, `Back to ${navigation.back?.title}`);
    offer(this.#part("dismiss"), navigation.dismiss);
    setText(this.#part("back-title"), navigation.back?.title ?? "");
    setText(this.#part("dismiss"), navigation.dismiss?.title ?? "");

    this.#showStatus(screen);
    this.#forms.begin(route, isWritable);
    this.#rows.show(route, isWritable);
    this.#part("screen-empty").hidden = screen.empty === null;
    setText(this.#part("screen-empty"), screen.empty ?? "");
    this.#showActions(route);
    this.#forms.end();
    this.#showTabs(navigation.tabs);
    this.#showModal(route);
    const isBare = screen.rows.length + screen.sections.length + navigation.tabs.length === 0 && screen.empty === null
      && !screen.actions.some(isForm);
    this.element.classList.toggle("bare", isBare && !isAlert(screen));

    for (const control of this.element.querySelectorAll("button, input, select, textarea")) {
      const action = offeredBy(control);
      const forks = isPast && action !== null && !isForm(action);
      control.disabled = !isWritable && !forks;
      setAttribute(control, "aria-haspopup", forks ? "dialog" : null);
    }
    this.#animate(route);
    this.#keepFocus(focused);
    this.#shown = route;
    this.#isWritable = isWritable;
    this.#isPast = isPast;
  }

  /** Focuses the form for an event, which it opens if it is closed. */
  fill(event) {
    const name = `[data-event="${CSS.escape(event)}"]`;
    const field = this.element.querySelector(`form${name} [data-field]`);
    if (field) field.focus();
    else this.element.querySelector(`button${name}`)?.click();
  }

  /** Restores a lost focus: to the element that had it, or to the screen's title if that element is gone. */
  #keepFocus(focused) {
    const isSeen = (element) => this.element.contains(element) && element.checkVisibility();
    if (focused === null || isSeen(document.activeElement)) return;
    (isSeen(focused) ? focused : this.#part("screen-title")).focus({ preventScroll: true });
  }

  /** Shows loading and failures in the screen. Earlier content can stay visible. */
  #showStatus(screen) {
    const { status = "ready", message = null } = screen;
    this.#part("screen-status").hidden = status === "ready" && message === null;
    this.#part("screen-status").dataset.status = status;
    setText(this.#part("screen-message"), message ?? statusText(screen));
    this.#part("screen-failed").hidden = status !== "failed" || message === null;
  }

  /** Shows each action as a button, or as a form if it has inputs. */
  #showActions({ screen, leaf }) {
    const keys = distinct(screen.actions.map((action, index) =>
      isForm(action) ? this.#forms.key("actions", action) : `${leaf} ${index}`));
    const items = screen.actions.map((action, index) => ({ action, key: keys[index] }));
    keyed(this.#part("actions"), items, ({ key }) => key,
      ({ action, key }) => isForm(action)
        ? this.#forms.element(key) : make("button", { type: "button", className: "action" }),
      (element, { action, key }) => {
        if (isForm(action)) return this.#forms.show(key, action);
        setText(element, action.title);
        offer(element, action);
      });
  }

  #showTabs(tabs) {
    const list = this.#part("tabs");
    list.hidden = tabs.length === 0;
    keyed(list, tabs, ({ title, action }) => writeJSON(action?.payload) ?? title, makeTab, (item, tab) => {
      // Without an image, the first letter stands for it.
      const glyph = item.querySelector(".tab-glyph");
      showImage(item.querySelector(".tab-image"), tab.image);
      glyph.hidden = tab.image !== null;
      setText(glyph, [...tab.title][0] ?? "");
      setText(item.querySelector(".tab-title"), tab.title);
      const badge = item.querySelector(".badge");
      badge.hidden = tab.badge === null;
      setText(badge, tab.badge ?? "");
      setAttribute(item, "aria-selected", tab.selected);
      offer(item, tab.action, tab.badge === null ? null : `${tab.title}, ${tab.badge}`);
    });
    this.#updateTabStop(list.querySelector("[aria-selected=true]"));
  }

  /** Shows a modal as a sheet or an alert over its presenting screen. Only that screen's title is known. */
  #showModal({ tree, screen, navigation }) {
    const asks = isAlert(screen);
    const under = asks || isSheet(screen) ? presentedOn(tree) : null;
    this.#part("under").hidden = under === null;
    setText(this.#part("under-title"), under?.title ?? under?.coordinator ?? "");
    this.#part("face").classList.toggle("sheet", isSheet(screen));
    this.element.classList.toggle("asking", asks);
    const area = this.#part("screen");
    setAttribute(area, "role", asks ? "alertdialog" : navigation.tabs.length > 0 ? "tabpanel" : "group");
    setAttribute(area, "aria-describedby", asks && screen.message !== null ? "screen-message" : null);
  }

  /**
   * Slides a deeper screen in from the right, an earlier one from the left, and a sheet from below. An alert fades in.
   */
  #animate(route) {
    if (!this.#shown || this.#shown.leaf === route.leaf || this.element.inert) return;
    this.#part("screen").scrollTop = 0;
    if (isAlert(route.screen) || isAlert(this.#shown.screen)) {
      const scale = [isAlert(route.screen) ? 1.1 : 1, 1];
      animate(this.#part("content"), { scale, opacity: [0, 1] }, { duration: 200 });
      return;
    }
    const wasModal = isSheet(this.#shown.screen);
    const isModal = isSheet(route.screen);
    if (isModal && !wasModal) {
      animate(this.#part("face"), { transform: ["translateY(60%)", "none"], opacity: [0.4, 1] }, { duration: 320 });
      return;
    }
    const deeper = route.breadcrumbs.length - this.#shown.breadcrumbs.length;
    const from = wasModal === isModal ? Math.sign(deeper) * 28 : 0;
    const keyframes = { transform: [`translateX(${from}px)`, "none"], opacity: [0, 1] };
    animate(this.#part("content"), keyframes, { duration: 260 });
  }
}

function makeTab() {
  return make("button", { type: "button", role: "tab", className: "tab", tabIndex: -1, "aria-controls": "screen" },
    make("span", { className: "tab-image" }),
    make("span", { className: "tab-glyph", "aria-hidden": "true" }),
    make("span", { className: "tab-title" }),
    make("span", { className: "badge" }));
}

/** The screen's node below the top-most modal: the leaf that would be visible without it. */
function presentedOn(tree) {
  let presenter = null;
  for (let node = tree; node; node = node.presented ?? node.children[node.index]) {
    if (node.presented) presenter = node;
  }
  while (presenter?.children.length > 0) presenter = presenter.children[presenter.index];
  return presenter;
}
