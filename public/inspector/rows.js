// @ts-check
// The rows of a screen in their sections: an image, a tap, a value at the end, buttons, a swipe. A form opens below its
// row.

import { icon, keyed, make, setAttribute, setText } from "./dom.js";
import { isForm } from "./forms.js";
import { showImage } from "./images.js";
import { actionOf } from "./keys.js";
import { offer } from "./offers.js";

export class Rows {
  #list;
  #forms;
  #refresh;
  /** @type {any} The key of the open form. */
  #open = null;
  /** The keys of the forms, by button. */
  #keys = new WeakMap();

  /**
   * - list: the element for the sections. - refresh: called to show the document again after a form opens or closes.
   */
  constructor(list, forms, refresh) {
    this.#list = list;
    this.#forms = forms;
    this.#refresh = refresh;
    this.#list.addEventListener("keydown", (event) => {
      if (actionOf("form", event) !== "leave" || !event.target.closest(".form")) return;
      event.stopPropagation();
      this.close(this.#open);
    });
  }

  show({ screen, leaf }, isWritable) {
    const rows = Map.groupBy(screen.rows, ({ section }) => section);
    const sections = [{ id: null, title: null, footer: null }, ...screen.sections]
      .filter(({ id }) => id !== null || rows.has(null));
    let isThere = false;
    keyed(this.#list, sections, ({ id }) => JSON.stringify([leaf, id]), makeSection, (part, { id, title, footer }) => {
      const [heading, list, foot] = part.children;
      showText(heading, title);
      showText(foot, footer);
      keyed(list, rows.get(id) ?? [], (row) => `${leaf} ${row.id} ${row.action !== null}`, makeRow, (item, row) => {
        const opened = this.#update(item, row).filter(({ key }) => isWritable && key === this.#open);
        isThere ||= opened.length > 0;
        keyed(item.querySelector(".row-form"), opened, ({ key }) => key, ({ key }) => this.#forms.element(key),
          (_, { key, action }) => this.#forms.show(key, action, `${action.title}: ${row.title}`));
      });
    });
    if (isWritable && !isThere) this.#open = null;
  }

  /** Opens or closes a button's form. */
  toggle(button) {
    const key = this.#keys.get(button);
    if (key === this.#open) return this.close(key);
    this.#open = key;
    this.#refresh();
    const field = this.#forms.element(key).querySelector("[data-field]");
    field.focus();
    field.select?.();
  }

  /** Closes a form if it is open. */
  close(key) {
    if (key === null || key !== this.#open) return;
    const hadFocus = this.#forms.element(key).contains(document.activeElement);
    if (hadFocus) this.#list.querySelector("[aria-expanded=true]").focus();
    this.#open = null;
    this.#refresh();
  }

  /** Shows a row. Returns the keys of its forms, with their actions. */
  #update(item, { id, title, subtitle, favorite, value, image, action, actions, delete: remove }) {
    const [tap, end] = item.children;
    const [buttons, deletion] = end.children;
    showImage(tap.querySelector(".row-image"), image);
    setText(tap.querySelector(".row-title"), title);
    setText(tap.querySelector(".row-subtitle"), subtitle ?? "");
    setText(tap.querySelector(".row-value"), value ?? "");
    tap.querySelector(".favorite").hidden = !favorite;
    if (action) offer(tap, action);
    offer(deletion, remove, `${remove?.title}: ${title}`);
    setAttribute(deletion, "title", remove?.title ?? null);
    buttons.hidden = actions.length === 0;
    keyed(buttons, actions.map((action, index) => ({ action, index })), ({ index }) => index,
      () => make("button", { type: "button", className: "row-button" }),
      (button, { action }) => {
        setText(button, action.title);
        offer(button, action, `${action.title}: ${title}`);
      });
    const offered = [
      [tap, action], [deletion, remove], ...actions.map((each, index) => [buttons.children[index], each]),
    ];
    return offered.flatMap(([button, each], place) => this.#link(button, each, `row ${id} ${place}`));
  }

  /** Makes a button open the form of its action, if the action has one. */
  #link(button, action, place) {
    const key = isForm(action) ? this.#forms.key(place, action) : null;
    setAttribute(button, "aria-expanded", key && key === this.#open);
    if (key === null) return [];
    this.#keys.set(button, key);
    return [{ key, action }];
  }
}

/** Shows a text, or nothing if it is null. */
function showText(element, text) {
  element.hidden = text === null;
  setText(element, text ?? "");
}

function makeSection() {
  return make("section", {},
    make("h4", { className: "section-title" }), make("ul", { className: "list" }),
    make("p", { className: "section-footer" }));
}

/** Creates a row: a button if it can be tapped, otherwise text. */
function makeRow({ id, action }) {
  return make("li", { className: "row", "data-row": id },
    make(action ? "button" : "div", { className: "tap" },
      make("span", { className: "row-image" }),
      make("span", { className: "row-words" },
        make("span", { className: "row-title" }), make("span", { className: "row-subtitle" })),
      make("span", { className: "row-value" }),
      make("span", { className: "favorite", role: "img", "aria-label": "favorite" }, icon("star"))),
    make("div", { className: "row-end" },
      make("div", { className: "row-actions" }),
      make("button", { type: "button", className: "delete" }, icon("minus"))),
    make("div", { className: "row-form" }));
}
