// The module of the app's web pages: what it decides without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  entered, identity, isChanged, isNewer, isPlainClick, isUnsent, moment, pressBody, refill, shownVersion,
} from "../../public/web/page.js";

const page = (version) => ({ body: { dataset: { version } } });

test("a page shows a version, unless it is a message", () => {
  assert.equal(shownVersion(page("7")), 7);
  assert.equal(shownVersion(page("0")), 0);
  assert.equal(shownVersion(page(undefined)), null);
});

test("a page names its moment with the mark of its session", () => {
  assert.equal(moment({ body: { dataset: { version: "7", session: "3af0" } } }), "7.3af0");
  assert.equal(moment(page(undefined)), "0.");
});

test("a link with an event is pressed as the form would be", () => {
  const link = { event: "navigation.selectTab", payload: '{"tab":"A&B"}' };
  const body = pressBody(link, { version: "7", session: "3af0", address: "/app" });
  assert.equal(
    String(body), "event=navigation.selectTab&payload=%7B%22tab%22%3A%22A%26B%22%7D&version=7&session=3af0");
});

test("only a plain click is followed here", () => {
  const link = { target: "", download: "" };
  const click = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false };
  assert.equal(isPlainClick(click, link), true);
  for (const other of ["metaKey", "ctrlKey", "shiftKey", "altKey", "defaultPrevented"]) {
    assert.equal(isPlainClick({ ...click, [other]: true }, link), false);
  }
  assert.equal(isPlainClick({ ...click, button: 1 }, link), false);
  assert.equal(isPlainClick(click, { ...link, target: "_blank" }), false);
  assert.equal(isPlainClick(click, { ...link, download: "list.csv" }), false);
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
  const link = (href, dataset = {}) => ({ localName: "a", href, dataset });
  assert.notEqual(identity(link("/app/a")), identity(link("/app/b")));
  assert.equal(identity(link("/app/a", { payload: "{}" })), identity(link("/app/a/b", { payload: "{}" })));
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

test("a press stays on its page if the server did not take it", () => {
  for (const status of [413, 429, 500, 503, 504]) assert.equal(isUnsent(status, true), true);
  for (const status of [200, 403, 404, 409, 422]) assert.equal(isUnsent(status, true), false);
  assert.equal(isUnsent(200, false), true);
});

test("what was entered is entered again in the same controls", () => {
  const form = { elements: { event: { value: "join" }, payload: { value: "{}" } } };
  const text = { localName: "input", type: "text", value: "", defaultValue: "" };
  const control = (name, more) => ({ form, name, ...text, ...more });
  const option = (value, selected) => ({ value, selected, defaultSelected: false });
  const page = () => [
    control("a"),
    control("b"),
    control("c", { type: "checkbox", checked: false, defaultChecked: false }),
    control("d", { type: "select-multiple", multiple: true, options: [option("x", false), option("y", false)] }),
    control("e", { type: "password" }),
  ];
  const [before, after] = [page(), page()];
  before[0].value = "text";
  before[2].checked = true;
  before[3].options[1].selected = true;
  before[4].value = "secret";
  refill(after, entered(before));
  assert.deepEqual([after[0].value, after[1].value, after[2].checked, after[4].value], ["text", "", true, ""]);
  assert.deepEqual(
    after[3].options.map((entry) => entry.selected),
    [false, true],
  );
});
