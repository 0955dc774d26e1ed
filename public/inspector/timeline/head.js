// @ts-check
// What stands beside the timeline's strip: the lanes' names, the sentence about them, and the buttons of the past.

import { $, setAttribute, setText } from "../dom.js";
import { fragmentOf } from "../fragment.js";

/**
 * Names the lanes.
 * @param {{ session: string, version: number } | null} parent What the session was forked from.
 * @param {import("./other.js").OtherLane | null} other
 */
export function showLabels(parent, other) {
  const { label = null, ownLabel = "", sentence = null } = other ?? {};
  $("lane-labels").hidden = parent === null && other === null;
  $("forked").hidden = parent === null || label !== null;
  $("other-label").hidden = label === null;
  setText($("other-label"), label ?? "");
  $("own-label").hidden = other === null;
  setText($("own-label"), ownLabel);
  if (parent !== null) {
    setAttribute($("forked-parent"), "href", fragmentOf(parent.session, parent.version));
    setText($("forked-parent"), `${parent.session.slice(0, 6)}, step\u00a0${parent.version}`);
  }
  $("timeline-about").hidden = sentence === null;
  setText($("timeline-sentence"), sentence ?? "");
}

/** Shows which step of the past is shown, with its buttons. */
export function showPast({ past, shown, route, hasEnded, canWithhold }) {
  document.body.classList.toggle("in-past", past !== null);
  $("past").hidden = past === null;
  if (past) setText($("past-version"), `Step ${shown.version} of ${route.version}`);
  $("fork").disabled = hasEnded;
  setAttribute($("fork"), "aria-haspopup", past && canWithhold ? "dialog" : null);
}
