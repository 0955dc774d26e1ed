// @ts-check
// Pending work, and timers with their remaining time. If work is withheld, nothing runs, and each piece has a button to
// post its outcome.

import { $, icon, keyed, make, setAttribute, setText } from "./dom.js";
import { duration } from "./durations.js";
import { scrollable } from "./scrolling.js";
import { shortName } from "./trace.js";

const second = 1000;

export class Pending {
  #timers = [];
  /** Whether the timers fire when they are due. */
  #isCounting = false;
  #next = 0;

  /** Callbacks: now(), the server's time in milliseconds; post(piece), which posts an outcome. */
  constructor({ now, post }) {
    this.now = now;
    scrollable($("pending"), $("pending-list"));
    $("pending-list").addEventListener("click", ({ target }) => {
      const id = target.closest(".pending-post")?.closest("[data-pending]").dataset.pending;
      if (id !== undefined) post(this.pending.find((piece) => piece.id === id));
    });
  }

  /**
   * Shows the pending work of a route document. Timers count down only if the session is live and its work is not
   * withheld.
   */
  show(pending, isLive, isWithheld) {
    this.pending = pending;
    const hadFocus = $("pending-list").contains(document.activeElement);
    $("pending").hidden = pending.length === 0 && !(isLive && isWithheld);
    $("pending").classList.toggle("withheld", isWithheld);
    $("pending-withheld").hidden = !isLive || !isWithheld;
    $("pending-badge").hidden = pending.length === 0;
    setText($("pending-count"), String(pending.length));
    setText($("pending-heading"), isLive ? "Pending" : "Was pending");
    keyed($("pending-list"), pending, ({ id, kind }) => `${kind} ${id}`, makeItem, (item, { id, name, at, due }) => {
      item.dataset.pending = id;
      item.title = `${id}, started by ${at}`;
      setText(item.querySelector(".pending-name"), name);
      setText(item.querySelector(".pending-at"), shortName(at));
      if (due === null) setText(item.querySelector(".pending-state"), stateText(isLive, isWithheld));
      const post = item.querySelector(".pending-post");
      post.hidden = !isLive || !isWithheld;
      setAttribute(post, "aria-label", `Post the outcome of ${name}`);
    });
    // Keeps the focus in this list after an outcome was posted.
    if (hadFocus && !$("pending-list").contains(document.activeElement)) $("pending-heading").focus();
    this.#timers = pending.filter(({ due }) => due !== null);
    this.#isCounting = isLive && !isWithheld;
    this.#tick();
  }

  /** Shows the remaining time, and updates it every second until all timers are due. */
  #tick() {
    clearTimeout(this.#next);
    const now = this.now();
    let isAnyLeft = false;
    for (const { id, due } of this.#timers) {
      const state = $("pending-list").querySelector(`[data-pending="${CSS.escape(id)}"] .pending-state`);
      const left = Math.ceil((Date.parse(due) - now) / second);
      // A timer is a live region that announces nothing by itself.
      setAttribute(state, "role", this.#isCounting ? "timer" : null);
      setText(state, !this.#isCounting ? `due ${clockTime(due)}` : left > 0 ? `in ${duration(left)}` : "due now");
      state.dateTime = due;
      state.title = new Date(due).toLocaleString();
      isAnyLeft ||= this.#isCounting && left > 0;
    }
    if (isAnyLeft) this.#next = setTimeout(() => this.#tick(), second - (now % second));
  }
}

function stateText(isLive, isWithheld) {
  if (isWithheld) return isLive ? "withheld" : "was withheld";
  return isLive ? "running" : "was running";
}

/** A time of day, with the date if it is not today. */
function clockTime(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString([], { hour12: false }) : date.toLocaleString([], { hour12: false });
}

function makeItem({ kind }) {
  return make("li", { className: "pending-item", "data-kind": kind },
    kind === "timer" ? icon("timer") : make("i", { className: "activity", "aria-hidden": "true" }),
    make("span", { className: "pending-words" },
      make("span", { className: "pending-name" }), " ", make("span", { className: "pending-at" })), " ",
    make(kind === "timer" ? "time" : "span", { className: "pending-state" }), " ",
    make("button", { type: "button", className: "quiet pending-post", "aria-haspopup": "dialog", hidden: true },
      "Post outcome"));
}
