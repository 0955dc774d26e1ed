// @ts-check
// Finds names by some of their letters.

/**
 * The names that contain all words of a text. Names that begin with it come first; otherwise the order stays.
 * @param {string[]} names
 * @param {string} text
 */
export function found(names, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return names;
  const isMeant = (/** @type {string} */ name) => words.every((word) => name.toLowerCase().includes(word));
  /** How well a name matches: whether the whole name, or its part after the domain, begins with the text. */
  const rank = (/** @type {string} */ name) => {
    const parts = [name, name.slice(name.indexOf(".") + 1)].map((each) => each.toLowerCase());
    return parts.includes(words[0]) ? 0 : parts.some((part) => part.startsWith(words[0])) ? 1 : 2;
  };
  return names.filter(isMeant).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The name to select in a list: the wanted one if it is listed, otherwise the first. Undefined for an empty list.
 * @param {string[]} names
 * @param {string | undefined} wanted
 */
export function chosen(names, wanted) {
  return wanted !== undefined && names.includes(wanted) ? wanted : names[0];
}
