// The module of the app's web pages: what it decides without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { identity, isChanged, isNewer, shownVersion } from "../../public/web/page.js";

const page = (version) => ({ body: { dataset: { version } } });

test("a page shows a version, unless it is a message", () => {
  assert.equal(shownVersion(page("7")), 7);
  assert.equal(shownVersion(page("0")), 0);
  assert.equal(shownVersion(page(undefined)), null);
});

test("only a later version replaces the page", () => {
  assert.equal(isNewer("8", 7), true);
  for (const id of ["7", "6", "", "x", "-8", "8.5"]) assert.equal(isNewer(id, 7), false);
  assert.equal(isNewer("8", null), false);
});

test("a control is the same on every version of a page", () => {
  const form = (payload) => ({ elements: { event: { value: "cart.put" }, payload: { value: payload } } });
  const button = (payload) => ({ form: form(payload), localName: "button", name: "" });
  assert.equal(identity(button('{"count":1}')), identity(button('{"count":1}')));
  assert.notEqual(identity(button('{"count":1}')), identity(button('{"count":2}')));
  assert.notEqual(identity({ ...button("{}"), localName: "input", name: "input.a" }), identity(button("{}")));
  assert.equal(identity({ localName: "h1" }), null);
  assert.equal(identity(null), null);
});

test("a form is changed if one of its controls is", () => {
  assert.equal(isChanged({ type: "text", value: "a", defaultValue: "a" }), false);
  assert.equal(isChanged({ type: "text", value: "b", defaultValue: "a" }), true);
  assert.equal(isChanged({ type: "checkbox", value: "true", checked: false, defaultChecked: false }), false);
  assert.equal(isChanged({ type: "checkbox", value: "true", checked: true, defaultChecked: false }), true);
});

test("a menu without a selected entry begins with its first", () => {
  const option = (selected, defaultSelected) => ({ selected, defaultSelected });
  const menu = (...options) => ({ type: "select-one", multiple: false, options });
  assert.equal(isChanged(menu(option(true, false), option(false, false))), false);
  assert.equal(isChanged(menu(option(false, false), option(true, false))), true);
  assert.equal(isChanged(menu(option(false, false), option(true, true))), false);
  assert.equal(isChanged({ ...menu(option(true, false), option(false, false)), multiple: true }), true);
});
