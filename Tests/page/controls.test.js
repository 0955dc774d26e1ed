// Controls of the page that keep a state of their own: the composer, and the dialogs for a new session and about a
// session.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { openPage, said, textsOf } from "./elements.js";

openPage();
const { Composer } = await import("../../public/inspector/composer.js");
const { EditDialog } = await import("../../public/inspector/editing.js");
const { EndDialog } = await import("../../public/inspector/ending.js");
const { SessionDialog } = await import("../../public/inspector/sharing.js");
const { Starter } = await import("../../public/inspector/starter.js");

const $ = (id) => document.getElementById(id);
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  openPage();
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

/** A composer that is open for an event, and the requests that it sends. */
function openComposer(event, more) {
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
  composer.open(route, event, more);
  return { composer, sent, refuse: (problem) => { refusal = problem; } };
}

const field = () => $("composer-fields").querySelector("[data-field]");

test("the composer names the event and begins at its first field", () => {
  const { composer } = openComposer("teams.didSelect");
  assert.deepEqual(textsOf("#composer-heading"), ["Send teams.didSelect"]);
  assert.equal(document.activeElement, field());
  assert.deepEqual(textsOf("#composer-at option"), ["The screen (default)", "App", "App/Main"]);
  composer.open(route, "teams.unsetFavorite");
  assert.ok(!$("composer-empty").hidden);
  assert.equal(document.activeElement, $("composer-send"));
  composer.open(route, "login.didFinish", { pending: { id: "2-1", name: "login" } });
  assert.match(textsOf("#composer-heading")[0], /^Post the outcome of .?login.?: login\.didFinish$/);
  assert.deepEqual(textsOf("#composer-from"), []);
});

test("a request has the event, the payload, the coordinator, and the work whose outcome it is", async () => {
  const { composer, sent } = openComposer("teams.didSelect", { at: "App" });
  field().value = "haas";
  $("composer-send").click();
  await settled();
  composer.open(route, "login.didFinish", { pending: { id: "2-1", name: "login" } });
  field().enter("7");
  $("composer-send").click();
  await settled();
  assert.deepEqual(sent, [
    { event: "teams.didSelect", payload: { team: "haas" }, at: "App" },
    { event: "login.didFinish", payload: { code: 7 }, pending: "2-1" },
  ]);
  assert.equal($("composer").getAttribute("open"), null);
});

test("the payload begins with what the screen offers, and its values are suggested; secrets are not", () => {
  const { composer } = openComposer("teams.setFavorite");
  assert.equal(field().value, "ferrari");
  assert.deepEqual($("composer-fields").querySelectorAll("datalist option").map(({ value }) => value), ["ferrari"]);
  composer.open(route, "login.send");
  assert.equal(field().type, "password");
  assert.deepEqual($("composer-fields").querySelectorAll("datalist option"), []);
});

test("a refusal is shown at the field into which it points, and its suggestion is filled in", async () => {
  const { refuse } = openComposer("teams.setFavorite");
  const input = field();
  input.enter("ferari");
  refuse({
    title: "Invalid payload", detail: "No such team. Did you mean ferrari?", pointer: "/payload/team",
    didYouMean: "ferrari",
  });
  $("composer-send").click();
  await settled();
  assert.deepEqual(textsOf("#composer-problem p"),
    ["Invalid payload No such team.", "At /payload/team", "Did you mean ferrari?"]);
  assert.equal(document.activeElement, input);
  assert.deepEqual([input.getAttribute("aria-invalid"), input.value], ["true", "ferari"]);
  $("composer-problem").querySelector(".suggestion").click();
  assert.equal(input.value, "ferrari");
  input.fire("input");
  assert.ok($("composer-problem").hidden);
  refuse({ title: "Unknown event", pointer: "/event", didYouMean: "login.send" });
  $("composer-send").click();
  await settled();
  $("composer-problem").querySelector(".suggestion").click();
  assert.deepEqual(textsOf("#composer-heading"), ["Send login.send"]);
});

test("a secret is cleared when the composer closes", () => {
  openComposer("login.send");
  const input = field();
  input.enter("swordfish");
  $("composer-cancel").click();
  assert.equal(input.value, "");
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
  assert.match(said($("editor-what")), /Step 2, teams\.didSelect team: ferrari.?\. A new session replays all 4 events/);
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
  const opened = [];
  const starter = new Starter({
    start: async (options) => {
      started.push(options);
      if (refusal) throw new Problem(refusal);
      return "a session";
    },
    // Closing the dialog moves the focus, so it comes before.
    started: (session) => opened.push([session, $("starter").getAttribute("open")]),
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
  assert.deepEqual(opened, [["a session", null]]);
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
  assert.deepEqual([textsOf("#session-reference"), textsOf("#session-key")], [["Ref"], ["claim-7"]]);
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
  assert.deepEqual([$("session-names").hidden, $("session-keyed").hidden, $("session-attributes").value], [true, true, ""]);
  dialog.open("a", true);
  assert.ok($("session-form").hidden);
});

test("a session ends after a confirmation, also if it has ended already", async () => {
  const ending = new EndDialog();
  const made = { ended: 0, done: 0, refusal: null };
  const open = () => ending.open("It is at /main.", {
    end: async () => {
      made.ended += 1;
      if (made.refusal) throw made.refusal;
    },
    done: () => { made.done += 1; },
  });
  const end = async (refusal = null) => {
    made.refusal = refusal;
    $("ending-end").click();
    await settled();
    return [made.ended, made.done, $("ending").getAttribute("open")];
  };
  open();
  assert.deepEqual(textsOf("#ending-what"), ["It is at /main. This ends it for everyone and deletes its journal."]);
  $("ending-cancel").click();
  assert.deepEqual([made.ended, $("ending").getAttribute("open")], [0, null]);
  open();
  assert.deepEqual(await end(new Problem({ title: "Busy", status: 503 })), [1, 0, ""]);
  assert.deepEqual(textsOf("#ending .problem"), ["Busy"]);
  assert.deepEqual(await end(new Problem({ type: "/problems/session-not-found", status: 404 })), [2, 1, null]);
  open();
  assert.deepEqual(textsOf("#ending .problem"), []);
  assert.deepEqual(await end(), [3, 2, null]);
});
