// @ts-check
// Marks a button as busy if its request takes noticeably long.

/** The delay before a button shows that it is busy, in milliseconds. */
const unnoticed = 150;

/**
 * Marks a button as busy while its work is in progress, and returns the work's result. It blocks nothing else.
 * @template Result
 * @param {Element | null} button
 * @param {Promise<Result> | Result} work
 * @returns {Promise<Result>}
 */
export async function showBusy(button, work) {
  const timer = setTimeout(() => button?.setAttribute("aria-busy", "true"), unnoticed);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    button?.removeAttribute("aria-busy");
  }
}
