// @ts-check
// The address bar. A deep link leads from the root down. The app's path patterns are its suggestions.

import { $, keyed, make, setAttribute, setText } from "./dom.js";
import { actionOf } from "./keys.js";

export class AddressBar {
  #patterns = [];
  #chosen = -1;
  #path = "";
  /** Whether the user is editing the field. Otherwise it shows the session's path. */
  #isEdited = false;
  #isOpening = false;
  /**
   * Whether the server refused the text in the field. The text stays for correction until the session's path changes.
   */
  #isRefused = false;

  /** - open: opens a path and returns whether that succeeded. */
  constructor({ open }) {
    const input = $("address");
    $("address-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      this.#close();
      if (this.#isOpening) return;
      this.#isOpening = true;
      const path = input.value;
      const isOpened = await open(path.trim()).finally(() => { this.#isOpening = false; });
      if (input.value !== path) return;
      this.#isEdited = !isOpened;
      this.#setRefused(!isOpened);
    });
    $("address-form").addEventListener("focusout", ({ relatedTarget }) => {
      if (document.hasFocus() && !$("address-form").contains(relatedTarget) && !this.#isRefused) {
        this.#revert();
      }
    });
    input.addEventListener("focus", () => input.select());
    input.addEventListener("click", () => this.#suggest(this.#patterns));
    input.addEventListener("input", () => {
      this.#isEdited = true;
      this.#setRefused(false);
      this.#suggestFitting();
    });
    input.addEventListener("blur", () => this.#close());
    input.addEventListener("keydown", (event) => this.#pressed(event));
    $("suggestions").addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.use(option.textContent);
    });
  }

  /** Sets the patterns. They can arrive while the user is typing. */
  suggestPatterns(patterns) {
    this.#patterns = patterns;
    if (this.#isEdited && !this.#isOpening && document.activeElement === $("address")) this.#suggestFitting();
  }

  show(path, isWritable) {
    const isElsewhere = path !== this.#path;
    this.#path = path;
    if (!this.#isEdited || (this.#isRefused && isElsewhere)) this.#revert();
    $("address").disabled = !isWritable;
    $("address-go").disabled = !isWritable;
  }

  /** Fills in a path or pattern, and selects its first missing value. */
  use(pattern) {
    const input = $("address");
    input.focus();
    input.value = pattern;
    this.#isEdited = true;
    this.#setRefused(false);
    const blank = blankIn(pattern);
    if (blank) input.setSelectionRange(blank.index, blank.index + blank[0].length);
    this.#close();
  }

  #pressed(event) {
    const options = [...$("suggestions").children];
    const isOpen = !$("suggestions").hidden;
    const action = actionOf("address", event);
    if (action === "next" || action === "previous") {
      event.preventDefault();
      if (!isOpen) return this.#suggest(this.#patterns);
      const next = action === "next" ? this.#chosen + 1 : Math.max(this.#chosen, 0) - 1;
      this.#choose((next + options.length) % options.length);
    } else if (action === "leave" && isOpen) {
      event.stopPropagation();
      this.#close();
    } else if (action === "leave" && this.#isEdited) {
      event.stopPropagation();
      this.#revert();
    } else if (action === "take" && isOpen && this.#chosen >= 0) {
      event.preventDefault();
      const pattern = options[this.#chosen].textContent;
      this.use(pattern);
      if (!blankIn(pattern)) $("address-form").requestSubmit();
    }
  }

  /** Shows the session's path again. */
  #revert() {
    this.#isEdited = false;
    this.#setRefused(false);
    if ($("address").value !== this.#path) $("address").value = this.#path;
  }

  #setRefused(isRefused) {
    this.#isRefused = isRefused;
    setAttribute($("address"), "aria-invalid", isRefused ? "true" : null);
  }

  #suggestFitting() {
    const text = $("address").value.trim();
    this.#suggest(this.#patterns.filter((pattern) => pattern.includes(text)));
  }

  #suggest(patterns) {
    keyed($("suggestions"), patterns, (pattern) => pattern, () => make("li", { role: "option" }), setText);
    [...$("suggestions").children].forEach((option, index) => { option.id = `suggestion-${index}`; });
    $("suggestions").hidden = patterns.length === 0;
    setAttribute($("address"), "aria-expanded", patterns.length > 0);
    this.#choose(-1);
  }

  #choose(index) {
    this.#chosen = index;
    [...$("suggestions").children].forEach((option, at) => setAttribute(option, "aria-selected", at === index));
    const option = $("suggestions").children[index];
    setAttribute($("address"), "aria-activedescendant", option?.id ?? null);
    option?.scrollIntoView({ block: "nearest" });
  }

  #close() {
    $("suggestions").hidden = true;
    setAttribute($("address"), "aria-expanded", false);
    this.#choose(-1);
  }
}

/** The first missing value in a path's pattern, or null if the path is complete. */
function blankIn(pattern) {
  return /\{[^}]*\}/.exec(pattern);
}
