// @ts-check
// The inspector: shows one session live and sends it events. This file joins the parts. Each part has one purpose and
// does not know the others. The page does not know the app: everything it can do comes from the route document and the
// catalog.

import * as api from "./inspector/api.js";
import { showBusy } from "./inspector/busy.js";
import { Catalog, likelyFirst } from "./inspector/catalog.js";
import { WhatChanged } from "./inspector/changed.js";
import { Composer } from "./inspector/composer.js";
import { versionBefore } from "./inspector/changes/replay.js";
import { copied } from "./inspector/clipboard.js";
import { eventCount, firstEvents } from "./inspector/counts.js";
import { eventCommand } from "./inspector/curl.js";
import { isolated } from "./inspector/direction.js";
import { $, setText } from "./inspector/dom.js";
import { EditDialog } from "./inspector/editing.js";
import { EndDialog } from "./inspector/ending.js";
import { ForkDialog } from "./inspector/forking.js";
import { oncePerFrame } from "./inspector/frames.js";
import {
  fragmentOf, homeFragment, isHome, isSessionID, sessionFilterIn, sessionIn, versionIn,
} from "./inspector/fragment.js";
import { Help, isTyping, reference } from "./inspector/help.js";
import { Home } from "./inspector/home.js";
import { acceptFiles, chooseFile, save } from "./inspector/journal/files.js";
import { fileName, plainName, readJournal } from "./inspector/journal/lines.js";
import { isKeyWanted } from "./inspector/key.js";
import { actionOf, keyOf } from "./inspector/keys.js";
import { LoginDialog } from "./inspector/login.js";
import { Miniatures } from "./inspector/miniature.js";
import { isPosted } from "./inspector/origin.js";
import { Palette } from "./inspector/palette.js";
import { actionItems, commandItems, eventItems, pathItems, screenItems } from "./inspector/palette/items.js";
import { Panes } from "./inspector/panes.js";
import { Parked } from "./inspector/parked.js";
import { Panel } from "./inspector/panel.js";
import { Pending } from "./inspector/pending.js";
import { Phone } from "./inspector/phone.js";
import { Preview } from "./inspector/preview.js";
import { pictureOf } from "./inspector/picture/boxes.js";
import { savePNG, saveSVG } from "./inspector/picture/saving.js";
import {
  hideMessage, hideProblem, hideRebuilt, movedOn, notify, showProblem, showRebuilt,
} from "./inspector/problems.js";
import { RawDocuments } from "./inspector/raw.js";
import { once, rebuild, rebuiltText } from "./inspector/rebuild.js";
import { Session } from "./inspector/session.js";
import { SessionDialog } from "./inspector/sharing.js";
import { Starter } from "./inspector/starter.js";
import { Story, spoken } from "./inspector/story.js";
import { Storyboard } from "./inspector/storyboard.js";
import { follow } from "./inspector/storyboard/way.js";
import { TestPanel } from "./inspector/test.js";
import { Timeline } from "./inspector/timeline.js";
import { shortName } from "./inspector/trace.js";
import { Tree } from "./inspector/tree.js";
import { Watch } from "./inspector/watch.js";
import { WebPageLink } from "./inspector/webpage.js";

const statusTexts = {
  unstarted: "Not started",
  connecting: "Connecting…", waiting: "Waiting…", live: "Live", lost: "Reconnecting…", quarantined: "App changed",
  restarted: "Rebuilding…", ended: "Ended",
};

const showSoon = oncePerFrame(show);
let session = null;
let catalog = new Catalog();
/** The pending or finished request for the catalog, or `null` before the first one and after a failure. */
let catalogReading = null;
/** @type {any} The route document of the app's start, or null until the storyboard has read it. */
let sample = null;
/** Whether the page follows its address. Otherwise the address follows the page. */
let followsAddress = false;
let isRebuilding = false;

const asRequest = ({ event, payload, at, pending }) => ({ event, payload, at, pending });
const emit = (action) => session.emit(asRequest(action));
const press = (action) => session.press(asRequest(action));
const travel = (version) => attempt(async () => {
  if (await session.travel(version)) showSoon.now();
});
const readOlder = () => session.loadOlder().then(() => true, () => false);
/** Forks at the version shown. A dialog offers to withhold pending work. */
const forkHere = (action = null) => (session.canWithhold ? forking.open(session, action) : fork(action));
const inspect = (version, kind) => attempt(() => documents.open(session, version, kind));
const command = (id, request) => eventCommand(id, catalog.withoutSecrets(request));
const canCopy = (entry) => isPosted(entry) || catalog.allows(entry.event);
const begin = async (options) => goTo((await api.startSession(options)).id);
const startAnew = () => (starter.hasOptions ? starter.open() : attempt(begin));

const phone = new Phone($, {
  // Ignores a second press while the first one is still in progress.
  perform: (action) => {
    if (session.past) return forkHere(action);
    return session.isBusy || attempt(() => press(action));
  },
  send: (request) => {
    hideProblem();
    return press(request);
  },
  report: (problem) => attempt(() => { throw problem; }),
});
const webPage = new WebPageLink({ isOwn: api.isOwnSession, report: showProblem });
const tree = new Tree({ select: (at) => compose(at) });
const changed = new WhatChanged({
  read: (version) => Promise.all([session.routeOf(version - 1), session.routeOf(version)]),
});
const story = new Story();
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
    timeline.addFork({ session: session.id, version: versionBefore(edit) }, fork.id);
    timeline.showReplay(fork, edit);
    goTo(fork.id);
  },
});
const documents = new RawDocuments({
  copy,
  command: (id, entry) => (canCopy(entry) ? command(id, entry) : null),
  travel,
  readOlder,
});
const miniatures = new Miniatures({ recolored: () => session?.shown && showSoon() });
const timeline = new Timeline({
  miniatures,
  travel,
  fork: () => forkHere(),
  now: returnToNow,
  edit: (entry) => attempt(async () => {
    await readCatalog();
    await editing.open(entry, session.route.version);
  }),
  copy: (entry) => copy(command(session.id, entry)),
  canCopy,
  inspect: (version) => inspect(version, "entry"),
  readOlder,
  readEvents: api.journal,
  readRoute: api.route,
});
const storyboard = new Storyboard({
  read: api.map,
  miniatures,
  press: (action) => session.isBusy || attempt(() => press(action)),
  fill: ({ event }) => phone.fill(event),
  go: (screen) => attempt(() => goToScreen(screen)),
});
const panes = new Panes();
const test = new TestPanel({ travel, copy, attempt });
const panel = new Panel({ opened: () => test.open() });
const parked = new Parked();
const pending = new Pending({ now: api.serverTime, post: (piece) => compose(null, piece) });
const starter = new Starter({ start: api.startSession, started: ({ id }) => goTo(id) });
const help = new Help();
const palette = new Palette({ read: allItems, open: openPath, report: showProblem });
const ending = new EndDialog();
const home = new Home({
  read: api.sessions, journal: api.exportedJournal, start: startAnew, addressOf: fragmentOf,
  now: api.serverTime, filtered: (filter) => history.replaceState(null, "", homeFragment(filter)),
  end: ({ id, path, version }, done) => ending.open(`${id.slice(0, 6)} is at ${path}, version ${version}.`, {
    end: () => api.endSession(id), done,
  }),
});
const watch = new Watch(api.serverRun, isUnwatched);
const login = new LoginDialog({
  logIn: api.logIn, logOut: () => attempt(api.logOut), go: () => location.reload(),
});
const forking = new ForkDialog({ go: fork });
const askToEnd = () =>
  ending.open(session.route ? `It is at ${session.route.path}, version ${session.route.version}.` : "", {
    end: () => session.end(), done: () => $("session-dialog").close(),
  });
const sharing = new SessionDialog({
  read: api.session, change: api.changeSession, start: startAnew, copy, end: askToEnd,
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

// The journal as a file

async function exportJournal() {
  const { id, firstEntry } = session;
  save(await session.exportedJournal(), fileName(catalog.app, id));
  if (session.isCutOff) notify(`The file begins at version ${firstEntry}, so it cannot be imported.`);
}

$("download").addEventListener("click", () => attempt(exportJournal));
$("import").addEventListener("click", chooseFile);

// A file that is dropped outside of the timeline would replace the page.
acceptFiles(document.body, $("timeline"), $("journal-file"), (file) => attempt(async () => {
  $("raw").close();
  const { id, version } = await api.importJournal(await file.text());
  goTo(id);
  notify(`Imported ${eventCount(version)} from ${file.name} into a new session.`);
}));

// Choosing a session

/**
 * Shows the app's start, without a session. The first press creates one, so that looking alone creates none. A problem
 * says why the address leads to no session.
 */
function visit(problem = /** @type {any} */ (null)) {
  session?.close();
  hideRebuilt();
  session = new Preview(sample, startWith);
  show();
  if (problem) showProblem(problem);
}

/** Starts a session with an event. Returns the version after it. */
async function startWith(request) {
  const { id } = await api.startSession();
  let outcome = null;
  try {
    ({ outcome } = await api.emit(id, request, api.newKey()));
    return outcome.version;
  } finally {
    goTo(id, null, outcome);
  }
}

/** Opens a path, in a new session if there is none to change. A refused path leaves no session behind. */
async function openPath(path) {
  if (session?.id && session.isWritable) return session.openPath(path);
  const { id } = await api.startSession();
  try {
    await api.openPath(id, path, api.newKey());
  } catch (problem) {
    await api.endSession(id);
    throw problem;
  }
  goTo(id);
}

/**
 * Continues from the version shown in a fork. The fork's work can be withheld. If an action of that version is given,
 * the fork starts with it.
 */
function fork(action = null, withholdsWork = false) {
  return attempt(async () => {
    const { id: original, shown: { version } } = session;
    const id = await session.fork(version, withholdsWork);
    timeline.addFork({ session: original, version }, id);
    try {
      if (action) await api.emit(id, asRequest(action), api.newKey());
    } finally {
      goTo(id);
    }
    notify(`Forked: a new session with ${firstEvents(version)}${action ? ", then your action" : ""}.`);
  });
}

/**
 * Goes to a screen of the map: by its link, or in a new session that takes the shortest path from the start. If the
 * link leads to another screen, such as a login, it also uses a new session.
 */
async function goToScreen({ name, path, isLink, journal: steps }) {
  const canOpen = isLink && session?.id && session.isWritable;
  if (canOpen) {
    const version = await session.openPath(path);
    if (session.outcomes.get(version).route.screen.name === name) return notify(`Opened ${path}.`);
  }
  const id = !session?.id || session.hasEnded ? (await api.startSession()).id : await session.fork(0);
  try {
    if (isLink && !canOpen) await api.openPath(id, path, api.newKey());
    else await follow(steps, {
      emit: (step) => api.emit(id, catalog.filledIn(step), api.newKey()),
      settle: () => api.settledRoute(id),
    }).catch((problem) => {
      // Work can have another outcome than on the map. Then the server refuses the next event.
      if (problem.status !== 422) throw problem;
    });
    const { screen } = await api.settledRoute(id);
    notify(screen.name === name
      ? `New session at ${name}.`
      : `New session at ${screen.name}, on the way to ${name}. The page cannot send the next event.`);
  } finally {
    goTo(id);
  }
}

/**
 * The fragment contains the session's id and the version of the past that is shown.
 * @param {string} id
 * @param {number | null} [version]
 */
function goTo(id, version = null, outcome = null) {
  history[session === null && !home.isOpen ? "replaceState" : "pushState"](null, "", fragmentOf(id, version));
  openNamed(outcome);
}

function open(id, outcome = null) {
  session?.close();
  hideProblem();
  hideRebuilt();
  session = new Session(id, () => watch.look(), outcome);
  session.addEventListener("change", () => {
    if (session.shown) keepAddress();
    showSoon();
  });
  session.addEventListener("problem", (/** @type {any} */ { problem }) => offerReplay(problem));
  session.addEventListener("restart", replayLost);
  if (document.hidden) session.pause();
  session.open();
  showStatus();
}

function openNamed(outcome = null) {
  if (isHome(location.hash)) return openHome();
  if (home.isOpen) closeHome();
  const id = sessionIn(location.hash);
  if (id !== null && !isSessionID(id)) return refuse(id);
  hideProblem();
  if (id === null) visit();
  else followAddress(id, versionIn(location.hash), outcome);
}

/** Shows what the address names, and keeps that address even if this fails. */
async function followAddress(id, version, outcome) {
  followsAddress = true;
  if (id !== session?.id) open(id, outcome);
  const isNow = version === null && session.past === null && !session.isTravelling;
  if (!isNow) await (version === null ? returnToNow() : travel(version));
  followsAddress = false;
}

/**
 * Updates the address to what is shown. Going to the past and returning from it add steps to the browser's history.
 * Steps within the past do not.
 */
function keepAddress() {
  const { id, past, status, isTravelling } = session;
  if (id === null) return;
  const fragment = fragmentOf(id, past?.version);
  if (isTravelling || sessionIn(location.hash) !== id || location.hash === fragment) return;
  const crosses = (past === null) !== (versionIn(location.hash) === null);
  const isStep = crosses && !followsAddress && status !== "ended";
  history[isStep ? "pushState" : "replaceState"](null, "", fragment);
}

/** Refuses an address that cannot contain a session's id. The session that is shown stays. */
function refuse(id) {
  const problem = noSessionID(id);
  if (!session?.id) return visit(problem);
  history.replaceState(null, "", fragmentOf(session.id, session.past?.version));
  showProblem(problem);
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
  const back = session?.id ? fragmentOf(session.id) : null;
  home.open(session?.id ?? null, back, sessionFilterIn(location.hash));
  nameWindow();
}

function closeHome() {
  home.close();
  nameWindow();
}

// After a restart of the server

/** Whether only requests show that the server was restarted, because there is no live stream. */
function isUnwatched() {
  return !document.hidden && ["unstarted", "ended", "quarantined", "restarted"].includes(session?.status ?? "");
}

/**
 * Reads what another build of the app can have changed. Exploring the app can take long, so the session does not wait
 * for the map.
 */
async function rebuilt() {
  const old = session;
  catalogReading = null;
  await Promise.all([readMap(false), readCatalog().then(() => session === old && showAgain())]);
  if (session.status === "unstarted") notify("Rebuilt.");
}

/** Shows the session as the new build shows it. */
async function showAgain() {
  if (session.status === "restarted") return replayLost();
  if (session.status !== "live") return;
  await session.refresh();
  if (session.status === "live") notify("Rebuilt.");
}

/** Replays what the page has of a session that the server does not have after its restart. */
async function replayLost() {
  const { id, isCutOff, firstEntry, loadedJournal: journal } = session;
  const run = await watch.look().catch(() => null);
  if (run === null) return;
  if (isCutOff) {
    return showEnd(`The server was restarted. The page has only the events from version ${firstEntry} on, so it cannot `
      + "replay the session.");
  }
  await replayAnew(() => once(id, run, () => rebuild(journal, server)));
}

/** Offers to replay a session that the new build of the app does not replay as it was recorded. It stays as it is. */
function offerReplay({ title, detail }) {
  const { id } = session;
  showEnd(`${title}. ${detail}`, "Replay in a new session", () => replayAnew(async () => {
    // Notices the restart now. Otherwise the new session's stream would, and the page would open the session twice.
    await watch.look();
    return rebuild(readJournal(await api.exportedJournal(id)), server);
  }));
}

const server = {
  importJournal: api.importJournal, start: api.startSession, end: api.endSession, settle: api.settledRoute,
  events: api.journal,
  emit: async (id, request) => {
    const { pending } = request;
    const step = { ...catalog.filledIn(request), ...(pending && { pending }) };
    return (await api.emit(id, step, api.newKey())).outcome;
  },
};

/** Replays the session in a new one and shows that, at the first difference. */
async function replayAnew(replay) {
  if (isRebuilding) return;
  const old = session;
  isRebuilding = true;
  showStatus();
  try {
    await readCatalog();
    const result = await replay();
    if (session !== old) return;
    if (home.isOpen) {
      open(result.id);
      openHome();
    } else {
      const isSame = result.differences.length === 0 && result.start === null;
      const fragment = fragmentOf(result.id, isSame ? old.past?.version : result.version);
      history[old.hasEnded ? "replaceState" : "pushState"](null, "", fragment);
      openNamed();
    }
    if (result.differences.length === 0 && result.start === null) return notify(rebuiltText(result));
    showRebuilt(result);
    timeline.showOther({
      label: "Before the rebuild", ownLabel: "After the rebuild", entries: old.entries, compares: true,
      at: result.version, documentOf: (version) => old.documentOf(version),
    }, result.id);
  } catch (problem) {
    if (!(problem instanceof api.Problem)) throw problem;
    // As soon as the server answers again, the page replays the session.
    if (!problem.isNoAnswer && session === old) showEnd(`The session could not be replayed. ${problem.message}`);
  } finally {
    isRebuilding = false;
    showStatus();
  }
}

// Showing the session

function show() {
  if (session.status === "ended" && !session.route) return visit(noSession);
  showStatus();
  const { shown, isWritable } = session;
  if (session.status === "live") {
    hideProblem((problem) => problem.isNoAnswer);
    if (catalogReading === null) attempt(readCatalog);
  }
  if (shown || session.id === null) timeline.show(session);
  if (!shown) return;
  document.body.dataset.version = shown.version;
  phone.show(shown, isWritable, session.past !== null && !session.hasEnded);
  webPage.show(shown, isWritable);
  tree.show(shown, session.story);
  documents.show(session);
  story.show(session);
  changed.show(session);
  test.show(session);
  storyboard.show(session);
  parked.show(shown.parked ?? null, isWritable);
  pending.show(session.hasEnded ? [] : shown.pending ?? [], isWritable, session.isWithheld === true);
  palette.refresh();
  nameWindow();
  if (!home.isOpen) setText($("announcer"), spoken(session));
}

function nameWindow() {
  const place = home.isOpen ? "Sessions" : session?.shown?.path;
  document.title = [place, "Coordinate"].filter(Boolean).join(" · ");
}

function showStatus() {
  const { id, route } = session;
  const status = session.status === "unstarted" && watch.isAway ? "lost" : session.status;
  setText($("status"), statusTexts[status]);
  $("connection").dataset.status = status;
  setText($("session-short"), id?.slice(0, 6) ?? "");
  $("lost").hidden = status !== "lost";
  $("waiting").hidden = status !== "waiting";
  $("rebuilding").hidden = status !== "restarted" || !isRebuilding;
  if (status === "ended") showEnd("This session has ended.");
  else if (!["quarantined", "restarted"].includes(status)) hideMessage($("ended"));
  $("connection").disabled = id === null;
  $("open-raw").disabled = !route;
  document.body.classList.toggle("ended", session.hasEnded);
}

/** Says why the session does not continue, with a button for what to do instead. */
function showEnd(reason, label = "Start a new session", action = /** @type {() => any} */ (startAnew)) {
  setText($("ended-reason"), reason);
  setText($("ended-new"), label);
  $("ended-new").onclick = action;
  $("ended").hidden = false;
}

// The palette

/** The route document whose buttons can be pressed and whose events can be sent, or null. */
const writable = () => (!home.isOpen && session?.isWritable && session.route || null);

/** Opens the dialog for an event's payload. */
const fillIn = (event, at = null, pending = null) =>
  composer.open(session.route, event, { at, pending, canCopy: session.id !== null });

/** Everything that the palette offers. */
function allItems() {
  const { screens } = storyboard;
  const route = writable();
  const show = home.isOpen ? null : ({ id }) => storyboard.select(id);
  return [
    ...screenItems(screens, { go: goToScreen, show }),
    ...actionItems(route, press),
    ...(route ? eventItems(catalog.events, {
      route, screens, send: (event) => emit({ event }), fillIn,
    }) : []),
    ...pathItems(catalog, screens, route, openPath),
    ...commandItems(commands),
  ];
}

const isShown = () => Boolean(!home.isOpen && session?.shown);
const isRecorded = () => isShown() && session.id !== null;
const canCopyStory = () => session.story !== null && canCopy(session.story);
const hasStoryboard = () => !home.isOpen && storyboard.screens.length > 0;

/** The page's commands, for the palette. */
const commands = [
  { title: "Back to now", words: "present return", keys: keyOf("page", "leave"), run: returnToNow,
    isAvailable: () => isRecorded() && session.past !== null },
  { title: "Fork here", words: "branch copy", run: () => forkHere(),
    isAvailable: () => isRecorded() && session.past !== null && !session.hasEnded },
  { title: "New session", words: "start restart", run: startAnew },
  { title: "All sessions", words: "list home find", run: () => { location.hash = homeFragment({}); },
    isAvailable: () => !home.isOpen },
  { title: "Copy the session’s address", words: "share link url", run: () => copy(location.href),
    isAvailable: isRecorded },
  { title: "Session details", words: "name attributes key share", isAvailable: isRecorded,
    run: () => sharing.open(session.id, session.hasEnded) },
  { title: "Copy as curl", words: "event request shell", isAvailable: () => isShown() && canCopyStory(),
    run: () => copy(command(session.id, session.story)) },
  { title: "Export the journal", words: "save file", isAvailable: isRecorded,
    run: () => attempt(exportJournal) },
  { title: "Import a journal…", words: "open upload file", run: chooseFile },
  { title: "Show the route document", words: "JSON raw", isAvailable: isRecorded,
    run: () => inspect(session.shown.version, "route") },
  { title: "Save the screen as SVG", words: "picture image", isAvailable: isShown,
    run: async () => saveSVG(...await screenPicture()) },
  { title: "Save the screen as PNG", words: "picture image", isAvailable: isShown,
    run: async () => savePNG(...await screenPicture()) },
  { title: "Save the storyboard as SVG", words: "map picture image", isAvailable: hasStoryboard,
    run: async () => saveSVG(...await storyboardPicture()) },
  { title: "Save the storyboard as PNG", words: "map picture image", isAvailable: hasStoryboard,
    run: async () => savePNG(...await storyboardPicture()) },
  { title: "Open as web page", words: "app browser", run: () => $("web-page").click(),
    isAvailable: () => isShown() && !$("web-page").hidden },
  { title: "API reference", words: "documentation requests openapi", run: () => { location.href = reference(); } },
  { title: "Keys and help", words: "shortcuts keyboard", keys: keyOf("page", "help"), run: () => help.open() },
  { title: "Log out", isAvailable: isKeyWanted,
    run: async () => { if (await attempt(api.logOut)) location.reload(); } },
  { title: "End session", words: "delete stop", run: askToEnd,
    isAvailable: () => isRecorded() && !session.hasEnded },
];

/** @returns {Promise<[SVGElement, string]>} The drawing of the screen, and the name for its file. */
const screenPicture = async () => {
  const { path, version } = session.shown;
  return [await pictureOf($("phone"), $("screen-title").textContent ?? ""), plainName(catalog.app, path, version)];
};

/** @returns {Promise<[SVGElement, string]>} The drawing of the storyboard, and the name for its file. */
const storyboardPicture = async () => [await storyboard.picture(), plainName(catalog.app, "storyboard")];

/** Lets the user choose an event to send from a coordinator, or to post as the outcome of pending work. */
async function compose(at, /** @type {any} */ pending = null) {
  if (!session.isWritable || !await attempt(readCatalog)) return;
  if (!session.isWritable || document.querySelector("dialog[open]")) return;
  const events = pending ? likelyFirst(catalog.events) : catalog.events;
  palette.show(() => eventItems(events, {
    route: pending ? null : session.route, screens: storyboard.screens, isOutcome: pending !== null,
    send: (event) => emit({ event, at, pending: pending?.id }),
    fillIn: (event) => fillIn(event, at, pending),
  }), pending ? `Find the outcome of ${isolated(pending.name)}` : `Find an event to send from ${shortName(at)}`);
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

/** Reads the map, whose first document shows the app's start. If the server has no map, a session shows it. */
async function readMap(isFirst = true) {
  const started = (route) => {
    sample = route;
    if (session?.status === "unstarted") visit();
  };
  try {
    await (isFirst ? storyboard.open(started) : storyboard.reload(started));
  } catch (problem) {
    // The storyboard says it, and after a restart the page reads the map again.
    if (problem.isNoAnswer) return;
    throw problem;
  }
  palette.refresh();
  if (sample === null && session?.status === "unstarted") await begin();
}

async function takeCatalog() {
  const { document: own, cookie } = await api.catalog();
  catalog = new Catalog(own);
  webPage.offer(cookie);
  setText($("app-name"), catalog.app);
  storyboard.offer(catalog.paths);
  composer.offer(catalog.events);
  editing.offer(catalog.events);
  starter.offer(catalog.options);
  if (session) show();
  palette.refresh();
}

$("connection").addEventListener("click", () => sharing.open(session.id, session.hasEnded));
$("open-raw").addEventListener("click", () => inspect(session.shown.version, "route"));
$("rebuilt-close").addEventListener("click", hideRebuilt);
$("problem-close").addEventListener("click", () => hideProblem());
$("manual-copy-close").addEventListener("click", () => $("manual-copy").close());
addEventListener("hashchange", () => openNamed());
addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const action = actionOf("page", event);
  if (action === "help" && !isTyping(event.target)) help.open();
  if (action !== "leave") return;
  if (!$("problem").hidden) hideProblem();
  else if (!$("rebuilt").hidden) hideRebuilt();
  else session?.returnToNow();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return session?.pause();
  session?.resume();
  if (isUnwatched()) watch.look().catch(() => {});
});
watch.addEventListener("change", () => {
  if (session) showStatus();
  if (!watch.isAway && session?.status === "restarted") replayLost();
});
watch.addEventListener("restart", () => attempt(rebuilt));

api.whenKeyIsWanted(() => login.open());
api.whenAnswered(() => hideProblem((problem) => problem.isNoAnswer));
attempt(readCatalog).then(() => watch.look()).catch(() => {});
attempt(() => readMap());
openNamed();
