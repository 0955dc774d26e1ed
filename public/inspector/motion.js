// Animations, for those who want them.

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Animates an element, unless reduced motion is asked for. */
export function animate(element, keyframes, options) {
  if (!still.matches) element.animate(keyframes, { easing: "cubic-bezier(.2, .7, .2, 1)", ...options });
}
