// Errors in the words of the server's problem details, and short notices.

import { $, make, setText } from "./dom.js";

/** How long a notice stays, in milliseconds. */
const noticeTime = 4000;

let noticeTimer = 0;

/** Shows a problem above the page until it is closed. `use` takes one of the values that the server knows. */
export function showProblem(problem, use) {
  $("problem-content").replaceChildren(...problemContent(problem, use));
  $("problem").hidden = false;
}

export function hideProblem() {
  $("problem").hidden = true;
}

/** What a problem says: title and detail, where it is, and what would have been known instead. */
export function problemContent({ title, detail, pointer, line, didYouMean, known }, use) {
  const suggestion = (value) => use
    ? make("button", { type: "button", className: "suggestion", onclick: () => use(value) }, value)
    : make("code", { className: "suggestion" }, value);
  return [
    make("p", {}, make("strong", {}, title ?? "Something went wrong"), " ", detail ?? ""),
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
