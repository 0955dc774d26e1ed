// @ts-check
// The map's edges: curves from card to card.

/** The size of a screen's card. */
export const card = { width: 188, height: 60 };

/** The room between layers, and between the cards of a layer, for labels and for the marks on the cards. */
export const gaps = { across: { layer: 132, card: 36 }, down: { layer: 54, card: 28 } };

/** The most screens with which edges that lead across or back are drawn. */
const mostWithSides = 40;

/** The keys of the links to screens that nothing else leads to. */
function neededLinks({ edges, screens }, layer) {
  const reached = new Set(edges
    .filter(({ from, to, kind }) => from !== to && kind !== "link" && layer.get(from) <= layer.get(to))
    .map(({ to }) => to));
  return new Set(screens.slice(1).filter(({ id }) => !reached.has(id))
    .map(({ id }) => edges.find(({ to, from }) => to === id && from !== id)?.key));
}

/**
 * The edges with a path each, and a role: "main" leads on, "side" leads across or back and is drawn quietly, and
 * "hidden" would only tangle the map: it is drawn when its screen is pointed to.
 */
export function routed(graph, places, layer, direction) {
  const { edges, screens } = graph;
  const needed = neededLinks(graph, layer);
  const drawn = edges.map((edge) => {
    const isOn = layer.get(edge.to) > layer.get(edge.from);
    const isMain = edge.from !== edge.to && (needed.has(edge.key) || (edge.kind === "step" && isOn));
    const isSide = edge.kind === "step" && edge.from !== edge.to && screens.length <= mostWithSides;
    const role = isMain ? "main" : isSide ? "side" : "hidden";
    return { ...edge, role, isOn };
  });
  const ports = portsOf(drawn.filter(({ role, isOn }) => role === "main" && isOn), places, direction);
  return drawn.map((edge) => ({ ...edge, ...path(edge, places, direction, ports) }));
}

/** The places on a card's side at which main edges begin and end, as distances from its middle. */
function portsOf(edges, places, direction) {
  const cross = ({ x, y }) => (direction === "across" ? y : x);
  const room = (direction === "across" ? card.height : card.width) * 0.6;
  const ports = new Map();
  for (const [own, other] of [["from", "to"], ["to", "from"]]) {
    for (const group of Map.groupBy(edges, (edge) => edge[own]).values()) {
      const step = Math.min(12, room / group.length);
      group.toSorted((a, b) => cross(places.get(a[other])) - cross(places.get(b[other]))).forEach((edge, index) => {
        ports.set(`${own} ${edge.key}`, (index - (group.length - 1) / 2) * step);
      });
    }
  }
  return ports;
}

/** The way between two screens without an edge in the graph. */
export function jump({ places, direction }, from, to) {
  return path({ key: `${from} ${to}`, from, to, isOn: false }, places, direction, new Map());
}

function path({ key, from, to, isOn }, places, direction, ports) {
  const a = places.get(from);
  const b = places.get(to);
  if (from === to) return loop(a);
  const isAcross = direction === "across";
  const start = { ...a };
  const end = { ...b };
  const shift = ports.get(`from ${key}`) ?? 0;
  const landing = ports.get(`to ${key}`) ?? 0;
  if (isOn) {
    if (isAcross) {
      Object.assign(start, { x: a.x + card.width / 2, y: a.y + shift });
      Object.assign(end, { x: b.x - card.width / 2, y: b.y + landing });
      const half = Math.max(40, (end.x - start.x) / 2);
      return curve(start, { x: start.x + half, y: start.y }, { x: end.x - half, y: end.y }, end);
    }
    Object.assign(start, { x: a.x + shift, y: a.y + card.height / 2 });
    Object.assign(end, { x: b.x + landing, y: b.y - card.height / 2 });
    const half = Math.max(24, (end.y - start.y) / 2);
    return curve(start, { x: start.x, y: start.y + half }, { x: end.x, y: end.y - half }, end);
  }
  // Back, or to a neighbour: around the cards, on the side without main edges.
  if (isAcross ? Math.abs(a.x - b.x) < 1 : Math.abs(a.y - b.y) < 1) {
    const bow = 34 + Math.min(40, (isAcross ? Math.abs(a.y - b.y) : Math.abs(a.x - b.x)) / 8);
    if (isAcross) {
      const side = card.width / 2;
      return curve({ x: a.x - side, y: a.y + 8 * Math.sign(b.y - a.y) }, { x: a.x - side - bow, y: a.y },
        { x: b.x - side - bow, y: b.y }, { x: b.x - side, y: b.y - 8 * Math.sign(b.y - a.y) });
    }
    const side = card.height / 2;
    return curve({ x: a.x + 20 * Math.sign(b.x - a.x), y: a.y + side }, { x: a.x, y: a.y + side + bow },
      { x: b.x, y: b.y + side + bow }, { x: b.x - 20 * Math.sign(b.x - a.x), y: b.y + side });
  }
  if (isAcross) {
    const side = card.height / 2;
    const sag = 46 + Math.abs(a.x - b.x) / 9;
    const low = Math.max(a.y, b.y) + side + sag;
    return curve({ x: a.x - 24, y: a.y + side }, { x: a.x - 30, y: low }, { x: b.x + 30, y: low },
      { x: b.x + 24, y: b.y + side });
  }
  const side = card.width / 2;
  const sag = 40 + Math.abs(a.y - b.y) / 7;
  const far = Math.max(a.x, b.x) + side + sag;
  return curve({ x: a.x + side, y: a.y - 10 }, { x: far, y: a.y - 14 }, { x: far, y: b.y + 14 },
    { x: b.x + side, y: b.y + 10 });
}

function loop({ x, y }) {
  const right = x + card.width / 2;
  const top = y - card.height / 2;
  return curve({ x: right - 34, y: top }, { x: right - 40, y: top - 34 }, { x: right + 26, y: top - 30 },
    { x: right - 2, y: top + 14 });
}

function curve(a, b, c, d) {
  const text = (point) => `${round(point.x)} ${round(point.y)}`;
  return { points: [a, b, c, d], path: `M${text(a)}C${text(b)} ${text(c)} ${text(d)}` };
}

/** A point of a curve, from 0 at its beginning to 1 at its end. */
export function pointOn([a, b, c, d], t) {
  const s = 1 - t;
  const at = (name) => s ** 3 * a[name] + 3 * s * s * t * b[name] + 3 * s * t * t * c[name] + t ** 3 * d[name];
  return { x: at("x"), y: at("y") };
}

const round = (value) => Math.round(value * 10) / 10;
