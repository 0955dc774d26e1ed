// @ts-check
// Errors, in the words of the server's problem documents, and short notices.

import { $, make, setAttribute, setText } from "./dom.js";
import { differenceText, rebuiltText } from "./rebuild.js";

/** How long a notice stays visible, in milliseconds. */
const noticeTime = 4000;

/** What the known values of a problem are, by its type. */
const nouns = {
  "/problems/unknown-coordinator": "coordinator", "/problems/unknown-event": "event", "/problems/unknown-path": "path",
};

let noticeTimer = 0;
let shownProblem = null;

/** Shows a problem above the page until the user closes it. `use` gets a known value that the user chooses. */
export function showProblem(problem, use) {
  $("problem-content").replaceChildren(...problemContent(problem, use));
  $("problem").hidden = false;
  shownProblem = problem;
}

/**
 * Hides the problem, if `over` returns true for it.
 * @param {(problem: any) => boolean} over
 */
export function hideProblem(over = () => true) {
  if (shownProblem === null || !over(shownProblem)) return;
  hideMessage($("problem"));
  /** @type {any} */
  shownProblem = null;
}

/**
 * The problem for a refused press, in the user's words. The server's own words are for programs.
 * @param {any} problem
 */
export function movedOn({ version }) {
  return {
    title: "The session has changed.",
    detail: `Your action belongs to an earlier screen, so the server refused it. The session is now at `
      + `version ${version}. Press again to continue.`,
  };
}

/** Shows what a replay in a new build of the app did and its first difference, until the user closes it. */
export function showRebuilt(result) {
  notify("");
  setText($("rebuilt-text"), rebuiltText(result));
  setText($("rebuilt-first"), result.start ?? differenceText(result.differences[0]));
  $("rebuilt").hidden = false;
}

export function hideRebuilt() {
  hideMessage($("rebuilt"));
}

/** Hides a message. If it has the focus, the screen's title gets it. */
export function hideMessage(message) {
  const hadFocus = message.contains(document.activeElement);
  message.hidden = true;
  if (hadFocus) $("screen-title").focus({ preventScroll: true });
}

/** Shows a problem within a form, at the field it points to. Null removes it. */
export function showProblemIn(form, problem, use) {
  const place = form.querySelector(".problem");
  place.replaceChildren(...(problem ? problemContent(problem, use) : []));
  place.hidden = problem === null;
  for (const input of form.querySelectorAll("[data-pointer]")) {
    const isWrong = pointsInto(problem, input);
    setAttribute(input, "aria-invalid", isWrong ? "true" : null);
    setAttribute(input, "aria-describedby", isWrong ? place.id : null);
    if (isWrong) input.focus();
  }
}

/** Whether a problem points to a control's value, or into it. */
export function pointsInto(problem, { dataset: { pointer } }) {
  return problem?.pointer === pointer || Boolean(problem?.pointer?.startsWith(`${pointer}/`));
}

/**
 * The elements for a problem: title, detail, place, and the known values.
 * @param {any} problem
 * @param {(value: any) => void} [use]
 * @returns {HTMLElement[]}
 */
export function problemContent(problem, use) {
  return [
    make("p", {}, make("strong", {}, problem.title ?? "Something went wrong"), " ", plainDetail(problem)),
    ...hints(problem, use),
  ];
}

/** The elements for a problem that is shown at its field. */
export function refusalContent(problem, use) {
  return [make("p", {}, plainDetail(problem)), ...hints(problem, use)];
}

/** A problem's detail without its suggestion, which the page offers as a button. */
export function plainDetail({ detail = "", didYouMean }) {
  return didYouMean ? detail.replace(` Did you mean ${didYouMean}?`, "") : detail;
}

/**
 * @param {any} problem
 * @param {((value: any) => void) | undefined} use
 * @returns {any[]}
 */
function hints({ type, pointer, line, didYouMean, known }, use) {
  const suggestion = (value) => use
    ? make("button", { type: "button", className: "suggestion", onclick: () => use(value) }, value)
    : make("code", { className: "suggestion" }, value);
  return [
    pointer === undefined ? null : make("p", { className: "problem-pointer" }, "At ", make("code", {}, pointer)),
    line === undefined ? null : make("p", {}, `Line ${line}`),
    didYouMean ? make("p", {}, "Did you mean ", suggestion(didYouMean), "?") : null,
    known?.length > 0
      ? make("details", { className: "problem-known" },
        make("summary", {}, knownText(type, known.length)), make("p", {}, ...known.map(suggestion)))
      : null,
  ].filter(Boolean);
}

/** The offer to show a problem's known values. */
function knownText(type, count) {
  const noun = nouns[type] ?? "value";
  return `Show ${count} known ${noun}${count === 1 ? "" : "s"}`;
}

/** Shows a notice that disappears by itself. */
export function notify(text) {
  clearTimeout(noticeTimer);
  setText($("notice"), text);
  $("notice").classList.toggle("shown", text !== "");
  noticeTimer = setTimeout(() => {
    $("notice").classList.remove("shown");
    setText($("notice"), "");
  }, noticeTime);
}
