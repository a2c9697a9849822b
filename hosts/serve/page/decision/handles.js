// Ways to face, around the hex that a question is about: an arrow for each, to be clicked.

/** @typedef {import("../state/types.js").Option} Option */
/** @typedef {import("../map/scene.js").Scene} Scene */
/** @typedef {{x: number, y: number, turn: number, option: Option}} Handle */

/**
 * The arrows for those options that name a way to face and nothing else.
 * @param {Scene} scene
 * @param {Option[]} options
 * @returns {Handle[]}
 */
export function handles({ asked, geometry, look }, options) {
  const at = asked ? geometry.centre(asked) : null;
  if (!at) return [];
  return options.flatMap((option) => {
    const [touch, ...more] = option.touch;
    const degrees = touch?.[0] === "t" && more.length === 0 ? look.ways[touch.slice(1)] : undefined;
    if (degrees === undefined) return [];
    const turn = (degrees * Math.PI) / 180;
    return [{ x: at.x + Math.sin(turn) * geometry.pitch * 0.86, y: at.y - Math.cos(turn) * geometry.pitch * 0.86, turn, option }];
  });
}

/**
 * The arrow under a point of the sheet.
 * @param {Scene} scene
 * @param {{x: number, y: number}} at
 */
export function handleAt({ handles: all, geometry }, at) {
  return all.find(({ x, y }) => Math.hypot(at.x - x, at.y - y) < geometry.pitch * 0.24) ?? null;
}

/** @param {CanvasRenderingContext2D} pen @param {Handle} handle @param {number} size @param {boolean} hot */
export function drawHandle(pen, { x, y, turn }, size, hot) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(turn);
  pen.beginPath();
  pen.moveTo(0, -size * 0.22);
  pen.lineTo(size * 0.2, size * 0.16);
  pen.lineTo(0, size * 0.07);
  pen.lineTo(-size * 0.2, size * 0.16);
  pen.closePath();
  pen.lineJoin = "round";
  pen.lineWidth = size * 0.09;
  pen.strokeStyle = "rgba(255, 250, 236, .95)";
  pen.stroke();
  pen.lineWidth = size * 0.03;
  pen.strokeStyle = "#5a3200";
  pen.fillStyle = hot ? "#e07b00" : "#ffc42e";
  pen.fill();
  pen.stroke();
  pen.restore();
}
