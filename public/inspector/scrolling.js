// Makes scrolling areas reachable by keyboard, even if nothing in them can have the focus.

import { setAttribute } from "./dom.js";

/** Makes an area a tab stop while its content does not fit. */
export function scrollable(area, content) {
  const update = () => setAttribute(area, "tabindex", area.scrollHeight > area.clientHeight ? "0" : null);
  const observer = new ResizeObserver(update);
  observer.observe(area);
  observer.observe(content);
}
