// @ts-check
// The API reference page: every request with its answers, to read and to try.

import * as api from "./inspector/api.js";
import { copied } from "./inspector/clipboard.js";
import { command } from "./inspector/curl.js";
import { $, make, setText } from "./inspector/dom.js";
import { LoginDialog } from "./inspector/login.js";
import { Description, nameOf, paragraphs, typeWords } from "./inspector/reference/description.js";
import { Tryout } from "./inspector/reference/tryout.js";

/** The name under which a window stores the session for trying requests, so that it survives a reload. */
const kept = "coordinate.try-session";

let description = null;
const tryouts = new Map();
const login = new LoginDialog({ logIn: api.logIn, logOut: api.logOut, go: () => $("login").close() });

// Texts

const tags = { text: "span", code: "code", strong: "strong" };

const prose = (text) => paragraphs(text).map((pieces) =>
  make("p", {}, ...pieces.map(({ kind, text: words }) => (kind === "text" ? words : make(tags[kind], {}, words)))));

const typeOf = (schema) => make("span", { className: "type" }, ...typeWords(schema).map((word) =>
  (typeof word === "string" ? word : make("a", { href: `#schema-${word.name}` }, word.name))));

/** A table with names, types and descriptions. */
const facts = (rows) => make("dl", { className: "facts" }, ...rows.map(({ name, schema, note, text }) => make("div", {},
  make("dt", {}, make("code", {}, name), " ", make("small", {}, note)),
  make("dd", {}, schema ? make("p", {}, typeOf(schema)) : null, ...prose(text)))));

// Operations

function operationElement(operation) {
  const { id, method, path, summary } = operation;
  const details = make("details", { className: "operation", id },
    make("summary", {}, make("span", { className: `method ${method.toLowerCase()}` }, method), " ",
      make("code", {}, path), " ", make("span", { className: "operation-summary" }, summary)));
  // Most are never opened, and each has a form.
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(...operationContent(operation));
  });
  return details;
}

function operationContent(operation) {
  const { parameters, bodies, answers } = operation;
  const tryout = new Tryout(operation, {
    description, session: $("session").value.trim(), toCommand: (request) => command(request), copy,
    askForKey: () => login.open(),
  });
  tryouts.set(operation.id, tryout);
  return [
    ...prose(operation.description),
    ...(parameters.length === 0 ? [] : [make("h3", {}, "Parameters"), facts(parameters.map((each) => ({
      name: each.name, schema: each.schema, text: each.description,
      note: each.required ? each.place : `${each.place}, optional`,
    })))]),
    ...(bodies.length === 0 ? [] : [make("h3", {}, "Body"), facts(bodies.map(({ type, schema }) => ({
      name: type, schema, note: "", text: nameOf(schema) ? description.resolved(schema).description ?? "" : "",
    })))]),
    make("h3", {}, "Answers"),
    make("dl", { className: "facts" }, ...answers.map(answerElement)),
    tryout.element,
  ];
}

function answerElement({ status, description: text, headers, contents }) {
  return make("div", {},
    make("dt", {}, make("code", {}, status === "default" ? "others" : status)),
    make("dd", {}, ...prose(text),
      ...contents.map(({ type, schema }) => make("p", {}, make("code", {}, type), ": ", typeOf(schema))),
      headers.length > 0 ? make("p", { className: "headers" }, `Headers: ${headers.join(", ")}`) : null));
}

function schemaElement([name, schema]) {
  const fields = description.fieldsOf(schema);
  const { description: text = "", pattern, additionalProperties } = description.resolved(schema);
  return make("section", { className: "schema", id: `schema-${name}` },
    make("h3", {}, name),
    ...prose(schema.description ?? text),
    fields.length > 0
      ? facts(fields.map((field) => ({
        name: field.name, schema: field.schema, note: field.required ? "" : "optional",
        text: nameOf(field.schema) ? field.schema.description ?? "" : field.description,
      })))
      : make("p", {}, typeOf(schema), pattern ? make("small", {}, ` like ${pattern}`) : null),
    typeof additionalProperties === "object" && fields.length === 0
      ? make("p", {}, "with any names; each value is ", typeOf(additionalProperties)) : null);
}

// The page

async function copy(text) {
  setText($("notice"), await copied(text) ? "Copied." : "The browser does not let this page use the clipboard.");
}

/** Opens what the address names. */
function openNamed() {
  const session = /#session=([^&]+)/.exec(location.hash)?.[1];
  if (session) return useSession(session);
  const element = $(decodeURIComponent(location.hash.slice(1)));
  if (!element) return;
  if (element.matches("details")) element.open = true;
  element.scrollIntoView();
}

function useSession(id) {
  $("session").value = id;
  try {
    sessionStorage.setItem(kept, id);
  } catch {
    // Then it is asked for again.
  }
  for (const tryout of tryouts.values()) tryout.use(id);
  $("back").href = id ? `/#session=${encodeURIComponent(id)}` : "/";
}

async function read() {
  const answer = await fetch("/openapi.json").catch(() => null);
  const document = answer?.ok ? await answer.json().catch(() => null) : null;
  if (document === null) return setText($("state"), "Could not load the description. Reload the page.");
  description = new Description(document);
  setText($("state"), "");
  $("introduction").replaceChildren(...prose(description.description));
  $("contents").replaceChildren(...description.groups.map(({ name, operations }) => make("li", {}, name, make("ul", {},
    ...operations.map(({ id, method, path }) => make("li", {},
      make("a", { href: `#${id}` }, make("span", { className: "method" }, method), " ", path)))))));
  $("operations").replaceChildren(...description.groups.map(({ name, description: text, operations }) =>
    make("section", {}, make("h2", {}, name), ...prose(text), ...operations.map(operationElement))));
  $("schemas").replaceChildren(...description.schemas.map(schemaElement));
  openNamed();
}

$("session").addEventListener("change", () => useSession($("session").value.trim()));
addEventListener("hashchange", openNamed);
try {
  useSession(sessionStorage.getItem(kept) ?? "");
} catch {
  useSession("");
}
read();
