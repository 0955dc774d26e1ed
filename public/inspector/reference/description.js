// @ts-check
// The API's description (OpenAPI 3.1), prepared for the page: references are resolved, and each operation has its own
// parameters, bodies and answers.

const methods = ["get", "head", "post", "put", "patch", "delete"];

/**
 * A JSON schema, or a part of the description that can refer to another part.
 * @typedef {Record<string, any>} Schema
 */

/**
 * A parameter of a request: in the path, the query or a header.
 * @typedef {{ name: string, place: string, required: boolean, description: string, schema: Schema }} Parameter
 */

/**
 * A body of a request or an answer: its media type, schema and example.
 * @typedef {{ type: string, schema: Schema, example: unknown }} Content
 */

/**
 * @typedef {{ status: string, description: string, headers: string[], contents: Content[] }} Answer
 */

/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method In capitals.
 * @property {string} path
 * @property {string} tag
 * @property {string} summary
 * @property {string} description
 * @property {Parameter[]} parameters
 * @property {Content[]} bodies
 * @property {Answer[]} answers
 */

export class Description {
  /** @param {Schema} document */
  constructor(document) {
    this.document = document;
    this.title = document.info.title;
    this.description = document.info.description;
    /** @type {Operation[]} */
    this.operations = Object.entries(document.paths).flatMap(([path, item]) => methods
      .filter((method) => method in item).map((method) => this.#operation(path, method, item)));
    /** @type {[string, Schema][]} */
    this.schemas = Object.entries(document.components.schemas);
  }

  /** The operations by their tag, in the order of the description. */
  get groups() {
    return this.document.tags.map((/** @type {{ name: string, description: string }} */ { name, description }) =>
      ({ name, description, operations: this.operations.filter(({ tag }) => tag === name) }));
  }

  /**
   * A part of the description with its reference replaced. Fields beside the reference are kept.
   * @param {Schema} part
   * @returns {Schema}
   */
  resolved(part) {
    if (part.$ref === undefined) return part;
    const { $ref, ...own } = part;
    /** @type {Schema} */
    const named = $ref.slice(2).split("/").reduce((/** @type {any} */ each, /** @type {string} */ name) => each[name],
      this.document);
    const meant = this.resolved(named);
    if (!own.properties) return { ...meant, ...own };
    return {
      ...meant, ...own, properties: { ...meant.properties, ...own.properties },
      required: [...(meant.required ?? []), ...(own.required ?? [])],
    };
  }

  /**
   * The fields of an object, including those of the schemas it refers to. Fields of nested objects without a name have
   * their path: `rows`, `rows[].id`.
   * @param {Schema} schema
   * @returns {{ name: string, required: boolean, description: string, schema: Schema }[]}
   */
  fieldsOf(schema, before = "") {
    const { properties = {}, required = [] } = this.resolved(schema);
    return Object.entries(properties).flatMap(([name, field]) => {
      const isList = field.type === "array" && nameOf(field.items ?? {}) === null;
      const below = isList ? field.items ?? {} : field;
      return [
        {
          name: before + name, required: required.includes(name), schema: field,
          description: this.resolved(field).description ?? "",
        },
        ...(nameOf(below) === null ? this.fieldsOf(below, `${before}${name}${isList ? "[]" : ""}.`) : []),
      ];
    });
  }

  /**
   * A sample value, created from the examples in the description.
   * @param {Schema} schema
   * @returns {unknown}
   */
  exampleOf(schema, depth = 0) {
    const { const: only, enum: choices, examples, type, properties, items, oneOf, minimum } = this.resolved(schema);
    if (only !== undefined) return only;
    if (examples?.length > 0) return examples[0];
    if (choices) return choices[0];
    if (oneOf) return this.exampleOf(oneOf[0], depth);
    const kind = Array.isArray(type) ? type[0] : type;
    if (kind === "array") return items && depth < 3 ? [this.exampleOf(items, depth + 1)] : [];
    if (properties && depth < 3) {
      const fields = Object.entries(properties);
      return Object.fromEntries(fields.map(([name, each]) => [name, this.exampleOf(each, depth + 1)]));
    }
    return { integer: minimum ?? 0, number: minimum ?? 0, boolean: false, string: "", object: {} }[kind] ?? null;
  }

  /**
   * @param {string} path
   * @param {string} method
   * @param {Schema} item
   * @returns {Operation}
   */
  #operation(path, method, item) {
    const { operationId, tags, summary, description = "", parameters = [], requestBody, responses } = item[method];
    return {
      id: operationId, method: method.toUpperCase(), path, tag: tags[0], summary, description,
      parameters: [...(item.parameters ?? []), ...parameters].map((part) => this.#parameter(part)),
      bodies: this.#contents(requestBody ? this.resolved(requestBody).content : {}),
      answers: Object.entries(responses).map(([status, part]) => this.#answer(status, part)),
    };
  }

  /**
   * @param {Schema} part
   * @returns {Parameter}
   */
  #parameter(part) {
    const { name, in: place, required = false, description, schema } = this.resolved(part);
    return { name, place, required, schema, description: description ?? this.resolved(schema).description ?? "" };
  }

  /**
   * @param {string} status
   * @param {Schema} part
   * @returns {Answer}
   */
  #answer(status, part) {
    const { description, headers = {}, content = {} } = this.resolved(part);
    return { status, description, headers: Object.keys(headers), contents: this.#contents(content) };
  }

  /**
   * @param {Record<string, Schema>} content
   * @returns {Content[]}
   */
  #contents(content = {}) {
    return Object.entries(content).map(([type, { schema = {}, example, examples }]) => {
      /** @type {Schema | undefined} */
      const first = Object.values(examples ?? {})[0];
      return { type, schema, example: example ?? first?.value };
    });
  }
}

/**
 * The name of the schema that a schema refers to, or null if it is not a reference.
 * @param {Schema} schema
 * @returns {string | null}
 */
export function nameOf({ $ref }) {
  return $ref?.startsWith("#/components/schemas/") ? $ref.slice($ref.lastIndexOf("/") + 1) : null;
}

/**
 * A type in words. Names of other schemas become links: `array of`, `{ name: "Action" }`.
 * @param {Schema} schema
 * @returns {(string | { name: string })[]}
 */
export function typeWords(schema) {
  const name = nameOf(schema);
  if (name !== null) return [{ name }];
  const { type, const: only, enum: choices, items, oneOf, prefixItems } = schema;
  if (only !== undefined) return [JSON.stringify(only)];
  if (choices) return [choices.map((/** @type {unknown} */ each) => JSON.stringify(each)).join(" or ")];
  if (oneOf) return separated(oneOf.map(typeWords), " or ");
  if (type === "array") {
    const first = prefixItems ? [...separated(prefixItems.map(typeWords), ", "), ", then "] : [];
    return ["array of ", ...first, ...(items ? typeWords(items) : ["anything"])];
  }
  return [Array.isArray(type) ? type.join(" or ") : type ?? "anything"];
}

/**
 * @param {(string | { name: string })[][]} lists
 * @param {string} separator
 */
function separated(lists, separator) {
  return lists.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));
}

/**
 * The paragraphs of a text, split into plain text, `code` and **strong** words.
 * @param {string} text
 * @returns {{ kind: "text" | "code" | "strong", text: string }[][]}
 */
export function paragraphs(text) {
  return text.split(/\n{2,}/).filter((each) => each !== "").map((paragraph) => paragraph
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter((each) => each !== "").map((piece) => {
      if (piece.startsWith("`")) return { kind: "code", text: piece.slice(1, -1) };
      if (piece.startsWith("**")) return { kind: "strong", text: piece.slice(2, -2) };
      return { kind: "text", text: piece };
    }));
}

/**
 * The request for an operation. Empty parameters are left out.
 * @param {Operation} operation
 * @param {Record<string, string>} values The parameters' values by place and name: `path id`.
 * @param {{ type?: string, body?: string, accept?: string }} content
 */
export function requestFor({ method, path, parameters }, values, { type, body, accept }) {
  const given = parameters
    .map(({ place, name }) => ({ place, name, value: values[`${place} ${name}`] ?? "" }))
    .filter(({ value }) => value !== "");
  const of = (/** @type {string} */ wanted) => given.filter(({ place }) => place === wanted);
  const filled = of("path")
    .reduce((each, { name, value }) => each.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(of("query").map(({ name, value }) => [name, value]));
  const hasBody = body !== undefined && body !== "";
  return {
    method,
    path: query.size > 0 ? `${filled}?${query}` : filled,
    headers: {
      ...Object.fromEntries(of("header").map(({ name, value }) => [name, value])),
      ...(accept && { Accept: accept }),
      ...(hasBody && type && { "Content-Type": type }),
    },
    body: hasBody ? body : null,
  };
}
