import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { Catalog, holdsSecret, likelyFirst } from "../../public/inspector/catalog.js";
import { command, eventCommand, routeCommand } from "../../public/inspector/curl.js";
import { payloadWith, putValue, showValue, textOf, valuesIn } from "../../public/inspector/entries.js";
import { readJSON, writeJSON } from "../../public/inspector/exact.js";
import { controlFor, inputFor, pointerTo } from "../../public/inspector/inputs.js";
import { fakeForm } from "./fixtures.js";

const open = { origin: "http://localhost:8080", hasKey: false };

test("a command for an event contains only what it needs", () => {
  assert.equal(eventCommand("abc", { event: "splash.didFinish", payload: {}, at: null }, open),
    `curl --json '{"event":"splash.didFinish"}' 'http://localhost:8080/sessions/abc/events'`);
  assert.equal(eventCommand("abc", { event: "a.b", payload: { name: "it's" }, at: "App" }, open),
    `curl --json '{"event":"a.b","payload":{"name":"it'\\''s"},"at":"App"}' 'http://localhost:8080/sessions/abc/events'`);
});

test("a shell passes the whole payload to curl", () => {
  const payload = { name: String.raw`Zoë "O'Neill" $HOME \n ` + "`id` <&;>\n!", size: readJSON("9007199254740993") };
  const text = eventCommand("abc", { event: "a.b", payload }, open);
  const script = `curl() { printf '%s\\0' "$@"; }; ${text}`;
  const [option, body, address] = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0");
  assert.deepEqual([option, address], ["--json", "http://localhost:8080/sessions/abc/events"]);
  assert.equal(body, writeJSON({ event: "a.b", payload }));
  assert.match(body, /9007199254740993/);
});

test("a posted outcome is posted again, and the app's own is not", () => {
  const entry = { event: "a.b", payload: {}, at: "App", pending: "12-1" };
  const posted = `curl --json '{"event":"a.b","at":"App","pending":"12-1"}' 'http://localhost:8080/sessions/abc/events'`;
  assert.equal(eventCommand("abc", entry, open), posted);
  assert.equal(eventCommand("abc", { ...entry, origin: "client" }, open), posted);
  for (const more of [{ origin: "work" }, { origin: "client", pending: null }]) {
    assert.doesNotMatch(eventCommand("abc", { ...entry, ...more }, open), /pending/);
  }
});

test("a command reads the server's key from the shell's environment", () => {
  assert.equal(routeCommand("abc", 3, { ...open, hasKey: true }),
    `curl -H "Authorization: Bearer $COORDINATE_API_KEY" 'http://localhost:8080/sessions/abc/route?version=3'`);
});

test("a command contains its method and type if curl's defaults differ", () => {
  assert.equal(command({ method: "PUT", path: "/route", body: "{}" }, open),
    "curl -X PUT --json '{}' 'http://localhost:8080/route'");
  assert.equal(command({ method: "HEAD", path: "/route" }, open), "curl --head 'http://localhost:8080/route'");
  assert.equal(command({ method: "POST", path: "/logout" }, open), "curl -X POST 'http://localhost:8080/logout'");
  const lines = { "Content-Type": "application/x-ndjson", Prefer: "wait=1" };
  assert.equal(command({ method: "POST", path: "/sessions", headers: lines, body: "{}" }, open),
    "curl -H 'Prefer: wait=1' -H 'Content-Type: application/x-ndjson' --data-binary '{}' 'http://localhost:8080/sessions'");
});

const catalog = new Catalog({
  events: [
    { name: "login.send", payload: { user: { type: "string" }, password: { type: "string", secret: true } } },
    { name: "login.done", payload: {}, origin: "app" },
  ],
});

test("a secret is copied as its field's name", () => {
  assert.deepEqual(catalog.withoutSecrets({ event: "login.send", payload: { user: "a", password: "b" } }).payload,
    { user: "a", password: "<password>" });
  assert.deepEqual(catalog.withoutSecrets({ event: "login.send", payload: { user: "a" } }).payload,
    { user: "a", password: "<password>" });
  assert.ok(holdsSecret({ type: "array", items: { type: "object", fields: { pin: { type: "string", secret: true } } } }));
  assert.equal(catalog.allows("login.done"), false);
  assert.equal(catalog.allows("unknown.event"), true);
  assert.deepEqual(catalog.filledIn({ event: "login.send", payload: { user: "a" } }).payload,
    { user: "a", password: "secret" });
});

for (const [type, value, concealed] of [
  [{ type: "string" }, "1", "1"],
  [{ type: "string", secret: true }, "1", "<field>"],
  [{ type: "array", items: { secret: true } }, [1, 2], ["<field>", "<field>"]],
  [{ type: "object", fields: { pin: { secret: true }, id: {} } }, { id: 1 }, { id: 1, pin: "<pin>" }],
  [{ type: "object", fields: { pin: { secret: true } } }, "not an object: 1", "<field>"],
]) {
  test(`of ${JSON.stringify(value)}, a copy shows ${JSON.stringify(concealed)}`, () => {
    const own = new Catalog({ events: [{ name: "a.b", payload: { field: type } }] });
    assert.deepEqual(own.withoutSecrets({ event: "a.b", payload: { field: value } }).payload, { field: concealed });
  });
}

test("the likely outcome is an event that only the app emits", () => {
  assert.equal(likelyFirst(catalog.events)[0].name, "login.done");
});

test("the kind of a field follows its type", () => {
  const kind = (declared) => controlFor(inputFor("x", declared));
  assert.equal(kind({ type: "string" }), "text");
  assert.equal(kind({ type: "integer" }), "number");
  assert.equal(kind({ type: "boolean" }), "checkbox");
  assert.equal(kind({ type: "boolean", required: false }), "menu");
  assert.equal(kind({ type: "string", choices: ["a", "b"] }), "menu");
  assert.equal(kind({ type: "string", choices: Array.from({ length: 101 }, String) }), "text");
  assert.equal(kind({ type: "object", fields: { pin: { type: "string", secret: true } } }), "password");
  assert.equal(kind({ type: "string", default: "two\nlines" }), "area");
});

test("a field for JSON shows an example", () => {
  const declared = {
    type: "array", items: { type: "object", fields: { id: { type: "string", choices: ["a"] }, count: { type: "integer" } } },
  };
  assert.equal(inputFor("lines", declared).example, '[{"id":"a","count":0}]');
  assert.equal(pointerTo("payload", "a/b~c"), "/payload/a~1b~0c");
});

test("entered texts become values", () => {
  const form = fakeForm(
    { name: "name", value: "Anna" }, { name: "count", type: "number", value: "3" }, { name: "on", type: "checkbox" },
    { name: "left", value: "", optional: "" }, { name: "lines", value: "[1]" }, { name: "bad", value: "[1" });
  const types = { name: "string", count: "integer", on: "boolean", left: "string", lines: "array", bad: "array" };
  for (const control of form.controls) control.dataset.type = types[control.name];
  assert.deepEqual(valuesIn(form), { name: "Anna", count: 3, on: false, lines: [1], bad: "[1" });
  assert.equal(textOf({ a: 1 }), '{"a":1}');
});

test("unchanged fields are sent as offered", () => {
  const form = fakeForm({ name: "zip" }, { name: "city" });
  for (const control of form.controls) {
    control.dataset.type = "string";
    showValue(control, control.name === "zip" ? "8001" : null);
  }
  form.controls[0].value = "8002";
  assert.deepEqual(payloadWith(form, { zip: "8001", city: null, order: 7 }), { zip: "8002", city: null, order: 7 });
});

for (const [pointer, typed, corrected] of [
  ["/payload/lines", "expres", "express"],
  ["/payload/lines/0/team", '[{"team":"ferari"}]', '[{"team":"express"}]'],
  ["/payload/lines/1/a~1b", '[{},{"a/b":"c"}]', '[{},{"a/b":"express"}]'],
  ["/payload/lines/1/a~1b", "no JSON", "no JSON"],
  ["/payload/other", "x", "x"],
]) {
  test(`a value at ${pointer} of ${typed} gives ${corrected}`, () => {
    const form = fakeForm({ name: "lines", value: typed });
    form.controls[0].dataset.type = "array";
    putValue(form, pointer, "express");
    assert.equal(form.controls[0].value, corrected);
  });
}
