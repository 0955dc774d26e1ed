// @ts-check
// Colors as every program that shows SVG knows them.

/** @type {Map<string, { color: string, opacity: number }>} */
const known = new Map();

/** @type {CanvasRenderingContext2D | null} */
let context = null;

/**
 * A color of a style sheet as six hexadecimal digits and an opacity. Browsers compute some colors in notations that
 * other programs do not read.
 * @param {string} text
 */
export function plainColor(text) {
  let plain = known.get(text);
  if (plain === undefined) {
    plain = painted(text);
    known.set(text, plain);
  }
  return plain;
}

/** @param {string} text */
function painted(text) {
  context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (context === null) return { color: "#000000", opacity: 1 };
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const digits = [red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("");
  return { color: `#${digits}`, opacity: Math.round(alpha / 2.55) / 100 };
}
