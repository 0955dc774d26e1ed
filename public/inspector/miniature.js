// @ts-check
// Miniatures: pictures of screens as the phone shows them, drawn from route documents.

import { $ } from "./dom.js";
import { isForm } from "./forms.js";
import { offeredBy } from "./offers.js";
import { Phone } from "./phone.js";
import { pictureOf } from "./picture/boxes.js";

/** The width of a miniature's drawing: the screen alone, without the bezel and the status bar. */
export const miniatureWidth = 300;

/** The longest time to wait for the images of a screen, in milliseconds. */
const patience = 3000;

export class Miniatures {
  #phone;
  /** The drawings of documents with their buttons, until the colors of the page change. */
  #drawings = new WeakMap();
  /** Drawings are made one after the other, because they share one phone. */
  #last = Promise.resolve();
  /** How often the page's colors have changed. Drawings that were made before are out of date. */
  colors = 0;

  /** - recolored: called after the page's colors have changed. */
  constructor({ recolored }) {
    const model = /** @type {HTMLElement} */ ($("phone").cloneNode(true));
    for (const part of [model, ...model.querySelectorAll("[id]")]) {
      part.setAttribute("data-part", part.id);
      part.removeAttribute("id");
    }
    model.classList.add("model");
    model.inert = true;
    model.ariaHidden = "true";
    document.body.append(model);
    this.#phone = new Phone((name) => (name === "phone" ? model : model.querySelector(`[data-part=${name}]`)));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#drawings = new WeakMap();
      this.colors += 1;
      recolored();
    });
  }

  /**
   * A drawing of a route document's screen. The same document gives the same element, so clone it to show it twice.
   * @returns {Promise<SVGElement>}
   */
  async draw(route) {
    return (await this.#drawn(route)).drawing;
  }

  /**
   * The buttons in the drawing of a route document's screen, each with its box and its `action`. `isForm` says that the
   * action needs input.
   * @returns {Promise<{ x: number, y: number, width: number, height: number, action: any, isForm: boolean }[]>}
   */
  async hits(route) {
    return (await this.#drawn(route)).hits;
  }

  #drawn(route) {
    if (!this.#drawings.has(route)) {
      const drawn = this.#last.then(() => this.#make(route));
      this.#drawings.set(route, drawn);
      this.#last = drawn.then(() => {}, () => {});
    }
    return this.#drawings.get(route);
  }

  async #make(route) {
    const { element } = this.#phone;
    this.#phone.show(route, true);
    await loaded(element);
    const hits = hitsIn(element);
    return { hits, drawing: await pictureOf(element, route.screen.title ?? route.screen.name) };
  }
}

/** Waits until the images in an element are loaded, or failed. */
async function loaded(element) {
  const images = [...element.querySelectorAll("img")].filter((image) => !image.complete);
  if (images.length === 0) return;
  await Promise.race([
    Promise.all(images.map((image) => image.decode().catch(() => {}))),
    new Promise((resolve) => { setTimeout(resolve, patience); }),
  ]);
}

/** The buttons and forms of a phone that are seen, with their boxes. */
function hitsIn(element) {
  const origin = element.getBoundingClientRect();
  const screen = element.querySelector("[data-part=screen]");
  return [...element.querySelectorAll("[data-event]")].flatMap((button) => {
    const isOfForm = button.matches("form");
    const action = isOfForm ? { event: button.dataset.event } : offeredBy(button);
    if (action === null || !button.checkVisibility({ visibilityProperty: true })) return [];
    const bounds = screen.contains(button) ? screen.getBoundingClientRect() : origin;
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const [low, high] = [Math.max(top, bounds.top), Math.min(bottom, bounds.bottom)];
    if (high - low < 4) return [];
    return [{
      x: left - origin.left, y: low - origin.top, width: right - left, height: high - low,
      action, isForm: isOfForm || isForm(action),
    }];
  });
}
