// @ts-check
// The inspector: shows one session live and sends it events. This file joins the parts. Each part has one purpose and
// does not know the others. The page does not know the app: everything it can do comes from the route document and the
// catalog.

import { AddressBar } from "./inspector/address.js";
import * as api from "./inspector/api.js";
import { showBusy } from "./inspector/busy.js";
import { Catalog } from "./inspector/catalog.js";
import { WhatChanged } from "./inspector/changed.js";
import { Comparison } from "./inspector/comparing.js";
import { Composer } from "./inspector/composer.js";
import { copied } from "./inspector/clipboard.js";
import { eventCount, firstEvents } from "./inspector/counts.js";
import { eventCommand } from "./inspector/curl.js";
import { $, setText } from "./inspector/dom.js";
import { EditDialog } from "./inspector/editing.js";
import { writeJSON } from "./inspector/exact.js";
import { ForkDialog } from "./inspector/forking.js";
import { oncePerFrame } from "./inspector/frames.js";
import {
  fragmentOf, homeFragment, isHome, isSessionID, journalFilterIn, sessionFilterIn, sessionIn, versionIn,
} from "./inspector/fragment.js";
import { Help, isTyping } from "./inspector/help.js";
import { Home } from "./inspector/home.js";
import { Journal } from "./inspector/journal.js";
import { acceptFiles, chooseFile, save } from "./inspector/journal/files.js";
import { fileName, plainName, readJournal } from "./inspector/journal/lines.js";
import { Scrubber } from "./inspector/journal/scrubber.js";
import { swiftTest } from "./inspector/journal/swift.js";
import { JournalTools, Menu } from "./inspector/journal/tools.js";
import { actionOf } from "./inspector/keys.js";
import { LoginDialog } from "./inspector/login.js";
import { AppMap } from "./inspector/map.js";
import { follow } from "./inspector/map/going.js";
import { isPosted } from "./inspector/origin.js";
import { Panes } from "./inspector/panes.js";
import { Forked, Parked } from "./inspector/parked.js";
import { Pending } from "./inspector/pending.js";
import { Phone } from "./inspector/phone.js";
import { pictureOf } from "./inspector/picture/boxes.js";
import { savePNG, saveSVG } from "./inspector/picture/saving.js";
import { hideProblem, movedOn, notify, showProblem } from "./inspector/problems.js";
import { RawDocuments } from "./inspector/raw.js";
import { Session } from "./inspector/session.js";
import { SessionDialog } from "./inspector/sharing.js";
import { Starter } from "./inspector/starter.js";
import { Story, spoken } from "./inspector/story.js";
import { Tree } from "./inspector/tree.js";
import { noteUntouched, untouched } from "./inspector/untouched.js";
import { WebPageLink } from "./inspector/webpage.js";

const statusTexts = {
  connecting: "Connecting…", waiting: "Waiting…", live: "Live", lost: "Reconnecting…", quarantined: "App changed",
  ended: "Ended",
};

/** The delay between the last change of the journal's filter and the change of the address, in milliseconds. */
const typingPause = 250;

const showSoon = oncePerFrame(show);
let session = null;
let catalog = new Catalog();
/** The pending or finished request for the catalog, or `null` before the first one and after a failure. */
let catalogReading = null;
/** Whether the page follows its address. Otherwise the address follows the page. */
let followsAddress = false;
let filterTimer = 0;

const asRequest = ({ event, payload, at, pending }) => ({ event, payload, at, pending });
const emit = (action) => session.emit(asRequest(action));
const press = (action) => session.press(asRequest(action));
const openPath = (path) => attempt(() => session.openPath(path), (pattern) => address.use(pattern));
const travel = (version) => attempt(async () => {
  if (!await session.travel(version)) return false;
  showSoon.now();
  journal.reveal(version);
});
const inspect = (version, kind) => attempt(() => documents.open(session, version, kind));
const command = (id, request) => eventCommand(id, catalog.withoutSecrets(request));
const canCopy = (entry) => isPosted(entry) || catalog.allows(entry.event);
const begin = async (options) => goTo((await api.startSession(options)).id);
const startAnew = () => (starter.hasOptions ? starter.open() : start());

const phone = new Phone({
  // Ignores a second press while the first one is still in progress.
  perform: (action) => {
    if (session.past) return forking.open(session, action);
    return session.isBusy || attempt(() => press(action));
  },
  send: (request) => {
    hideProblem();
    return press(request);
  },
  report: (problem) => attempt(() => { throw problem; }),
  open: openPath,
});
const webPage = new WebPageLink({ isOwn: api.isOwnSession, report: showProblem });
const tree = new Tree({ select: (at) => compose(at) });
const tools = new JournalTools({ changed: () => filterJournal(), now: () => session?.returnToNow() });
const scrubber = new Scrubber({ travel });
const journal = new Journal({
  tools,
  travel,
  copy: (entry) => copy(command(session.id, entry)),
  canCopy,
  edit: (entry) => attempt(async () => {
    await readCatalog();
    await editing.open(entry, session.route.version);
  }),
  inspect: (version) => inspect(version, "entry"),
  loadOlder: () => attempt(() => session.loadOlder()),
  readOn: () => session.loadOlder().then(() => true, () => false),
});
const changed = new WhatChanged({
  read: (version) => Promise.all([session.routeOf(version - 1), session.routeOf(version)]),
  row: (version) => journal.row(version),
});
const comparison = new Comparison({ readRoute: api.route, readSession: api.session, readEvents: api.journal });
const story = new Story({
  now: returnToNow, fork: () => (session.canWithhold ? forking.open(session) : fork()), travel,
});
const address = new AddressBar({ open: openPath });
const composer = new Composer({
  send: async (request) => {
    await emit(request);
    hideProblem();
  },
  copy: (request) => copy(command(session.id, request)),
});
const editing = new EditDialog({
  readRoute: (version) => session.routeOf(version),
  replay: (edit) => session.replay(edit),
  done: (fork, edit) => {
    goTo(fork.id);
    comparison.openReplay(fork, edit);
  },
});
const documents = new RawDocuments({
  copy,
  command: (id, entry) => (canCopy(entry) ? command(id, entry) : null),
});
const map = new AppMap({
  read: api.map,
  go: (screen) => attempt(() => goToScreen(screen)),
  leave: () => panes.leaveMap(),
  isShown: () => document.body.dataset.pane === "map",
});
const panes = new Panes({ opened: () => attempt(() => map.open()) });
const parked = new Parked();
const forked = new Forked();
const pending = new Pending({ now: api.serverTime, post: (piece) => compose(null, piece) });
const starter = new Starter({ start: begin });
const help = new Help();
const home = new Home({
  read: api.sessions, end: api.endSession, journal: api.exportedJournal, start: startAnew, addressOf: fragmentOf,
  now: api.serverTime, filtered: (filter) => history.replaceState(null, "", homeFragment(filter)),
});
const login = new LoginDialog({
  logIn: api.logIn, logOut: () => attempt(api.logOut), go: () => location.reload(),
});
const forking = new ForkDialog({ go: fork });
const sharing = new SessionDialog({
  join, read: api.session, change: api.changeSession, start: startAnew, end: () => attempt(() => session.end()), copy,
});

/** Runs `action` and shows the problem if it fails. Returns whether it succeeded. */
async function attempt(action, use) {
  hideProblem();
  try {
    await action();
    return true;
  } catch (problem) {
    if (!(problem instanceof api.Problem)) throw problem;
    const isShownElsewhere = problem.isUnknownSession || problem.isUnauthorized;
    const useAndHide = use && ((value) => { hideProblem(); use(value); });
    if (!isShownElsewhere) showProblem(problem.isConflict ? movedOn(problem) : problem, useAndHide);
    return false;
  }
}

// Copying the journal

new Menu("journal-more", "journal-menu", {
  "copy-curl": () => copy(command(session.id, session.story)),
  "copy-line": () => copy(writeJSON(session.entries.find(({ version }) => version === session.shown.version))),
  "copy-swift": () => attempt(async () => {
    const { shown } = session;
    const { header, entries } = readJournal(await session.exportedJournal({ isWhole: true }));
    await copy(swiftTest(header, entries.slice(0, shown.version), (entry) => catalog.filledIn(entry)));
  }),
  "download": () => attempt(async () => {
    const { id, firstEntry } = session;
    save(await session.exportedJournal(), fileName(catalog.app, id));
    if (session.isCutOff) notify(`The file begins at version ${firstEntry}, so it cannot be imported.`);
  }),
  "import": chooseFile,
}, () => {
  const { shown, story } = session;
  setText($("copy-heading"), shown.version === 0 ? "Nothing has happened yet" : `Version ${shown.version}`);
  $("copy-curl").disabled = story === null || !canCopy(story);
  $("copy-line").disabled = story === null;
});

// Pictures

/** @returns {Promise<[SVGElement, string]>} The drawing of the screen, and the name for its file. */
const screenPicture = async () => {
  const { path, version } = session.shown;
  return [await pictureOf($("phone"), $("screen-title").textContent ?? ""), plainName(catalog.app, path, version)];
};
/** @returns {[SVGElement, string]} The drawing of the map, and the name for its file. */
const mapPicture = () => [map.picture(), plainName(catalog.app, "map")];

new Menu("screen-picture", "screen-menu", {
  "screen-svg": async () => saveSVG(...await screenPicture()),
  "screen-png": async () => savePNG(...await screenPicture()),
});
new Menu("map-picture", "map-menu", {
  "map-svg": () => saveSVG(...mapPicture()), "map-png": () => savePNG(...mapPicture()),
});

// A file that is dropped outside of the journal would replace the page.
acceptFiles(document.body, $("journal-pane"), $("journal-file"), (file) => attempt(async () => {
  const { id, version } = await api.importJournal(await file.text());
  goTo(id);
  notify(`Imported ${eventCount(version)} from ${file.name} into a new session.`);
}));

// Choosing a session

/**
 * Shows the session of the last visit if nothing has happened in it. Otherwise it offers to start one, so that visits
 * alone start none.
 */
async function visit() {
  const last = untouched();
  if (last !== null && await api.isUnused(last)) return goTo(last);
  noteUntouched(null);
  session?.close();
  session = null;
  setText($("status"), "No session");
  document.body.classList.add("unstarted");
  $("begin").hidden = false;
  if (catalogReading === null) await readCatalog();
}

/** Starts the session that the page offers. */
async function startFirst() {
  const { id } = await api.startSession();
  noteUntouched(id);
  goTo(id);
}

async function start(action = begin) {
  try {
    await action();
  } catch (problem) {
    if (!(problem instanceof api.Problem)) throw problem;
    if (session) return attempt(() => { throw problem; });
    setText($("status"), "No session");
    document.body.classList.add("unknown");
    if (!problem.isUnauthorized) showEnd(`Could not start a session. ${problem.message}`);
  }
}

/**
 * Continues from the version shown in a fork. The fork's work can be withheld. If an action of that version is given,
 * the fork starts with it.
 */
function fork(action = null, withholdsWork = false) {
  return attempt(async () => {
    const { id: original, shown: { version } } = session;
    const id = await session.fork(version, withholdsWork);
    try {
      if (action) await api.emit(id, asRequest(action), api.newKey());
    } finally {
      goTo(id);
    }
    notify(`Forked: a new session with ${firstEvents(version)}${action ? ", then your action" : ""}.`);
    if (action) comparison.open(id, undefined, undefined, original);
  });
}

/**
 * Goes to a screen of the map: by its link, or in a new session that takes the shortest path from the start. If the
 * link leads to another screen, such as a login, it also uses a new session.
 */
async function goToScreen({ name, path, isLink, journal: steps }) {
  if (isLink && session?.isWritable) {
    const version = await session.openPath(path);
    if (session.outcomes.get(version).route.screen.name === name) return notify(`Opened ${path}.`);
  }
  const id = (session?.status ?? "ended") === "ended" ? (await api.startSession()).id : await session.fork(0);
  try {
    if (isLink && !session?.isWritable) await api.openPath(id, path, api.newKey());
    else await follow(steps, {
      emit: (step) => api.emit(id, catalog.filledIn(step), api.newKey()),
      settle: () => api.settledRoute(id),
    });
    const { screen } = await api.settledRoute(id);
    notify(screen.name === name
      ? `New session at ${name}.`
      : `New session at ${screen.name}, on the way to ${name}. The page cannot send the next event.`);
  } finally {
    goTo(id);
  }
}

/** Goes to the session with an id or a page address that the user entered, if it exists. */
async function join(text) {
  const id = sessionIn(text) ?? text;
  if (!isSessionID(id)) throw new api.Problem(noSessionID(id));
  await api.route(id).catch((problem) => { throw problem.isUnknownSession ? new api.Problem(noSession) : problem; });
  goTo(id, versionIn(text), sessionIn(text) === null ? tools.filter : journalFilterIn(text));
}

/**
 * The fragment contains the session's id, the version of the past that is shown, and the journal's filter.
 * @param {string} id
 * @param {number | null} [version]
 */
function goTo(id, version = null, filter = tools.filter) {
  history[session === null && !home.isOpen ? "replaceState" : "pushState"](null, "", fragmentOf(id, version, filter));
  openNamed();
}

function open(id) {
  session?.close();
  hideProblem();
  document.body.classList.remove("unstarted");
  $("begin").hidden = true;
  session = new Session(id);
  session.addEventListener("change", () => {
    if (session.shown) keepAddress();
    showSoon();
  });
  session.addEventListener("problem", (/** @type {any} */ { problem }) => showProblem(problem));
  if (document.hidden) session.pause();
  session.open();
  showStatus();
}

function openNamed() {
  if (isHome(location.hash)) return openHome();
  if (home.isOpen) closeHome();
  const id = sessionIn(location.hash);
  if (id === null) start(visit);
  else if (!isSessionID(id)) refuse(id);
  else followAddress(id, versionIn(location.hash));
}

/** Shows what the address names, and keeps that address even if this fails. */
async function followAddress(id, version) {
  followsAddress = true;
  showFilter(journalFilterIn(location.hash));
  if (id !== session?.id) open(id);
  const isNow = version === null && session.past === null && !session.isTravelling;
  if (!isNow) await (version === null ? returnToNow() : travel(version));
  followsAddress = false;
}

/**
 * Updates the address to what is shown. Going to the past and returning from it add steps to the browser's history.
 * Steps within the past and changes of the filter do not.
 */
function keepAddress() {
  const { id, past, status, isTravelling } = session;
  const fragment = fragmentOf(id, past?.version, tools.filter);
  if (isTravelling || sessionIn(location.hash) !== id || location.hash === fragment) return;
  const crosses = (past === null) !== (versionIn(location.hash) === null);
  const isStep = crosses && !followsAddress && status !== "ended";
  history[isStep ? "pushState" : "replaceState"](null, "", fragment);
}

/** Shows the entries that match the journal's filter. Browsers limit how often the address changes. */
function filterJournal() {
  if (session?.shown) show();
  clearTimeout(filterTimer);
  filterTimer = setTimeout(() => session && keepAddress(), typingPause);
}

/** Shows the filter that the address names. */
function showFilter(filter) {
  clearTimeout(filterTimer);
  tools.filter = filter;
  if (session?.shown) showSoon();
}

/** Refuses an address that cannot contain a session's id. The session that is shown stays. */
function refuse(id) {
  const problem = noSessionID(id);
  if (session) {
    history.replaceState(null, "", fragmentOf(session.id, session.past?.version, tools.filter));
    return showProblem(problem);
  }
  setText($("status"), "No session");
  document.body.classList.add("unknown");
  showEnd(`${problem.title} ${problem.detail}`);
}

const noSession = { title: "Session not found.", detail: "It has ended or never existed." };

function noSessionID(id) {
  return {
    title: "Not a session id.",
    detail: `“${id.slice(0, 80)}” is not a session id. An id has 22 letters, digits, hyphens or underscores. `
      + "Copy it again, in full.",
  };
}

/** Shows all sessions. The session that was shown before continues. */
function openHome() {
  const back = session === null ? null : fragmentOf(session.id, null, tools.filter);
  home.open(session?.id ?? null, back, sessionFilterIn(location.hash));
  nameWindow();
}

function closeHome() {
  home.close();
  nameWindow();
}

// Showing the session

function show() {
  showStatus();
  const { shown, isWritable } = session;
  if (session.status === "live") {
    hideProblem((problem) => problem.isNoAnswer);
    if (catalogReading === null) attempt(readCatalog);
  }
  if (!shown) return;
  if (session.id === untouched() && session.route.version > 0) noteUntouched(null);
  document.body.dataset.version = shown.version;
  phone.show(shown, isWritable, session.past !== null && !session.hasEnded);
  webPage.show(shown, isWritable);
  tree.show(shown, session.story);
  journal.show(session);
  scrubber.show(session);
  story.show(session);
  changed.show(session);
  map.show(session);
  parked.show(shown.parked ?? null, isWritable);
  forked.show(session.parent);
  pending.show(session.hasEnded ? [] : shown.pending ?? [], isWritable, session.isWithheld === true);
  address.show(shown.path, isWritable);
  nameWindow();
  if (!home.isOpen) setText($("announcer"), spoken(session));
}

function nameWindow() {
  const place = home.isOpen ? "Sessions" : session?.shown?.path;
  document.title = [place, "Coordinate"].filter(Boolean).join(" · ");
}

function showStatus() {
  const { status, id, route } = session;
  setText($("status"), statusTexts[status]);
  $("connection").dataset.status = status;
  setText($("session-short"), id.slice(0, 6));
  $("lost").hidden = status !== "lost";
  $("waiting").hidden = status !== "waiting";
  $("ended").hidden = true;
  if (status === "ended") {
    showEnd(route
      ? "This session has ended. The page shows its final state. You can export its journal. Earlier versions, "
        + "comparisons and forks are no longer available."
      : `${noSession.title} ${noSession.detail}`);
  }
  $("connection").disabled = false;
  $("compose").disabled = !session.isWritable || !route;
  for (const id of ["route-json", "screen-picture"]) $(id).disabled = !route;
  $("open-compare").disabled = !route || session.hasEnded;
  $("journal-more").disabled = !route;
  document.body.classList.toggle("ended", status === "ended");
  document.body.classList.toggle("unknown", status === "ended" && !route);
}

function showEnd(reason) {
  setText($("ended-reason"), reason);
  $("ended").hidden = false;
}

/** Opens the composer to send an event from a coordinator, or to post the outcome of pending work. */
async function compose(at = null, pending = null) {
  if (!session.isWritable || !await attempt(readCatalog)) return;
  const isWanted = session.isWritable && !document.querySelector("dialog[open]");
  if (isWanted && composer.isReady) composer.open(session.route, at, pending);
}

function returnToNow() {
  hideProblem();
  session?.returnToNow();
}

async function copy(text) {
  if (await copied(text)) return notify("Copied.");
  $("manual-copy-text").value = text;
  $("manual-copy").showModal();
  $("manual-copy-text").select();
}

/** Reads the catalog once. After a failure, the next call tries again. */
function readCatalog() {
  catalogReading ??= takeCatalog().catch((problem) => {
    catalogReading = null;
    throw problem;
  });
  return catalogReading;
}

async function takeCatalog() {
  const { document: own, cookie } = await api.catalog();
  catalog = new Catalog(own);
  webPage.offer(cookie);
  journal.refresh();
  for (const id of ["app-name", "begin-name"]) setText($(id), catalog.app);
  address.suggestPatterns(catalog.paths);
  map.offer(catalog.paths);
  composer.offer(catalog.events);
  editing.offer(catalog.events);
  starter.offer(catalog.options);
  if (session) show();
}

$("connection").addEventListener("click", () => sharing.open(session.id, session.hasEnded));
$("compose").addEventListener("click", () => compose());
$("route-json").addEventListener("click", () => inspect(session.shown.version, "route"));
$("story-json").addEventListener("click", () => inspect(session.shown.version, "outcome"));
$("open-compare").addEventListener("click", () => {
  const { id, shown, past } = session;
  comparison.open(id, past ? shown.version : Math.max(0, shown.version - 1), past ? undefined : shown.version);
});
$("begin-start").addEventListener("click", () => showBusy($("begin-start"), start(startFirst)));
$("ended-new").addEventListener("click", startAnew);
$("problem-close").addEventListener("click", () => hideProblem());
$("manual-copy-close").addEventListener("click", () => $("manual-copy").close());
addEventListener("hashchange", openNamed);
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const action = actionOf("page", event);
  if (action === "help" && !isTyping(event.target)) help.open();
  if (action !== "leave") return;
  if ($("problem").hidden) session?.returnToNow();
  else hideProblem();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) session?.pause();
  else session?.resume();
});

api.whenKeyIsWanted(() => login.open());
api.whenAnswered(() => hideProblem((problem) => problem.isNoAnswer));
attempt(readCatalog);
openNamed();
