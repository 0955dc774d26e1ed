// Journal files: saves the journal, and imports a file that the user drops or chooses.

import { $ } from "../dom.js";

/** Downloads a text as a file. */
export function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** - take: called with the file. */
export function acceptFiles(area, input, take) {
  let depth = 0;
  const mark = (isOver) => area.classList.toggle("dropping", isOver);
  const hasFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  area.addEventListener("dragenter", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    depth += 1;
    mark(true);
  });
  area.addEventListener("dragover", (event) => {
    if (hasFile(event)) event.preventDefault();
  });
  area.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    mark(depth > 0);
  });
  area.addEventListener("drop", (event) => {
    depth = 0;
    mark(false);
    if (!hasFile(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
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
