import assert from "node:assert/strict";
import { test } from "node:test";

import { showBusy } from "../../public/inspector/busy.js";
import { remember, remembered, withoutSecrets } from "../../public/inspector/remembered.js";
import { FakeElement } from "./elements.js";

const declared = {
  name: { type: "string" }, team: { type: "string", choices: ["ferrari"] }, password: { type: "string", secret: true },
  card: { type: "object", fields: { pin: { type: "string", secret: true } } },
};

class Storage {
  #items = new Map();
  getItem = (name) => this.#items.get(name) ?? null;
  setItem = (name, value) => this.#items.set(name, value);
  removeItem = (name) => this.#items.delete(name);
  get text() { return [...this.#items.values()].join(); }
}

test("the last payload is remembered without its secrets", () => {
  const storage = new Storage();
  const payload = { name: "Anna", team: "ferrari", password: "s3cret", card: { pin: "1234" }, unknown: "x" };
  remember("login.send", payload, declared, storage);
  assert.deepEqual(remembered("login.send", declared, storage), { name: "Anna", team: "ferrari" });
  assert.doesNotMatch(storage.text, /s3cret|1234|unknown/);
  assert.deepEqual(remembered("other.event", declared, storage), {});
  remember("login.send", { password: "s3cret" }, declared, storage);
  assert.equal(storage.text, "");
});

test("a value that became secret or invalid is not used again", () => {
  const storage = new Storage();
  remember("a.b", { name: "Anna", team: "ferrari" }, declared, storage);
  const changed = { name: { type: "string", secret: true }, team: { type: "string", choices: ["alpine"] } };
  assert.deepEqual(remembered("a.b", changed, storage), {});
  storage.setItem("coordinate.payload.a.b", "{");
  assert.deepEqual(remembered("a.b", declared, storage), {});
  assert.deepEqual(remembered("a.b", declared, null), {});
  assert.deepEqual(withoutSecrets({ constructor: "x" }, declared), {});
});

test("a button is busy only if the answer takes a while", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const button = new FakeElement("button");
  let answer;
  const work = showBusy(button, new Promise((resolve) => { answer = resolve; }));
  context.mock.timers.tick(149);
  assert.equal(button.getAttribute("aria-busy"), null);
  context.mock.timers.tick(1);
  assert.equal(button.getAttribute("aria-busy"), "true");
  answer(7);
  assert.equal(await work, 7);
  assert.equal(button.getAttribute("aria-busy"), null);
});

test("a button is not busy after a failure", async () => {
  const button = new FakeElement("button");
  await assert.rejects(showBusy(button, Promise.reject(new Error("no"))));
  assert.equal(button.getAttribute("aria-busy"), null);
});
