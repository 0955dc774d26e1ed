// @ts-check
// JSON with exact numbers. Ids and amounts can have more digits than JavaScript's numbers keep. The page returns them
// unchanged.

/** The number of significant digits that a JavaScript number always keeps. */
const keptDigits = 15;

/** A JSON number that JavaScript would round, kept as text. */
export class ExactNumber {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** The number in a JSON text. It is exact if a JavaScript number would round it. */
export function numberIn(text) {
  const number = Number(text);
  const digits = text.replace(/[eE].*/, "").replace(/\D/g, "").replace(/^0+/, "");
  const isKept = Number.isFinite(number) && (digits.length <= keptDigits || String(number) === text);
  return isKept ? number : new ExactNumber(text);
}

/** Whether a text is a JSON number (RFC 8259, section 6). */
export function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** Parses a JSON text. Throws the same errors as `JSON.parse`. */
export function readJSON(text) {
  // Most texts have no number that could be rounded. They are parsed at full speed.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return JSON.parse(text);
  JSON.parse(text);
  const mark = unusedIn(text);
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"') || !(numberIn(token) instanceof ExactNumber)) return token;
    return `{"${mark}":"${token}"}`;
  });
  return JSON.parse(marked, (_, value) => (
    typeof value?.[mark] === "string" ? new ExactNumber(value[mark]) : value));
}

/** The JSON text of a value, in the format of `JSON.stringify`. */
export function writeJSON(value, indent) {
  let hasExact = false;
  const note = (_, each) => {
    hasExact ||= each instanceof ExactNumber;
    return each;
  };
  const plain = JSON.stringify(value, note, indent);
  if (!hasExact) return plain;
  const mark = unusedIn(plain);
  const marked = JSON.stringify(value, (_, each) => (each instanceof ExactNumber ? mark + each.text : each), indent);
  return marked.replace(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}

/** A word that does not occur in a text. */
function unusedIn(text) {
  let word = "number";
  while (text.includes(word)) word += "_";
  return word;
}
