// @ts-check
// A slider over the journal's versions, and a button that plays them.

import { $, setAttribute } from "../dom.js";

/** The time that each version is shown, in milliseconds, by the speed in the menu. */
const delays = { "1": 1000, "4": 250, "fast": 0 };

export class Scrubber {
  /** @type {any} */
  #session = null;
  #shown = 0;
  #newest = 0;
  /** @type {any} The version to show next, or null. */
  #wanted = null;
  #isGoing = false;
  /** @type {any} The version that is being played, or null. */
  #playing = null;
  #timer = 0;

  /** - travel: shows a version and returns whether that succeeded. */
  constructor({ travel }) {
    this.travel = travel;
    $("scrubber").addEventListener("input", () => {
      this.#stop();
      this.#wanted = Number($("scrubber").value);
      this.#go();
    });
    $("play").addEventListener("click", () => (this.#playing === null ? this.#play() : this.#stop()));
    $("speed").addEventListener("change", () => {
      // Waits for the current step to finish.
      if (this.#playing !== null && !this.#isGoing) this.#schedule();
    });
  }

  show({ id, shown, route, status }) {
    if (id !== this.#session) this.#stop();
    this.#session = id;
    this.#shown = shown.version;
    this.#newest = route.version;
    // Stops playing if the user goes to another version.
    if (this.#playing !== null && !this.#isGoing && shown.version !== this.#playing) this.#stop();
    if (this.#wanted === null && !this.#isGoing) {
      $("scrubber").max = String(route.version);
      $("scrubber").value = String(shown.version);
    }
    setAttribute($("scrubber"), "aria-valuetext", `Version ${shown.version} of ${route.version}`);
    const isThere = route.version > 0 && status !== "ended";
    for (const name of ["scrubber", "play"]) $(name).disabled = !isThere;
    if (!isThere) this.#stop();
  }

  /** Shows the slider's version. Versions that the slider passed in the meantime are skipped. */
  async #go() {
    if (this.#isGoing) return;
    this.#isGoing = true;
    while (this.#wanted !== null) {
      const version = this.#wanted;
      this.#wanted = null;
      if (!await this.travel(version)) this.#wanted = null;
    }
    this.#isGoing = false;
    $("scrubber").max = String(this.#newest);
    $("scrubber").value = String(this.#shown);
  }

  // Playing

  /** Plays from the version shown to the newest one. Starts at version 0 if the newest one is shown already. */
  #play() {
    this.#mark(this.#shown);
    if (this.#shown === this.#newest) this.#step(0);
    else this.#schedule();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step(this.#playing + 1), delays[$("speed").value]);
  }

  async #step(version) {
    this.#mark(version);
    this.#wanted = version;
    await this.#go();
    // Stops if the user stopped it, or if the version could not be shown.
    if (this.#playing !== version || this.#shown !== version) return this.#stop();
    if (version >= this.#newest) this.#stop();
    else this.#schedule();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#mark(null);
  }

  #mark(version) {
    this.#playing = version;
    setAttribute($("play"), "aria-label", version === null ? "Play" : "Pause");
    $("play").title = version === null ? "Play" : "Pause";
    setAttribute($("play").querySelector("use"), "href", version === null ? "#icon-play" : "#icon-pause");
  }
}
