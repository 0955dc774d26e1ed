// @ts-check
// Quiet lines below the app: the parked deep link, and the session that this one was forked from.

import { $, setAttribute, setText } from "./dom.js";
import { fragmentOf } from "./fragment.js";

export class Parked {
  /** Shows the parked link of a route document, or nothing if it is null. */
  show(parked, isLive) {
    $("parked").hidden = parked === null;
    setText($("parked-label"), isLive ? "Parked" : "Was parked");
    setText($("parked-path"), parked?.path ?? "");
  }
}

export class Forked {
  /** Shows a link to the version that a session was forked from, or nothing if `parent` is null. */
  show(parent) {
    $("forked").hidden = parent === null;
    if (parent === null) return;
    const { session, version } = parent;
    setAttribute($("forked-parent"), "href", fragmentOf(session, version));
    setText($("forked-parent"), `${session.slice(0, 6)}, version ${version}`);
  }
}
