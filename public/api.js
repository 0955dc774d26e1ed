// @ts-check
// The API reference: every request with its answers, to read and to try.

import { Description } from "./api/description.js";
import { documentSections } from "./api/documents.js";
import { fold, methodElement, pieceElements, prose, unfold } from "./api/elements.js";
import { Operation } from "./api/operation.js";
import { entriesOf, Search } from "./api/search.js";
import * as api from "./inspector/api.js";
import { copied } from "./inspector/clipboard.js";
import { command } from "./inspector/curl.js";
import { $, make, setAttribute, setText } from "./inspector/dom.js";
import { LoginDialog } from "./inspector/login.js";

/** The name under which a window stores the session for trying requests, so that it survives a reload. */
const kept = "coordinate.try-session";

/** How long a notice stays visible, in milliseconds. */
const noticeTime = 4000;

/** The operations by their id, and by that of their short form. @type {Map<string, Operation>} */
const operations = new Map();
let noticeTimer = 0;

const login = new LoginDialog({ logIn: api.logIn, logOut: api.logOut, go: () => $("login").close() });

const search = new Search(({ id, event }) => {
  if (event) operations.get(id)?.useEvent(event);
  if (location.hash === `#${id}`) openNamed();
  else location.hash = id;
});

function notify(text) {
  clearTimeout(noticeTimer);
  setText($("notice"), text);
  noticeTimer = setTimeout(() => setText($("notice"), ""), noticeTime);
}

// The session

function useSession(id) {
  $("session").value = id;
  try {
    sessionStorage.setItem(kept, id);
  } catch {
    // Then it is chosen again after a reload.
  }
  for (const operation of operations.values()) operation.useSession(id);
  $("back").href = id ? `/#session=${encodeURIComponent(id)}` : "/";
}

/** Offers the sessions that were used last. Only the operator may list them. */
async function offerSessions() {
  const { sessions } = await api.sessions({ limit: 20, key: undefined, reference: undefined })
    .catch(() => ({ sessions: [] }));
  $("sessions").replaceChildren(...sessions.map(({ id, name, path, version }) =>
    make("option", { value: id, label: [name ?? path, `version ${version}`].join(" · ") })));
}

async function startSession() {
  try {
    useSession((await api.startSession()).id);
    notify("New session chosen.");
  } catch (problem) {
    if (problem.isUnauthorized) login.open();
    else notify(problem.detail ?? problem.title);
  }
}

// The page

/** Opens what the address names, and moves the focus there. */
function openNamed() {
  const name = decodeURIComponent(location.hash.slice(1));
  const session = /^session=(.+)/.exec(name)?.[1];
  if (session) return useSession(session);
  // The rows of a closed list do not exist yet.
  if (name.startsWith("schema-") && !$(name)) for (const list of ["documents", "problems"]) unfold($(list));
  const element = $(name);
  if (!element) return;
  unfold(element);
  operations.get(name)?.open();
  const shown = element.closest("article") ?? element;
  shown.scrollIntoView();
  shown.querySelector("h3 a, summary")?.focus({ preventScroll: true });
}

/** Marks the operation at the top of the window in the contents. */
function followScrolling() {
  const links = new Map([...$("contents").querySelectorAll("li li a")].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    const entry = entries.find(({ isIntersecting }) => isIntersecting);
    if (!entry) return;
    for (const [id, link] of links) setAttribute(link, "aria-current", id === entry.target.id ? "location" : null);
    const nav = $("contents");
    const top = links.get(entry.target.id).offsetTop;
    if (top < nav.scrollTop || top > nav.scrollTop + nav.clientHeight - 40) nav.scrollTop = top - nav.clientHeight / 2;
  }, { rootMargin: "-20% 0px -70%" });
  for (const id of links.keys()) observer.observe($(id));
}

function contentsOf(title, id, list = []) {
  return make("li", {}, make("a", { href: `#${id}` }, title), list.length === 0 ? null : make("ul", {},
    ...list.map((each) => make("li", {},
      make("a", { href: `#${each.id}` }, methodElement(each.method), make("span", {}, each.summary))))));
}

async function read() {
  const [document, catalog] = await Promise.all([
    fetch("/openapi.json").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null),
    api.catalog().then((answer) => answer.document).catch(() => null),
  ]);
  if (document === null) return setText($("state"), "Could not load the description. Reload the page.");
  $("state").remove();
  const description = new Description(document);
  if (catalog) setText($("title"), `${catalog.app} API`);
  const page = {
    description, catalog, copy, askForKey: () => login.open(),
    // An option per line, the first one beside `curl`.
    toCommand: (request) => command(request, undefined, " \\\n  ").replace(/ \\\n */, " "),
    // The server's own catalog is the best example of one.
    examples: catalog ? { getCatalog: catalog } : {},
  };
  const { groups, introduction, topics } = description;
  $("introduction").replaceChildren(...introduction.map((pieces) => make("p", {}, ...pieceElements(pieces))));
  $("topics").replaceChildren(...topics.map(({ title, pieces }, index) =>
    fold(`topic-${index}`, [title], () => [make("p", {}, ...pieceElements(pieces))])));
  $("operations").replaceChildren(...groups.map((group) =>
    make("section", { className: "group", id: `group-${group.name}` }, make("h2", {}, group.name),
      ...prose(group.description), ...group.operations.map((each) => {
        const operation = new Operation(each, page);
        for (const { id } of [each, each.short].filter(Boolean)) operations.set(id, operation);
        return operation.element;
      }))));
  $("documents-and-problems").replaceChildren(...documentSections(description));
  $("contents-list").replaceChildren(
    ...groups.map(({ name, operations: list }) => contentsOf(name, `group-${name}`, list)),
    contentsOf("Documents", "group-documents"), contentsOf("Problems", "group-problems"));
  search.use(entriesOf(description, catalog));
  useSession($("session").value);
  followScrolling();
  openNamed();
}

async function copy(text) {
  notify(await copied(text) ? "Copied." : "The browser does not let this page use the clipboard.");
}

$("origin").textContent = location.origin;
$("session").addEventListener("change", () => useSession($("session").value.trim()));
$("session").addEventListener("focus", offerSessions);
$("new-session").addEventListener("click", startSession);
addEventListener("hashchange", openNamed);
try {
  $("session").value = sessionStorage.getItem(kept) ?? "";
} catch {
  // Then a session is chosen first.
}
read();
