// @ts-check
// How often recorded sessions used the app, from the file that `explore --cover` writes: the map with its counts.

import { readJSON } from "../exact.js";
import { number } from "./kinds.js";

const command = "explore --cover STORE > map.json";

/** A file that cannot be shown; the message says what is wrong and what to do. */
export class UsageError extends Error {}

/**
 * The map in the text of a file.
 *
 * - name: the file's name. - app: the name of the app that the page shows.
 */
export function readUsage(text, name, app) {
  const document = graphIn(text);
  if (!document) throw new UsageError(`${name} is not a map. Write one with: ${command}`);
  if (document.app !== app) {
    throw new UsageError(`${name} is a map of ${document.app}, and this is ${app}. Open a map of ${app}.`);
  }
  if (!document.coverage) throw new UsageError(`${name} has no usage. Write it with: ${command}`);
  if (!isComplete(document)) {
    throw new UsageError(`The usage in ${name} is incomplete. Write it again with: ${command}`);
  }
  return document;
}

function graphIn(text) {
  try {
    const document = readJSON(text);
    const { app, states, transitions, findings } = document;
    const isGraph = typeof app === "string" && [states, transitions, findings].every(Array.isArray)
      && states.every(isState) && transitions.every((transition) => isTransition(transition, states.length));
    return isGraph ? document : null;
  } catch {
    return null;
  }
}

function isState({ id, screen, path, offers, pending, journal }, index) {
  return id === index && typeof screen === "string" && typeof path === "string"
    && [offers, pending, journal].every(Array.isArray);
}

function isTransition({ from, to, event }, count) {
  return typeof event === "string" && [from, to].every((id) => Number.isInteger(id) && id >= 0 && id < count);
}

/** Whether there is a count for each state and each transition. */
function isComplete({ states, transitions, coverage: { uses } }) {
  const isCounts = (counts, all) =>
    Array.isArray(counts) && counts.length === all.length && counts.every(Number.isInteger);
  return isCounts(uses?.states, states) && isCounts(uses?.transitions, transitions);
}

/** What sessions used, in a sentence. */
export function usageText(graph, { coverage, appVersion }, name, version) {
  const events = graph.edges.flatMap((edge) => edge.events);
  const share = (all, what) => `${number(all.filter(({ uses }) => uses > 0).length)} of ${number(all.length)} ${what}`;
  const outside = coverage.outside?.length ?? 0;
  return [
    `Usage from ${name}: ${share(graph.screens, "screens")}, ${share(events, "events")}`,
    outside > 0 && `${number(outside)} ${outside === 1 ? "event is" : "events are"} not on the map`,
    appVersion !== version && `version ${appVersion} of the app; this is ${version}`,
  ].filter(Boolean).join(" · ");
}

/** How often something was used: "used 12 times". */
export function usesText(uses) {
  if (uses === 0) return "never used";
  return uses === 1 ? "used once" : `used ${number(uses)} times`;
}

/** How often something was used, in short: "12×". */
export const timesText = (uses) => `${number(uses)}×`;
