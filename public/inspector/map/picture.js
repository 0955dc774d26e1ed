// @ts-check
// The whole map as a drawing of its own, with all texts at their own size, whatever part of it the page shows.

import { draw } from "../dom.js";
import { plainColor } from "../picture/colors.js";
import { emptyDrawing } from "../picture/saving.js";
import { Drawing } from "./drawing.js";
import { boundsOf } from "./layout.js";

/** The room around the map, in its own units. */
const margin = 24;

const colors = ["fill", "stroke"];

/** Other properties that style sheets give the drawing, and their values in a drawing without style sheets. */
const properties = Object.entries({
  "fill-opacity": "1", "stroke-opacity": "1", "stroke-width": "1", "stroke-dasharray": "none",
  "stroke-linejoin": "miter", "paint-order": "normal", "font-family": "", "font-size": "", "font-weight": "400",
  "text-anchor": "start",
});

/**
 * Draws a map anew, with a session on it.
 *
 * - box: where the page's map is. Its style sheets apply there.
 * @param {HTMLElement} box
 * @param {any} graph
 * @param {any} plan
 * @param {any} overlay
 */
export function mapPicture(box, graph, plan, overlay) {
  const area = draw("svg", { class: "map", "aria-hidden": "true" });
  area.style.visibility = "hidden";
  box.append(area);
  try {
    const drawing = new Drawing(area);
    drawing.build(graph, plan);
    // The last way is animated on the page.
    drawing.show({ ...overlay, last: null }, overlay.here, false);
    drawing.zoom(1);
    const { x, y, width, height } = boundsOf(plan);
    const [left, top] = [Math.floor(x - margin), Math.floor(y - margin)];
    const bounds = {
      x: left, y: top, width: Math.ceil(x + width + margin) - left, height: Math.ceil(y + height + margin) - top,
    };
    const ground = plainColor(getComputedStyle(box).backgroundColor).color;
    const picture = emptyDrawing(bounds, `The map of ${graph.app} ${graph.appVersion}`, ground);
    for (const child of area.children) picture.append(styled(child) ?? "");
    return picture;
  } finally {
    area.remove();
  }
}

/**
 * A copy of an element and all in it that is seen, with its styles as attributes.
 * @param {Element} element
 * @returns {Element | null}
 */
function styled(element) {
  const style = getComputedStyle(element);
  if (style.display === "none") return null;
  const copy = /** @type {Element} */ (element.cloneNode());
  for (const name of ["class", "style", "role", "tabindex", "aria-describedby", "aria-label", "aria-current"]) {
    copy.removeAttribute(name);
  }
  for (const { name } of [...copy.attributes]) if (name.startsWith("data-")) copy.removeAttribute(name);
  if (element.matches("rect, path, circle, text")) {
    for (const name of colors) {
      const value = style.getPropertyValue(name);
      copy.setAttribute(name, value === "none" ? "none" : plainColor(value).color);
    }
    const isText = element.matches("text");
    for (const [name, usual] of properties) {
      const value = style.getPropertyValue(name);
      if (value === usual || (!isText && /^(?:font|text)/.test(name))) continue;
      copy.setAttribute(name, value.replaceAll("px", ""));
    }
  }
  for (const child of element.childNodes) {
    const inner = child instanceof Element ? styled(child) : child.cloneNode();
    if (inner !== null) copy.append(inner);
  }
  return copy;
}
