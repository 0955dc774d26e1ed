// Areas that scroll by keyboard, though nothing in them may have the focus.

import { setAttribute } from "./dom.js";

/** Makes an area a tab stop for as long as its content is higher than itself. */
export function scrollable(area, content) {
  const update = () => setAttribute(area, "tabindex", area.scrollHeight > area.clientHeight ? "0" : null);
  const observer = new ResizeObserver(update);
  observer.observe(area);
  observer.observe(content);
}
