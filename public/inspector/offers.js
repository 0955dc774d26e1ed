// @ts-check
// The phone's buttons: each sends the action that the route document offers for it.

import { setAttribute } from "./dom.js";

const actions = new WeakMap();

/**
 * Gives a button its action. Without an action, the button is hidden.
 * @param {HTMLElement} button
 * @param {any} action
 * @param {string | null} label
 */
export function offer(button, action, label = null) {
  button.hidden = action === null;
  if (action === null) return;
  actions.set(button, action);
  button.dataset.event = action.event;
  setAttribute(button, "data-role", action.role);
  setAttribute(button, "aria-label", label);
}

/** The action of a button. */
export function offeredBy(button) {
  return button ? actions.get(button) ?? null : null;
}
