// What the buttons on the phone do: each sends back the action that the route document offers for it.

import { setAttribute } from "./dom.js";

const actions = new WeakMap();

/** Gives a button its action; without one, it is not there. */
export function offer(button, action, label = null) {
  button.hidden = action === null;
  if (action === null) return;
  actions.set(button, action);
  button.dataset.event = action.event;
  setAttribute(button, "aria-label", label);
}

/** The action that a button has. */
export function offeredBy(button) {
  return button ? actions.get(button) ?? null : null;
}
