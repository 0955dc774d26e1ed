// @ts-check
// Right-to-left text within the page's own left-to-right text.

/** Isolates a text so that its direction does not reorder the surrounding sentence. */
export function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}
