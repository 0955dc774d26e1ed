// @ts-check
// The banner about the last event: the event, the coordinators it passed, its handler, and the path after it. In the
// past, it shows the version.

import { isolated } from "./direction.js";
import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { emitter, originIcon } from "./origin.js";
import { closed, isAlert, statusText } from "./status.js";
import { payloadText, shortName, shortPayload } from "./trace.js";

export class Story {
  /** Callbacks: now(), fork(), travel(version). */
  constructor({ now, fork, travel }) {
    $("now").addEventListener("click", now);
    $("fork").addEventListener("click", fork);
    this.#step("earlier", () => travel(this.session.destination - 1));
    this.#step("later", () => travel(this.session.destination + 1));
  }

  /** Makes a step button work. At the first or last version it keeps the focus, so it is not disabled. */
  #step(id, go) {
    $(id).addEventListener("click", () => {
      if ($(id).getAttribute("aria-disabled") === "false") go();
    });
  }

  show(session) {
    const { story, shown, past, route } = session;
    this.session = session;
    const isWelcome = past === null && session.isUntouched;
    $("story").hidden = story === null || isWelcome;
    $("welcome").hidden = !isWelcome;
    setText($("story-route"), shown.path);
    if (story) this.#tell(story);

    document.body.classList.toggle("in-past", past !== null);
    const loses = past === null && $("past").contains(document.activeElement);
    $("past").hidden = past === null;
    if (loses) whereToGoOn().focus({ preventScroll: true });
    if (past) setText($("past-version"), `Version ${past.version} of ${route.version}`);
    $("fork").disabled = session.hasEnded;
    setAttribute($("fork"), "aria-haspopup", session.canWithhold ? "dialog" : null);
    setAttribute($("earlier"), "aria-disabled", shown.version === 0);
    setAttribute($("later"), "aria-disabled", past === null);
  }

  #tell(story) {
    const { event, payload, trace, handledBy } = story;
    const origin = emitter(story);
    const symbol = originIcon(story);
    setText($("story-origin"), origin ?? "Event");
    setAttribute($("story-origin"), "title", origin);
    $("story").classList.toggle("foreign", origin !== null);
    $("story-icon").toggleAttribute("hidden", symbol === null);
    if (symbol) setAttribute($("story-icon").firstElementChild, "href", `#icon-${symbol}`);
    setText($("story-event"), event);
    setText($("story-payload"), shortPayload(payload));
    $("story-payload").title = payloadText(payload);
    setText($("story-handled"), handledBy === null ? "no coordinator" : shortName(handledBy));
    $("story").classList.toggle("unhandled", handledBy === null);
    const passed = trace.filter(({ intercepted }) => !intercepted);
    keyed($("story-trace"), passed, ({ coordinator }) => coordinator, () => make("li"), (item, { coordinator }) => {
      setText(item, shortName(coordinator));
      item.title = coordinator;
    });
    $("story-straight").hidden = passed.length > 0;
  }
}

/**
 * The element that gets the focus when the tools of the past disappear: the screen's title, or the pane's button if the
 * title is hidden.
 */
function whereToGoOn() {
  const title = $("screen-title");
  return title.checkVisibility() ? title : document.querySelector(".switcher [aria-current=true]");
}

/** The banner in short sentences for screen readers: the path, the last event, and what is pending. */
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
