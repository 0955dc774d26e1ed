// A server for tests of modules that send requests: one session, with requests and a stream.

import "./fixtures.js";

/** Replaces `fetch` and `EventSource` with a session of `version` events. */
export class FakeServer {
  hasEnded = false;
  /** The id of the server's run. */
  run = "first";
  /** The requests so far, as `METHOD path`. */
  requests = [];
  /** The bodies of the requests so far that have one. */
  bodies = [];
  /** What the session was forked from. */
  parent = null;
  /** What a fork with edits reports. */
  edited = null;
  #streams = new Set();
  #origins = new Map();

  constructor(version = 0) {
    const server = this;
    this.version = version;
    globalThis.fetch = async (path, { method = "GET", headers = {}, body } = {}) => {
      this.requests.push(`${method} ${path}`);
      if (body !== undefined) this.bodies.push(JSON.parse(body));
      return this.#answer(new URL(path, "http://localhost"), new Headers(headers));
    };
    globalThis.EventSource = class extends EventTarget {
      static CLOSED = 2;
      readyState = 1;

      constructor(address) {
        super();
        server.requests.push(`STREAM ${address}`);
        server.#streams.add(this);
        queueMicrotask(() => this.dispatchEvent(new Event("open")));
      }

      close() {
        this.readyState = 2;
        server.#streams.delete(this);
      }
    };
  }

  get openStreams() {
    return this.#streams.size;
  }

  /** Sends a message on every stream. */
  send(type, document) {
    for (const stream of [...this.#streams]) {
      stream.dispatchEvent(Object.assign(new Event(type), { data: JSON.stringify(document) }));
    }
  }

  /** Refuses every stream. The browser does not reconnect. */
  refuse() {
    for (const stream of [...this.#streams]) {
      stream.readyState = 2;
      stream.dispatchEvent(new Event("error"));
    }
  }

  /** Accepts an event and sends the new route. */
  emit(origin = "client") {
    this.version += 1;
    this.#origins.set(this.version, origin);
    this.send("route", this.#route(this.version));
  }

  /** Restarts without the session. */
  restart() {
    this.run = "second";
    this.hasEnded = true;
  }

  end() {
    this.hasEnded = true;
    this.send("end", {});
  }

  #session() {
    return { id: "A".repeat(22), version: this.version, work: null, parent: this.parent };
  }

  #route(version) {
    return { session: "A".repeat(22), version, path: `/${version}`, screen: { name: "Screen" }, pending: [] };
  }

  #entry(version) {
    const origin = this.#origins.get(version) ?? "client";
    return { version, event: "app.event", payload: {}, at: "App", handledBy: "App", path: `/${version}`, origin };
  }

  #answer({ pathname, searchParams }, headers) {
    if (pathname === "/livez") return new Response(null, { headers: { ETag: `"${this.run}"` } });
    if (this.hasEnded) return json({ type: "/problems/session-not-found", status: 404 }, 404);
    if (pathname.endsWith("/forks")) return json({ ...this.#session(), id: "F".repeat(22), edited: this.edited }, 201);
    const version = Number(searchParams.get("version") ?? this.version);
    if (pathname.endsWith("/route")) return json(this.#route(version), 200, { ETag: `"${version}-tag"` });
    if (!pathname.endsWith("/events")) return json(this.#session());
    const after = Number(searchParams.get("after") ?? 0);
    const limit = Number(searchParams.get("limit") ?? this.version);
    const count = Math.min(limit, this.version - after);
    const events = Array.from({ length: count }, (_, index) => this.#entry(after + index + 1));
    if (headers.get("Accept") !== "application/x-ndjson") return json({ events });
    const lines = [{ journal: 2, app: "App", path: "/0" }, ...events];
    return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

/** Waits until a condition is true after some change of a session. */
export function happened(session, isTrue) {
  return new Promise((resolve) => {
    const check = () => {
      if (!isTrue()) return;
      session.removeEventListener("change", check);
      resolve();
    };
    session.addEventListener("change", check);
    check();
  });
}

function json(document, status = 200, headers = {}) {
  return new Response(JSON.stringify(document), { status, headers });
}
