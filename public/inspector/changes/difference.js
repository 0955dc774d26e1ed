// @ts-check
// Two JSON documents side by side: what differs, and every line of both. Actions are compared by what they send. It
// does not touch the page.

import { ExactNumber, writeJSON } from "../exact.js";

/** The most levels that are compared. Route documents have fewer, and each level needs stack. */
const maximumDepth = 512;

/** A route document without the fields that differ between any two documents. */
export function contentOf({ session, version, ...content }) {
  return content;
}

/**
 * Compares two documents. Returns their differences as `{ pointer, from, to }`, and their lines side by side as
 * `{ depth, name, left, right, mark, leads }`. Both are in the order of the newer document. Removed parts keep their
 * old place.
 *
 * - left, right: the line's text in each document, or null if it has none.
 * - mark: `changed`, `gone` or `new`, or null if both documents have the line.
 * - leads: whether the line or anything below it differs.
 */
export function compared(older, newer) {
  const changes = [];
  const lines = [];

  function pair(name, [before, after], [olderPath, newerPath], depth) {
    const line = { depth, name, left: textOf(name, before), right: textOf(name, after), mark: null, leads: false };
    lines.push(line);
    const kind = kindOf(before);
    if (kind === kindOf(after) && kind !== "value" && depth < maximumDepth) {
      for (const member of matched(membersOf(before), membersOf(after))) {
        const below = member.before && member.after
          ? pair(member.after.name, [member.before.value, member.after.value],
            [[...olderPath, member.before.step], [...newerPath, member.after.step]], depth + 1)
          : single(member, olderPath, newerPath, depth + 1);
        line.leads ||= below;
      }
    } else if (!isSame(before, after)) {
      changes.push({ pointer: pointer(newerPath), from: before, to: after });
      Object.assign(line, { mark: "changed", leads: true });
      // If a container became a value, or a value became a container, both are listed in full.
      list(before, "left", depth + 1, "gone");
      list(after, "right", depth + 1, "new");
    }
    return line.leads;
  }

  /** A member that only one document has. A member that is null counts as missing. */
  function single({ before, after }, olderPath, newerPath, depth) {
    const { name, step, value } = before ?? after;
    const isNoDifference = value === null;
    const [side, mark] = before ? ["left", "gone"] : ["right", "new"];
    lines.push({
      depth, name, left: null, right: null, mark: isNoDifference ? null : mark, leads: !isNoDifference,
      [side]: textOf(name, value),
    });
    if (isNoDifference) return false;
    changes.push(before
      ? { pointer: pointer([...olderPath, step]), from: value, to: null }
      : { pointer: pointer([...newerPath, step]), from: null, to: value });
    list(value, side, depth + 1, mark);
    return true;
  }

  /** Lists everything in a value, on one side. */
  function list(value, side, depth, mark) {
    if (kindOf(value) === "value" || depth > maximumDepth) return;
    for (const { name, value: member } of membersOf(value)) {
      lines.push({ depth, name, left: null, right: null, mark, leads: true, [side]: textOf(name, member) });
      list(member, side, depth + 1, mark);
    }
  }

  pair("", [older, newer], [[], []], -1);
  // Leaves out the first line, which is the document itself.
  return { changes, lines: lines.slice(1) };
}

/**
 * Matches the members of two containers, in the newer one's order: by key, then actions by title, then actions by
 * position. Removed members keep their predecessor.
 */
function matched(older, newer) {
  const pairs = new Map(newer.map((after) => [after, { after }]));
  const found = new Map();
  for (const nameOf of [({ key }) => key, ({ title }) => title, ({ title, step }) => title && step]) {
    const free = new Map(newer.filter((after) => !pairs.get(after).before).map((after) => [nameOf(after), after]));
    for (const before of older) {
      const after = free.get(nameOf(before) ?? null);
      if (!after || found.has(before)) continue;
      free.delete(nameOf(before));
      pairs.get(after).before = before;
      found.set(before, after);
    }
  }
  const gone = new Map();
  let last = null;
  for (const before of older) {
    if (found.has(before)) last = found.get(before);
    else gone.set(last, [...(gone.get(last) ?? []), { before }]);
  }
  const rest = (after) => gone.get(after) ?? [];
  return [...rest(null), ...newer.flatMap((after) => [pairs.get(after), ...rest(after)])];
}

/**
 * The members of a container: fields by name, elements by `id`, actions by event and payload, and other elements by
 * position. Actions also have a `title`.
 */
function membersOf(container) {
  if (!Array.isArray(container)) {
    return Object.entries(container).map(([name, value]) => ({ key: name, step: name, name, value }));
  }
  const counts = new Map();
  return container.map((value, index) => {
    const id = isID(value?.id) ? value.id : null;
    const isAction = id === null && typeof value?.event === "string";
    const kind = writeJSON(isAction ? [value.event, value.payload] : id);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const name = id === null ? `[${index}]` : `[${id}]`;
    return { key: `${kind} ${count}`, step: String(index), name, value, ...(isAction && { title: value.title }) };
  });
}

function isID(id) {
  return typeof id === "string" || Number.isInteger(id) || (id instanceof ExactNumber && /^-?\d+$/.test(id.text));
}

function kindOf(value) {
  if (Array.isArray(value)) return "array";
  return value !== null && typeof value === "object" && !(value instanceof ExactNumber) ? "object" : "value";
}

function isSame(one, other) {
  if (one instanceof ExactNumber && other instanceof ExactNumber) return one.text === other.text;
  return kindOf(one) === "value" && one === other;
}

/** A line's text: the name, and the value if it has no lines of its own. */
function textOf(name, value) {
  const kind = kindOf(value);
  const isEmpty = kind !== "value" && Object.keys(value).length === 0;
  return kind === "value" || isEmpty ? `${name}: ${writeJSON(value)}` : `${name}:`;
}

/** A JSON pointer (RFC 6901). */
function pointer(path) {
  return path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
