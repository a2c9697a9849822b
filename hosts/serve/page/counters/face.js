// A counter as its ruleset declares it: outline, colours, symbol, texts, steps, signs, facing.

import { INKS, TONES } from "./palette.js";
import { backMark, symbol } from "./symbols.js";

/** @typedef {import("../state/types.js").Face} Face */
/** @typedef {CanvasRenderingContext2D} Pen */

/** Below these sizes in pixels of the screen less is shown. */
const FULL = 44;
const SHORT = 22;

/**
 * The outline of a counter around the origin.
 * @param {Pen} pen
 * @param {Face} face
 * @param {number} s its size
 */
function outline(pen, face, s) {
  const r = s / 2;
  pen.beginPath();
  if (face.outline === "leader") {
    pen.ellipse(0, 0, r * 0.98, r * 0.98, 0, 0, Math.PI * 2);
  } else if (face.outline === "marker") {
    pen.arc(0, 0, r * 0.6, 0, Math.PI * 2);
  } else if (face.corners === "cut") {
    const c = s * 0.16;
    pen.moveTo(-r + c, -r);
    pen.lineTo(r - c, -r);
    pen.lineTo(r, -r + c);
    pen.lineTo(r, r - c);
    pen.lineTo(r - c, r);
    pen.lineTo(-r + c, r);
    pen.lineTo(-r, r - c);
    pen.lineTo(-r, -r + c);
    pen.closePath();
  } else {
    pen.roundRect(-r, -r, s, s, face.corners === "round" ? s * 0.22 : s * 0.045);
  }
}

/**
 * Draws a counter around the origin.
 * @param {Pen} pen
 * @param {Face} face
 * @param {number} s its size in pixels
 * @param {number} shown its size on the screen, which says how much is shown
 */
export function drawFace(pen, face, s, shown) {
  const ink = INKS[face.colour] ?? INKS.grey;
  pen.save();
  if (face.outline === "block") {
    // A block has a thickness.
    pen.save();
    pen.translate(s * 0.035, s * 0.045);
    outline(pen, face, s);
    pen.fillStyle = ink.dark;
    pen.fill();
    pen.restore();
  }
  outline(pen, face, s);
  pen.fillStyle = face.back ? ink.mid : ink.pale;
  pen.fill();
  if (face.back) back(pen, face, s, ink);
  else if (shown < SHORT) small(pen, face, s, ink);
  else front(pen, face, s, ink, shown >= FULL);
  outline(pen, face, s);
  pen.lineWidth = Math.max(1, s * 0.038);
  pen.strokeStyle = ink.dark;
  pen.stroke();
  if (face.pale && !face.back) {
    outline(pen, face, s);
    pen.fillStyle = "rgba(250, 245, 232, .45)";
    pen.fill();
  }
  if (!face.back) badges(pen, face, s, shown);
  pen.restore();
}

/** @param {Pen} pen @param {Face} face @param {number} s @param {import("./palette.js").Ink} ink */
function back(pen, face, s, ink) {
  pen.strokeStyle = ink.pale;
  pen.fillStyle = ink.pale;
  pen.globalAlpha = 0.8;
  backMark(pen, face.corners, s);
  pen.globalAlpha = 1;
  if (face.badges || face.slots) texts(pen, face, s, { ...ink, ink: ink.pale }, false);
}

/** @param {Pen} pen @param {Face} face @param {number} s @param {import("./palette.js").Ink} ink */
function small(pen, face, s, ink) {
  outline(pen, face, s);
  pen.fillStyle = ink.mid;
  pen.fill();
  const main = (face.slots ?? []).find((slot) => slot.large);
  pen.fillStyle = ink.pale;
  pen.strokeStyle = ink.pale;
  if (main) text(pen, main.text, 0, s * 0.04, s * 0.74, s * 0.86, 700);
  else symbol(pen, face.symbol, 0, 0, s * 0.42);
}

/** @param {Pen} pen @param {Face} face @param {number} s @param {import("./palette.js").Ink} ink @param {boolean} full */
function front(pen, face, s, ink, full) {
  const slots = face.slots ?? [];
  const named = slots.find((slot) => slot.at === "top");
  pen.save();
  outline(pen, face, s);
  pen.clip();
  // The name stands on a band of the side's colour, which tells whose it is from afar.
  const band = s * (full ? 0.27 : 0.16);
  pen.fillStyle = ink.mid;
  pen.fillRect(-s / 2, -s / 2, s, band);
  pen.restore();
  if (full && named) {
    pen.fillStyle = "#fffaf0";
    text(pen, named.text, 0, -s / 2 + band * 0.56, s * 0.2, s * (face.outline === "leader" ? 0.62 : 0.9), 700);
  }
  pen.fillStyle = ink.dark;
  pen.strokeStyle = ink.dark;
  const bottom = slots.some((slot) => slot.at.startsWith("bottom"));
  const middle = full ? (bottom ? -s * 0.045 : s * 0.12) : -s * 0.1;
  symbol(pen, face.symbol, 0, middle, s * (bottom ? 0.25 : 0.34));
  if (face.pips) pips(pen, face.pips, s, ink, -s / 2 + band);
  texts(pen, face, s, ink, true);
}

/** Steps: filled squares for those left, rings for those lost. @param {Pen} pen @param {{now: number, of: number}} steps @param {number} s @param {import("./palette.js").Ink} ink @param {number} top */
function pips(pen, steps, s, ink, top) {
  const size = s * 0.085;
  const gap = s * 0.045;
  const high = Math.max(steps.of, steps.now);
  for (let i = 0; i < high; i += 1) {
    const y = top + gap + i * (size + gap);
    pen.beginPath();
    pen.rect(-s / 2 + s * 0.06, y, size, size);
    pen.fillStyle = ink.dark;
    pen.strokeStyle = ink.dark;
    pen.lineWidth = Math.max(0.7, s * 0.015);
    if (i < steps.now) pen.fill();
    pen.stroke();
  }
}

/** @type {Record<string, number[]>} where slots are, in shares of the size */
const PLACES = {
  centre: [0, 0.05], left: [-0.3, 0.05], right: [0.3, 0.05], bottom: [0, 0.31], bottom_left: [-0.28, 0.3],
  bottom_right: [0.28, 0.31], top_left: [-0.3, -0.36], top_right: [0.3, -0.36],
};

/** @param {Pen} pen @param {Face} face @param {number} s @param {import("./palette.js").Ink} ink @param {boolean} large */
function texts(pen, face, s, ink, large) {
  const slots = face.slots ?? [];
  const low = slots.filter((slot) => slot.at.startsWith("bottom")).length;
  for (const slot of slots) {
    const place = PLACES[slot.at];
    if (!place) continue;
    pen.fillStyle = ink.ink;
    // Three in a row must not run into one another.
    const room = face.outline === "leader" ? 0.56 : low === 1 ? 0.86 : low === 3 && slot.at === "bottom" ? 0.2 : 0.38;
    const size = slot.large && large ? 0.36 : 0.29;
    text(pen, slot.text, place[0] * s, place[1] * s, s * size, s * room, 700);
  }
}

/**
 * A text that fits into its room.
 * @param {Pen} pen @param {string} words @param {number} x @param {number} y @param {number} size @param {number} room
 * @param {number} weight
 */
function text(pen, words, x, y, size, room, weight) {
  pen.font = `${weight} ${size}px Barlow, "Arial Narrow", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const wide = pen.measureText(words).width;
  if (wide > room) {
    const fit = size * (room / wide);
    if (fit < size * 0.62 && words.length > 8) {
      // What stands in brackets is told where there is room for it.
      let short = words.replace(/\s*\(.*$/, "");
      pen.font = `${weight} ${size * 0.66}px Barlow, "Arial Narrow", sans-serif`;
      while (short.length > 3 && pen.measureText(short).width > room) short = short.slice(0, -1);
      pen.fillText(short, x, y);
      return;
    }
    pen.font = `${weight} ${fit}px Barlow, "Arial Narrow", sans-serif`;
  }
  pen.fillText(words, x, y);
}

/** Signs stand on the right edge; their shapes differ as their colours do. @param {Pen} pen @param {Face} face @param {number} s @param {number} shown */
function badges(pen, face, s, shown) {
  const list = face.badges ?? [];
  if (shown < 15) return;
  const size = s * (shown < FULL ? 0.28 : 0.23);
  list.slice(0, 4).forEach((badge, index) => {
    const x = s * 0.43;
    const y = -s * 0.2 + index * size * 1.02;
    const tone = TONES[badge.tone] ?? TONES.plain;
    pen.beginPath();
    if (badge.tone === "bad") {
      pen.moveTo(x, y - size * 0.62);
      pen.lineTo(x + size * 0.62, y);
      pen.lineTo(x, y + size * 0.62);
      pen.lineTo(x - size * 0.62, y);
      pen.closePath();
    } else if (badge.tone === "good") {
      pen.arc(x, y, size * 0.5, 0, Math.PI * 2);
    } else {
      pen.rect(x - size * 0.45, y - size * 0.45, size * 0.9, size * 0.9);
    }
    pen.fillStyle = tone.fill;
    pen.fill();
    pen.lineWidth = Math.max(0.8, s * 0.018);
    pen.strokeStyle = "#2b2420";
    pen.stroke();
    pen.fillStyle = tone.ink;
    text(pen, badge.sign, x, y + size * 0.05, size * 0.72, size * 0.8, 700);
  });
}

/**
 * An arrow at the edge that a unit faces.
 * @param {Pen} pen
 * @param {Face} face
 * @param {number} s
 */
export function drawFacing(pen, face, s) {
  if (face.facing === undefined) return;
  const ink = INKS[face.colour] ?? INKS.grey;
  pen.save();
  pen.rotate((face.facing * Math.PI) / 180);
  pen.beginPath();
  pen.moveTo(0, -s * 0.8);
  pen.lineTo(s * 0.2, -s * 0.59);
  pen.lineTo(-s * 0.2, -s * 0.59);
  pen.closePath();
  // The size is in units of the sheet, which may be large or small on the screen.
  pen.lineJoin = "round";
  pen.lineWidth = s * 0.07;
  pen.strokeStyle = "#fffaf0";
  pen.stroke();
  pen.fillStyle = ink.dark;
  pen.fill();
  pen.restore();
}
