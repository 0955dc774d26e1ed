// JSON whose numbers are not rounded: a session's ids and amounts may have more digits than JavaScript's numbers keep,
// and come back from the page as they were.

/** How many significant digits a JavaScript number keeps, whichever they are. */
const keptDigits = 15;

/** A number of JSON, as it is in a text: only one that would be rounded is read as this. */
export class ExactNumber {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** The number that a text of JSON stands for, exact where that takes more than a JavaScript number. */
export function numberIn(text) {
  const number = Number(text);
  const digits = text.replace(/[eE].*/, "").replace(/\D/g, "").replace(/^0+/, "");
  const isKept = Number.isFinite(number) && (digits.length <= keptDigits || String(number) === text);
  return isKept ? number : new ExactNumber(text);
}

/** Whether a text is a number as JSON writes it (RFC 8259, section 6). */
export function isNumber(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** The value of a JSON text. Fails as `JSON.parse` does. */
export function readJSON(text) {
  // Few texts have a number that could be rounded, and the others are read at full speed.
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

/** The JSON text of a value, as `JSON.stringify` writes it. */
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

/** A word that is nowhere in a text. */
function unusedIn(text) {
  let word = "number";
  while (text.includes(word)) word += "_";
  return word;
}
