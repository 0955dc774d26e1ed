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
      { action: "palette", keys: ["Mod+k"], does: "Find a screen, an event, a command" },
      { action: "help", keys: ["?"], does: "Show this help" },
      { action: "leave", keys: ["Escape"], does: "Close what is open, or go back to now" },
    ],
  },
  {
    name: "palette",
    title: "In the palette",
    keys: [
      { action: "next", keys: ["ArrowDown"], does: "Next row" },
      { action: "previous", keys: ["ArrowUp"], does: "Previous row" },
      { action: "take", keys: ["Enter"], does: "Go there, open, press, send or run" },
      { action: "second", keys: ["Shift+Enter"], does: "Show the screen on the storyboard, or fill in the event" },
      { action: "toggle", keys: ["Mod+k", "Escape"], does: "Close the palette" },
    ],
  },
  {
    name: "list",
    title: "In the tree, the test and the journal",
    keys: [
      { action: "previous", keys: ["ArrowUp"], does: "Item above" },
      { action: "next", keys: ["ArrowDown"], does: "Item below" },
      { action: "first", keys: ["Home"], does: "First item" },
      { action: "last", keys: ["End"], does: "Last item" },
    ],
  },
  {
    name: "timeline",
    title: "In the timeline",
    keys: [
      { action: "previous", keys: ["ArrowLeft"], does: "The step before" },
      { action: "next", keys: ["ArrowRight"], does: "The step after" },
      { action: "first", keys: ["Home"], does: "The start" },
      { action: "last", keys: ["End"], does: "The newest step" },
      { action: "above", keys: ["ArrowUp"], does: "The frame of the other session above" },
      { action: "below", keys: ["ArrowDown"], does: "The frame of this session below" },
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
    name: "test",
    title: "In the test",
    keys: [{ action: "press", keys: ["Enter", " "], does: "Show the version of a step" }],
  },
  {
    name: "tabs",
    title: "In tabs",
    keys: [
      { action: "previous", keys: ["ArrowLeft"], does: "Tab to the left" },
      { action: "next", keys: ["ArrowRight"], does: "Tab to the right" },
      { action: "first", keys: ["Home"], does: "First tab" },
      { action: "last", keys: ["End"], does: "Last tab" },
    ],
  },
  {
    name: "form",
    title: "In a form below a row",
    keys: [{ action: "leave", keys: ["Escape"], does: "Close the form" }],
  },
  {
    name: "map",
    title: "On the storyboard",
    keys: [
      { action: "left", keys: ["ArrowLeft"], does: "Screen to the left" },
      { action: "right", keys: ["ArrowRight"], does: "Screen to the right" },
      { action: "up", keys: ["ArrowUp"], does: "Screen above" },
      { action: "down", keys: ["ArrowDown"], does: "Screen below" },
      { action: "first", keys: ["Home"], does: "Start of the app" },
      { action: "here", keys: ["End"], does: "The session’s screen" },
      { action: "press", keys: ["Enter", " "], does: "Select the screen" },
      { action: "closer", keys: ["+", "="], does: "Zoom in" },
      { action: "farther", keys: ["-", "−"], does: "Zoom out" },
      { action: "all", keys: ["0"], does: "Show all screens" },
      { action: "leave", keys: ["Escape"], does: "Select no screen" },
    ],
  },
];

/** Whether ⌘ is the key for shortcuts, as on Apple's platforms. */
export const isApple = /^(?:Mac|iP)/.test(globalThis.navigator?.platform ?? "");

/**
 * The action of a key press in a part of the page, or null if the page has none for it. `Mod` is ⌘ on Apple's platforms
 * and the control key elsewhere. Other shortcuts are left to the browser.
 * @param {string} name
 * @param {{ key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, shiftKey?: boolean }} event
 */
export function actionOf(name, { key, ctrlKey, metaKey, altKey, shiftKey }) {
  const [isMod, isOther] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (isOther || altKey) return null;
  const modifiers = `${isMod ? "Mod+" : ""}${shiftKey && key.length > 1 ? "Shift+" : ""}`;
  const pressed = modifiers + (isMod ? key.toLowerCase() : key);
  const scope = scopes.find((each) => each.name === name);
  return scope?.keys.find(({ keys }) => keys.includes(pressed))?.action ?? null;
}

/** @type {Record<string, string>} */
const signs = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space", "Shift+Enter": "⇧ Enter",
  "Mod+k": isApple ? "⌘K" : "Ctrl K",
};

/**
 * A key as printed on a keyboard.
 * @param {string} key
 */
export const signOf = (key) => signs[key] ?? key;

/**
 * The first key of an action, as printed on a keyboard.
 * @param {string} name
 * @param {string} action
 */
export function keyOf(name, action) {
  const key = scopes.find((each) => each.name === name)?.keys.find((each) => each.action === action)?.keys[0];
  return signOf(key ?? "");
}
