// @ts-check
// The app before a session exists: its start, as the storyboard shows it. The first press creates the session.

import { writeJSON } from "./exact.js";

/** A preview has the properties of a `Session` that the parts of the page show. */
export class Preview {
  status = "unstarted";
  id = null;
  past = null;
  parent = null;
  story = null;
  entries = [];
  outcomes = new Map();
  firstEntry = 1;
  isWritable = true;
  isWithheld = false;
  isTravelling = false;
  hasEnded = false;
  hasOlder = false;
  isCutOff = false;
  canWithhold = false;
  isBusy = false;
  destination = 0;
  #start;
  /** @type {{ attempt: string, result: Promise<number> } | null} */
  #turn = null;

  /** - start: creates the session, sends it a request, and returns the version after it. */
  constructor(route, start) {
    this.route = route;
    this.shown = route;
    this.#start = start;
  }

  entryOf() {}
  tookOf() { return null; }
  pause() {}
  resume() {}
  close() {}
  returnToNow() {}
  async travel() { return true; }

  /** Sends an event to a new session. A second press at the same time creates no second session. */
  press(request) {
    const attempt = writeJSON(request);
    if (this.#turn === null) {
      this.isBusy = true;
      const result = this.#start(request).finally(() => {
        this.#turn = null;
        this.isBusy = false;
      });
      this.#turn = { attempt, result };
    }
    return this.#turn.result;
  }

  emit(request) { return this.press(request); }

  openPath(path) { return this.press({ event: "navigation.open", payload: { path } }); }
}
