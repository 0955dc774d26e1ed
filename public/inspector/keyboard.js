// @ts-check
// Makes a group of elements one tab stop, with arrow keys to move within it.

import { actionOf } from "./keys.js";

/**
 * Moves focus among the elements of `container` that match `selector` with the arrow keys, Home and End. The elements
 * are no tab stops when they are created.
 * Returns a function to call after the elements changed, with the one that Tab should lead to.
 */
export function roving(container, selector, { horizontal = false } = {}) {
  const all = () => [...container.querySelectorAll(selector)];
  /** @type {HTMLElement | null} */
  let last = null;

  function makeStop(stop) {
    if (last !== null && last !== stop) last.tabIndex = -1;
    if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
    last = stop;
  }

  container.addEventListener("focusin", ({ target }) => {
    if (target.matches(selector)) makeStop(target);
  });
  container.addEventListener("keydown", (event) => {
    if (!event.target.matches(selector)) return;
    const elements = all();
    const index = elements.indexOf(event.target);
    const next = {
      previous: elements[index - 1],
      next: elements[index + 1],
      first: elements[0],
      last: elements.at(-1),
    }[actionOf(horizontal ? "tabs" : "list", event)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  return (preferred) => {
    const active = document.activeElement;
    const focused = active?.matches(selector) && container.contains(active) ? active : null;
    makeStop(focused ?? preferred ?? container.querySelector(selector));
  };
}
