// @ts-check
// Saves a drawing as a file: as SVG, or as PNG at twice its size.

import { draw } from "../dom.js";
import { save } from "../journal/files.js";

/** The number of pixels per unit of the drawing, and the most pixels that browsers draw on each side. */
export const density = 2;
const mostPixels = 8192;

/**
 * The text of an SVG file.
 * @param {SVGElement} drawing
 */
export function svgText(drawing) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawing)}\n`;
}

/**
 * The size of a PNG file in pixels. The picture of a large map has fewer pixels per unit.
 * @param {number} width
 * @param {number} height
 */
export function pixelSize(width, height) {
  const scale = Math.min(density, mostPixels / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * @param {SVGElement} drawing
 * @param {string} name The file's name without its extension.
 */
export function saveSVG(drawing, name) {
  save(svgText(drawing), `${name}.svg`, "image/svg+xml");
}

/**
 * @param {SVGElement} drawing
 * @param {string} name The file's name without its extension.
 */
export async function savePNG(drawing, name) {
  const { width, height } = pixelSize(Number(drawing.getAttribute("width")), Number(drawing.getAttribute("height")));
  const address = URL.createObjectURL(new Blob([svgText(drawing)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
    /** @type {Blob | null} */
    const file = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
    if (file !== null) save(file, `${name}.png`, "image/png");
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * An empty drawing of a size, filled with a color.
 * @param {{ x?: number, y?: number, width: number, height: number }} bounds
 * @param {string} title
 * @param {string | null} ground
 */
export function emptyDrawing({ x = 0, y = 0, width, height }, title, ground = null) {
  const drawing = draw("svg", { width, height, viewBox: `${x} ${y} ${width} ${height}`, role: "img" });
  drawing.append(draw("title", {}, title));
  if (ground !== null) drawing.append(draw("rect", { x, y, width, height, fill: ground }));
  return drawing;
}
