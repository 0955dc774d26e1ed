// @ts-check
// A quiet line below the app: the parked deep link.

import { $, setText } from "./dom.js";

export class Parked {
  /** Shows the parked link of a route document, or nothing if it is null. */
  show(parked, isLive) {
    $("parked").hidden = parked === null;
    setText($("parked-label"), isLive ? "Parked" : "Was parked");
    setText($("parked-path"), parked?.path ?? "");
  }
}
