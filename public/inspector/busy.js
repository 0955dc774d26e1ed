// @ts-check
// What a button asked for is under way: it is seen on the button, where that takes longer than one would notice.

/** How long an answer may take before it is waited for, in milliseconds. */
const unnoticed = 150;

/**
 * Marks a button while something goes on that it asked for, and gives what comes of it. Nothing else waits for it.
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
