// Fingers, mouse and wheel on the map.

/** @typedef {import("./camera.js").Camera} Camera */

/** A press that moves no further is a click. */
const STILL = 6;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Camera} camera
 * @param {{click: (x: number, y: number, touch: boolean, clicks: number) => void, hover: (x: number, y: number) => void, leave: () => void}} on
 */
export function listen(canvas, camera, on) {
  /** @type {Map<number, {x: number, y: number, x0: number, y0: number}>} */
  const down = new Map();
  let moved = false;
  let clicks = 1;
  const place = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const at = place(event);
    if (down.size === 0) moved = false;
    down.set(event.pointerId, { ...at, x0: at.x, y0: at.y });
    canvas.setPointerCapture(event.pointerId);
  });

  // How many came at once, which the pointer's own events do not say.
  canvas.addEventListener("mousedown", (event) => { clicks = event.detail; });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    const finger = down.get(event.pointerId);
    if (!finger) {
      on.hover(at.x, at.y);
      return;
    }
    if (down.size === 1) {
      if (!moved && Math.hypot(at.x - finger.x0, at.y - finger.y0) > STILL) {
        moved = true;
        canvas.classList.add("dragging");
      }
      if (moved) camera.pan(at.x - finger.x, at.y - finger.y);
    } else if (down.size === 2) {
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
      if (other) pinch(camera, finger, at, other);
      moved = true;
    }
    finger.x = at.x;
    finger.y = at.y;
  });

  const up = (/** @type {PointerEvent} */ event) => {
    const finger = down.get(event.pointerId);
    down.delete(event.pointerId);
    if (down.size > 0) return;
    canvas.classList.remove("dragging");
    if (finger && !moved && event.type === "pointerup") {
      const touch = event.pointerType === "touch";
      on.click(finger.x, finger.y, touch, touch ? 1 : clicks);
    }
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { if (down.size === 0) on.leave(); });

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = place(event);
    const lines = event.deltaMode === 1 ? 30 : 1;
    camera.zoom(Math.exp(-event.deltaY * lines * 0.0016), at.x, at.y);
  }, { passive: false });
}

/**
 * @param {Camera} camera
 * @param {{x: number, y: number}} was
 * @param {{x: number, y: number}} now
 * @param {{x: number, y: number}} other
 */
function pinch(camera, was, now, other) {
  const before = Math.hypot(was.x - other.x, was.y - other.y);
  const after = Math.hypot(now.x - other.x, now.y - other.y);
  camera.pan((now.x - was.x) / 2, (now.y - was.y) / 2);
  if (before > 8) camera.zoom(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
}
