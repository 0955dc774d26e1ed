// @ts-check
// Shows changes once per frame, however many there are.

/**
 * A function that calls `show` in the next frame, once for all calls before it. `now` does that at once. A hidden page
 * has no frames, so it shows every change.
 * @param {() => void} show
 * @param {{ isHidden?: () => boolean, frame?: (go: () => void) => void }} page
 */
export function oncePerFrame(show, { isHidden = () => document.hidden, frame = requestAnimationFrame } = {}) {
  let isDue = false;
  const now = () => {
    isDue = false;
    show();
  };
  const soon = () => {
    if (isHidden()) return now();
    if (!isDue) frame(() => isDue && now());
    isDue = true;
  };
  return Object.assign(soon, { now });
}
