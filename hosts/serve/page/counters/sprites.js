// Counters are drawn once per size and kept.

import { drawFace } from "./face.js";

/** @typedef {import("../state/types.js").Face} Face */

const SIZES = [10, 14, 18, 22, 28, 36, 44, 56, 72, 92, 118, 150, 190];
const MOST = 4000;

/** @type {Map<string, HTMLCanvasElement>} */
const kept = new Map();
/** @type {WeakMap<Face, string>} faces do not change, units get new ones */
const keys = new WeakMap();

/** @param {Face} face */
function keyOf(face) {
  let key = keys.get(face);
  if (key === undefined) {
    key = JSON.stringify(face);
    keys.set(face, key);
  }
  return key;
}

/** Forgets all: when fonts have come. */
export function forgetSprites() {
  kept.clear();
}

/**
 * A picture of a counter, at least as large as it is shown.
 * @param {Face} face
 * @param {number} shown its size in CSS pixels
 * @param {number} density device pixels in one of them
 * @returns {HTMLCanvasElement}
 */
export function sprite(face, shown, density) {
  const size = SIZES.find((known) => known >= shown) ?? SIZES[SIZES.length - 1];
  const key = `${size}/${density}/${keyOf(face)}`;
  const known = kept.get(key);
  if (known) return known;
  if (kept.size > MOST) kept.clear();
  const canvas = document.createElement("canvas");
  // Room around it for signs and thickness.
  const side = Math.ceil(size * density * 1.3);
  canvas.width = side;
  canvas.height = side;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.translate(side / 2, side / 2);
  drawFace(pen, face, size * density, size);
  kept.set(key, canvas);
  return canvas;
}

/**
 * A counter beside the map.
 * @param {Face} face
 * @param {number} size in CSS pixels
 * @returns {HTMLCanvasElement}
 */
export function pictureOf(face, size) {
  const drawn = sprite(face, size, Math.min(2, window.devicePixelRatio || 1));
  const picture = document.createElement("canvas");
  picture.width = drawn.width;
  picture.height = drawn.height;
  picture.setAttribute("aria-hidden", "true");
  picture.getContext("2d")?.drawImage(drawn, 0, 0);
  return picture;
}
