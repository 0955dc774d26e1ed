// Errors in the words of the server's problem details, and short notices.

import { $, make, setAttribute, setText } from "./dom.js";

/** How long a notice stays, in milliseconds. */
const noticeTime = 4000;

let noticeTimer = 0;
let shownProblem = null;

/** Shows a problem above the page until it is closed. `use` takes one of the values that the server knows. */
export function showProblem(problem, use) {
  $("problem-content").replaceChildren(...problemContent(problem, use));
  $("problem").hidden = false;
  shownProblem = problem;
}

/** Takes the problem away; only one that is `over`, where that is asked for. */
export function hideProblem(over = () => true) {
  if (shownProblem === null || !over(shownProblem)) return;
  $("problem").hidden = true;
  shownProblem = null;
}

/** How a refused press is told to who pressed: the server's own words are for programs. */
export function movedOn({ version }) {
  return {
    title: "The session had moved on.",
    detail: `What was pressed is no longer what is shown, so nothing was done. This is version ${version}: press again `
      + "if you still mean it.",
  };
}

/** Shows a problem within a form, at the field it points to; null takes it away. */
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

/** Whether a problem points to the value of a control, or to one in it. */
export function pointsInto(problem, { dataset: { pointer } }) {
  return problem?.pointer === pointer || Boolean(problem?.pointer?.startsWith(`${pointer}/`));
}

/** What a problem says: title and detail, where it is, and what would have been known instead. */
export function problemContent({ title, detail, pointer, line, didYouMean, known }, use) {
  return [
    make("p", {}, make("strong", {}, title ?? "Something went wrong"), " ", detail ?? ""),
    ...hints({ pointer, line, didYouMean, known }, use),
  ].filter(Boolean);
}

/** What a problem says at the field it points to. */
export function refusalContent({ detail, ...rest }, use) {
  return [make("p", {}, detail), ...hints(rest, use)];
}

function hints({ pointer, line, didYouMean, known }, use) {
  const suggestion = (value) => use
    ? make("button", { type: "button", className: "suggestion", onclick: () => use(value) }, value)
    : make("code", { className: "suggestion" }, value);
  return [
    pointer === undefined ? null : make("p", { className: "problem-pointer" }, "At ", make("code", {}, pointer)),
    line === undefined ? null : make("p", {}, `Line ${line}`),
    didYouMean ? make("p", {}, "Did you mean ", suggestion(didYouMean), "?") : null,
    known?.length > 0
      ? make("details", { className: "problem-known" },
        make("summary", {}, `${known.length} known`), make("p", {}, ...known.map(suggestion)))
      : null,
  ].filter(Boolean);
}

/** Says something that needs no answer, and goes by itself. */
export function notify(text) {
  clearTimeout(noticeTimer);
  setText($("notice"), text);
  $("notice").classList.add("shown");
  noticeTimer = setTimeout(() => {
    $("notice").classList.remove("shown");
    setText($("notice"), "");
  }, noticeTime);
}
