// The deep link that waits until the app lets it through: one quiet line, near where the session is instead.

import { $, setText } from "./dom.js";

export class Parked {
  /** Shows what a route document says is parked, null for nothing. */
  show(parked, isLive) {
    $("parked").hidden = parked === null;
    setText($("parked-label"), isLive ? "Parked" : "Parked then");
    setText($("parked-path"), parked?.path ?? "");
  }
}
