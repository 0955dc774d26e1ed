import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { actionOf, isApple, keyOf, scopes, signOf } from "../../public/inspector/keys.js";

const folder = new URL("../../public/", import.meta.url);

test("a key has one action in each part of the page", () => {
  for (const { name, keys } of scopes) {
    const all = keys.flatMap((each) => each.keys);
    assert.equal(new Set(all).size, all.length, name);
    const actions = keys.map(({ action }) => action);
    assert.equal(new Set(actions).size, actions.length, name);
    assert.ok(keys.every(({ does }) => does !== ""));
  }
});

test("other keys with a modifier are left to the browser", () => {
  assert.equal(actionOf("page", { key: "K", [isApple ? "metaKey" : "ctrlKey"]: true }), "palette");
  assert.equal(actionOf("page", { key: "k", [isApple ? "ctrlKey" : "metaKey"]: true }), null);
  assert.equal(actionOf("page", { key: "?", shiftKey: true }), "help");
  assert.equal(actionOf("palette", { key: "Enter", shiftKey: true }), "second");
  assert.equal(actionOf("map", { key: "0" }), "all");
  assert.equal(actionOf("map", { key: "0", ctrlKey: true }), null);
  assert.equal(actionOf("list", { key: "x" }), null);
  assert.equal(actionOf("nowhere", { key: "Enter" }), null);
});

test("keys are shown as printed on a keyboard", () => {
  assert.deepEqual(["ArrowUp", " ", "Escape", "?"].map(signOf), ["↑", "Space", "Esc", "?"]);
  assert.equal(keyOf("page", "palette"), isApple ? "⌘K" : "Ctrl K");
});

test("modules use only keys of the list", () => {
  const named = /event\.key\b|["'](?:Arrow\w+|Escape|Enter|Home|End|Tab|PageUp|PageDown)["']/;
  const modules = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const offenders = modules
    .filter((name) => !name.endsWith("/keys.js"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")])
    .filter(([, text]) => /keydown|keyup/.test(text) && named.test(text))
    .map(([name]) => name);
  assert.deepEqual(offenders, [], "use the keys in inspector/keys.js, so that the help lists them");
});

test("modules use only actions of the list", () => {
  const modules = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const asked = modules.flatMap((name) => [
    ...readFileSync(new URL(name, folder), "utf8").matchAll(/actionOf\((?:horizontal \? )?"(\w+)"/g),
  ].map(([, scope]) => scope));
  assert.deepEqual(scopes.map(({ name }) => name).filter((name) => !asked.includes(name)), ["list"]);
  assert.deepEqual(asked.filter((name) => !scopes.some((scope) => scope.name === name)), []);
});
