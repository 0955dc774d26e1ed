// @ts-check
// What happened: the last event on its way through the coordinators, its handler, and the path after it. In the past,
// the event of the version shown.

import { isolated } from "./direction.js";
import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { animate } from "./motion.js";
import { emitter, originIcon } from "./origin.js";
import { closed, isAlert, statusText } from "./status.js";
import { payloadText, shortName, shortPayload } from "./trace.js";

/** The time from one coordinator to the next in the animation, in milliseconds. */
const hop = 200;

/** The time in which a coordinator appears, in milliseconds. */
const fade = 260;

/** The longest payload that is shown, in characters. */
const longest = 400;

export class Story {
  show({ id, story, shown, past, route }) {
    $("story").hidden = story === null;
    $("story-none").hidden = shown.version !== 0 || past !== null;
    $("story-step").hidden = past === null;
    if (past) setText($("story-step"), stepText(past.version, route.version));
    setText($("story-at"), past ? "then at" : "now at");
    setText($("story-route"), shown.path);
    if (story) this.#tell(story);
    this.#animate(id, story);
  }

  #tell(story) {
    const { event, payload, trace, handledBy } = story;
    const origin = emitter(story);
    const symbol = originIcon(story);
    setText($("story-origin"), origin ?? "");
    $("story-icon").toggleAttribute("hidden", symbol === null);
    if (symbol) setAttribute($("story-icon").firstElementChild, "href", `#icon-${symbol}`);
    setText($("story-event"), event);
    setText($("story-payload"), shortPayload(payload, longest));
    setAttribute($("story-payload"), "title", payloadText(payload) || null);
    const passed = trace.filter(({ intercepted }) => !intercepted);
    keyed($("story-trace"), passed, ({ coordinator }) => coordinator, makePass, (item, { coordinator }) => {
      setText(item.firstElementChild, shortName(coordinator));
      item.title = coordinator;
    });
    $("story-trace").parentElement.hidden = passed.length === 0;
    $("story").classList.toggle("unhandled", handledBy === null);
    setText($("story-handled"), handledBy === null ? "no coordinator" : shortName(handledBy));
    setAttribute($("story-end"), "title", handledBy);
    setText($("story-verdict"), "handled it");
  }

  #told = "";
  /** When the last animation ends. */
  #end = 0;

  /** Shows the chain of a new event step by step. What was there when the session was opened stands still. */
  #animate(id, story) {
    const told = `${id} ${story?.version ?? 0}`;
    // The first event of a preview creates the session.
    const isSame = this.#told.startsWith(`${id} `) || this.#told.startsWith("null ");
    const isNew = story !== null && told !== this.#told && isSame;
    this.#told = told;
    // Events that follow each other quickly are shown at once.
    if (!isNew || performance.now() < this.#end) return;
    const chain = [...$("story-trace").children, $("story-end"), $("story").lastElementChild, $("changed")];
    this.#end = performance.now() + chain.length * hop + fade;
    for (const [index, item] of chain.entries()) {
      const appear = { duration: fade, delay: (index + 1) * hop, fill: "backwards" };
      animate(item, { opacity: [0, 1], transform: ["translateY(-6px)", "none"] }, appear);
    }
  }
}

function stepText(version, last) {
  return version === 0 ? `The start, before step 1 of ${last}` : `Step ${version} of ${last}`;
}

function makePass() {
  const label = make("span", { className: "label" }, "passed on");
  return make("li", {}, make("span", { className: "story-name" }), " ", label);
}

/** What happened, in short sentences for screen readers: the path, the last event, and what is pending. */
export function spoken({ story, shown, past, isWithheld = false }) {
  const pending = (shown.pending ?? []).map(({ name }) => isolated(name));
  return [
    past && `Version ${shown.version}, read-only.`,
    `${shown.path}.`,
    isAlert(shown.screen) && closed(isolated(shown.screen.title)),
    statusText(shown.screen),
    story && `${sentence(story)}.`,
    shown.parked && `Parked: ${shown.parked.path}.`,
    isWithheld && "Work withheld.",
    pending.length > 0 && `Pending: ${pending.join(", ")}.`,
  ].filter(Boolean).join(" ");
}

function sentence(story) {
  const origin = emitter(story);
  const who = story.handledBy ? `handled by ${shortName(story.handledBy)}` : "not handled";
  return origin ? `${origin} ${story.event}, ${who}` : `${story.event} ${who}`;
}
