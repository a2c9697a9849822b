// What part of the sheet is seen: pan, zoom, pinch, and gliding to a place.

export class Camera {
  /**
   * @param {{width: number, height: number}} sheet
   * @param {() => void} changed
   */
  constructor(sheet, changed) {
    this.sheet = sheet;
    this.changed = changed;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.wide = 1;
    this.high = 1;
    this.least = 0.1;
    this.most = 40;
    this.glide = 0;
    this.gliding = false;
    /** Somebody has chosen how close to look: from then on only he does. */
    this.byHand = false;
  }

  /**
   * The size of the window in CSS pixels.
   * @param {number} wide
   * @param {number} high
   */
  resize(wide, high) {
    const centre = this.sheetAt(this.wide / 2, this.high / 2);
    const first = this.wide === 1;
    this.wide = wide;
    this.high = high;
    this.least = Math.min(wide / this.sheet.width, high / this.sheet.height) * 0.95;
    if (first) this.fit();
    else this.centreOn(centre.x, centre.y);
  }

  /** Shows the whole sheet, filling the window as far as it can. */
  fit() {
    this.stop();
    this.scale = this.least;
    this.centreOn(this.sheet.width / 2, this.sheet.height / 2);
  }

  /**
   * Shows a rectangle of the sheet.
   * @param {number} x0
   * @param {number} y0
   * @param {number} x1
   * @param {number} y1
   */
  frame(x0, y0, x1, y1) {
    this.scale = this.bound(Math.min(this.wide / Math.max(1, x1 - x0), this.high / Math.max(1, y1 - y0)));
    this.centreOn((x0 + x1) / 2, (y0 + y1) / 2);
  }

  /** @param {number} scale */
  bound(scale) {
    return Math.min(this.most, Math.max(this.least, scale));
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  centreOn(x, y) {
    this.x = this.wide / 2 - x * this.scale;
    this.y = this.high / 2 - y * this.scale;
    this.keepIn();
    this.changed();
  }

  /**
   * Glides until a place is well in sight.
   * @param {{x: number, y: number}} at
   */
  reveal(at) {
    const margin = Math.min(90, this.wide / 6, this.high / 6);
    if (this.sees(at, margin)) return;
    // No further than it takes: whoever looks at the map still knows where he is.
    const into = (/** @type {number} */ pixel, /** @type {number} */ room) => pixel - Math.max(margin, Math.min(room - margin, pixel));
    const middle = this.sheetAt(this.wide / 2 + into(at.x * this.scale + this.x, this.wide), this.high / 2 + into(at.y * this.scale + this.y, this.high));
    this.glideTo(middle, this.scale);
  }

  /** Whether a place is in sight. @param {{x: number, y: number}} at @param {number} [margin] how far from the edge, in pixels */
  sees(at, margin = 0) {
    const px = at.x * this.scale + this.x;
    const py = at.y * this.scale + this.y;
    return px > margin && px < this.wide - margin && py > margin && py < this.high - margin;
  }

  /**
   * @param {{x: number, y: number}} at
   * @param {number} scale
   */
  glideTo(at, scale) {
    const from = { ...this.sheetAt(this.wide / 2, this.high / 2), scale: this.scale };
    const start = performance.now();
    this.stop();
    const step = (/** @type {number} */ now) => {
      const share = Math.min(1, (now - start) / 260);
      const eased = 1 - (1 - share) ** 3;
      this.scale = this.bound(from.scale * (scale / from.scale) ** eased);
      this.centreOn(from.x + (at.x - from.x) * eased, from.y + (at.y - from.y) * eased);
      if (share < 1) this.glide = requestAnimationFrame(step);
      else this.gliding = false;
    };
    this.gliding = true;
    this.glide = requestAnimationFrame(step);
  }

  /** Stays where it is. */
  stop() {
    this.gliding = false;
    cancelAnimationFrame(this.glide);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.stop();
    this.x += dx;
    this.y += dy;
    this.keepIn();
    this.changed();
  }

  /**
   * @param {number} factor
   * @param {number} [px] the point that stays where it is
   * @param {number} [py]
   */
  zoom(factor, px = this.wide / 2, py = this.high / 2) {
    this.stop();
    this.byHand = true;
    const next = this.bound(this.scale * factor);
    const ratio = next / this.scale;
    this.x = px - (px - this.x) * ratio;
    this.y = py - (py - this.y) * ratio;
    this.scale = next;
    this.keepIn();
    this.changed();
  }

  /** Part of the sheet stays in sight. */
  keepIn() {
    const slack = 0.22;
    const wide = this.sheet.width * this.scale;
    const high = this.sheet.height * this.scale;
    this.x = Math.min(this.wide * slack, Math.max(this.wide * (1 - slack) - wide, this.x));
    this.y = Math.min(this.high * slack, Math.max(this.high * (1 - slack) - high, this.y));
    if (wide < this.wide) this.x = (this.wide - wide) / 2;
    if (high < this.high) this.y = (this.high - high) / 2;
  }

  /**
   * The point of the sheet under a point of the window.
   * @param {number} px
   * @param {number} py
   */
  sheetAt(px, py) {
    return { x: (px - this.x) / this.scale, y: (py - this.y) / this.scale };
  }
}
