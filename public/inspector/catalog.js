// @ts-check
// The app's catalog: its events, which of them clients can send, and which fields are secret.

/** @typedef {import("./inputs.js").Declared} Declared */

/**
 * An event that the app declares.
 * @typedef {{ name: string, origin?: string, payload: Record<string, Declared> }} Event
 * @typedef {{ event: string, payload?: Record<string, any> | null, at?: string | null }} Request
 */

/**
 * Whether clients can send an event. Some events only the app can emit.
 * @param {Partial<Event>} event
 */
export function isSendable({ origin }) {
  return origin !== "app";
}

/**
 * Events in the order in which they are likely the outcome of work or of a timer: first those that only the app emits.
 * @template {Partial<Event>} E
 * @param {E[]} events
 */
export function likelyFirst(events) {
  return events.toSorted((a, b) => Number(isSendable(a)) - Number(isSendable(b)));
}

export class Catalog {
  /**
   * @param {object} document
   * @param {string} [document.app]
   * @param {Event[]} [document.events]
   * @param {string[]} [document.paths]
   * @param {(Declared & { name: string })[]} [document.options]
   */
  constructor({ app = "", events = [], paths = [], options = [] } = {}) {
    this.app = app;
    this.events = events;
    this.paths = paths;
    this.options = options;
  }

  /**
   * Whether clients can send the event with a name. The server decides about unknown names.
   * @param {string} name
   */
  allows(name) {
    return isSendable(this.#event(name) ?? {});
  }

  /**
   * An event of the map's journals, with a placeholder text for each required secret. Those journals contain no
   * secrets.
   * @param {Request} step
   */
  filledIn({ event, payload: told, at }) {
    const payload = told ?? {};
    const fields = Object.entries(this.#event(event)?.payload ?? {});
    const secrets = fields.filter(([name, { secret, required }]) => secret && required !== false && !(name in payload));
    return { event, payload: { ...payload, ...Object.fromEntries(secrets.map(([name]) => [name, "secret"])) }, at };
  }

  /**
   * A request to show or copy, with the names of secret fields in place of their values.
   * @param {Request} request
   */
  withoutSecrets(request) {
    const payload = concealed(request.payload ?? {}, { fields: this.#event(request.event)?.payload }, "payload");
    return { ...request, payload };
  }

  /** @param {string} name */
  #event(name) {
    return this.events.find((event) => event.name === name);
  }
}

/**
 * Whether a field's value is secret or contains a secret.
 * @param {Partial<Declared>} type
 * @returns {boolean}
 */
export function holdsSecret({ secret, fields, items }) {
  return secret === true || Object.values(fields ?? {}).some(holdsSecret) || (items ? holdsSecret(items) : false);
}

/**
 * A value without its secrets. A value that does not match its declaration is hidden as a whole.
 * @param {any} value
 * @param {Partial<Declared>} type
 * @param {string} name
 * @returns {any}
 */
function concealed(value, type, name) {
  if (!holdsSecret(type)) return value;
  const { items } = type;
  if (items && Array.isArray(value)) return value.map((item) => concealed(item, items, name));
  if (type.fields && value?.constructor === Object) return concealedFields(value, type.fields);
  return `<${name}>`;
}

/**
 * Adds placeholders for required secret fields, which the journal leaves out.
 * @param {Record<string, any>} values
 * @param {Record<string, Declared>} fields
 */
function concealedFields(values, fields) {
  const result = { ...values };
  for (const [name, type] of Object.entries(fields)) {
    if (name in values || (type.secret && type.required !== false)) result[name] = concealed(values[name], type, name);
  }
  return result;
}
