// @ts-check
// The nodes of a route document's tree, and which of them are visible.

/**
 * A coordinator in a route document. `isGone` marks one that handled or passed the last event and has ended since.
 * @typedef {object} Node
 * @property {string} id
 * @property {string} [kind]
 * @property {boolean} [started]
 * @property {string | null} [section]
 * @property {number | null} [index]
 * @property {Node | null} [presented]
 * @property {Node[]} [children]
 * @property {number} [level]
 * @property {boolean} [isGone]
 * @property {boolean} [isPresented]
 */

/**
 * The nodes to list below a node: its stack or tabs in order, what it presents, and coordinators that have ended since.
 * @param {Node} node
 * @param {string[]} gone The ids of the coordinators that have ended.
 */
export function below(node, gone) {
  const { children = [], presented, kind, level = 0 } = node;
  const known = [...children, ...(presented ? [{ ...presented, isPresented: true }] : [])];
  const lost = gone
    .filter((id) => id.startsWith(`${node.id}/`) && !known.some((child) => id.startsWith(`${child.id}/`)))
    .filter((id, _, all) => !all.some((other) => id.startsWith(`${other}/`)))
    .map((id) => /** @type {Node} */ ({ id, isGone: true }));
  return [...known, ...lost].map((child, index, all) => ({
    ...child,
    level: level + 1,
    beginsSection: child.section && child.section !== all[index - 1]?.section,
    endsSection: child.section && child.section !== all[index + 1]?.section,
    position: kind === "navigation" && index < children.length && `${index + 1} of ${children.length} on the stack`,
  }));
}

/**
 * The ids of the visible coordinators, from the root to the visible leaf.
 * @param {Node} tree
 */
export function visibleChain(tree) {
  const ids = [];
  /** @type {Node | undefined} */
  let node = tree;
  for (; node; node = node.presented ?? node.children?.[node.index ?? -1]) ids.push(node.id);
  return ids;
}

/**
 * The node with an id, searched in a node and everything below it.
 * @param {Node} node
 * @param {string} id
 * @returns {Node | undefined}
 */
export function find(node, id) {
  if (node.id === id) return node;
  const below = [...(node.children ?? []), ...(node.presented ? [node.presented] : [])];
  return below.map((child) => find(child, id)).find(Boolean);
}

/**
 * The ids of the started coordinators of a tree, from the root down.
 * @param {Node} tree
 * @returns {string[]}
 */
export function startedIds({ id, started, children = [], presented }) {
  const below = [...children, ...(presented ? [presented] : [])].flatMap(startedIds);
  return started ? [id, ...below] : below;
}
