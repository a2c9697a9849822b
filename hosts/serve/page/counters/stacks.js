// How counters share a hex: side by side if there is room for them to be read, in a stack otherwise.

/** @typedef {import("../state/types.js").Unit} Unit */
/** @typedef {import("../state/types.js").Frame} Frame */
/** @typedef {import("../map/geometry.js").Geometry} Geometry */
/** @typedef {{id: string|null, unit: Unit, x: number, y: number, size: number, hex: string}} Placed */
/** @typedef {{hex: string, units: {id: string|null, unit: Unit}[]}} Stack */

/** From this size of a hex on, in pixels, a stack is spread out. */
const ROOMY = 92;

/**
 * Stacks by hex: leaders on top, then as the view lists them.
 * @param {Frame} frame
 * @returns {Map<string, Stack>}
 */
export function stacks(frame) {
  /** @type {Map<string, Stack>} */
  const found = new Map();
  const add = (/** @type {string|null} */ id, /** @type {Unit} */ unit) => {
    if (!unit.hex) return;
    const stack = found.get(unit.hex) ?? { hex: unit.hex, units: [] };
    stack.units.push({ id, unit });
    found.set(unit.hex, stack);
  };
  for (const [id, unit] of Object.entries(frame.units)) add(id, unit);
  for (const unit of frame.hidden) add(null, unit);
  for (const stack of found.values()) {
    stack.units.sort((a, b) => a.unit.side.localeCompare(b.unit.side) || rank(a.unit) - rank(b.unit));
  }
  return found;
}

/** @param {Unit} unit */
function rank(unit) {
  return unit.face.outline === "leader" ? 1 : unit.face.outline === "marker" ? 2 : 0;
}

/**
 * Places of the counters of a hex, those on top last.
 * @param {Stack} stack
 * @param {Geometry} geometry
 * @param {number} scale pixels in a unit of the sheet
 * @returns {Placed[]}
 */
export function layOut(stack, geometry, scale) {
  const centre = geometry.centre(stack.hex);
  if (!centre) return [];
  const { pitch } = geometry;
  const { units, hex } = stack;
  const place = (/** @type {number} */ i, /** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ size) =>
    ({ ...units[i], x: centre.x + dx * pitch, y: centre.y + dy * pitch, size: size * pitch, hex });
  const count = units.length;
  if (count === 1) return [place(0, 0, 0, 0.62)];
  if (pitch * scale >= ROOMY && count <= 6) return grid(count, place);
  const sides = new Set(units.map(({ unit }) => unit.side));
  if (sides.size > 1) return facing(units, place);
  return pile(count, place);
}

/** @typedef {(i: number, dx: number, dy: number, size: number) => Placed} Place */

/** @param {number} count @param {Place} place */
function grid(count, place) {
  const columns = count <= 4 ? 2 : 3;
  const rows = Math.ceil(count / columns);
  const size = count <= 2 ? 0.42 : columns === 2 ? 0.37 : 0.28;
  const step = size * 1.06;
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    return place(i, ((i % columns) - (inRow - 1) / 2) * step, (row - (rows - 1) / 2) * step, size);
  });
}

/** @param {number} count @param {Place} place */
function pile(count, place) {
  const seen = Math.min(count, 4);
  const off = 0.06;
  return Array.from({ length: seen }, (_, i) => {
    const back = seen - 1 - i;
    return place(count - seen + i, (back - (seen - 1) / 2) * off, -(back - (seen - 1) / 2) * off, 0.54);
  });
}

/** Both sides in one hex: left and right. @param {Stack["units"]} units @param {Place} place */
function facing(units, place) {
  const first = units[0].unit.side;
  /** @type {Placed[]} */
  const out = [];
  const seen = { true: 0, false: 0 };
  units.forEach(({ unit }, i) => {
    const left = unit.side === first;
    const key = left ? "true" : "false";
    if (seen[key] >= 3) return;
    out.push(place(i, (left ? -0.19 : 0.19) + seen[key] * 0.03, seen[key] * -0.05, 0.4));
    seen[key] += 1;
  });
  return out;
}
