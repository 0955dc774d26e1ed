// Controls of the page that keep a state of their own: the address bar, the composer, the dialogs for a new session and
// about a session, the player of the journal, and its filter.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { openPage, said, textsOf } from "./elements.js";

openPage();
const { AddressBar } = await import("../../public/inspector/address.js");
const { Composer } = await import("../../public/inspector/composer.js");
const { EditDialog } = await import("../../public/inspector/editing.js");
const { Scrubber } = await import("../../public/inspector/journal/scrubber.js");
const { JournalTools } = await import("../../public/inspector/journal/tools.js");
const { SessionDialog } = await import("../../public/inspector/sharing.js");
const { Starter } = await import("../../public/inspector/starter.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  openPage();
});

// The address bar

const patterns = ["/main/teams", "/main/teams/team/{team}", "/main/profile"];

/** An address bar, and the paths that it opens. The server refuses paths with `wrong`. */
function openAddress() {
  const opened = [];
  const bar = new AddressBar({ open: async (path) => (opened.push(path), !path.includes("wrong")) });
  bar.suggestPatterns(patterns);
  bar.show("/splash", true);
  return { bar, opened };
}

test("known paths are suggested, and the missing value of a pattern is selected", () => {
  openAddress();
  $("address").enter("/main/teams/team");
  assert.deepEqual(textsOf("#suggestions [role=option]"), ["/main/teams/team/{team}"]);
  $("suggestions").firstElementChild.fire("mousedown");
  assert.equal($("address").value, "/main/teams/team/{team}");
  assert.deepEqual($("address").selection, [17, 23]);
  assert.ok($("suggestions").hidden);
});

test("Enter opens a complete suggestion, and fills in a pattern", async () => {
  const { opened } = openAddress();
  $("address").enter("/main");
  $("address").press("ArrowUp");
  assert.equal(said($("suggestions").querySelector("[aria-selected=true]")), "/main/profile");
  $("address").press("Enter");
  await settled();
  assert.deepEqual(opened, ["/main/profile"]);
  $("address").enter("/main/teams/team");
  $("address").press("ArrowDown");
  assert.ok($("address").press("Enter"));
  assert.deepEqual([opened.length, $("address").value], [1, "/main/teams/team/{team}"]);
});

test("Escape closes the suggestions, and then shows the session's path", () => {
  openAddress();
  $("address").enter("/main");
  $("address").press("Escape");
  assert.deepEqual([$("suggestions").hidden, $("address").value], [true, "/main"]);
  $("address").press("Escape");
  assert.equal($("address").value, "/splash");
});

test("a refused path stays for correction until the session's path changes", async () => {
  const { bar } = openAddress();
  $("address").enter("/wrong");
  $("address-form").requestSubmit();
  await settled();
  $("address").fire("focusout", { relatedTarget: $("compose") });
  bar.show("/splash", true);
  assert.deepEqual([$("address").value, $("address").getAttribute("aria-invalid")], ["/wrong", "true"]);
  bar.show("/main", true);
  assert.deepEqual([$("address").value, $("address").getAttribute("aria-invalid")], ["/main", null]);
});

test("what is typed while a path opens stays", async () => {
  openAddress();
  $("address").enter("/wrong");
  $("address-form").requestSubmit();
  $("address").enter("/main/teams");
  await settled();
  assert.deepEqual([$("address").value, $("address").getAttribute("aria-invalid")], ["/main/teams", null]);
});

test("what is being typed stays when the session's path changes", () => {
  const { bar } = openAddress();
  $("address").enter("/main/pro");
  bar.show("/main/teams", true);
  assert.equal($("address").value, "/main/pro");
});

test("patterns that arrive while a path is typed are suggested", () => {
  const bar = new AddressBar({ open: async () => true });
  $("address").enter("/main/pro");
  assert.deepEqual(textsOf("#suggestions li"), []);
  bar.suggestPatterns(patterns);
  assert.deepEqual(textsOf("#suggestions li"), ["/main/profile"]);
});

// The composer, and the dialog for an edit

const events = [
  { name: "teams.didSelect", payload: { team: { type: "string", choices: ["ferrari", "haas"] } } },
  { name: "teams.setFavorite", payload: { team: { type: "string" } } },
  { name: "teams.unsetFavorite", payload: {} },
  { name: "login.didFinish", payload: { code: { type: "integer" } }, origin: "app" },
  { name: "login.send", payload: { password: { type: "string", secret: true } } },
];
const team = { event: "teams.setFavorite", payload: { team: "ferrari" }, title: "Add" };
const route = {
  leaf: "App/Main",
  tree: { id: "App", started: true, children: [{ id: "App/Main", started: true, children: [] }], presented: null },
  screen: { actions: [team] },
};

/** An open composer, and the requests that it sends. */
function openComposer(...opening) {
  const composer = new Composer({
    send: async (request) => {
      sent.push(request);
      if (refusal) throw new Problem(refusal);
    },
    copy: (request) => sent.push(request),
  });
  let refusal = null;
  const sent = [];
  composer.offer(events);
  composer.open(route, ...opening);
  return { composer, sent, refuse: (problem) => { refusal = problem; } };
}

const choose = (event) => {
  $("composer-event").value = event;
  $("composer-event").fire("change");
};

test("an event is found by typing, and Enter leads to its first field", () => {
  openComposer();
  $("composer-find").enter("fav team");
  assert.deepEqual([said($("composer-found")), $("composer-event").value], ["2 of 4 events", "teams.setFavorite"]);
  $("composer-find").press("ArrowDown");
  assert.equal($("composer-event").value, "teams.unsetFavorite");
  assert.ok(!$("composer-empty").hidden);
  $("composer-find").press("ArrowUp");
  $("composer-find").press("Enter");
  assert.equal(document.activeElement.name, "team");
  // If nothing matches, nothing is selected, and nothing can be sent.
  $("composer-find").enter("x");
  assert.deepEqual([said($("composer-found")), $("composer-event").value], ["No events match.", ""]);
  assert.ok($("composer-send").disabled && $("composer-copy").disabled);
  $("composer-find").enter("fav");
  assert.ok(!$("composer-send").disabled);
});

test("an event that only the app emits is listed and disabled, except as an outcome", () => {
  const { composer } = openComposer();
  const options = () => $("composer-event").options.filter(({ disabled }) => disabled).map(said);
  assert.deepEqual(options(), ["login.didFinish (only the app can emit it)"]);
  composer.open(route, null, { id: "2-1", name: "login" });
  assert.deepEqual([options(), $("composer-event").value], [[], "login.didFinish"]);
  assert.deepEqual([textsOf("#composer-heading"), textsOf("#composer-from")], [["Post the outcome of login"], []]);
});

test("a request has the event, the payload, the coordinator, and the work whose outcome it is", async () => {
  const { composer, sent } = openComposer("App");
  $("composer-fields").querySelector("select").value = "haas";
  $("composer-send").click();
  await settled();
  composer.open(route, null, { id: "2-1", name: "login" });
  $("composer-fields").querySelector("input").enter("7");
  $("composer-send").click();
  await settled();
  assert.deepEqual(sent, [
    { event: "teams.didSelect", payload: { team: "haas" }, at: "App" },
    { event: "login.didFinish", payload: { code: 7 }, pending: "2-1" },
  ]);
  assert.equal($("composer").getAttribute("open"), null);
});

test("values of the screen are suggested, and those of secrets are not", () => {
  openComposer();
  choose("teams.setFavorite");
  assert.deepEqual($("composer-fields").querySelectorAll("datalist option").map(({ value }) => value), ["ferrari"]);
  choose("login.send");
  assert.equal($("composer-fields").querySelector("input").type, "password");
  assert.deepEqual($("composer-fields").querySelectorAll("datalist option"), []);
});

test("a refusal is shown at the field into which it points, and its suggestion is filled in", async () => {
  const { refuse } = openComposer();
  choose("teams.setFavorite");
  const field = $("composer-fields").querySelector("input");
  field.enter("ferari");
  refuse({ title: "Invalid payload", detail: "No such team.", pointer: "/payload/team", didYouMean: "ferrari" });
  $("composer-send").click();
  await settled();
  assert.deepEqual(textsOf("#composer-problem .problem-pointer"), ["At /payload/team"]);
  assert.equal(document.activeElement, field);
  assert.deepEqual([field.getAttribute("aria-invalid"), field.value], ["true", "ferari"]);
  $("composer-problem").querySelector(".suggestion").click();
  assert.equal(field.value, "ferrari");
  field.fire("input");
  assert.ok($("composer-problem").hidden);
  refuse({ title: "Unknown event", pointer: "/event", didYouMean: "login.send" });
  $("composer-send").click();
  await settled();
  $("composer-problem").querySelector(".suggestion").click();
  assert.equal($("composer-event").value, "login.send");
});

test("a secret is cleared when the composer closes", () => {
  openComposer();
  choose("login.send");
  const field = $("composer-fields").querySelector("input");
  field.enter("swordfish");
  $("composer-cancel").click();
  assert.equal(field.value, "");
});

test("the kinds of edits show what they need", async () => {
  const edits = [];
  let refusal = null;
  const dialog = new EditDialog({
    readRoute: async () => route,
    replay: async (edit) => {
      if (refusal) throw refusal;
      edits.push(edit);
    },
    done: () => {},
  });
  dialog.offer(events);
  const kinds = ["change", "drop", "insert"].map((kind) => $(`editor-${kind}`));
  const pick = (kind) => {
    for (const each of kinds) each.checked = each.value === kind;
    $("editor-kinds").fire("change");
  };
  await dialog.open({ version: 2, event: "teams.didSelect", payload: { team: "ferrari" } }, 4);
  assert.match(said($("editor-what")), /Version 2, teams\.didSelect team: ferrari.?\. A new session replays all 4 events/);
  const menu = () => $("editor-fields").querySelector("[data-field]");
  assert.deepEqual([$("editor-event").value, menu().value], ["teams.didSelect", "ferrari"]);
  menu().value = "haas";
  $("editor-form").requestSubmit();
  await settled();
  await dialog.open({ version: 2, event: "teams.didSelect", payload: { team: "ferrari" } }, 4);
  pick("drop");
  assert.ok($("editor-described").hidden && !$("editor-go").disabled);
  $("editor-form").requestSubmit();
  await settled();
  assert.deepEqual(edits, [
    { version: 2, event: "teams.didSelect", payload: { team: "haas" } }, { version: 2, drop: true },
  ]);
  // A refusal is marked at its field, and what was typed stays.
  await dialog.open({ version: 2, event: "teams.setFavorite", payload: { team: "ferrari" } }, 4);
  refusal = new Problem({ title: "Invalid payload", pointer: "/edit/0/payload/team" });
  menu().enter("ferari");
  $("editor-form").requestSubmit();
  await settled();
  assert.deepEqual(textsOf("#editor-problem .problem-pointer"), ["At /payload/team"]);
  assert.deepEqual([menu().value, menu().getAttribute("aria-invalid")], ["ferari", "true"]);
  assert.equal($("editor").getAttribute("open"), "");
  $("editor").close();
  // Before the first event, an event can only be inserted.
  for (const each of kinds) each.checked = false;
  await dialog.open({ version: 0 }, 4);
  assert.deepEqual(kinds.map(({ disabled }) => disabled), [true, true, false]);
});

// A new session

test("a new session starts with the options of the form, or says which one is wrong", async () => {
  let refusal = { title: "Invalid option", pointer: "/options/pace" };
  const started = [];
  const starter = new Starter({
    start: async (options) => {
      started.push(options);
      if (refusal) throw new Problem(refusal);
    },
  });
  starter.offer([
    { name: "greeting", type: "string", default: "Hello" }, { name: "asks", type: "boolean", default: false },
    { name: "pace", type: "number", default: 1 },
  ]);
  assert.ok(starter.hasOptions);
  starter.open();
  assert.deepEqual(textsOf("#starter label"), ["greeting string", "asks boolean", "pace number"]);
  const [greeting, asks, pace] = $("starter-fields").querySelectorAll("[data-field]");
  greeting.enter("Hallo");
  asks.checked = true;
  $("starter-form").requestSubmit();
  await settled();
  assert.deepEqual([document.activeElement, $("starter").getAttribute("open")], [pace, ""]);
  refusal = null;
  $("starter-form").requestSubmit();
  await settled();
  assert.deepEqual(started.at(-1), { greeting: "Hallo", asks: true, pace: 1 });
  assert.equal($("starter").getAttribute("open"), null);
  // It opens with the defaults again.
  starter.open();
  assert.equal($("starter-fields").querySelector("[data-field]").value, "Hello");
});

// The dialog about the session

/** The dialog about a session "a". `made.answer` is what a change returns, or a problem. */
async function openSession(document = {}) {
  globalThis.location ??= /** @type {any} */ ({ href: "http://localhost/#session=a" });
  const made = { changes: [], answer: null };
  const dialog = new SessionDialog({
    join: () => {}, start: () => {}, end: () => {}, copy: () => {},
    read: async (id) => ({ id, name: null, key: null, reference: null, attributes: {}, ...document }),
    change: async (id, changes) => {
      made.changes.push({ id, ...changes });
      if (made.answer instanceof Problem) throw made.answer;
      return made.answer;
    },
  });
  dialog.open("a", false);
  assert.ok($("session-save").disabled);
  await settled();
  return Object.assign(made, { dialog });
}

test("a session shows its names, and its name and its attributes can be changed at once", async () => {
  const attributes = { user: "<b>", plan: "pro" };
  const made = await openSession({ name: "Bug", key: "claim-7", reference: "Ref", attributes });
  assert.deepEqual(textsOf("#session-names"), ["Its reference, which gives no access, is Ref. Its key is claim-7."]);
  assert.deepEqual([$("session-name").value, JSON.parse($("session-attributes").value)], ["Bug", attributes]);
  $("session-name").value = " ";
  $("session-attributes").value = '{"user": "42"}';
  made.answer = new Problem({ detail: "Too long.", pointer: "/attributes/user" });
  $("session-form").requestSubmit();
  await settled();
  assert.deepEqual(made.changes, [{ id: "a", name: null, attributes: { user: "42", plan: null } }]);
  assert.equal($("session-attributes").getAttribute("aria-invalid"), "true");
  assert.equal($("session-dialog").getAttribute("open"), "");
  made.answer = { id: "a" };
  $("session-form").requestSubmit();
  await settled();
  assert.equal($("session-dialog").getAttribute("open"), null);
});

test("a client sees no reference and no key, and an ended session cannot be changed", async () => {
  const { dialog } = await openSession();
  assert.deepEqual([$("session-names").hidden, $("session-attributes").value], [true, ""]);
  dialog.open("a", true);
  assert.ok($("session-form").hidden);
});

// Playing the journal

/** A player of a session of five versions, with the versions that it showed. */
function openPlayer(context, shown = 5, newest = 5) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const film = [];
  const player = {
    film, newest, travels: async () => true,
    scrubber: new Scrubber({
      travel: async (version) => {
        if (!await player.travels(version)) return false;
        film.push(version);
        player.show(version);
        return true;
      },
    }),
    show(version) {
      player.scrubber.show({ id: "s", status: "live", shown: { version }, route: { version: player.newest } });
    },
    /** Lets time pass, and what happens then. */
    async pass(milliseconds) {
      context.mock.timers.tick(milliseconds);
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    },
  };
  player.show(shown);
  return player;
}

const isPlaying = () => $("play").getAttribute("aria-label") === "Pause";

for (const [speed, delay] of [["1", 1000], ["4", 250], ["fast", 0]]) {
  test(`at speed ${speed}, each version is shown for ${delay} ms, from the beginning`, async (context) => {
    const { film, pass } = openPlayer(context);
    $("speed").value = speed;
    $("play").click();
    await pass(0);
    assert.deepEqual([film, isPlaying()], [[0], true]);
    if (delay > 0) {
      await pass(delay - 1);
      assert.deepEqual(film, [0]);
    }
    for (let version = 1; version <= 5; version += 1) await pass(version === 1 && delay > 0 ? 1 : delay);
    assert.deepEqual([film, isPlaying()], [[0, 1, 2, 3, 4, 5], false]);
  });
}

test("playing starts at the shown version, plays new events as well, and takes a new speed", async (context) => {
  const player = openPlayer(context, 2);
  $("play").click();
  player.newest = 6;
  await player.pass(1000);
  assert.deepEqual(player.film, [3]);
  $("speed").value = "fast";
  $("speed").fire("change");
  for (let version = 4; version <= 6; version += 1) await player.pass(0);
  assert.deepEqual([player.film, isPlaying()], [[3, 4, 5, 6], false]);
});

test("the user stops playing by the button, by the slider and by going elsewhere", async (context) => {
  const { film, pass, show } = openPlayer(context);
  for (const stop of [() => $("play").click(), () => show(4), () => {
    $("scrubber").value = "2";
    $("scrubber").fire("input");
  }]) {
    show(5);
    $("play").click();
    await pass(0);
    assert.ok(isPlaying());
    stop();
    assert.ok(!isPlaying());
    await pass(0);
    film.length = 0;
    await pass(5000);
    assert.deepEqual(film, []);
  }
});

test("a version that cannot be shown stops playing", async (context) => {
  const player = openPlayer(context);
  player.travels = async (version) => version !== 1;
  $("play").click();
  await player.pass(0);
  await player.pass(1000);
  assert.deepEqual([player.film, isPlaying()], [[0], false]);
});

test("of several positions of the slider in a row, the last one counts", async (context) => {
  const player = openPlayer(context);
  for (const version of ["4", "2", "0", "1"]) {
    $("scrubber").value = version;
    $("scrubber").fire("input");
  }
  await player.pass(0);
  assert.deepEqual([player.film.at(-1), $("scrubber").value], [1, "1"]);
  assert.ok(player.film.length <= 2);
  assert.equal($("scrubber").getAttribute("aria-valuetext"), "Version 1 of 5");
});

test("a session without events, or one that has ended, has nothing to play", (context) => {
  const player = openPlayer(context, 0, 0);
  assert.ok($("play").disabled && $("scrubber").disabled);
  player.scrubber.show({ id: "s", status: "live", shown: { version: 1 }, route: { version: 1 } });
  assert.ok(!$("play").disabled);
  player.scrubber.show({ id: "s", status: "ended", shown: { version: 1 }, route: { version: 1 } });
  assert.ok($("play").disabled);
});

// The journal's filter

test("the filter shows the entries that match, and how many", () => {
  let changes = 0;
  const tools = new JournalTools({ changed: () => { changes += 1; }, now: () => {} });
  const entry = (version, event, handledBy, origin) =>
    ({ version, event, payload: {}, at: "App", path: "/", handledBy, origin });
  const entries = [entry(1, "a.b", "App"), entry(2, "a.c", "App/Main", "timer"), entry(3, "a.b", null)];
  const wanted = () => [tools.wanted(entries).map(({ version }) => version), ...textsOf("#filter-count")];
  assert.deepEqual([wanted(), tools.isFiltering], [[[1, 2, 3]], false]);
  assert.deepEqual($("filter-handlers").children.map(said), ["App", "Main"]);
  tools.filter = { text: "A.B" };
  assert.deepEqual(wanted(), [[1, 3], "2 of 3 entries"]);
  assert.ok(tools.isFiltering && !$("journal-filters").hidden);
  tools.filter = { handler: "unhandled" };
  assert.deepEqual(wanted(), [[3], "1 of 3 entries"]);
  tools.filter = { origin: "timer", handler: "App/Main" };
  assert.deepEqual(wanted(), [[2], "1 of 3 entries"]);
  // A handler of the address is offered before it has handled something. An unknown origin is ignored.
  tools.filter = { handler: "App/Later", origin: "moon" };
  assert.deepEqual(wanted(), [[], "0 of 3 entries"]);
  assert.deepEqual([textsOf("#filter-handlers option").at(-1), $("filter-origin").value], ["Later", ""]);
  assert.ok(!$("entries-none").hidden);
  // Escape closes and clears it.
  $("filter-text").press("Escape");
  assert.deepEqual([wanted(), $("journal-filters").hidden, changes], [[[1, 2, 3]], true, 1]);
});
