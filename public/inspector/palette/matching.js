// @ts-check
// Finds items of the palette. Every typed word must occur in an item, and the best matches come first.

/**
 * What an item is found by: its title, a second title that is worth as much, and other words.
 * @typedef {{ title: string, also?: string, words?: string, group: string }} Findable
 */

/**
 * A group of rows: its first items, and how many there are.
 * @template {Findable} I
 * @typedef {{ name: string, items: I[], count: number }} Group
 */

/** The most rows of all groups together. */
const mostRows = 50;

/** The rows of a group while nothing is typed. */
const fewRows = 5;

/** @typedef {{ names: string[], titles: string, all: string }} Folded */

/** The folded texts of titles and words that were searched. @type {Map<string, Folded>} */
const known = new Map();

/** The most texts that are kept. */
const mostKnown = 20_000;

/** @param {string} text */
const withoutAccents = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** @param {string} text */
const fold = (text) => withoutAccents(text).toLowerCase();

/**
 * A text and its words, each after a space: `teams.didSelect teams did select`.
 * @param {string} text
 */
function words(text) {
  const plain = withoutAccents(text);
  const parts = plain.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ").replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  return ` ${plain} ${parts}`.toLowerCase();
}

/** @param {Findable} item */
function folded({ title, also, words: more = "" }) {
  const key = [title, also, more].join("\n");
  let texts = known.get(key);
  if (!texts) {
    const names = [title, ...(also ? [also] : [])];
    const titles = names.map(words).join("");
    texts = { names: names.map(fold), titles, all: titles + words(more) };
    if (known.size >= mostKnown) known.clear();
    known.set(key, texts);
  }
  return texts;
}

/**
 * How well an item matches: 0 if the text is its title, 1 if its title begins with the text, 2 if words of its title
 * begin with the typed words, 3 if any of its words do, 4 if the typed words occur anywhere; otherwise null.
 * @param {Findable} item
 * @param {string} text
 */
function rank(item, text) {
  const { names, titles, all } = folded(item);
  if (names.includes(text)) return 0;
  if (names.some((name) => name.startsWith(text))) return 1;
  const typed = text.split(/\s+/);
  if (typed.every((word) => titles.includes(` ${word}`))) return 2;
  if (typed.every((word) => all.includes(` ${word}`))) return 3;
  return typed.every((word) => all.includes(word)) ? 4 : null;
}

/**
 * The items that match a text, in groups. Groups keep the order of the items, but a group with an item of exactly this
 * title comes first.
 * @template {Findable} I
 * @param {I[]} items
 * @param {string} text
 * @returns {Group<I>[]}
 */
export function found(items, text) {
  const wanted = fold(text.trim());
  const matches = items.map((item) => ({ item, rank: rank(item, wanted) })).filter((match) => match.rank !== null);
  const groups = [...Map.groupBy(matches, ({ item }) => item.group)];
  const most = Math.floor(mostRows / Math.max(1, groups.length));
  return groups.map(([name, all]) => {
    const best = all.toSorted((a, b) => Number(a.rank) - Number(b.rank));
    return { name, count: all.length, items: best.slice(0, most).map(({ item }) => item), isExact: best[0].rank === 0 };
  }).toSorted((a, b) => Number(b.isExact) - Number(a.isExact));
}

/**
 * What the palette shows before anything is typed: the items that were used last, and the first ones of each group.
 * @template {Findable & { key: string }} I
 * @param {I[]} items
 * @param {string[]} recent The keys of the items that were used last, newest first.
 * @returns {Group<I>[]}
 */
export function offered(items, recent) {
  const used = recent.map((key) => items.find((item) => item.key === key)).filter(isThere);
  const groups = [...Map.groupBy(items.filter((item) => !used.includes(item)), ({ group }) => group)];
  const most = (/** @type {number} */ index) =>
    (index < groups.length - 1 ? fewRows : mostRows - fewRows * groups.length);
  return [
    ...(used.length > 0 ? [{ name: "Recently used", items: used, count: used.length }] : []),
    ...groups.map(([name, all], index) => ({ name, items: all.slice(0, most(index)), count: all.length })),
  ];
}

/** @template T @param {T | undefined} value @returns {value is T} */
export const isThere = (value) => value !== undefined;
