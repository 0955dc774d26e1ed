// On a narrow screen one of the three panes is shown at a time; these buttons switch.

import { $, setAttribute } from "./dom.js";

const names = ["app", "tree", "journal"];

export function switchPanes() {
  for (const name of names) $(`show-${name}`).addEventListener("click", () => showPane(name));
  showPane("app");
}

function showPane(name) {
  document.body.dataset.pane = name;
  for (const each of names) setAttribute($(`show-${each}`), "aria-current", each === name ? "true" : null);
}
