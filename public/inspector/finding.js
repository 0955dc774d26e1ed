// @ts-check
// Finding one of many names by some letters of it.

/**
 * The names that have all words of a text in them, those that begin with it first, in their order else.
 * @param {string[]} names
 * @param {string} text
 */
export function found(names, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return names;
  const isMeant = (/** @type {string} */ name) => words.every((word) => name.toLowerCase().includes(word));
  /** How well a name fits: the whole name, or the part behind its domain, begins with what was typed. */
  const rank = (/** @type {string} */ name) => {
    const parts = [name, name.slice(name.indexOf(".") + 1)].map((each) => each.toLowerCase());
    return parts.includes(words[0]) ? 0 : parts.some((part) => part.startsWith(words[0])) ? 1 : 2;
  };
  return names.filter(isMeant).toSorted((a, b) => rank(a) - rank(b));
}
