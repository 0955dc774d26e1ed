// Requests as curl commands for a shell, and copying text.

import { eventsAddress, routeAddress } from "./api.js";
import { writeJSON } from "./exact.js";

/** The command that sends an event again, to the same coordinator. */
export function eventCommand(session, { event, payload, at }) {
  const body = { event };
  if (Object.keys(payload ?? {}).length > 0) body.payload = payload;
  if (at) body.at = at;
  return `curl --json ${quoted(writeJSON(body))} ${quoted(location.origin + eventsAddress(session))}`;
}

/** The command that reads a route, now or as it was. */
export function routeCommand(session, version) {
  return `curl ${quoted(location.origin + routeAddress(session, version))}`;
}

/** Puts text on the clipboard; false where the browser does not let us. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** One word of a POSIX shell: within single quotes, everything but the single quote stands for itself. */
function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
