// Copying text.

/** Puts text on the clipboard; false where the browser does not let us. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
