// @ts-check
// Makes scrolling areas reachable by keyboard, even if nothing in them can have the focus.

import { setAttribute } from "./dom.js";

/**
 * Makes an area a tab stop while its content does not fit. Returns a function to call after the content changed, if the
 * area is its only element.
 */
export function scrollable(area, ...contents) {
  const update = () => {
    const isCut = area.scrollHeight > area.clientHeight || area.scrollWidth > area.clientWidth + 1;
    setAttribute(area, "tabindex", isCut ? "0" : null);
  };
  const observer = new ResizeObserver(update);
  for (const each of [area, ...contents]) observer.observe(each);
  return update;
}
