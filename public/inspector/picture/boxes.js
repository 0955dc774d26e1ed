// @ts-check
// A part of the page as a plain SVG drawing: its boxes, texts, icons and images where the browser has placed them, with
// their colors. Every program that shows SVG can show it. Shadows are left out.

import { draw } from "../dom.js";
import { symbolFile } from "../images.js";
import { plainColor } from "./colors.js";
import { density, emptyDrawing } from "./saving.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The properties of an icon's shapes that are drawn. */
const shapeProperties = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"];

const sides = ["top", "right", "bottom", "left"];

const shapeNames = "path, rect, circle, ellipse, line, polyline, polygon";

/** The drawings of the symbols that apps use, or null until one is needed. @type {Document | null} */
let symbols = null;

/** The number of the last clip path. Each has a name of its own, so that a page can have several pictures. */
let clips = 0;

/** @type {CanvasRenderingContext2D | null} */
let measure = null;

/**
 * Draws an element with everything that is seen in it.
 * @param {HTMLElement} element
 * @param {string} title
 */
export async function pictureOf(element, title) {
  if (symbols === null && element.querySelector(".symbol")) {
    // Without them, the picture lacks only the symbols. A parser that finds no SVG creates a document with a style.
    const text = await fetch(symbolFile).then((answer) => (answer.ok ? answer.text() : "")).catch(() => "");
    if (text.trimEnd().endsWith("</svg>")) symbols = new DOMParser().parseFromString(text, "image/svg+xml");
  }
  const { left, top, width, height } = element.getBoundingClientRect();
  const origin = { x: left, y: top };
  const drawing = emptyDrawing({ width: round(width), height: round(height) }, title);
  drawing.append(...drawn(element, origin));
  return drawing;
}

/**
 * @param {Element} element
 * @param {{ x: number, y: number }} origin
 * @returns {SVGElement[]}
 */
function drawn(element, origin) {
  if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(".visually-hidden")) return [];
  const style = getComputedStyle(element);
  const box = boxOf(element.getBoundingClientRect(), origin);
  if (element.localName === "svg") return iconParts(element, style, box);
  const before = pseudo(element, "::before", box, style);
  const after = pseudo(element, "::after", box, style);
  const inner = [
    ...before.map(({ shape }) => shape), ...contents(element, style, origin),
    ...after.filter(({ isOver }) => !isOver).map(({ shape }) => shape),
  ];
  const own = boxShapes(box, style);
  const isWhole = style.overflow === "visible" && element.localName !== "img";
  const below = isWhole || inner.length === 0 ? inner : [clipped(inner, box, style)];
  const all = [...own, ...below];
  if (all.length === 0 || style.opacity === "1") return all;
  return [draw("g", { opacity: style.opacity }, ...all)];
}

/**
 * What is in an element, from the lowest layer to the highest.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @param {{ x: number, y: number }} origin
 * @returns {SVGElement[]}
 */
function contents(element, style, origin) {
  if (element instanceof HTMLImageElement) return imageParts(element, style, origin);
  if (element.matches("input, textarea, select")) return controlText(/** @type {any} */ (element), style, origin);
  const layers = [...element.childNodes].map((node) => {
    if (node instanceof Text) return { level: 0, parts: textLines(node, style, origin) };
    if (!(node instanceof Element)) return { level: 0, parts: [] };
    return { level: Number(getComputedStyle(node).zIndex) || 0, parts: drawn(node, origin) };
  });
  // An element's own cover lies above its lowest layer.
  const cover = pseudo(element, "::after", boxOf(element.getBoundingClientRect(), origin), style)
    .filter(({ isOver }) => isOver).map(({ shape }) => ({ level: 0, parts: [shape] }));
  return [...layers, ...cover].sort((a, b) => a.level - b.level).flatMap(({ parts }) => parts);
}

// Boxes

/**
 * The background and the borders of a box.
 * @param {Box} box
 * @param {CSSStyleDeclaration} style
 * @returns {SVGElement[]}
 */
function boxShapes({ x, y, width, height }, style) {
  if (width === 0 || height === 0) return [];
  /** @type {SVGElement[]} */
  const shapes = [];
  const [top, right, bottom, left] = sides.map((side) =>
    (style.getPropertyValue(`border-${side}-style`) === "none"
      ? 0 : Number.parseFloat(style.getPropertyValue(`border-${side}-width`))));
  const isEven = top > 0 && [right, bottom, left].every((each) => each === top);
  const corners = radii(style, width, height);
  const { color, opacity } = plainColor(style.backgroundColor);
  if (opacity > 0) {
    shapes.push(draw("path", { d: rounded({ x, y, width, height }, corners), ...paint("fill", color, opacity) }));
  }
  shapes.push(...bars({ x: x + left, y: y + top, width: width - left - right, height: height - top - bottom }, style));
  if (isEven) {
    const line = { x: x + top / 2, y: y + top / 2, width: width - top, height: height - top };
    const stroke = plainColor(style.borderTopColor);
    if (stroke.opacity > 0) {
      shapes.push(draw("path", {
        d: rounded(line, corners.map((each) => Math.max(0, each - top / 2))), fill: "none", "stroke-width": top,
        ...paint("stroke", stroke.color, stroke.opacity),
        ...(style.borderTopStyle === "dashed" && { "stroke-dasharray": `${2 * top}` }),
      }));
    }
    return shapes;
  }
  const lines = [
    [top, style.borderTopColor, `M${x} ${y + top / 2}h${width}`],
    [right, style.borderRightColor, `M${x + width - right / 2} ${y}v${height}`],
    [bottom, style.borderBottomColor, `M${x} ${y + height - bottom / 2}h${width}`],
    [left, style.borderLeftColor, `M${x + left / 2} ${y}v${height}`],
  ];
  for (const [size, text, d] of /** @type {[number, string, string][]} */ (lines)) {
    const stroke = plainColor(text);
    if (size === 0 || stroke.opacity === 0) continue;
    shapes.push(draw("path", { d, "stroke-width": size, ...paint("stroke", stroke.color, stroke.opacity) }));
  }
  return shapes;
}

/**
 * A background that is a gradient of a single color: a bar of a size at a position.
 * @param {Box} box
 * @param {CSSStyleDeclaration} style
 */
function bars({ x, y, width, height }, style) {
  const color = /^linear-gradient\((.+?\)), \1\)$/.exec(style.backgroundImage)?.[1];
  if (color === undefined) return [];
  const [across, down] = style.backgroundSize.split(" ").map((text, index) => lengthOf(text, [width, height][index]));
  const [left, top] = style.backgroundPosition.split(" ").map((text, index) =>
    lengthOf(text, [width - across, height - down][index]));
  const plain = plainColor(color);
  return [draw("rect", {
    x: x + left, y: y + top, width: across, height: down, ...paint("fill", plain.color, plain.opacity),
  })];
}

/** @param {string} text @param {number} whole */
function lengthOf(text, whole) {
  return text.endsWith("%") ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text);
}

/**
 * The radii of the corners, from the top left one clockwise. Too large ones shrink to what fits.
 * @param {CSSStyleDeclaration} style
 * @param {number} width
 * @param {number} height
 */
function radii(style, width, height) {
  const own = ["top-left", "top-right", "bottom-right", "bottom-left"].map((corner) =>
    lengthOf(style.getPropertyValue(`border-${corner}-radius`).split(" ")[0], Math.min(width, height)) || 0);
  const [a, b, c, d] = own;
  const fit = Math.min(1, width / Math.max(1, a + b, c + d), height / Math.max(1, a + d, b + c));
  return own.map((each) => each * fit);
}

/** @param {Box} box @param {number[]} corners */
function rounded({ x, y, width, height }, [a, b, c, d]) {
  /** @param {number} radius @param {number} dx @param {number} dy */
  const arc = (radius, dx, dy) =>
    (radius === 0 ? "" : `a${round(radius)} ${round(radius)} 0 0 1 ${round(dx)} ${round(dy)}`);
  return `M${round(x + a)} ${round(y)}H${round(x + width - b)}${arc(b, b, b)}V${round(y + height - c)}${arc(c, -c, c)}`
    + `H${round(x + d)}${arc(d, -d, -d)}V${round(y + a)}${arc(a, a, -a)}Z`;
}

/**
 * A group that shows only what is within a box's border.
 * @param {SVGElement[]} parts
 * @param {Box} box
 * @param {CSSStyleDeclaration} style
 */
function clipped(parts, { x, y, width, height }, style) {
  const id = `clip-${++clips}`;
  const edge = Number.parseFloat(style.borderTopWidth) || 0;
  const inner = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge };
  const corners = radii(style, width, height).map((each) => Math.max(0, each - edge));
  return draw("g", {}, draw("clipPath", { id }, draw("path", { d: rounded(inner, corners) })),
    draw("g", { "clip-path": `url(#${id})` }, ...parts));
}

/**
 * The shape that a style sheet adds to an element, such as the arrow of a row. `isOver` says that it covers the
 * element.
 * @param {Element} element
 * @param {string} name
 * @param {Box} box
 * @param {CSSStyleDeclaration} own
 * @returns {{ isOver: boolean, shape: SVGElement }[]}
 */
function pseudo(element, name, box, own) {
  const style = getComputedStyle(element, name);
  const width = Number.parseFloat(style.width);
  const height = Number.parseFloat(style.height);
  if (style.content === "none" || style.visibility === "hidden" || !(width > 0 && height > 0)) return [];
  const isOver = style.position === "absolute";
  const room = (/** @type {string} */ side) => Number.parseFloat(own.getPropertyValue(`padding-${side}`))
    + Number.parseFloat(own.getPropertyValue(`border-${side}-width`));
  const margin = (/** @type {string} */ side) => Number.parseFloat(style.getPropertyValue(`margin-${side}`)) || 0;
  const isDown = own.flexDirection === "column" && own.display === "flex";
  const isFirst = (name === "::before") === (own.direction !== "rtl");
  const x = isOver ? box.x + Number.parseFloat(own.borderLeftWidth) + Number.parseFloat(style.left)
    : isDown ? box.x + (box.width - width) / 2
      : isFirst ? box.x + room("left") + margin("left") : box.x + box.width - room("right") - margin("right") - width;
  const y = isOver ? box.y + Number.parseFloat(own.borderTopWidth) + Number.parseFloat(style.top)
    : isDown ? box.y + room("top") + margin("top") : box.y + (box.height - height) / 2;
  const shapes = boxShapes({ x, y, width, height }, style);
  const turn = style.transform === "none" ? {}
    : { transform: `translate(${x + width / 2} ${y + height / 2}) ${style.transform.replaceAll(",", "")} translate(${
      -x - width / 2} ${-y - height / 2})` };
  return shapes.length === 0 ? [] : [{ isOver, shape: draw("g", turn, ...shapes) }];
}

// Texts

/**
 * The lines of a text, as the browser has broken it.
 * @param {Text} node
 * @param {CSSStyleDeclaration} style
 * @param {{ x: number, y: number }} origin
 */
function textLines(node, style, origin) {
  if (node.data.trim() === "") return [];
  const range = document.createRange();
  range.selectNodeContents(node);
  const whole = [...range.getClientRects()];
  if (whole.length === 1) {
    const { left, top, width, height } = whole[0];
    return width === 0 ? []
      : [textShape(node.data.trim(), { x: left - origin.x, y: top - origin.y, width, height }, style)];
  }
  /** @type {{ text: string, left: number, right: number, top: number, height: number }[]} */
  const lines = [];
  let at = 0;
  for (const character of node.data) {
    range.setStart(node, at);
    at += character.length;
    range.setEnd(node, at);
    const place = [...range.getClientRects()].at(-1);
    if (!place || place.width === 0) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.top - place.top) < place.height / 2) {
      last.text += character;
      last.left = Math.min(last.left, place.left);
      last.right = Math.max(last.right, place.right);
    } else {
      lines.push({ text: character, left: place.left, right: place.right, top: place.top, height: place.height });
    }
  }
  return lines.map(({ text, left, right, top, height }) =>
    textShape(text, { x: left - origin.x, y: top - origin.y, width: right - left, height }, style));
}

/**
 * The text of a form's control. Secrets stay dots.
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control
 * @param {CSSStyleDeclaration} style
 * @param {{ x: number, y: number }} origin
 */
function controlText(control, style, origin) {
  const box = boxOf(control.getBoundingClientRect(), origin);
  if (control.type === "checkbox" && control instanceof HTMLInputElement) {
    const { color, opacity } = plainColor(style.color);
    const size = Math.min(box.width, box.height);
    const edge = { x: box.x + 1, y: box.y + (box.height - size) / 2 + 1, width: size - 2, height: size - 2 };
    const tick = `M${edge.x + edge.width * 0.2} ${edge.y + edge.height * 0.55}l${edge.width * 0.2} ${edge.height * 0.2}`
      + `l${edge.width * 0.4} ${-edge.height * 0.5}`;
    const stroke = paint("stroke", color, opacity);
    return [
      draw("path", { d: rounded(edge, [3, 3, 3, 3]), fill: "none", ...stroke }),
      ...(control.checked ? [draw("path", { d: tick, fill: "none", "stroke-width": 2, ...stroke })] : []),
    ];
  }
  const own = control instanceof HTMLSelectElement ? control.selectedOptions[0]?.text ?? ""
    : control.type === "password" ? "•".repeat(control.value.length) : control.value;
  const isHint = own === "" && "placeholder" in control;
  const words = isHint ? /** @type {HTMLInputElement} */ (control).placeholder : own;
  const height = Number.parseFloat(style.fontSize) * 1.2;
  const line = Number.parseFloat(style.lineHeight) || height;
  const left = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
  const isArea = control instanceof HTMLTextAreaElement;
  const first = isArea ? Number.parseFloat(style.paddingTop) + Number.parseFloat(style.borderTopWidth)
    : (box.height - height) / 2;
  return words.split("\n").filter((text, index) => text !== "" && (isArea || index === 0)).map((text, index) => {
    const shape = textShape(text, { x: box.x + left, y: box.y + first + index * line, width: 0, height }, style);
    if (isHint) shape.setAttribute("fill-opacity", "0.6");
    return shape;
  });
}

/**
 * @param {string} text
 * @param {Box} box A box without a width has room for the text.
 * @param {CSSStyleDeclaration} style
 */
function textShape(text, { x, y, width, height }, style) {
  measure ??= document.createElement("canvas").getContext("2d");
  let rise = height * 0.78;
  if (measure !== null) {
    measure.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: beneath } = measure.measureText(text);
    rise = (height - above - beneath) / 2 + above;
  }
  const { color, opacity } = plainColor(style.color);
  const words = text.trimEnd();
  const isRight = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(words);
  const isFitted = width > 0 && words.length === text.length && [...words].length > 1;
  return draw("text", {
    x: round(isRight && width > 0 ? x + width : x), y: round(y + rise), "font-family": style.fontFamily,
    "font-size": Number.parseFloat(style.fontSize), "font-weight": style.fontWeight, "xml:space": "preserve",
    ...paint("fill", color, opacity), ...(isRight && { direction: "rtl" }),
    ...(isFitted && { textLength: round(width), lengthAdjust: "spacingAndGlyphs" }),
  }, words);
}

// Icons

/**
 * The shapes of an icon, with their colors.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @param {Box} box
 * @returns {SVGElement[]}
 */
function iconParts(element, style, { x, y, width, height }) {
  const [file, id] = element.querySelector("use")?.getAttribute("href")?.split("#") ?? [];
  const symbol = (file === "" ? document : symbols)?.getElementById(decodeURIComponent(id));
  if (!(symbol instanceof SVGElement) || width === 0) return [];
  const [, , across, down] = (symbol.getAttribute("viewBox") ?? "0 0 20 20").split(" ").map(Number);
  const shapes = [...symbol.querySelectorAll(shapeNames)].map((shape) => {
    const copy = /** @type {SVGElement} */ (shape.cloneNode());
    const isSolid = shape.matches(".solid");
    copy.removeAttribute("class");
    for (const name of shapeProperties) {
      const value = isSolid && name === "fill" ? style.color : isSolid && name === "stroke" ? "none"
        : shape.closest(`[${name}]`)?.getAttribute(name) ?? style.getPropertyValue(name);
      const isColor = value !== "none" && ["fill", "stroke"].includes(name);
      const color = value.toLowerCase() === "currentcolor" ? style.color : value;
      const attributes = isColor ? paint(name, ...colorOf(color)) : { [name]: value.replaceAll("px", "") };
      for (const [key, each] of Object.entries(attributes)) copy.setAttribute(key, String(each));
    }
    return copy;
  });
  const scale = Math.min(width / across, height / down);
  return [draw("g", {
    transform: `translate(${round(x + (width - across * scale) / 2)} ${round(y + (height - down * scale) / 2)}) scale(${
      round(scale)})`,
  }, ...shapes)];
}

/**
 * The pixels of an image as a part of the drawing. An image that could not be loaded is a frame.
 * @param {HTMLImageElement} image
 * @param {CSSStyleDeclaration} style
 * @param {{ x: number, y: number }} origin
 */
function imageParts(image, style, origin) {
  const { x, y, width, height } = boxOf(image.getBoundingClientRect(), origin);
  const canvas = Object.assign(document.createElement("canvas"), { width: density * width, height: density * height });
  const title = image.alt === "" ? null : draw("title", {}, image.alt);
  if (image.naturalWidth === 0) {
    const { color, opacity } = plainColor(style.color);
    const frame = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
    return [draw("rect", { ...frame, fill: "none", ...paint("stroke", color, opacity / 2) }, title)];
  }
  const scale = Math.min(canvas.width / image.naturalWidth, canvas.height / image.naturalHeight);
  const [across, down] = [scale * image.naturalWidth, scale * image.naturalHeight];
  canvas.getContext("2d")
    ?.drawImage(image, (canvas.width - across) / 2, (canvas.height - down) / 2, across, down);
  // Every program knows this attribute. The page does not, so it does not load the address, which its policy forbids.
  const link = { "xmlns:xlink": "http://www.w3.org/1999/xlink", "xlink:href": canvas.toDataURL() };
  return [draw("image", { x, y, width, height, ...link }, title)];
}

// Numbers and colors

/** @param {DOMRect} rect @param {{ x: number, y: number }} origin @returns {Box} */
function boxOf({ left, top, width, height }, origin) {
  return { x: left - origin.x, y: top - origin.y, width, height };
}

/** @param {string} text @returns {[string, number]} */
function colorOf(text) {
  const { color, opacity } = plainColor(text);
  return [color, opacity];
}

/**
 * The attributes of a color.
 * @param {string} name
 * @param {string} color
 * @param {number} opacity
 */
function paint(name, color, opacity) {
  return { [name]: color, ...(opacity < 1 && { [`${name}-opacity`]: opacity }) };
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
