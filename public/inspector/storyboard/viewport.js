// @ts-check
// The visible part of the storyboard: pan by wheel, drag and touch, zoom by pinch and by wheel with the control key.

/** The largest and the smallest scale of the drawing. A drawing that does not fit at the smallest may be smaller. */
const largest = 2.5;
const smallest = 0.06;

/** The distance in pixels after which a press is a drag. */
const slack = 5;

/** The room around the drawing, in pixels. */
const margin = 14;

/** The time after the last move at which the drawing is at rest, in milliseconds. */
const rest = 160;

/** The smallest text, in pixels of the page, and the size of text at the drawing's own scale. */
export const smallestText = 11;
export const baseText = 12;

/** Text grows by so much at a time, not at each turn of a wheel. */
const step = 1.04;

/** How much larger text and lines are in a drawing that is shown at a scale, so that they stay readable. */
export function unitFor(scale) {
  return step ** Math.max(0, Math.ceil(Math.log(smallestText / (baseText * scale)) / Math.log(step)));
}

export class Viewport {
  scale = 1;
  #x = 0;
  #y = 0;
  #bounds = { x: 0, y: 0, width: 1, height: 1 };
  #pointers = new Map();
  #moved = false;
  #timer = 0;
  #sharpScale = 0;
  /** The height in pixels of what covers the lower end of the area. */
  covered = 0;
  /** Whether it is being zoomed or panned by hand. */
  isMoving = false;
  /** Whether it was not zoomed or panned by hand. Then it follows the size of the window. */
  isUntouched = true;

  /**
   * - area: the element that is looked through. - content: the element in it that moves.
   *
   * Callbacks: moved() after each change, and rested() after the last one for a while.
   */
  constructor(area, content, { moved, rested }) {
    this.area = area;
    this.content = content;
    this.moved = moved;
    this.rested = rested;
    area.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    area.addEventListener("pointerdown", (event) => this.#press(event));
    area.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      area.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId));
    }
    area.addEventListener("click", (event) => {
      if (this.#moved) event.stopPropagation();
      this.#moved = false;
    }, { capture: true });
  }

  get size() {
    return { width: this.area.clientWidth, height: this.area.clientHeight };
  }

  /** The part of the drawing that is seen, in its units. */
  get seen() {
    const { width, height } = this.size;
    return {
      x: -this.#x / this.scale, y: -this.#y / this.scale, width: width / this.scale, height: height / this.scale,
    };
  }

  /** Accepts the bounds of the drawing, in its units. */
  contain(bounds) {
    this.#bounds = bounds;
  }

  /** The scale at which a box of the drawing fills the area. */
  scaleFor(box) {
    const { width, height } = this.size;
    return Math.min((width - 2 * margin) / box.width, (height - 2 * margin) / box.height);
  }

  /** Shows the whole drawing. */
  fit() {
    this.show(this.#bounds, { most: 1.15 });
    this.isUntouched = true;
  }

  /** Shows a box as large as it fits. */
  show(box, { least = 0, most = largest }) {
    this.scale = this.#allowed(Math.max(least, Math.min(most, this.scaleFor(box))));
    this.centre({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  /** Shows a place in the middle, or near it if it is at the edge of the drawing. */
  centre({ x, y }) {
    const { width, height } = this.size;
    this.#x = width / 2 - x * this.scale;
    this.#y = (height - this.covered) / 2 - y * this.scale;
    this.#apply();
  }

  /** Brings a box into view, moving as little as possible. */
  reveal({ x, y, width, height }) {
    const size = this.size;
    const shift = (start, length, room) => {
      const [low, high] = [margin - start, room - margin - start - length];
      return low > high ? (low + high) / 2 : Math.min(Math.max(0, low), high);
    };
    const dx = shift(x * this.scale + this.#x, width * this.scale, size.width);
    const dy = shift(y * this.scale + this.#y, height * this.scale, size.height - this.covered);
    if (dx === 0 && dy === 0) return;
    this.glide(() => {
      this.#x += dx;
      this.#y += dy;
      this.#apply();
    });
  }

  /** Moves smoothly. */
  glide(move) {
    this.content.classList.add("gliding");
    move();
  }

  /** Zooms around a point of the area, by default its middle. */
  zoom(factor, point = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = this.#allowed(this.scale * factor);
    this.#x = point.x - (point.x - this.#x) * (scale / this.scale);
    this.#y = point.y - (point.y - this.#y) * (scale / this.scale);
    this.scale = scale;
    this.#touch();
  }

  #pan(dx, dy) {
    this.#x += dx;
    this.#y += dy;
    this.#touch();
  }

  #touch() {
    this.isUntouched = false;
    this.isMoving = true;
    this.content.classList.remove("gliding");
    this.#apply();
  }

  #allowed(scale) {
    return Math.max(Math.min(smallest, this.scaleFor(this.#bounds)), Math.min(largest, scale));
  }

  /** Keeps a small drawing within the area, and an edge of a large one near the area's edge. */
  #apply() {
    const { width, height } = this.size;
    const { x, y, width: w, height: h } = this.#bounds;
    const held = (value, start, length, room) => {
      const low = margin - start * this.scale;
      const high = room - margin - (start + length) * this.scale;
      return low > high ? Math.max(high, Math.min(low, value)) : (low + high) / 2;
    };
    this.#x = held(this.#x, x, w, width);
    this.#y = held(this.#y, y, h + this.covered / this.scale, height);
    this.content.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.scale})`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), rest);
    this.moved();
    if (!this.isMoving) this.rested();
  }

  /**
   * The content is a layer of its own, which moves without being drawn again. A browser draws it sharp at another scale
   * once it is none for a moment.
   */
  #rest() {
    this.isMoving = false;
    this.rested();
    if (this.#sharpScale === this.scale) return;
    this.#sharpScale = this.scale;
    this.content.classList.add("sharpened");
    requestAnimationFrame(() => requestAnimationFrame(() => this.content.classList.remove("sharpened")));
  }

  #wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const { left, top } = this.area.getBoundingClientRect();
    // A pinch on a touchpad comes as a wheel with the control key, in small steps.
    if (event.ctrlKey || event.metaKey) {
      return this.zoom(Math.exp(-event.deltaY * unit * 0.006), { x: event.clientX - left, y: event.clientY - top });
    }
    const isTurned = event.shiftKey && event.deltaX === 0;
    this.#pan(-(isTurned ? event.deltaY : event.deltaX) * unit, isTurned ? 0 : -event.deltaY * unit);
  }

  #press({ pointerId, clientX, clientY, button }) {
    if (button !== 0) return;
    if (this.#pointers.size === 0) this.#moved = false;
    this.#pointers.set(pointerId, { x: clientX, y: clientY, startX: clientX, startY: clientY });
  }

  #move({ pointerId, clientX, clientY, buttons }) {
    const pointer = this.#pointers.get(pointerId);
    if (!pointer) return;
    if (buttons === 0) {
      this.#pointers.delete(pointerId);
      return;
    }
    const dx = clientX - pointer.x;
    const dy = clientY - pointer.y;
    if (!this.#moved) {
      if (Math.hypot(clientX - pointer.startX, clientY - pointer.startY) < slack) return;
      this.#moved = true;
      this.area.setPointerCapture(pointerId);
    }
    const [other] = [...this.#pointers].filter(([id]) => id !== pointerId).map(([, each]) => each);
    if (other) {
      const { left, top } = this.area.getBoundingClientRect();
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const now = Math.hypot(clientX - other.x, clientY - other.y);
      this.#pan(dx / 2, dy / 2);
      if (before > 0) this.zoom(now / before, { x: (clientX + other.x) / 2 - left, y: (clientY + other.y) / 2 - top });
    } else {
      this.#pan(dx, dy);
    }
    Object.assign(pointer, { x: clientX, y: clientY });
  }
}
