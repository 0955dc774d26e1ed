// @ts-check
// The link to the screen as a web page. Web pages show the session of this browser's cookie, so a press on the link
// puts the session that is shown into the cookie.

import { $, setAttribute } from "./dom.js";

const otherSession = {
  title: "Web pages in this browser show another session.",
  detail: "Its cookie names that session. Delete this server’s cookies, or open the link in a private window.",
};

export class WebPageLink {
  #isOffered = false;
  #session = "";

  /**
   * Callbacks: isOwn(id), whether the browser's cookie names a session or is missing; report(problem).
   * @param {{ isOwn: (id: string) => Promise<boolean>, report: (problem: object) => void }} callbacks
   */
  constructor({ isOwn, report }) {
    const link = /** @type {HTMLAnchorElement} */ ($("web-page"));
    link.addEventListener("click", async (event) => {
      const session = this.#session;
      if (enter(session)) return;
      event.preventDefault();
      if (await isOwn(session)) open(link.href, "_blank", "noopener");
      else report(otherSession);
    });
  }

  /**
   * Notes whether the server has web pages.
   * @param {boolean} isOffered
   */
  offer(isOffered) {
    this.#isOffered = isOffered;
  }

  /**
   * Shows the link for a session that can change. In the past, it would lead the session back.
   * @param {{ session: string, path: string }} route
   * @param {boolean} isWritable
   */
  show({ session, path }, isWritable) {
    this.#session = session;
    $("web-page").hidden = !this.#isOffered || !isWritable;
    setAttribute($("web-page"), "href", `/app${path}`);
  }
}

/**
 * Puts a session into the cookie. Returns false if the browser has one from the server, which scripts cannot replace.
 * @param {string} session
 */
function enter(session) {
  const cookie = `session=${session}`;
  document.cookie = `${cookie}; Path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
  return document.cookie.split("; ").includes(cookie);
}
