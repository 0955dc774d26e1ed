import assert from "node:assert/strict";
import { test } from "node:test";

import { distinct, keyed, setAttribute, setText } from "../../public/inspector/dom.js";
import { FakeElement } from "./elements.js";

const show = (list, items) => keyed(list, items, ({ id }) => id, () => new FakeElement(),
  (element, { text }) => setText(element, text));
const texts = (list) => list.children.map(({ textContent }) => textContent);
const item = (id, text = id) => ({ id, text });

test("remaining items keep their elements", () => {
  const list = new FakeElement("ul");
  show(list, [item("a"), item("b"), item("c")]);
  const [a, b, c] = list.children;
  show(list, [item("c"), item("a", "changed"), item("d")]);
  assert.deepEqual(texts(list), ["c", "changed", "d"]);
  assert.equal(list.children[0], c);
  assert.equal(list.children[1], a);
  assert.ok(!list.children.includes(b));
});

test("items in their old order are not moved", () => {
  const list = new FakeElement("ul");
  show(list, [item("a"), item("b")]);
  const { moves } = list;
  show(list, [item("a", "1"), item("b", "2")]);
  assert.equal(list.moves, moves);
  show(list, [item("new"), item("a"), item("b")]);
  assert.equal(list.moves, moves + 1);
});

test("two items with the same key have two elements", () => {
  assert.deepEqual(distinct(["a", "b", "a", "a"]), ["a", "b", "a 1", "a 2"]);
  const list = new FakeElement("ul");
  show(list, [item("a", "first"), item("a", "second")]);
  assert.deepEqual(texts(list), ["first", "second"]);
});

test("an attribute is set and removed", () => {
  const element = new FakeElement();
  setAttribute(element, "aria-busy", true);
  assert.equal(element.getAttribute("aria-busy"), "true");
  setAttribute(element, "aria-busy", null);
  assert.equal(element.getAttribute("aria-busy"), null);
});
