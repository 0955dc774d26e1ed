// @ts-check
// Notices when the server stops answering, and when another run of it answers. Only a session's live stream notices
// that by itself.

/** The delay between two requests, in milliseconds: while the server answers, and while it does not. */
const delays = { present: 2000, away: 300 };

/** Sends a `change` event when the server stops or starts to answer, and a `restart` event for a new run. */
export class Watch extends EventTarget {
  /** Whether the server did not answer the last time. */
  isAway = false;
  /** The ids of the runs so far. Several servers can answer at one address. */
  #runs = new Set();
  #read;

  /**
   * - read: returns the id of the current run. - isNeeded: whether nothing else would notice that the server is away.
   */
  constructor(read, isNeeded) {
    super();
    this.#read = read;
    const next = () => setTimeout(async () => {
      if (isNeeded()) await this.look().catch(() => {});
      next();
    }, this.isAway ? delays.away : delays.present);
    next();
  }

  /** Reads the id of the current run. Throws a problem if the server does not answer. */
  async look() {
    try {
      const run = await this.#read();
      const isNew = this.#runs.size > 0 && !this.#runs.has(run);
      this.#runs.add(run);
      this.#show(false);
      if (isNew) this.dispatchEvent(new Event("restart"));
      return run;
    } catch (problem) {
      this.#show(true);
      throw problem;
    }
  }

  #show(isAway) {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    this.dispatchEvent(new Event("change"));
  }
}
