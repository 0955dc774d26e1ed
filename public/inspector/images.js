// @ts-check
// The images of rows and tabs: files of the host, symbols, and letters on a color.

import { draw, keyed, make } from "./dom.js";

/** The drawings of all symbols. */
export const symbolFile = "/web/symbols.svg";

/**
 * An image, as in a route document. One of `url`, `symbol` and `letters` is not null.
 * @typedef {object} Image
 * @property {string | null} url
 * @property {string | null} symbol
 * @property {string | null} letters
 * @property {string | null} color
 * @property {string} alt
 */

/**
 * Shows an image in its place, which is hidden without one.
 * @param {HTMLElement} place
 * @param {Image | null} image
 */
export function showImage(place, image) {
  place.hidden = image === null;
  keyed(place, image === null ? [] : [image], JSON.stringify, makeImage, () => {});
}

/** @param {Image} image */
function makeImage({ url, symbol, letters, color, alt }) {
  if (url !== null) return make("img", { className: "image", src: url, alt });
  const meaning = alt === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": alt };
  const element = symbol !== null
    ? draw("svg", { class: "image symbol", ...meaning },
      draw("use", { href: `${symbolFile}#${encodeURIComponent(symbol)}` }))
    : make("span", { className: "image letters", ...meaning }, letters);
  if (color === null) return element;
  if (symbol !== null) element.style.color = color;
  else Object.assign(element.style, { backgroundColor: color, color: inkOn(color) });
  return element;
}

/**
 * Black or white, whichever has more contrast to a color (WCAG 2.2, relative luminance).
 * @param {string} color Six hexadecimal digits after `#`.
 */
export function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? "#000000" : "#ffffff";
}
