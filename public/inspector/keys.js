// @ts-check
// Every key of the page, in one list for the help and for the handlers.

/**
 * The keys of a part of the page: an action's name for the handler, and a description for the help.
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
      { action: "leave", keys: ["Escape"], does: "Close what is open, or go back to now" },
    ],
  },
  {
    name: "address",
    title: "In the address",
    keys: [
      { action: "next", keys: ["ArrowDown"], does: "Next known path" },
      { action: "previous", keys: ["ArrowUp"], does: "Previous known path" },
      { action: "take", keys: ["Enter"], does: "Open the path, or fill in the selected pattern" },
      { action: "leave", keys: ["Escape"], does: "Close the list, or show the session’s path again" },
    ],
  },
  {
    name: "list",
    title: "In the tree and the journal",
    keys: [
      { action: "previous", keys: ["ArrowUp"], does: "Item above" },
      { action: "next", keys: ["ArrowDown"], does: "Item below" },
      { action: "first", keys: ["Home"], does: "First item" },
      { action: "last", keys: ["End"], does: "Last item" },
    ],
  },
  {
    name: "entry",
    title: "In an entry of the journal",
    keys: [
      { action: "next", keys: ["ArrowRight"], does: "Its next button: edit, copy, JSON" },
      { action: "previous", keys: ["ArrowLeft"], does: "Its previous button" },
    ],
  },
  {
    name: "tree",
    title: "In the tree",
    keys: [
      { action: "press", keys: ["Enter", " "], does: "Send an event from the coordinator" },
      { action: "out", keys: ["ArrowLeft"], does: "Go to the parent" },
      { action: "in", keys: ["ArrowRight"], does: "Go to the first child" },
    ],
  },
  {
    name: "tabs",
    title: "In the app’s tabs",
    keys: [
      { action: "previous", keys: ["ArrowLeft"], does: "Tab to the left" },
      { action: "next", keys: ["ArrowRight"], does: "Tab to the right" },
      { action: "first", keys: ["Home"], does: "First tab" },
      { action: "last", keys: ["End"], does: "Last tab" },
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
    title: "In the event search",
    keys: [
      { action: "next", keys: ["ArrowDown"], does: "Next event" },
      { action: "previous", keys: ["ArrowUp"], does: "Previous event" },
      { action: "take", keys: ["Enter"], does: "Go to the payload" },
    ],
  },
  {
    name: "map",
    title: "On the map",
    keys: [
      { action: "left", keys: ["ArrowLeft"], does: "Screen to the left" },
      { action: "right", keys: ["ArrowRight"], does: "Screen to the right" },
      { action: "up", keys: ["ArrowUp"], does: "Screen above" },
      { action: "down", keys: ["ArrowDown"], does: "Screen below" },
      { action: "first", keys: ["Home"], does: "Start of the app" },
      { action: "here", keys: ["End"], does: "The session’s screen" },
      { action: "press", keys: ["Enter", " "], does: "Go to the selected screen" },
      { action: "closer", keys: ["+", "="], does: "Zoom in" },
      { action: "farther", keys: ["-", "−"], does: "Zoom out" },
      { action: "all", keys: ["0"], does: "Show the whole map" },
      { action: "leave", keys: ["Escape"], does: "Close the map" },
    ],
  },
];

/**
 * The action of a key press in a part of the page, or null if the page has none for it. Shortcuts of the browser have
 * none.
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
 * A key as printed on a keyboard.
 * @param {string} key
 */
export const signOf = (key) => signs[key] ?? key;
