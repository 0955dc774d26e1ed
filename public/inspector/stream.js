// @ts-check
// A session's live stream. A browser has six connections to a server, so all windows that show one session share one
// stream: the window that holds a lock reads it and sends the events to the others. If that window closes, another one
// gets the lock.

/** The events of a stream. */
const types = ["open", "route", "reset", "end", "error"];

/** The time without a connection after which a window says that it waits, in milliseconds. */
export const patience = 3000;

/** Has the interface of `EventSource`, and a `waiting` event. */
export class SharedStream extends EventTarget {
  readyState = 0;
  #address;
  #channel;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {any} The last event about the connection and the last route, for windows that join. */
  #state = null;
  /** @type {any} */
  #route = null;
  #leaving = new AbortController();
  /** @type {(value?: unknown) => void} */
  #release = () => {};
  #timer = setTimeout(() => this.dispatchEvent(new Event("waiting")), patience);

  /** Without locks, which need HTTPS or this machine's own address, every window has a stream. */
  constructor(address, locks = globalThis.navigator?.locks) {
    super();
    this.#address = address;
    if (!locks) {
      queueMicrotask(() => this.#lead());
      return;
    }
    this.#channel = new BroadcastChannel(address);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#channel.postMessage({ type: "join" });
    locks.request(address, { signal: this.#leaving.signal }, () => this.#lead()).catch(() => {});
  }

  close() {
    this.readyState = 2;
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#channel?.close();
    this.#leaving.abort();
    this.#release();
  }

  /** Reads the stream until it is closed. */
  #lead() {
    if (this.readyState === 2) return null;
    const source = new EventSource(this.#address);
    this.#source = source;
    for (const type of types) {
      source.addEventListener(type, ({ data }) => {
        if (this.readyState === 2) return;
        const message = { type, data, readyState: source.readyState };
        if (type === "open" || type === "error") this.#state = message;
        else this.#route = message;
        this.#channel?.postMessage(message);
        this.#hear(message);
      });
    }
    return new Promise((resolve) => { this.#release = resolve; });
  }

  #hear({ type, data, readyState }) {
    if (type === "join") {
      if (this.#source === null) return;
      for (const message of [this.#state, this.#route]) if (message) this.#channel?.postMessage(message);
      return;
    }
    clearTimeout(this.#timer);
    // The server has refused the stream.
    if (readyState === 2) this.close();
    else this.readyState = readyState ?? this.readyState;
    this.dispatchEvent(Object.assign(new Event(type), { data }));
  }
}
