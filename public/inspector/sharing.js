// The dialog about the session itself: share it, join another one, start a new one, end it.

import { $ } from "./dom.js";

export class SessionDialog {
  /** Callbacks: join(id), start(), end(), copy(text). */
  constructor({ join, start, end, copy }) {
    const closing = (action) => () => {
      $("session-dialog").close();
      action();
    };
    $("session-copy").addEventListener("click", () => copy($("session-link").value));
    $("session-new").addEventListener("click", closing(start));
    $("session-end").addEventListener("click", closing(end));
    $("session-close").addEventListener("click", () => $("session-dialog").close());
    $("session-join-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = $("session-join").value.trim();
      $("session-join").value = "";
      $("session-dialog").close();
      join(sessionIn(text) ?? text);
    });
  }

  open(id, hasEnded) {
    $("session-link").value = location.href;
    $("session-id").textContent = id;
    $("session-end").disabled = hasEnded;
    $("session-dialog").showModal();
  }
}

/** The id of the session that a page's address names. */
export function sessionIn(address) {
  return /#session=([^&]+)/.exec(address)?.[1];
}

/** The part of the page's address that names a session. */
export function fragmentOf(id) {
  return `#session=${id}`;
}
