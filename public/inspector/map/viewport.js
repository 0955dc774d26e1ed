// @ts-check
// The visible part of the map: zoom and pan by wheel, pinch and drag.

/** The largest and the smallest scale of the drawing. A map that does not fit at the smallest may be smaller. */
const largest = 2.5;
const smallest = 0.08;

/** The distance in pixels after which a press is a drag. */
const slack = 5;

/** The room around the drawing, in pixels; less in a narrow area. */
const marginIn = (width) => (width < 600 ? 12 : 22);

export class Viewport {
  scale = 1;
  #x = 0;
  #y = 0;
  #bounds = { x: 0, y: 0, width: 1, height: 1 };
  #pointers = new Map();
  #moved = false;
  /** Whether it was not zoomed or panned by hand. Then it follows the size of the window. */
  isUntouched = true;

  /** - area: the svg element. - content: the group in it that moves. - changed: called after each change. */
  constructor(area, content, changed) {
    this.area = area;
    this.content = content;
    this.changed = changed;
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
    const { width, height } = this.area.getBoundingClientRect();
    return { width, height };
  }

  /** Accepts the bounds of the drawing, in its units. */
  contain(bounds) {
    this.#bounds = bounds;
  }

  /** The scale at which all of a drawing is seen in an area of a size. */
  static scaleFor(bounds, { width, height }) {
    const margin = marginIn(width);
    return Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height);
  }

  /** Shows the whole drawing. */
  fit() {
    this.scale = this.#allowed(Math.min(1.15, Viewport.scaleFor(this.#bounds, this.size)));
    this.isUntouched = true;
    const { x, y, width, height } = this.#bounds;
    this.centre({ x: x + width / 2, y: y + height / 2 });
  }

  /** Shows a place in the middle, or near it if it is at the edge of the drawing. */
  centre({ x, y }, scale = this.scale) {
    const { width, height } = this.size;
    this.scale = this.#allowed(scale);
    this.#x = width / 2 - x * this.scale;
    this.#y = height / 2 - y * this.scale;
    this.#apply();
  }

  /** Brings a box around a place into view. */
  reveal({ x, y }, { width, height }) {
    const size = this.size;
    const left = (x - width / 2) * this.scale + this.#x;
    const top = (y - height / 2) * this.scale + this.#y;
    const isSeen = left >= 0 && top >= 0
      && left + width * this.scale <= size.width && top + height * this.scale <= size.height;
    if (!isSeen) this.centre({ x, y });
  }

  /** Zooms around a point of the area, by default its middle. */
  zoom(factor, point = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = this.#allowed(this.scale * factor);
    this.#x = point.x - (point.x - this.#x) * (scale / this.scale);
    this.#y = point.y - (point.y - this.#y) * (scale / this.scale);
    this.scale = scale;
    this.isUntouched = false;
    this.#apply();
  }

  #pan(dx, dy) {
    this.#x += dx;
    this.#y += dy;
    this.isUntouched = false;
    this.#apply();
  }

  #allowed(scale) {
    const whole = Viewport.scaleFor(this.#bounds, this.size);
    return Math.max(Math.min(smallest, whole), Math.min(largest, scale));
  }

  /** Keeps a small drawing within the area, and an edge of a large one near the area's edge. */
  #apply() {
    const { width, height } = this.size;
    const { x, y, width: w, height: h } = this.#bounds;
    const margin = marginIn(width);
    const held = (value, start, length, room) => {
      const low = margin - start * this.scale;
      const high = room - margin - (start + length) * this.scale;
      return Math.max(Math.min(low, high), Math.min(Math.max(low, high), value));
    };
    this.#x = held(this.#x, x, w, width);
    this.#y = held(this.#y, y, h, height);
    this.content.setAttribute("transform", `translate(${this.#x} ${this.#y}) scale(${this.scale})`);
    this.changed();
  }

  #wheel(event) {
    event.preventDefault();
    const { left, top } = this.area.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      return this.#pan(-(event.deltaX || event.deltaY) * lines, 0);
    }
    // A pinch on a touchpad comes as a wheel with the control key, in small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    this.zoom(Math.exp(-event.deltaY * lines * speed), { x: event.clientX - left, y: event.clientY - top });
  }

  #press({ pointerId, clientX, clientY, button }) {
    if (button !== 0) return;
    if (this.#pointers.size === 0) this.#moved = false;
    this.#pointers.set(pointerId, { x: clientX, y: clientY, startX: clientX, startY: clientY });
  }

  #move({ pointerId, clientX, clientY }) {
    const pointer = this.#pointers.get(pointerId);
    if (!pointer) return;
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
