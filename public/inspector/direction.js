// Text that runs from right to left, within ours.

/** A text for the middle of a sentence: one of another direction does not change the order of what is around it. */
export function isolated(text) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}
