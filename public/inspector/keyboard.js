// One tab stop for a group of things, and arrow keys within it.

/**
 * Moves focus among the elements of `container` that match `selector` with the arrow keys, Home and End.
 * Returns a function to call after the elements changed, with the one that Tab should lead to.
 */
export function roving(container, selector, { horizontal = false } = {}) {
  const [backward, forward] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  const all = () => [...container.querySelectorAll(selector)];

  function makeStop(stop) {
    for (const element of all()) {
      const tabIndex = element === stop ? 0 : -1;
      if (element.tabIndex !== tabIndex || !element.hasAttribute("tabindex")) element.tabIndex = tabIndex;
    }
  }

  container.addEventListener("focusin", ({ target }) => {
    if (target.matches(selector)) makeStop(target);
  });
  container.addEventListener("keydown", (event) => {
    if (!event.target.matches(selector)) return;
    const elements = all();
    const index = elements.indexOf(event.target);
    const next = {
      [backward]: elements[index - 1],
      [forward]: elements[index + 1],
      Home: elements[0],
      End: elements.at(-1),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  return (preferred) => {
    const focused = all().find((element) => element === document.activeElement);
    makeStop(focused ?? preferred ?? all()[0]);
  };
}
