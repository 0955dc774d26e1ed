// @ts-check
// The screens of the map. The walk distinguishes many states of a screen, and people know it as one.

/**
 * The screens of a map's document, each with its states, in the order of each screen's first state. The id of a screen
 * is its position.
 *
 * - patternOf: returns the declared pattern of a path, or null.
 */
export function screensOf(document, patternOf) {
  const isLink = linksOf(document, patternOf);
  const uses = document.coverage?.uses.states ?? [];
  const wrong = document.findings.filter(isWrong);
  return [...Map.groupBy(document.states, ({ screen }) => screen)].map(([name, own], id) => {
    const states = own.map((state) => ({ ...state, uses: uses[state.id] ?? 0 }));
    const link = states.find(isLink);
    const nearest = states.reduce((best, state) => (state.journal.length < best.journal.length ? state : best));
    const { title, path } = link ?? nearest;
    const ids = new Set(states.map((state) => state.id));
    return {
      id, name, states, title, path,
      pattern: patternOf(path),
      paths: new Set(states.map((state) => state.path)),
      journal: nearest.journal,
      isLink: link !== undefined,
      findings: wrong.filter(({ state }) => ids.has(state)),
      uses: states.reduce((sum, state) => sum + state.uses, 0),
    };
  });
}

/** Whether a finding is a fault of the app, and not only something that the walk did not reach. */
export const isWrong = (finding) => finding.class !== "not-reached";

/** Returns whether the path of a state leads to its screen when it is opened as a link. */
function linksOf({ states, transitions, findings, truncated }, patternOf) {
  // An alert has the path of the screen below it, which comes first.
  const owners = new Map();
  for (const { path, screen } of states) if (!owners.has(path)) owners.set(path, screen);
  // The walk reports one of several similar links that differ.
  const kindOf = ({ screen, path }) => `${screen} ${patternOf(path)}`;
  const differing = new Set(findings
    // Those of an action end with its event.
    .filter(({ kind, state, journal }) =>
      kind === "link-differs" && state !== null && journal.length === states[state].journal.length)
    .map(({ state }) => kindOf(states[state])));
  // If the walk ended early, links are known only of states that it expanded.
  const expanded = new Set(transitions.map(({ from }) => from));
  return (state) => owners.get(state.path) === state.screen && patternOf(state.path) !== null
    && !differing.has(kindOf(state)) && (!truncated || expanded.has(state.id));
}
