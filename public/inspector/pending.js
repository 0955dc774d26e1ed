// What the app waits for: work under way, and timers with the time that is left until they are due.

import { $, icon, keyed, make, setAttribute, setText } from "./dom.js";
import { duration } from "./durations.js";
import { scrollable } from "./scrolling.js";
import { shortName } from "./trace.js";

const second = 1000;

export class Pending {
  #timers = [];
  #isLive = false;
  #next = 0;

  /** - now: the server's time, in milliseconds. */
  constructor({ now }) {
    this.now = now;
    scrollable($("pending"), $("pending-list"));
  }

  /** Shows what a route document says is pending. What is not live counts down to nothing. */
  show(pending, isLive) {
    $("pending").hidden = pending.length === 0;
    $("pending-badge").hidden = pending.length === 0;
    setText($("pending-count"), String(pending.length));
    setText($("pending-heading"), isLive ? "Pending" : "Pending then");
    keyed($("pending-list"), pending, ({ id, kind }) => `${kind} ${id}`, makeItem, (item, { id, name, at, due }) => {
      item.dataset.pending = id;
      item.title = `${id}, asked for by ${at}`;
      setText(item.querySelector(".pending-name"), name);
      setText(item.querySelector(".pending-at"), shortName(at));
      if (due === null) setText(item.querySelector(".pending-state"), isLive ? "under way" : "was under way");
    });
    this.#timers = pending.filter(({ due }) => due !== null);
    this.#isLive = isLive;
    this.#tick();
  }

  /** Shows the time that is left, and does so again with the next second as long as a timer is not due. */
  #tick() {
    clearTimeout(this.#next);
    const now = this.now();
    let isCounting = false;
    for (const { id, due } of this.#timers) {
      const state = $("pending-list").querySelector(`[data-pending="${CSS.escape(id)}"] .pending-state`);
      const left = Math.ceil((Date.parse(due) - now) / second);
      // A timer is a live region that says nothing by itself.
      setAttribute(state, "role", this.#isLive ? "timer" : null);
      setText(state, !this.#isLive ? `due ${clockTime(due)}` : left > 0 ? `in ${duration(left)}` : "due now");
      state.dateTime = due;
      state.title = new Date(due).toLocaleString();
      isCounting ||= this.#isLive && left > 0;
    }
    if (isCounting) this.#next = setTimeout(() => this.#tick(), second - (now % second));
  }
}

/** The time of a day, with the day where that is not today. */
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
    make(kind === "timer" ? "time" : "span", { className: "pending-state" }));
}
