// @ts-check
// The whole storyboard as a drawing of its own, whatever part of it the page shows.

import { draw } from "../dom.js";
import { plainColor } from "../picture/colors.js";
import { emptyDrawing } from "../picture/saving.js";
import { card, jump, labelsOf } from "./edges.js";

/** The room around the storyboard, in its own units. */
const margin = 24;

/** The opacity of screens that the session has not seen. */
const faint = 0.6;

/**
 * Draws the storyboard with a session on it.
 *
 * - box: where the page's storyboard is. It has the colors.
 * - pictureOf: returns the picture of a screen.
 * @param {HTMLElement} box
 * @param {any} graph
 * @param {any} plan
 * @param {any} overlay
 * @param {(id: number) => Promise<SVGElement | null>} pictureOf
 */
export async function mapPicture(box, graph, plan, overlay, pictureOf) {
  const style = getComputedStyle(box);
  const color = (/** @type {string} */ name) => plainColor(style.getPropertyValue(`--${name}`)).color;
  const { x, y, width, height } = plan.bounds;
  const bounds = {
    x: Math.floor(x - margin), y: Math.floor(y - margin),
    width: Math.ceil(width + 2 * margin), height: Math.ceil(height + 2 * margin),
  };
  const text = (/** @type {string} */ words, /** @type {Record<string, any>} */ more) =>
    draw("text", { "font-family": style.fontFamily, "font-size": 12, fill: color("text"), ...more }, words);
  const picture = emptyDrawing(bounds, `The screens of ${graph.app} ${graph.appVersion}`,
    plainColor(style.backgroundColor).color);
  for (const { title, ...lane } of plan.lanes) {
    picture.append(
      draw("rect", {
        x: lane.x, y: lane.y, width: lane.width, height: lane.height, rx: 24, stroke: color("line"),
        fill: color("surface"), "fill-opacity": 0.5,
      }),
      text(title, { x: lane.x + lane.width - 16, y: lane.y + 22, "text-anchor": "end", fill: color("quiet") }));
  }
  const jumps = [...overlay.jumps.values()].map(([from, to]) => ({ ...jump(plan, from, to), isWay: true }));
  const own = plan.edges.map((/** @type {any} */ edge) => ({ ...edge, isWay: overlay.way.has(edge.key) }));
  const edges = [...own, ...jumps].filter(({ role, isWay }) => isWay || role !== "hidden");
  for (const { path, role, isWay } of edges.toSorted((a, b) => Number(a.isWay) - Number(b.isWay))) {
    const opacity = isWay || role === "main" ? 1 : 0.5;
    picture.append(...arrow(path, color(isWay ? "accent" : "edge"), isWay ? 2.5 : 1.5, opacity));
  }
  const labels = labelsOf(edges.filter(({ role, isWay }) => role === "main" || (isWay && role)), plan);
  for (const { text: words, x: left, y: top } of labels) {
    picture.append(text(words, {
      x: left, y: top + 4, "text-anchor": "middle", "paint-order": "stroke", stroke: color("inset"), "stroke-width": 5,
      "stroke-linejoin": "round",
    }));
  }
  for (const { id, name } of graph.screens) {
    const place = plan.places.get(id);
    const [left, top] = [place.x - card.width / 2, place.y - card.height / 2];
    const isHere = id === overlay.here;
    const own = { x: left, y: top, width: card.width, height: card.height };
    const drawing = /** @type {SVGElement | undefined} */ ((await pictureOf(id))?.cloneNode(true));
    for (const [key, value] of Object.entries(own)) drawing?.setAttribute(key, String(value));
    if (!overlay.seen.has(id)) drawing?.setAttribute("opacity", String(faint));
    picture.append(
      text(name, { x: left, y: top - 8, "font-weight": 600, ...(isHere && { fill: color("accent") }) }),
      draw("rect", { ...own, rx: 14, fill: color("surface") }), drawing ?? "",
      draw("rect", {
        ...own, rx: 14, fill: "none", stroke: color(isHere ? "accent" : overlay.seen.has(id) ? "edge" : "line"),
        "stroke-width": isHere ? 4 : 1.5,
      }));
  }
  return picture;
}

/**
 * A line with its head, as shapes that every program knows.
 * @param {string} path
 * @param {string} color
 * @param {number} width
 * @param {number} opacity
 */
function arrow(path, color, width, opacity) {
  const numbers = (path.match(/-?[\d.]+/g) ?? []).map(Number);
  const [beforeX, , x, y] = numbers.slice(-4);
  const back = 9 * Math.sign(beforeX - x || 1);
  return [
    draw("path", { d: path, fill: "none", stroke: color, "stroke-width": width, "stroke-opacity": opacity }),
    draw("path", { d: `M${x} ${y}l${back} -4.5v9Z`, fill: color, "fill-opacity": opacity }),
  ];
}
