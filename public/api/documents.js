// @ts-check
// The documents and the problems: the schemas of the description, each in a row that opens.

import { make } from "../inspector/dom.js";
import { nameOf } from "./description.js";
import { facts, fold, prose, typeOf } from "./elements.js";

/** The sections that list what is neither an operation nor a topic. */
export function documentSections(description) {
  const { problems, schemas } = description;
  const documents = schemas.filter(([name]) => !problems.some((each) => each.name === name));
  const row = (name, schema, ...title) =>
    fold(`schema-${name}`, title, () => schemaContent(description, schema), "fold schema");
  return [
    section("documents", "Documents", "What requests and answers contain.", documents.map(([name, schema]) =>
      row(name, schema, make("code", {}, name)))),
    section("problems", "Problems", "Every error that a program can tell apart by its `type`.",
      problems.map(({ name, code, status, schema }) =>
        row(name, schema, make("span", { className: "status error" }, status), " ", make("code", {}, code)))),
  ];
}

function section(id, title, text, rows) {
  return make("section", { className: "group", id: `group-${id}` },
    make("h2", {}, title), ...prose(text),
    fold(id, [`All ${rows.length} ${id}`], () => [make("div", { className: "rows" }, ...rows)]));
}

/** The fields that every problem has. The document `Problem` describes them. */
const common = ["type", "title", "status", "detail"];

function schemaContent(description, schema) {
  const isProblem = schema.properties?.type?.const !== undefined;
  const fields = description.fieldsOf(schema).filter(({ name }) => !isProblem || !common.includes(name));
  const { description: text = "", pattern, additionalProperties } = description.resolved(schema);
  const hasFields = fields.length > 0;
  return [
    ...prose(schema.description ?? text),
    hasFields
      ? facts(fields.map((field) => ({
        name: field.name, note: field.required ? "" : "optional",
        content: [
          make("p", {}, typeOf(field.schema)),
          ...prose(nameOf(field.schema) ? field.schema.description ?? "" : field.description),
        ],
      })))
      : make("p", {}, typeOf(isProblem ? { $ref: "#/components/schemas/Problem" } : schema),
        pattern ? make("small", {}, ` like ${pattern}`) : null),
    ...(typeof additionalProperties === "object" && !hasFields
      ? [make("p", {}, "with any names; each value is ", typeOf(additionalProperties))] : []),
  ];
}
