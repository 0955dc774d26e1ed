// @ts-check
// Requests as curl commands for a shell.

import { eventsAddress, routeAddress } from "./api.js";
import { writeJSON } from "./exact.js";
import { isKeyWanted } from "./key.js";

/**
 * Where commands are sent: the origin of a server, and whether it requires a key.
 * @typedef {{ origin: string, hasKey: boolean }} Server
 */

/** @returns {Server} The server that this page comes from. */
export const thisServer = () => ({ origin: location.origin, hasKey: isKeyWanted() });

/**
 * An event to send, or a journal entry.
 * @typedef {{
 *   event: string, payload?: object | null, at?: string | null, pending?: string | null, origin?: string,
 * }} Request
 */

/**
 * The command that sends an event again to the same coordinator. A posted outcome is posted again as an outcome.
 * @param {string} session
 * @param {Request} request
 */
export function eventCommand(session, request, server = thisServer()) {
  const { event, payload, at, pending, origin = "client" } = request;
  /** @type {{ event: string, payload?: object, at?: string, pending?: string }} */
  const body = { event };
  if (Object.keys(payload ?? {}).length > 0) body.payload = payload ?? {};
  if (at) body.at = at;
  if (pending && origin === "client") body.pending = pending;
  return command({ path: eventsAddress(session), body: writeJSON(body) }, server);
}

/**
 * The command that reads the current route, or the route after a version.
 * @param {string} session
 * @param {number} [version]
 */
export function routeCommand(session, version, server = thisServer()) {
  return command({ path: routeAddress(session, version) }, server);
}

/**
 * The command for any request, without what curl adds by default. It reads the key from the environment.
 * @param {{ method?: string, path: string, headers?: Record<string, string>, body?: string | null }} request
 */
export function command(request, { origin, hasKey } = thisServer(), separator = " ") {
  const { path, headers = {}, body = null } = request;
  const own = body === null ? "GET" : "POST";
  const method = request.method ?? own;
  const { "Content-Type": type, ...others } = headers;
  const isJSON = type === undefined || type === "application/json";
  return [
    "curl",
    ...(method === own ? [] : [method === "HEAD" ? "--head" : `-X ${method}`]),
    ...(hasKey ? [`-H "Authorization: Bearer $COORDINATE_API_KEY"`] : []),
    ...Object.entries(others).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : isJSON
      ? [`--json ${quoted(body)}`]
      : [`-H ${quoted(`Content-Type: ${type}`)}`, `--data-binary ${quoted(body)}`]),
    quoted(origin + path),
  ].join(separator);
}

/**
 * Quotes one word for a POSIX shell. Within single quotes, every character except the single quote stands for itself.
 * @param {string} word
 */
export function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
