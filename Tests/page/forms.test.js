// The forms of screens: their fields, what they send, and what stays when the screen changes.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Problem } from "../../public/inspector/api.js";
import { writeJSON } from "../../public/inspector/exact.js";
import { Forms } from "../../public/inspector/forms.js";
import { FakeElement, openPage, said } from "./elements.js";

let place, forms, sent, reported, refusal;

beforeEach(() => {
  openPage();
  place = document.body.appendChild(new FakeElement("section"));
  [sent, reported, refusal] = [[], [], null];
  forms = new Forms({
    send: async (request) => {
      sent.push(request);
      if (refusal) throw new Problem(refusal);
      return 1;
    },
    report: ({ detail }) => reported.push(detail),
    finish: () => {},
  });
});

/** Shows a form with one input, as in the route document of a version. */
function show(input, version = 0, isWritable = true) {
  const whole = { title: "Title", error: null, choices: null, required: true, secret: false, ...input };
  const action = {
    title: "Send", event: "a.b", payload: { fixed: 1, field: input.value }, inputs: [{ field: "field", ...whole }],
  };
  forms.begin({ session: "s", leaf: "l", version }, isWritable);
  const key = forms.key("here", action);
  place.replaceChildren(forms.element(key));
  forms.show(key, action);
  forms.end();
}

const control = () => place.querySelector("[data-field]");

async function submit() {
  place.querySelector("[type=submit]").click();
  await new Promise(setImmediate);
}

const choices = (...values) => values.map((value) => ({ value, title: `The ${value}` }));

for (const [kind, value, type, autocomplete = "off"] of [
  ["email", "", "email", "email"], ["email", "ada@example.com", "email", "email"], ["email", " ada", "text", "email"],
  ["phone", "+41 44", "tel", "tel"], ["url", "https://example.com", "url", "url"], ["url", "a ", "text", "url"],
  ["date", null, "date"], ["date", "2026-11-29", "date"], ["date", "2026-13-01", "text"], ["date", "today", "text"],
  ["time", "09:30", "time"], ["time", "09:30:15", "time"], ["time", "9:30", "text"], ["time", "24:00", "text"],
  ["multiline", "one", "textarea"], ["search", "x", "search"], ["email", "a\nb", "textarea", "email"],
  ["oneTimeCode", "", "text", "one-time-code"], ["handwriting", "", "text"],
]) {
  test(`${kind} with ${JSON.stringify(value)} is typed into ${type}`, () => {
    show({ type: "string", value, kind });
    assert.equal(control().localName === "input" ? control().type : control().localName, type);
    assert.equal(control().getAttribute("autocomplete"), autocomplete);
    assert.equal(control().getAttribute("inputmode"), kind === "oneTimeCode" ? "numeric" : null);
  });
}

test("a kind of text changes neither choices nor secrets nor numbers", () => {
  for (const [input, kind] of [
    [{ type: "string", value: "a", choices: choices("a") }, "select"], [{ type: "integer", value: 1 }, "number"],
    [{ type: "string", value: null, secret: true }, "password"],
  ]) {
    show({ ...input, kind: "date" });
    assert.equal(control().localName === "input" ? control().type : control().localName, kind);
  }
});

for (const [input, kind, typed, value] of [
  [{ type: "string", value: "" }, "text", "Ada", "Ada"],
  [{ type: "string", value: "a\nb" }, "textarea", "a\nc", "a\nc"],
  [{ type: "string", value: "x", required: false }, "text", "", undefined],
  [{ type: "string", value: "x" }, "text", "", ""],
  [{ type: "integer", value: 1 }, "number", "2", 2],
  [{ type: "number", value: 1, required: false }, "number", "0.5", 0.5],
  [{ type: "number", value: 1 }, "number", "", undefined],
  [{ type: "boolean", value: null, required: false }, "select", "false", false],
  [{ type: "object", value: { a: 1 } }, "textarea", '{"a": 2}', { a: 2 }],
  [{ type: "array", value: [1] }, "textarea", "no JSON", "no JSON"],
  [{ type: "integer", value: 1, choices: choices(1, 2) }, "select", "2", 2],
  [{ type: "string", value: "a", required: false, choices: choices("a") }, "select", "", undefined],
  [{ type: "string", value: null, secret: true }, "password", "s", "s"],
]) {
  test(`typing ${JSON.stringify(typed)} into ${JSON.stringify(input)} sends ${JSON.stringify(value)}`, async () => {
    show(input);
    const { localName, type } = control();
    assert.equal(localName === "input" ? type : localName, kind);
    control().enter(typed);
    await submit();
    const payload = value === undefined ? { fixed: 1 } : { fixed: 1, field: value };
    assert.deepEqual(sent, [{ event: "a.b", payload }]);
  });
}

for (const input of [
  { type: "string", value: "" }, { type: "string", value: "a\nb" }, { type: "string", value: null },
  { type: "string", value: "", required: false }, { type: "integer", value: null }, { type: "number", value: 1.25 },
  { type: "boolean", value: true }, { type: "object", value: { a: [1, { b: null }] } },
  { type: "string", value: "gone", choices: choices("a") }, { type: "string", value: "", choices: choices("", "a") },
]) {
  test(`unchanged, ${JSON.stringify(input)} is sent as offered`, async () => {
    show(input);
    await submit();
    assert.deepEqual(sent, [{ event: "a.b", payload: { fixed: 1, field: input.value } }]);
  });
}

// 2⁵³ + 1 is the first whole number that JavaScript rounds.
test("a large number is sent with all its digits", async () => {
  show({ type: "integer", value: null });
  control().enter("9007199254740993");
  await submit();
  assert.equal(writeJSON(sent[0].payload), '{"fixed":1,"field":9007199254740993}');
});

test("a field has a label, says whether it is required, and shows the app's error", () => {
  show({ type: "string", value: "", title: "Zip", error: "has four digits" });
  const label = place.querySelector("label");
  assert.deepEqual([said(label), label.htmlFor], ["Zip", control().id]);
  assert.equal(control().getAttribute("aria-required"), "true");
  assert.equal(control().getAttribute("aria-invalid"), "true");
  assert.equal(said(document.getElementById(control().getAttribute("aria-describedby"))), "has four digits");
  show({ type: "string", value: "", title: "Zip" }, 1);
  assert.equal(control().getAttribute("aria-invalid"), null);
});

test("the suggested value of a refusal is offered at the field", async () => {
  refusal = { detail: "There is no such team.", pointer: "/payload/field", didYouMean: "haas" };
  show({ type: "string", value: "" });
  control().enter("has");
  await submit();
  const error = place.querySelector(".field-error");
  assert.equal(said(error), "There is no such team.Did you mean haas?");
  assert.equal(document.activeElement, control());
  // A new document keeps the refusal.
  show({ type: "string", value: "" }, 1);
  assert.equal(control().getAttribute("aria-invalid"), "true");
  error.querySelector("button").click();
  assert.deepEqual([control().value, error.hidden, control().getAttribute("aria-invalid")], ["haas", true, null]);
});

test("typing removes the refusal of a field", async () => {
  refusal = { detail: "Too long.", pointer: "/payload/field" };
  show({ type: "string", value: "" });
  await submit();
  control().enter("short");
  assert.ok(place.querySelector(".field-error").hidden);
});

test("a problem without a field of the form is reported", async () => {
  refusal = { detail: "Wait a moment.", status: 503 };
  show({ type: "string", value: "" });
  control().enter("kept");
  await submit();
  assert.deepEqual([reported, control().value], [["Wait a moment."], "kept"]);
});

test("a form is sent once, even if it is submitted again before the answer", async () => {
  show({ type: "string", value: "" });
  place.querySelector("form").requestSubmit();
  await submit();
  assert.equal(sent.length, 1);
});

// A sent message leaves an empty field, as the app shows it, although the app's value did not change.
test("after sending, the field has the app's value", async () => {
  show({ type: "string", value: "" });
  control().enter("Hello");
  await submit();
  assert.equal(control().value, "Hello");
  show({ type: "string", value: "" }, 1);
  assert.equal(control().value, "");
});

test("what is typed after sending stays", async () => {
  show({ type: "string", value: "" });
  control().enter("Hello");
  await submit();
  control().enter("Hello again");
  show({ type: "string", value: "" }, 1);
  assert.equal(control().value, "Hello again");
});

test("typed text stays unless the app changes its value", () => {
  show({ type: "string", value: "8001" });
  const first = control();
  first.enter("80");
  show({ type: "string", value: "8001" }, 1);
  assert.deepEqual([control(), control().value], [first, "80"]);
  show({ type: "string", value: "9000" }, 2);
  assert.deepEqual([control(), control().value], [first, "9000"]);
});

test("a choice that is no longer offered is replaced", () => {
  show({ type: "string", value: "a", choices: choices("a", "b", "c") });
  control().value = "b";
  show({ type: "string", value: "a", choices: choices("c", "b", "a") }, 1);
  assert.equal(control().value, "b");
  show({ type: "string", value: "a", choices: choices("a", "c") }, 2);
  assert.equal(control().value, "a");
  assert.deepEqual(control().options.map(said), ["The a", "The c"]);
});

test("the past has its own forms, and the present keeps its text but not its secrets", () => {
  const texts = () => place.querySelectorAll("[data-field]").map(({ value }) => value);
  show({ type: "string", value: "x" });
  control().enter("typed");
  show({ type: "string", value: "x" }, 0, false);
  assert.deepEqual(texts(), ["x"]);
  show({ type: "string", value: "x" }, 1);
  assert.deepEqual(texts(), ["typed"]);
  show({ type: "string", value: null, secret: true });
  const password = control();
  password.enter("swordfish");
  // The next screen has no form.
  forms.begin({ session: "s", leaf: "other", version: 2 }, true);
  forms.end();
  assert.equal(password.value, "");
});
