// What others did since one last chose stays on the map: the ways they went, and where dice fell.

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Happening} Happening */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{ways: {hexes: string[], colour: string}[], fights: string[]}} Trails */

/** @type {Trails} */
export const NOTHING = { ways: [], fights: [] };

/** More ways than these could not be told apart. */
const MOST = 40;
const INK = /** @type {Record<string, string>} */ ({ blue: "#23548f", rust: "#93442a" });

/**
 * What whoever looks did not do himself, up to the step that is shown: since his own last choice, or, for those who look on or
 * look back, as long as one side acts.
 * @param {Model} model
 * @returns {Trails}
 */
export function trailsOf(model) {
  const { log } = model;
  // From the end: the log of a long game is long.
  const end = model.live ? log.length : log.findLastIndex((event) => (event.step ?? 0) <= model.shown) + 1;
  const plays = model.live && model.seatInfo?.mine;
  const theirs = (/** @type {Happening} */ event) => (plays ? event.side !== model.seat : event.side === log[end - 1].side);
  let from = end;
  while (from > 0 && end - from < MOST && theirs(log[from - 1])) from -= 1;
  const events = log.slice(from, end);
  const rolled = (/** @type {Happening} */ event) => (event.dice ?? []).length > 0;
  const ways = events.filter((event) => !rolled(event) && new Set(event.hexes).size > 1)
    .map((event) => ({ hexes: event.hexes, colour: model.sideLook(event.side ?? "").colour }));
  const where = (/** @type {Happening} */ event) => event.hexes.at(-1) ?? (event.units.length > 1 ? model.frame.units[event.units[1]]?.hex : undefined);
  return { ways, fights: [...new Set(events.filter(rolled).flatMap((event) => where(event) ?? []))] };
}

/** The ways, below the counters. @param {Scene} scene */
export function drawWays({ pen, geometry, trails: { ways } }) {
  const { pitch } = geometry;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  for (const { hexes, colour } of ways) {
    const points = hexes.map((hex) => geometry.centre(hex)).filter((at) => at !== null);
    if (points.length < 2) continue;
    const [before, end] = points.slice(-2);
    const far = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const [dx, dy] = [(end.x - before.x) / far, (end.y - before.y) / far];
    // The head is seen beside the counter that stands there now.
    const tip = { x: end.x - dx * pitch * 0.34, y: end.y - dy * pitch * 0.34 };
    const neck = { x: tip.x - dx * pitch * 0.18, y: tip.y - dy * pitch * 0.18 };
    const wing = pitch * 0.1;
    for (const [more, ink] of /** @type {[number, string][]} */ ([[0.04, "rgba(255, 250, 236, .8)"], [0, INK[colour] ?? "#55585c"]])) {
      pen.beginPath();
      [...points.slice(0, -1), neck].forEach((point, i) => (i === 0 ? pen.moveTo(point.x, point.y) : pen.lineTo(point.x, point.y)));
      pen.lineWidth = pitch * (0.04 + more);
      pen.strokeStyle = ink;
      pen.stroke();
      pen.beginPath();
      pen.moveTo(tip.x, tip.y);
      pen.lineTo(neck.x - dy * wing, neck.y + dx * wing);
      pen.lineTo(neck.x + dy * wing, neck.y - dx * wing);
      pen.closePath();
      pen.lineWidth = pitch * more;
      if (more > 0) pen.stroke();
      pen.fillStyle = ink;
      pen.fill();
    }
  }
}

/** A burst where dice fell, above the counters. @param {Scene} scene */
export function drawFights({ pen, geometry, camera, trails: { fights } }) {
  const r = Math.max(geometry.pitch * 0.15, 7 / camera.scale);
  for (const hex of fights) {
    const at = geometry.centre(hex);
    if (!at) continue;
    const [x, y] = [at.x - geometry.pitch * 0.36, at.y - geometry.pitch * 0.28];
    pen.beginPath();
    for (let i = 0; i < 16; i += 1) {
      const [angle, far] = [(i * Math.PI) / 8, i % 2 === 0 ? r : r * 0.5];
      pen.lineTo(x + Math.cos(angle) * far, y + Math.sin(angle) * far);
    }
    pen.closePath();
    pen.lineWidth = r * 0.35;
    pen.lineJoin = "round";
    pen.strokeStyle = "rgba(255, 250, 236, .95)";
    pen.stroke();
    pen.fillStyle = "#b3261a";
    pen.fill();
  }
}
