// @ts-check
// What the palette offers: the screens of the storyboard, the buttons and the events of the present screen, the app's
// paths, and the page's commands.

import { isSendable } from "../catalog.js";
import { writeJSON } from "../exact.js";
import { isForm } from "../forms.js";
import { offeredActions } from "../offered.js";

/**
 * What a row does. One that leaves closes the palette first.
 * @typedef {{ verb: string, run: () => unknown, leaves?: boolean }} Act
 */

/**
 * A row of the palette.
 *
 * - key: the same for the same item at any time. - also: a second title. - words: text to find it by.
 * - detail, code, mark: what else the row shows. - fills: a text that the row types instead of doing something.
 * @typedef {{
 *   key: string, group: string, title: string, also?: string, words?: string, detail?: string, code?: string,
 *   mark?: string, isCode?: boolean, act: Act, second?: Act, fills?: string,
 * }} Item
 */

/**
 * The screens. `show` selects one on the storyboard.
 * @param {any[]} screens
 * @param {{ go: (screen: any) => unknown, show: ((screen: any) => unknown) | null }} actions
 * @returns {Item[]}
 */
export function screenItems(screens, { go, show }) {
  return screens.map((screen) => {
    const { name, title, path, pattern, states } = screen;
    const titles = new Set(states.map((/** @type {any} */ state) => state.title));
    return {
      key: `screen ${name}`, group: "Screens", title: name, code: pattern ?? path,
      also: titles.size === 1 ? title ?? undefined : undefined, words: `${path} ${pattern ?? ""}`,
      act: { verb: "Go there", run: () => go(screen) },
      second: show === null ? undefined : { verb: "Show on the storyboard", leaves: true, run: () => show(screen) },
    };
  });
}

/**
 * The buttons of a screen. Forms are filled in on the phone.
 * @param {any} route The route document, or null.
 * @param {(action: any) => unknown} press
 * @returns {Item[]}
 */
export function actionItems(route, press) {
  if (!route) return [];
  const { screen, navigation } = route;
  const offers = [
    ...screen.actions.map((/** @type {any} */ action) => ({ action })),
    ...screen.rows.flatMap((/** @type {any} */ row) => [row.action, ...row.actions, row.delete]
      .map((action) => ({ action, of: action === row.action ? row.subtitle : row.title }))),
    { action: navigation.back, of: "Back" }, { action: navigation.dismiss },
    ...navigation.tabs.filter((/** @type {any} */ tab) => !tab.selected)
      .map((/** @type {any} */ { action }) => ({ action, of: "Tab" })),
  ];
  return offers.filter(({ action }) => action && !isForm(action)).map(({ action, of }) => ({
    key: `action ${action.title} ${writeJSON([action.event, action.payload])}`, group: "Actions on this screen",
    title: action.title, detail: of ?? undefined, code: action.event, words: `${of ?? ""} ${action.event}`,
    act: { verb: "Press", run: () => press(action) },
  }));
}

/**
 * The events that a client can send, or all of them for an outcome. Those that the present screen handles come first.
 * @param {import("../catalog.js").Event[]} events
 * @param {object} context
 * @param {any} context.route The route document, or null.
 * @param {any[]} context.screens
 * @param {boolean} [context.isOutcome]
 * @param {(event: string) => unknown} context.send
 * @param {(event: string) => unknown} context.fillIn Opens the dialog for the payload.
 * @returns {Item[]}
 */
export function eventItems(events, { route, screens, isOutcome = false, send, fillIn }) {
  const here = new Set(handledHere(route, screens));
  const sendable = events.filter((event) => isOutcome || isSendable(event));
  return sendable.toSorted((a, b) => Number(here.has(b.name)) - Number(here.has(a.name))).map(({ name, payload }) => {
    const fields = Object.keys(payload);
    const fill = { verb: "Fill in…", leaves: true, run: () => fillIn(name) };
    return {
      key: `event ${name}`, group: "Events", title: name, isCode: true, words: fields.join(" "),
      detail: fields.join(", "), mark: here.has(name) ? "handled here" : undefined,
      ...(fields.length > 0 ? { act: fill } : { act: { verb: "Send", run: () => send(name) }, second: fill }),
    };
  });
}

/**
 * The events that the screen of a route document handles: those that it offers, and those that the map knows of it.
 * @param {any} route
 * @param {any[]} screens
 * @returns {string[]}
 */
export function handledHere(route, screens) {
  if (!route) return [];
  const states = screens.find(({ name }) => name === route.screen.name)?.states ?? [];
  return [
    ...offeredActions(route).map(({ event }) => event),
    ...states.flatMap((/** @type {{ offers: string[] }} */ { offers }) => offers),
  ];
}

/**
 * The app's patterns, and the known paths: those of the map's states with their titles, those with the declared choices
 * of a pattern's value, and those that the screen links to.
 * @param {import("../catalog.js").Catalog} catalog
 * @param {any[]} screens
 * @param {any} route The route document, or null.
 * @param {(path: string) => unknown} open
 * @returns {Item[]}
 */
export function pathItems({ paths: patterns, events }, screens, route, open) {
  const titles = new Map();
  for (const { path, title } of screens.flatMap(({ states }) => states).toSorted((a, b) => a.id - b.id)) {
    if (!titles.has(path)) titles.set(path, title);
  }
  const links = offeredActions(route).map(({ payload }) => payload?.path).filter((path) => typeof path === "string");
  const filled = patterns.flatMap((pattern) => filledIn(pattern, events));
  const paths = new Set([...patterns, ...titles.keys(), ...filled, ...links]);
  return [...paths].map((path) => pathItem(String(path), titles.get(path) ?? undefined, open));
}

/**
 * A pattern that lacks one value, with the choices that the catalog declares for a field of this name.
 * @param {string} pattern
 * @param {import("../catalog.js").Event[]} events
 */
function filledIn(pattern, events) {
  const [, name] = /^[^{]*\{([^{}]*)\}[^{?]*$/.exec(pattern) ?? [];
  const choices = name === undefined ? [] : events.flatMap(({ payload }) => payload[name]?.choices ?? []);
  return choices.map((choice) => pattern.replace(`{${name}}`, encodeURIComponent(String(choice))));
}

/**
 * A path to open. A pattern types its beginning, so that its values are offered.
 * @param {string} path
 * @param {string | undefined} title
 * @param {(path: string) => unknown} open
 * @returns {Item}
 */
function pathItem(path, title, open) {
  const item = { ...typedItem(path, open), also: title };
  if (!path.includes("{")) return item;
  return { ...item, act: { ...item.act, verb: "Choose a value" }, fills: path.slice(0, path.indexOf("{")) };
}

/**
 * What the user typed, as a path to open.
 * @param {string} path
 * @param {(path: string) => unknown} open
 * @returns {Item}
 */
export function typedItem(path, open) {
  return {
    key: `path ${path}`, group: "Paths", title: path, isCode: true, act: { verb: "Open", run: () => open(path) },
  };
}

/**
 * The page's commands that are available now.
 * @param {{ title: string, words?: string, keys?: string, isAvailable?: () => boolean, run: () => unknown }[]} commands
 * @returns {Item[]}
 */
export function commandItems(commands) {
  return commands.filter(({ isAvailable }) => isAvailable?.() ?? true).map(({ title, words, keys, run }) => ({
    key: `command ${title}`, group: "Commands", title, words, mark: keys, act: { verb: "Run", leaves: true, run },
  }));
}
