// @ts-check
// The app as web pages, without loading whole pages: a press replaces the page's content, and what happens elsewhere
// appears at once. Without scripts, the same forms work.

import {
  entered, formBody, identity, isChanged, isNewer, isPlainClick, isUnsent, label, moment, pressBody, refill,
  shownVersion,
} from "./page.js";

const root = "/app";

/** The time until a stream that the server refused is tried again, in milliseconds. */
const pause = 5000;

/** The stream of the session's changes; `null` while the page is hidden. */
let stream = null;

/** @type {string | undefined} The mark of that session. */
let followedSession;

/** The stream's last message: the version, and the route document. */
let latest = { id: "", data: "" };

/** The version to which another tab of the browser has moved the session; the page stays where it is. */
let elsewhere = "";

/** Whether the browser may be in another session than the page's: the stream was interrupted. */
let isUnsure = false;

/** The request for the next page; `null` if none is in progress. */
let loading = null;

/** Whether that is the request of a press. A second press would be of a version that has passed. */
let isPressed = false;

/** Whether a button of the mouse or a finger is down. On another page, its click would be lost. */
let isPointing = false;

/**
 * Loads a page and shows it. If that fails, the browser loads it. After a press, the page stays instead, with what was
 * entered, and says why. If the user did nothing, the page stays as well.
 * @param {string} address
 * @param {RequestInit} request
 * @param {{ isQuiet?: boolean, isNew?: boolean, top?: number }} options Whether the user did nothing, so that the focus
 *   stays; whether the page is one more in the browser's history; and how far another screen is scrolled.
 */
async function load(address, request, { isQuiet = false, isNew = false, top = 0 } = {}) {
  loading?.abort();
  const mine = new AbortController();
  loading = mine;
  const before = latest.id;
  const isPress = request.method === "POST";
  const entries = isPress ? entered(controls()) : new Map();
  try {
    const response = await fetch(address, { ...request, signal: mine.signal });
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    const isLater = isUnsent(response.status, isPage);
    if (!isPage && !isPress && !isQuiet) throw new Error("not a page");
    const page = new DOMParser().parseFromString(isPage ? await response.text() : "", "text/html");
    if (isPress && isLater) {
      tell(page.querySelector("main p")?.textContent ?? "The server could not be used. Press again.");
    } else if (response.status === 204) {
      elsewhere = before;
      showWhereElse();
    } else if (isQuiet && (isLater || isTyping() || moment(page) === moment(document))) {
      if (!isLater) document.querySelector(".elsewhere")?.remove();
      if (stream === null) follow(true);
    } else {
      // The address of a quiet request is none for people.
      show(page, isQuiet ? new URL(location.href) : new URL(response.url), isQuiet, isNew, top);
      // The screen had changed, so nothing was done with what was entered.
      if (isPress && response.redirected && document.querySelector("main > .notice")) refill(controls(), entries);
    }
  } catch {
    if (mine.signal.aborted) return;
    loading = null;
    if (isPress) tell("There was no answer. Check the connection, and press again.");
    else if (!isQuiet) location.assign(address);
    else if (stream === null) follow(true);
    return;
  }
  loading = null;
  if (latest.id !== before) update();
}

/**
 * Says on the page why a press was not carried out.
 * @param {string} reason
 */
function tell(reason) {
  showNote("notice unsent", "alert", reason).scrollIntoView({ block: "nearest" });
}

/** Says on the page where the session is. */
function showWhereElse() {
  const { path, screen } = JSON.parse(latest.data);
  const place = screen.title || screen.name || path;
  const note = showNote("elsewhere", "status", `This app is open at “${place}” in another tab. `);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Go there";
  button.addEventListener("click", () => load(root, {}, { isNew: true }));
  note.append(button);
}

/**
 * Shows a sentence below the heading, in place of the one of the same kind.
 * @param {string} kind
 * @param {string} role
 * @param {string} text
 */
function showNote(kind, role, text) {
  const note = document.createElement("p");
  note.className = kind;
  note.setAttribute("role", role);
  note.lang = "en";
  note.textContent = text;
  document.querySelector(`main > p[class="${kind}"]`)?.remove();
  heading()?.after(note);
  return note;
}

/**
 * Shows a page in place of the one that is shown.
 * @param {Document} page
 * @param {URL} address
 * @param {boolean} isQuiet
 * @param {boolean} isNew
 * @param {number} top
 */
function show(page, address, isQuiet, isNew, top) {
  const focused = document.activeElement;
  const title = heading()?.textContent;
  const place = scrollY;
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  document.body.replaceWith(document.adoptNode(page.body));
  elsewhere = "";
  const shown = new URL(document.body.dataset.address ?? address.pathname + address.search, location.href);
  const isSame = shown.href === location.href;
  if (isNew && !isSame) history.replaceState({ top: place }, "");
  if (!isSame) history[isNew ? "pushState" : "replaceState"](null, "", shown);
  const first = document.querySelector("[autofocus]");
  if (isSame && (isQuiet || first === null && heading()?.textContent === title)) {
    scrollTo(0, place);
    const elements = [...document.links, ...controls()];
    const again = [identity, label].map((name) => elements.find((element) => name(element) === name(focused)))
      .find((element) => element !== undefined);
    if (identity(focused) !== null) (again ?? heading())?.focus({ preventScroll: true });
  } else {
    (first ?? heading())?.focus();
    scrollTo(0, top);
  }
  // Screen readers say what appears on a page, and not what it begins with.
  const success = document.querySelector("main > .success");
  const sentence = success?.textContent ?? "";
  success?.replaceChildren();
  setTimeout(() => success?.append(sentence));
  if (stream === null || document.body.dataset.session !== followedSession) follow();
}

const heading = () => document.querySelector("h1");
const controls = () => [...document.querySelectorAll("button, input, select, textarea")];

/** Whether the user is filling in a form: then the page is not replaced. */
const isTyping = () =>
  controls().some(
    (control) => control.localName !== "button" && (control === document.activeElement || isChanged(control)),
  );

/** Shows the session as it is now, unless another tab of the browser has moved it. */
const refresh = () => load(`${root}?since=${moment(document)}`, {}, { isQuiet: true });

/** Shows the session as it is now, unless the page does, or the user does something. */
function update() {
  if (loading !== null || isPointing || latest.id === elsewhere) return;
  if (!isUnsure && !isNewer(latest.id, shownVersion(document))) return;
  isUnsure = false;
  refresh();
}

/**
 * Follows the session while the page is visible.
 * @param {boolean} isAgain Whether the page was loaded a while ago.
 */
function follow(isAgain = false) {
  stream?.close();
  stream = null;
  latest = { id: "", data: "" };
  elsewhere = "";
  if (document.hidden || shownVersion(document) === null) return;
  followedSession = document.body.dataset.session;
  const followed = new EventSource("/events");
  stream = followed;
  // After a lost connection, the browser connects again.
  followed.addEventListener("open", () => {
    isUnsure = isAgain;
    isAgain = true;
  });
  followed.addEventListener("route", (message) => {
    latest = { id: message.lastEventId, data: message.data };
    update();
  });
  followed.addEventListener("end", () => {
    followed.close();
    stream = null;
    refresh();
  });
  followed.addEventListener("error", () => {
    if (followed.readyState !== EventSource.CLOSED) return;
    setTimeout(() => {
      if (stream !== followed) return;
      stream = null;
      if (loading === null) refresh();
      else follow(true);
    }, pause);
  });
}

/**
 * Sends a press, unless one is on its way.
 * @param {URLSearchParams} body
 */
async function press(body) {
  if (isPressed) return;
  isPressed = true;
  await load(root, { method: "POST", body }, { isNew: true });
  isPressed = false;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || new URL(form.action).pathname !== root) return;
  event.preventDefault();
  press(formBody(form));
});

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event, link)) return;
  const { hash, origin, pathname } = link;
  if (link.getAttribute("href")?.startsWith("#")) {
    // The browser would load the page again, without what was entered.
    event.preventDefault();
    document.getElementById(hash.slice(1))?.focus();
  } else if (origin === location.origin && (pathname === root || pathname.startsWith(`${root}/`))) {
    event.preventDefault();
    // As an address, a tab would be opened at its first screen.
    if (link.dataset.event) press(pressBody(link.dataset, document.body.dataset));
    else load(link.href, {}, { isNew: true });
  }
});
addEventListener("popstate", ({ state }) =>
  load(location.pathname + location.search, {}, { top: state?.top ?? 0 }));
document.addEventListener("visibilitychange", () => follow(true));
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
addEventListener("pageshow", (event) => {
  // The stream takes the place of the header with which the page reloads itself.
  window.stop();
  follow(event.persisted);
});
