// @ts-check
// The app as web pages, without loading whole pages: a press replaces the page's content, and what happens elsewhere
// appears at once. Without scripts, the same forms work.

import { entered, formBody, identity, isChanged, isNewer, isUnsent, refill, shownVersion } from "./page.js";

const root = "/app";

/** The time until a stream that the server refused is tried again, in milliseconds. */
const pause = 5000;

/** The stream of the session's changes; `null` while the page is hidden. */
let stream = null;

/** The stream's last message. */
let latest = "";

/** The request for the next page; `null` if none is in progress. */
let loading = null;

/** Whether that is the request of a press. A second press would be of a version that has passed. */
let isPressed = false;

/** Whether a button of the mouse or a finger is down. On another page, its click would be lost. */
let isPointing = false;

/**
 * Loads a page and shows it. If that fails, the browser loads it. After a press, the page stays instead, with what was
 * entered, and says why.
 * @param {string} address
 * @param {RequestInit} request
 * @param {{ isQuiet?: boolean, isNew?: boolean }} options Whether the user did nothing, so that the focus stays; and
 *   whether the page is one more in the browser's history.
 */
async function load(address, request, { isQuiet = false, isNew = false } = {}) {
  loading?.abort();
  const mine = new AbortController();
  loading = mine;
  const before = latest;
  const isPress = request.method === "POST";
  const entries = isPress ? entered(controls()) : new Map();
  try {
    const response = await fetch(address, { ...request, signal: mine.signal });
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (!isPage && !isPress) throw new Error("not a page");
    const page = new DOMParser().parseFromString(isPage ? await response.text() : "", "text/html");
    if (isPress && isUnsent(response.status, isPage)) {
      tell(page.querySelector("main p")?.textContent ?? "The server could not be used. Press again.");
    } else {
      show(page, new URL(response.url), isQuiet, isNew);
      // The screen had changed, so nothing was done with what was entered.
      if (isPress && response.redirected && document.querySelector("main > .notice")) refill(controls(), entries);
    }
  } catch {
    if (mine.signal.aborted) return;
    loading = null;
    if (isPress) tell("There was no answer. Check the connection, and press again.");
    else if (!isQuiet) location.assign(root);
    return;
  }
  loading = null;
  if (latest !== before) update();
}

/**
 * Says on the page why a press was not carried out.
 * @param {string} reason
 */
function tell(reason) {
  const note = document.createElement("p");
  note.className = "notice unsent";
  note.setAttribute("role", "alert");
  note.textContent = reason;
  document.querySelector(".unsent")?.remove();
  heading()?.after(note);
  note.scrollIntoView({ block: "nearest" });
}

/**
 * Shows a page in place of the one that is shown.
 * @param {Document} page
 * @param {URL} address
 * @param {boolean} isQuiet
 * @param {boolean} isNew
 */
function show(page, address, isQuiet, isNew) {
  const focused = isQuiet ? identity(document.activeElement) : null;
  const place = scrollY;
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  document.body.replaceWith(document.adoptNode(page.body));
  const shown = new URL(document.body.dataset.address ?? address.pathname + address.search, location.href);
  if (shown.href !== location.href) history[isNew ? "pushState" : "replaceState"](null, "", shown);
  if (isQuiet) {
    scrollTo(0, place);
    const again = controls().find((control) => identity(control) === focused) ?? heading();
    if (focused !== null) again?.focus({ preventScroll: true });
  } else {
    scrollTo(0, 0);
    (document.querySelector("[autofocus]") ?? heading())?.focus();
  }
  if (stream === null) follow();
}

const heading = () => document.querySelector("h1");
const controls = () => [...document.querySelectorAll("button, input, select, textarea")];

/** Whether the user is filling in a form: then the page is not replaced. */
const isTyping = () =>
  controls().some(
    (control) => control.localName !== "button" && (control === document.activeElement || isChanged(control)),
  );

/** Shows the session as it is now, unless the page does, or the user does something. */
function update() {
  if (loading !== null || isPointing || isTyping()) return;
  if (isNewer(latest, shownVersion(document))) load(root, {}, { isQuiet: true });
}

/** Follows the session while the page is visible. */
function follow() {
  stream?.close();
  stream = null;
  if (document.hidden || shownVersion(document) === null) return;
  const followed = new EventSource("/events");
  stream = followed;
  followed.addEventListener("route", (message) => {
    latest = message.lastEventId;
    update();
  });
  followed.addEventListener("end", () => {
    followed.close();
    load(root, {}, { isQuiet: true });
  });
  followed.addEventListener("error", () => {
    // After a lost connection, the browser connects again.
    if (followed.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      if (stream !== followed) return;
      stream = null;
      if (loading === null && !isTyping()) load(root, {}, { isQuiet: true });
      else follow();
    }, pause);
  });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || new URL(form.action).pathname !== root) return;
  event.preventDefault();
  if (isPressed) return;
  isPressed = true;
  await load(form.action, { method: "POST", body: formBody(form) }, { isNew: true });
  isPressed = false;
});

// As a link to another place, it would load the page again, without what was entered.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  document.getElementById(link.hash.slice(1))?.focus();
});
addEventListener("popstate", () => load(location.pathname + location.search, {}));
document.addEventListener("visibilitychange", follow);
// The focus moves, and a click follows, only after these events.
document.addEventListener("focusout", () => setTimeout(update));
document.addEventListener("pointerdown", () => (isPointing = true));
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    isPointing = false;
    setTimeout(update);
  });
}
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", () => {
  // The stream takes the place of the header with which the page reloads itself.
  window.stop();
  follow();
});
