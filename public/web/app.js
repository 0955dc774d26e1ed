// @ts-check
// The app as web pages, without loading whole pages: a press replaces the page's content, and what happens elsewhere
// appears at once. Without scripts, the same forms work.

import { formBody, isNewer, shownVersion } from "./page.js";

const root = "/app";

/** The stream of the session's changes; `null` while the page is hidden. */
let stream = null;

/** The page that is being loaded. A newer one replaces it. */
let loading = new AbortController();

/**
 * Loads a page and shows it. If that fails, the browser loads it.
 * @param {string} address
 * @param {RequestInit} request
 * @param {{ isQuiet?: boolean }} [options] Whether the user did nothing, so that the focus and the history stay.
 */
async function load(address, request, { isQuiet = false } = {}) {
  loading.abort();
  loading = new AbortController();
  try {
    const response = await fetch(address, { ...request, signal: loading.signal });
    if (!response.headers.get("content-type")?.startsWith("text/html")) throw new Error("not a page");
    show(await response.text(), new URL(response.url), isQuiet);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (!isQuiet) location.assign(root);
  }
}

/**
 * Shows a page in place of the one that is shown.
 * @param {string} text
 * @param {URL} address
 * @param {boolean} isQuiet
 */
function show(text, address, isQuiet) {
  const page = new DOMParser().parseFromString(text, "text/html");
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  document.body.replaceWith(document.adoptNode(page.body));
  const shown = document.body.dataset.address ?? address.pathname + address.search;
  if (shown !== location.pathname + location.search) {
    history[isQuiet ? "replaceState" : "pushState"](null, "", shown);
  }
  if (isQuiet) return;
  /** @type {HTMLElement | null} */
  const target = document.querySelector("[autofocus]") ?? document.querySelector("h1");
  target?.focus();
  scrollTo(0, 0);
}

/** Whether the user is typing: then the page is not replaced. */
function isTyping() {
  return [...document.querySelectorAll("input, select, textarea")].some((field) => field === document.activeElement);
}

function follow() {
  stream?.close();
  stream = null;
  if (document.hidden || shownVersion(document) === null) return;
  stream = new EventSource("/events");
  stream.addEventListener("route", (message) => {
    if (isNewer(message.lastEventId, shownVersion(document)) && !isTyping()) load(root, {}, { isQuiet: true });
  });
  stream.addEventListener("end", () => stream?.close());
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || new URL(form.action).pathname !== root) return;
  event.preventDefault();
  load(form.action, { method: "POST", body: formBody(form) });
});

addEventListener("popstate", () => load(location.pathname + location.search, {}));
document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", () => stream?.close());
follow();
