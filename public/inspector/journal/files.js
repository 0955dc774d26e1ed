// @ts-check
// Journal files: saves the journal, and imports a file that the user drops or chooses.

import { $ } from "../dom.js";

/** Downloads a text or bytes as a file, by default a journal. */
export function save(content, name, type = "application/x-ndjson") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * Accepts a file that the user drops on an area or chooses. An area within another one keeps its files to itself.
 *
 * - marked: what shows that a file can be dropped.
 * - take: called with the file.
 */
export function acceptFiles(area, marked, input, take) {
  let depth = 0;
  const mark = (isOver) => marked.classList.toggle("dropping", isOver);
  const listen = (name, action) => area.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.stopPropagation();
    event.preventDefault();
    action(event.dataTransfer);
  });
  listen("dragenter", () => mark(++depth > 0));
  listen("dragover", () => {});
  listen("dragleave", () => {
    depth = Math.max(0, depth - 1);
    mark(depth > 0);
  });
  listen("drop", ({ files }) => {
    depth = 0;
    mark(false);
    if (files[0]) take(files[0]);
  });
  input.addEventListener("change", () => {
    const [file] = input.files;
    // Allows choosing the same file again.
    input.value = "";
    if (file) take(file);
  });
}

/** Opens the browser's own dialog to choose one. */
export function chooseFile() {
  $("journal-file").click();
}
