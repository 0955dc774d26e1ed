// @ts-check
// Every key of the page, in one list: what the help says is what the handlers go by.

/**
 * What keys do in a part of the page: an action's name for the handler, and words for who reads the help.
 * @typedef {{ action: string, keys: string[], does: string }} Key
 * @typedef {{ name: string, title: string, keys: Key[] }} Scope
 */

/** @type {Scope[]} */
export const scopes = [
  {
    name: "page",
    title: "Anywhere",
    keys: [
      { action: "help", keys: ["?"], does: "Show this help" },
      { action: "leave", keys: ["Escape"], does: "Close what is open, or return from the past to now" },
    ],
  },
  {
    name: "address",
    title: "In the address",
    keys: [
      { action: "next", keys: ["ArrowDown"], does: "The next path that the app knows" },
      { action: "previous", keys: ["ArrowUp"], does: "The path before" },
      { action: "take", keys: ["Enter"], does: "Take the path that is marked, or open what is typed" },
      { action: "leave", keys: ["Escape"], does: "Close the list, or show where the session is again" },
    ],
  },
  {
    name: "list",
    title: "In the tree and the journal",
    keys: [
      { action: "previous", keys: ["ArrowUp"], does: "The one above" },
      { action: "next", keys: ["ArrowDown"], does: "The one below" },
      { action: "first", keys: ["Home"], does: "The first" },
      { action: "last", keys: ["End"], does: "The last" },
    ],
  },
  {
    name: "tree",
    title: "In the tree",
    keys: [
      { action: "press", keys: ["Enter", " "], does: "Send an event from the coordinator" },
      { action: "out", keys: ["ArrowLeft"], does: "Its parent" },
      { action: "in", keys: ["ArrowRight"], does: "Its first child" },
    ],
  },
  {
    name: "tabs",
    title: "In the app’s tabs",
    keys: [
      { action: "previous", keys: ["ArrowLeft"], does: "The tab to the left" },
      { action: "next", keys: ["ArrowRight"], does: "The tab to the right" },
      { action: "first", keys: ["Home"], does: "The first" },
      { action: "last", keys: ["End"], does: "The last" },
    ],
  },
  {
    name: "journal",
    title: "In the journal’s filter and menu",
    keys: [{ action: "leave", keys: ["Escape"], does: "Close it" }],
  },
  {
    name: "form",
    title: "In a form below a row",
    keys: [{ action: "leave", keys: ["Escape"], does: "Close the form" }],
  },
  {
    name: "find",
    title: "Where an event is found",
    keys: [
      { action: "next", keys: ["ArrowDown"], does: "The next event" },
      { action: "previous", keys: ["ArrowUp"], does: "The event before" },
      { action: "take", keys: ["Enter"], does: "On to its payload" },
    ],
  },
  {
    name: "map",
    title: "On the map",
    keys: [
      { action: "left", keys: ["ArrowLeft"], does: "The screen to the left" },
      { action: "right", keys: ["ArrowRight"], does: "The screen to the right" },
      { action: "up", keys: ["ArrowUp"], does: "The screen above" },
      { action: "down", keys: ["ArrowDown"], does: "The screen below" },
      { action: "first", keys: ["Home"], does: "The app’s start" },
      { action: "here", keys: ["End"], does: "Where the session is" },
      { action: "press", keys: ["Enter", " "], does: "Go to the screen" },
      { action: "closer", keys: ["+", "="], does: "Zoom in" },
      { action: "farther", keys: ["-", "−"], does: "Zoom out" },
      { action: "all", keys: ["0"], does: "Show all of it" },
      { action: "leave", keys: ["Escape"], does: "Close the map" },
    ],
  },
];

/**
 * What a key press asks for in a part of the page; null where it is nothing of ours, as with keys of the browser.
 * @param {string} name
 * @param {{ key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean }} event
 */
export function actionOf(name, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  const scope = scopes.find((each) => each.name === name);
  return scope?.keys.find(({ keys }) => keys.includes(key))?.action ?? null;
}

/** @type {Record<string, string>} */
const signs = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space",
};

/**
 * A key as it is written on a keyboard.
 * @param {string} key
 */
export const signOf = (key) => signs[key] ?? key;
