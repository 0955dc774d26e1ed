// @ts-check
// Copying text.

/** Copies text to the clipboard. Returns false if the browser does not allow it. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
