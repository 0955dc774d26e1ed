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
 * @typedef {{
 *   name: string, place: string, required: boolean, description: string, schema: Schema, example: unknown,
 * }} Parameter
 */

/**
 * A body of a request or an answer: its media type, schema and example.
 * @typedef {{ type: string, schema: Schema, example: unknown }} Content
 */

/**
 * @typedef {{ status: string, description: string, headers: string[], contents: Content[] }} Answer
 */

/**
 * A problem that an answer can have: its schema's name, the end of its type (`unknown-event`), and its status.
 * @typedef {{ name: string, code: string, status: string, schema: Schema }} ProblemKind
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
 * @property {Operation | null} short The same operation without the session's id in its path.
 */

export class Description {
  /** @param {Schema} document */
  constructor(document) {
    this.document = document;
    /** The paragraphs about the whole API. A topic's title is the first, strong words of its paragraph. */
    const texts = paragraphs(document.info.description);
    this.introduction = texts.filter(([first]) => first.kind !== "strong");
    this.topics = texts.filter(([first]) => first.kind === "strong")
      .map(([first, ...pieces]) => ({ title: first.text.replace(/\.$/, ""), pieces }));
    /** @type {Operation[]} */
    const all = Object.entries(document.paths).flatMap(([path, item]) => methods
      .filter((method) => method in item).map((method) => this.#operation(path, method, item)));
    for (const each of all) {
      each.short = all
        .find(({ method, path }) => method === each.method && `/sessions/{id}${path}` === each.path) ?? null;
      each.description ||= each.short?.description ?? "";
    }
    /** @type {Operation[]} Without those that are the `short` of another one. */
    this.operations = all.filter((each) => !all.some(({ short }) => short === each));
    /** @type {[string, Schema][]} */
    this.schemas = Object.entries(document.components.schemas);
    /** @type {ProblemKind[]} */
    this.problems = this.schemas.flatMap(([name, schema]) => {
      const code = /^\/problems\/(.+)/.exec(schema.properties?.type?.const)?.[1];
      return code ? [{ name, code, status: String(schema.properties.status.const), schema }] : [];
    });
  }

  /**
   * The problems that an answer can have.
   * @param {Answer} answer
   */
  problemsOf({ contents }) {
    const names = contents.flatMap(({ schema }) => (schema.oneOf ?? [schema]).map(nameOf));
    return this.problems.filter(({ name }) => names.includes(name));
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
      answers: Object.entries(responses).map(([status, part]) => this.#answer(status, part)), short: null,
    };
  }

  /**
   * @param {Schema} part
   * @returns {Parameter}
   */
  #parameter(part) {
    const { name, in: place, required = false, description, schema, example } = this.resolved(part);
    return {
      name, place, required, schema, example, description: description ?? this.resolved(schema).description ?? "",
    };
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
 * A text's first sentences, at least `length` characters, and the rest.
 * @param {string} text
 */
export function split(text, length = 30) {
  for (const { index } of text.matchAll(/(?<=[.:])\s+(?=[A-Z`])/g)) {
    if (index !== undefined && index >= length && text.length - index > length / 2) {
      return [text.slice(0, index), text.slice(index).trim()];
    }
  }
  return [text, ""];
}

/**
 * The app's catalog: its events, paths and options.
 * @typedef {{ events: any[], paths: string[], options: { name: string }[] }} Catalog
 */

/**
 * An example for this app: events, paths and options that it does not have are replaced or left out.
 * @param {unknown} example
 * @param {Catalog | null} catalog
 */
export function ownExample(example, catalog) {
  if (catalog === null || example === undefined) return example;
  const { events, paths, options } = catalog;
  const leadsTo = (/** @type {string} */ pattern, /** @type {string} */ path) =>
    new RegExp(`^${pattern.replace(/[.?+]/g, "\\$&").replace(/{[^}]+}/g, "[^/]+")}$`).test(path);
  return JSON.parse(JSON.stringify(example), (name, value) => {
    if (name === "path" && !paths.some((each) => leadsTo(each, value))) {
      return paths.find((each) => !each.includes("{")) ?? value;
    }
    if (name === "options") {
      const known = options.map((each) => each.name);
      return Object.fromEntries(Object.entries(value).filter(([option]) => known.includes(option)));
    }
    if (value?.event === undefined || events.some((each) => each.name === value.event)) return value;
    return eventExample(events.find(({ origin }) => origin === "client"));
  });
}

/**
 * An example of an event of the catalog.
 * @param {{ name: string, payload: Record<string, any> }} event
 */
export function eventExample({ name, payload }) {
  const valueOf = (/** @type {any} */ { type, choices, fields = {} }) => choices?.[0]
    ?? ({ integer: 1, number: 1, boolean: true, array: [], object: valuesOf(fields) }[type] ?? "text");
  const valuesOf = (/** @type {Record<string, any>} */ fields) => Object.fromEntries(
    Object.entries(fields).filter(([, { required }]) => required).map(([field, each]) => [field, valueOf(each)]));
  return { event: name, ...(Object.keys(payload).length > 0 && { payload: valuesOf(payload) }) };
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
