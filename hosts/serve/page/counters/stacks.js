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

/**
 * The same stack with some of its units on top.
 * @param {Stack} stack
 * @param {(id: string) => number} height how far up each belongs
 * @returns {Stack}
 */
export function onTop(stack, height) {
  const of = (/** @type {{id: string|null}} */ { id }) => (id === null ? 0 : height(id));
  return stack.units.length < 2 ? stack : { ...stack, units: [...stack.units].sort((a, b) => of(a) - of(b)) };
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
  const sides = units.map(({ unit }) => unit.side).sort();
  if (sides[0] !== sides.at(-1)) return facing(units, sides[0], place);
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

/** Both sides in one hex, left and right; of each those on top. @param {Stack["units"]} units @param {string} left the side there @param {Place} place */
function facing(units, left, place) {
  return [true, false].flatMap((isLeft) => {
    const those = units.flatMap(({ unit }, i) => ((unit.side === left) === isLeft ? [i] : [])).slice(-3);
    return those.map((unit, i) => place(unit, (isLeft ? -0.19 : 0.19) + i * 0.03, i * -0.05, 0.4));
  });
}
