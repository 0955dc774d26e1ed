import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  Description, eventExample, nameOf, ownExample, paragraphs, requestFor, split, typeWords,
} from "../../public/api/description.js";

const document = JSON.parse(readFileSync(new URL("../../public/openapi.json", import.meta.url), "utf8"));
const description = new Description(document);
const operation = (id) => description.operations.find((each) => each.id === id);
const said = (schema) => typeWords(schema).map((word) => word.name ?? word).join("");

test("every operation is in a group once, some with the same one for the session of the request", () => {
  const grouped = description.groups.flatMap(({ operations }) => operations);
  const described = Object.values(document.paths)
    .flatMap((item) => Object.entries(item).filter(([key]) => key !== "parameters"))
    .map(([, { operationId }]) => operationId);
  const shown = grouped.flatMap(({ id, short }) => [id, short?.id ?? []]).flat();
  assert.deepEqual(shown.toSorted(), described.toSorted());
  assert.equal(operation("putSessionRoute").short.path, "/route");
  assert.equal(operation("putSessionRoute").description, operation("putSessionRoute").short.description);
  assert.equal(operation("getSession").short, null);
});

test("the introduction has topics with titles", () => {
  assert.equal(description.introduction.length, 1);
  assert.ok(description.topics.some(({ title }) => title === "Who may do what"));
});

test("an answer has its problems", () => {
  const refused = operation("postSessionEvent").answers.find(({ status }) => status === "422");
  const problems = description.problemsOf(refused);
  assert.ok(problems.some(({ code, status, name }) =>
    code === "unknown-event" && status === "422" && name === "UnknownEvent"));
  assert.deepEqual(description.problemsOf(operation("getSession").answers[0]), []);
});

test("every answer with a JSON document has an example, except the map and the description", () => {
  for (const { id, answers } of description.operations) {
    const { contents } = answers.find(({ status }) => status < "3") ?? { contents: [] };
    if (!contents[0]?.type.startsWith("application/json")) continue;
    if (!["getCatalog", "getMap", "getDescription"].includes(id)) assert.notEqual(contents[0].example, undefined, id);
  }
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
  }
});

test("fields of an object without a name are listed with their path", () => {
  const names = description.fieldsOf({ $ref: "#/components/schemas/Catalog" }).map(({ name }) => name);
  assert.ok(names.includes("screens[].name") && names.indexOf("screens") < names.indexOf("screens[].content"));
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

const catalog = {
  events: [
    { name: "prices.didLoad", origin: "app", payload: {} },
    {
      name: "cart.put", origin: "client", payload: {
        product: { type: "string", required: true, choices: ["lamp", "mug"] }, count: { type: "integer", required: true },
        note: { type: "string", required: false },
      },
    },
    { name: "cart.checkOut", origin: "client", payload: {} },
  ],
  paths: ["/product/{product}", "/search?q={query}", "/cart"],
  options: [{ name: "locale" }],
};

test("an example has only what the app has", () => {
  const put = { event: "cart.put", payload: { product: "lamp", count: 1 } };
  assert.deepEqual(eventExample(catalog.events[1]), put);
  assert.deepEqual(eventExample(catalog.events[2]), { event: "cart.checkOut" });
  assert.deepEqual(ownExample({ event: "teams.didSelect", payload: { team: "ferrari" } }, catalog), put);
  assert.deepEqual(ownExample({ path: "/main/teams", options: { liveResults: true, locale: "de" } }, catalog),
    { path: "/cart", options: { locale: "de" } });
  for (const known of [{ path: "/product/mug" }, { path: "/search?q=shoes" }, { event: "cart.checkOut" }]) {
    assert.deepEqual(ownExample(known, catalog), known);
  }
  assert.deepEqual(ownExample({ event: "teams.didSelect" }, null), { event: "teams.didSelect" });
  assert.equal(ownExample(undefined, catalog), undefined);
});

test("a long text has its first sentence, and the rest", () => {
  assert.deepEqual(split("Short. Text."), ["Short. Text.", ""]);
  assert.deepEqual(split("The first sentence is long enough. The second one is folded."),
    ["The first sentence is long enough.", "The second one is folded."]);
});
