// @ts-check
// The app before a session exists: its start, as the storyboard shows it. The first press creates the session.

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
  destination = 0;
  #start;
  /** @type {Promise<number> | null} */
  #turn = null;

  /** - start: creates the session, sends it a request, and returns the version after it. */
  constructor(route, start) {
    this.route = route;
    this.shown = route;
    this.#start = start;
  }

  get isBusy() { return this.#turn !== null; }
  documentOf(version) { return version === this.route?.version ? this.route : null; }
  entryOf() {}
  tookOf() { return null; }
  pause() {}
  resume() {}
  close() {}
  returnToNow() {}
  async travel() { return true; }

  /** Sends an event to a new session. A second press at the same time creates no second session. */
  press(request) {
    this.#turn ??= this.#start(request).finally(() => { this.#turn = null; });
    return this.#turn;
  }

  emit(request) { return this.press(request); }

  openPath(path) { return this.press({ event: "navigation.open", payload: { path } }); }
}
