// @ts-check
// Animations, unless the user prefers reduced motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Animates an element, unless the user prefers reduced motion. */
export function animate(element, keyframes, options) {
  if (!still.matches) element.animate(keyframes, { easing: "cubic-bezier(.2, .7, .2, 1)", ...options });
}
