// @ts-check
// The link to the screen as a web page. Web pages show the session of this browser's cookie, so a press on the link
// puts the session that is shown into the cookie.

import { $, setAttribute } from "./dom.js";

const otherSession = {
  title: "Web pages in this browser show another session.",
  detail: "Its cookie names that session. Delete this server’s cookies, or open the link in a private window.",
};

export class WebPageLink {
  /**
   * The name of the session's cookie, without the port; `null` if the server has no web pages.
   * @type {string | null}
   */
  #cookie = null;
  #session = "";

  /**
   * Callbacks: isOwn(id), whether the browser's cookie names a session or is missing; report(problem).
   * @param {{ isOwn: (id: string) => Promise<boolean>, report: (problem: object) => void }} callbacks
   */
  constructor({ isOwn, report }) {
    const link = /** @type {HTMLAnchorElement} */ ($("web-page"));
    link.addEventListener("click", async (event) => {
      const session = this.#session;
      if (enter(session, this.#cookie)) return;
      event.preventDefault();
      if (await isOwn(session)) open(link.href, "_blank", "noopener");
      else report(otherSession);
    });
  }

  /**
   * Notes whether the server has web pages.
   * @param {string | null} cookie The name of the session's cookie, without the port; `null` if it has none.
   */
  offer(cookie) {
    this.#cookie = cookie;
  }

  /**
   * Shows the link for a session that can change. In the past, it would lead the session back.
   * @param {{ session: string, path: string }} route
   * @param {boolean} isWritable
   */
  show({ session, path }, isWritable) {
    this.#session = session;
    $("web-page").hidden = this.#cookie === null || !isWritable;
    setAttribute($("web-page"), "href", address(path));
  }
}

/**
 * The address of a path's page. Browsers do not keep some paths, such as `/note/..`; `/app` leads to the same page.
 * @param {string} path
 */
function address(path) {
  const { pathname, search } = new URL(`/app${path}`, location.href);
  return pathname + search === `/app${path}` ? `/app${path}` : "/app";
}

/**
 * Puts a session into the cookie. Returns false if the browser has one from the server, which scripts cannot replace.
 * @param {string} session
 * @param {string | null} name
 */
function enter(session, name) {
  const cookie = `${name}${location.port && `-${location.port}`}=${session}`;
  document.cookie = `${cookie}; Path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
  return document.cookie.split("; ").includes(cookie);
}
