// @ts-check
// The app's catalog: which events there are, which of them clients may send, and which of their fields are secret.

/** @typedef {import("./inputs.js").Declared} Declared */

/**
 * An event that the app declares, or one to be sent.
 * @typedef {{ name: string, origin?: string, payload: Record<string, Declared> }} Event
 * @typedef {{ event: string, payload?: Record<string, any> | null, at?: string | null }} Request
 */

/**
 * Whether clients may send an event: some are the app's alone to emit.
 * @param {Partial<Event>} event
 */
export function isSendable({ origin }) {
  return origin !== "app";
}

/**
 * The event that is likely the outcome of work or of a timer: the first that only the app emits, as most outcomes are;
 * else the first of all.
 * @template {Partial<Event>} E
 * @param {E[]} events
 * @returns {E | undefined}
 */
export function likelyOutcome(events) {
  return events.find((event) => !isSendable(event)) ?? events[0];
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
   * Whether clients may send the event with a name. One that is not known is for the server to judge.
   * @param {string} name
   */
  allows(name) {
    return isSendable(this.#event(name) ?? {});
  }

  /**
   * An event of the map's journals, which lack secrets: a text stands for each that is needed.
   * @param {Request} step
   */
  filledIn({ event, payload: told, at }) {
    const payload = told ?? {};
    const fields = Object.entries(this.#event(event)?.payload ?? {});
    const secrets = fields.filter(([name, { secret, required }]) => secret && required !== false && !(name in payload));
    return { event, payload: { ...payload, ...Object.fromEntries(secrets.map(([name]) => [name, "secret"])) }, at };
  }

  /**
   * A request to be shown or copied: the name of a secret field stands for its value.
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
 * Whether a field's value is secret, or has a secret in it.
 * @param {Partial<Declared>} type
 * @returns {boolean}
 */
export function holdsSecret({ secret, fields, items }) {
  return secret === true || Object.values(fields ?? {}).some(holdsSecret) || (items ? holdsSecret(items) : false);
}

/**
 * A value without its secrets. One that is not as declared may have them anywhere.
 * @param {any} value
 * @param {Partial<Declared>} type
 * @param {string} name
 * @returns {any}
 */
function concealed(value, type, name) {
  if (!holdsSecret(type)) return value;
  if (type.items && Array.isArray(value)) return value.map((item) => concealed(item, type.items, name));
  if (type.fields && value?.constructor === Object) return concealedFields(value, type.fields);
  return `<${name}>`;
}

/**
 * The journal leaves secret fields out: those that an event needs are added.
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
