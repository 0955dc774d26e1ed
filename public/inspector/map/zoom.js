// @ts-check
// The size of the map's text. No text is smaller on the page than 11 pixels: it is larger in a drawing that is shown
// smaller, as far as the cards have room, and left out beyond that.

/** The smallest text, in pixels of the page. */
export const smallestText = 11;

/** The size of text at the drawing's own scale, in its units. */
export const baseText = 12;

/** Text grows by so much at a time, not at each turn of a wheel. */
const step = 1.04;

/** The smallest scale at which the names of screens fit on their cards. */
export const readable = 0.46;

/**
 * What is written at a scale, and how large: `size`, in the drawing's units, and `level`. "near" has everything,
 * "middle" has names in larger letters, and "far" has only the names that stand out.
 */
export function zoomFor(scale) {
  const steps = Math.max(0, Math.ceil(Math.log(smallestText / (baseText * scale)) / Math.log(step)));
  const level = steps === 0 ? "near" : scale >= readable ? "middle" : "far";
  return { level, size: steps === 0 ? baseText : baseText * step ** steps };
}

/** The number of characters that fit into a width. A character is about as wide as a share of its font size. */
export const room = (width, size, share) => Math.max(1, Math.floor(width / (size * share)));

/** The shares of their size that characters are wide, on average. */
export const shares = { bold: 0.66, plain: 0.56, mono: 0.605 };

/** The beginning of a text that is too long. */
export function shortened(text, length) {
  return text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
}

/** The end of a path that is too long, which is its most informative part. */
export function shortenedPath(path, length) {
  return path.length > length ? `…${path.slice(1 - length)}` : path;
}

/** A name in one line, or, if it is too long for one, its words in two lines that are about as long. */
export function nameLines(name, length, mostLines) {
  const words = name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=\s)/);
  if (name.length <= length || mostLines === 1 || words.length < 2) return [shortened(name, length)];
  const breaks = words.slice(1).map((_, index) =>
    [words.slice(0, index + 1), words.slice(index + 1)].map((line) => line.join("")));
  const longest = (lines) => Math.max(...lines.map((line) => line.trim().length));
  const [best] = breaks.toSorted((a, b) => longest(a) - longest(b));
  return best.map((line) => shortened(line, length));
}
