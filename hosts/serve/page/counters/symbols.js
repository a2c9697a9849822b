// Our own set of symbols, drawn in a box of width 3 and height 2 around the origin, one unit high.

/** @typedef {CanvasRenderingContext2D} Pen */

/** @param {Pen} pen @param {number} w @param {number} h */
function box(pen, w, h) {
  pen.strokeRect(-w / 2, -h / 2, w, h);
}

/** @param {Pen} pen @param {...number} points */
function line(pen, ...points) {
  pen.beginPath();
  pen.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) pen.lineTo(points[i], points[i + 1]);
  pen.stroke();
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r */
function ball(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, Math.PI * 2);
  pen.fill();
}

/** @param {Pen} pen @param {number} r */
function star(pen, r) {
  pen.beginPath();
  for (let i = 0; i < 10; i += 1) {
    const radius = i % 2 === 0 ? r : r * 0.42;
    const angle = -Math.PI / 2 + (i * Math.PI) / 5;
    pen.lineTo(Math.cos(angle) * radius, Math.sin(angle) * radius);
  }
  pen.closePath();
  pen.fill();
}

/**
 * Symbols by name; each draws into a box `w` by `h` around the origin.
 * @type {Record<string, (pen: Pen, w: number, h: number) => void>}
 */
const SYMBOLS = {
  infantry(pen, w, h) {
    box(pen, w, h);
    line(pen, -w / 2, -h / 2, w / 2, h / 2);
    line(pen, -w / 2, h / 2, w / 2, -h / 2);
  },
  cavalry(pen, w, h) {
    box(pen, w, h);
    line(pen, -w / 2, h / 2, w / 2, -h / 2);
  },
  artillery(pen, w, h) {
    box(pen, w, h);
    ball(pen, 0, 0, h * 0.24);
  },
  horse_artillery(pen, w, h) {
    box(pen, w, h);
    line(pen, -w / 2, h / 2, w / 2, -h / 2);
    ball(pen, 0, 0, h * 0.24);
  },
  headquarters(pen, w, h) {
    line(pen, -w * 0.32, -h * 0.6, -w * 0.32, h * 0.6);
    pen.beginPath();
    pen.rect(-w * 0.32, -h * 0.6, w * 0.72, h * 0.75);
    pen.fill();
  },
  leader(pen, w, h) {
    star(pen, h * 0.62);
  },
  train(pen, w, h) {
    pen.strokeRect(-w * 0.4, -h * 0.4, w * 0.8, h * 0.5);
    ball(pen, -w * 0.22, h * 0.3, h * 0.16);
    ball(pen, w * 0.22, h * 0.3, h * 0.16);
  },
  remnant(pen, w, h) {
    pen.save();
    pen.setLineDash([w * 0.12, w * 0.08]);
    box(pen, w, h);
    line(pen, -w / 2, -h / 2, w / 2, h / 2);
    line(pen, -w / 2, h / 2, w / 2, -h / 2);
    pen.restore();
  },
  works(pen, w, h) {
    line(pen, -w / 2, h * 0.3, -w * 0.25, h * 0.3, -w * 0.25, -h * 0.2, w * 0.25, -h * 0.2, w * 0.25, h * 0.3, w / 2, h * 0.3);
  },
  unknown(pen, w, h) {
    pen.font = `700 ${h * 1.3}px Barlow, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText("?", 0, h * 0.06);
  },
};

/**
 * Draws a symbol around a point.
 * @param {Pen} pen with fill and stroke set
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} height
 */
export function symbol(pen, name, x, y, height) {
  const draw = SYMBOLS[name];
  if (!draw) return;
  pen.save();
  pen.translate(x, y);
  pen.lineWidth = Math.max(1, height * 0.11);
  pen.lineJoin = "round";
  draw(pen, height * 1.55, height);
  pen.restore();
}

/**
 * The mark on the back of a counter that may not be known, by its side's corners.
 * @param {Pen} pen
 * @param {string} corners
 * @param {number} size
 */
export function backMark(pen, corners, size) {
  pen.save();
  if (corners === "cut") {
    pen.lineWidth = size * 0.09;
    line(pen, -size * 0.24, -size * 0.24, size * 0.24, size * 0.24);
    line(pen, -size * 0.24, size * 0.24, size * 0.24, -size * 0.24);
  } else {
    star(pen, size * 0.27);
  }
  pen.restore();
}
