// @ts-check
// The overview: the whole storyboard, small, with a frame around the part that is seen. It moves the view.

import { draw, setAttribute } from "../dom.js";
import { card } from "./edges.js";

/** The room around the storyboard, in its units. */
const margin = 60;

export class Overview {
  #frame = draw("rect", { class: "overview-frame", rx: 20 });
  #cards = draw("g");
  #bounds = { x: 0, y: 0, width: 1, height: 1 };

  /** - element: the svg element. - move: called with the place to show in the middle. */
  constructor(element, move) {
    this.element = element;
    element.append(this.#cards, this.#frame);
    const go = ({ clientX, clientY }) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      move({
        x: this.#bounds.x + (clientX - left) / width * this.#bounds.width,
        y: this.#bounds.y + (clientY - top) / height * this.#bounds.height,
      });
    };
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      go(event);
    });
    element.addEventListener("pointermove", (event) => {
      if (element.hasPointerCapture(event.pointerId)) go(event);
    });
  }

  /** Draws the cards anew. */
  build({ screens }, { places, bounds: { x, y, width, height } }) {
    this.#bounds = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
    const { width: w, height: h } = this.#bounds;
    const scale = Math.min(150 / w, 110 / h);
    setAttribute(this.element, "viewBox", `${this.#bounds.x} ${this.#bounds.y} ${w} ${h}`);
    setAttribute(this.element, "width", Math.round(w * scale));
    setAttribute(this.element, "height", Math.round(h * scale));
    this.#cards.replaceChildren(...screens.map(({ id }) => draw("rect", {
      x: places.get(id).x - card.width / 2, y: places.get(id).y - card.height / 2, width: card.width,
      height: card.height, rx: 20,
    })));
  }

  /** Shows a session on it. */
  show({ here, seen }) {
    [...this.#cards.children].forEach((element, id) => {
      element.classList.toggle("here", id === here);
      element.classList.toggle("seen", seen.has(id));
    });
  }

  /** Shows which part is seen. Without a rest, it hides. */
  frame({ x, y, width, height }) {
    const { x: left, y: top, width: w, height: h } = this.#bounds;
    this.element.toggleAttribute("hidden", x <= left + margin && y <= top + margin
      && x + width >= left + w - margin && y + height >= top + h - margin);
    for (const [name, value] of Object.entries({ x, y, width, height })) setAttribute(this.#frame, name, value);
  }
}
