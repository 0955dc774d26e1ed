import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  Description, nameOf, paragraphs, requestFor, typeWords,
} from "../../public/inspector/reference/description.js";

const document = JSON.parse(readFileSync(new URL("../../public/openapi.json", import.meta.url), "utf8"));
const description = new Description(document);
const operation = (id) => description.operations.find((each) => each.id === id);
const said = (schema) => typeWords(schema).map((word) => word.name ?? word).join("");

test("every operation is in a group", () => {
  const grouped = description.groups.flatMap(({ operations }) => operations);
  const described = Object.values(document.paths)
    .flatMap((item) => Object.keys(item).filter((key) => key !== "parameters"));
  assert.equal(grouped.length, described.length);
  assert.deepEqual(new Set(grouped), new Set(description.operations));
});

test("references of operations are resolved", () => {
  const emit = operation("postSessionEvent");
  assert.equal(emit.method, "POST");
  assert.deepEqual(emit.parameters.map(({ name }) => name), ["id", "If-Match", "Idempotency-Key", "Prefer"]);
  assert.equal(emit.bodies[0].example.event, "teams.didSelect");
  const refused = emit.answers.find(({ status }) => status === "422");
  assert.equal(refused.contents[0].type, "application/problem+json");
  assert.match(said(refused.contents[0].schema), /^UnknownEvent or UnknownField or /);
  for (const { answers } of description.operations) {
    for (const { description: text } of answers) assert.notEqual(text ?? "", "");
  }
});

test("every schema has a description and refers only to existing schemas", () => {
  for (const [name, schema] of description.schemas) {
    const words = [typeWords(schema), ...description.fieldsOf(schema).map((field) => typeWords(field.schema))].flat();
    assert.ok(words.length > 0, name);
    for (const word of words) if (word.name) assert.ok(word.name in document.components.schemas, `${name}: ${word.name}`);
    JSON.stringify(description.exampleOf(schema));
  }
});

test("fields of an object without a name are listed with their path", () => {
  const names = description.fieldsOf({ $ref: "#/components/schemas/Screen" }).map(({ name }) => name);
  assert.ok(names.includes("rows[].title") && names.indexOf("rows") < names.indexOf("rows[].id"));
});

test("a problem includes the fields of all problems", () => {
  const fields = description.fieldsOf({ $ref: "#/components/schemas/UnknownEvent" });
  const detail = fields.find(({ name }) => name === "detail");
  assert.ok(detail.required);
  assert.ok(fields.find(({ name }) => name === "didYouMean").required);
  assert.equal(nameOf({ $ref: "#/components/schemas/UnknownEvent" }), "UnknownEvent");
  assert.equal(nameOf({ type: "string" }), null);
});

test("types are written in words", () => {
  assert.equal(said({ type: ["string", "null"] }), "string or null");
  assert.equal(said({ enum: ["page", "sheet"] }), '"page" or "sheet"');
  assert.equal(said({ type: "array", items: { $ref: "#/components/schemas/Action" } }), "array of Action");
  assert.equal(said({ type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } }),
    "array of string, then integer");
  assert.equal(said({}), "anything");
});

test("texts contain code, strong words and plain text", () => {
  assert.deepEqual(paragraphs("A `b` c.\n\n**D.** <e>"), [
    [{ kind: "text", text: "A " }, { kind: "code", text: "b" }, { kind: "text", text: " c." }],
    [{ kind: "strong", text: "D." }, { kind: "text", text: " <e>" }],
  ]);
});

test("a request leaves out empty parameters", () => {
  assert.deepEqual(requestFor(operation("getSessionRoute"), { "path id": "a/b", "query version": "3" }, {}), {
    method: "GET", path: "/sessions/a%2Fb/route?version=3", headers: {}, body: null,
  });
  assert.deepEqual(
    requestFor(operation("postSession"), {}, { type: "application/json", body: "", accept: "" }),
    { method: "POST", path: "/sessions", headers: {}, body: null });
  const { headers, body } = requestFor(operation("postSessionEvent"), { "path id": "x", "header If-Match": '"1"' },
    { type: "application/json", body: "{}" });
  assert.deepEqual(headers, { "If-Match": '"1"', "Content-Type": "application/json" });
  assert.equal(body, "{}");
});

test("an example has the shape of its schema", () => {
  assert.equal(description.exampleOf({ $ref: "#/components/schemas/SessionState" }), "live");
  assert.deepEqual(description.exampleOf({ type: "array", items: { type: "integer", minimum: 1 } }), [1]);
  assert.ok("event" in description.exampleOf({ $ref: "#/components/schemas/Action" }));
});
