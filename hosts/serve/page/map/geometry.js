// Where hexes are, in units of the picture.

/** @typedef {import("../state/types.js").MapLook} MapLook */

export class Geometry {
  /** @param {MapLook} map */
  constructor(map) {
    this.map = map;
    this.width = map.width;
    this.height = map.height;
    /** The distance between the centres of neighbours. */
    this.pitch = map.hex;
    /** @type {Map<string, number>} */
    this.index = new Map(map.labels.map((label, index) => [label, index]));
    this.x = Float64Array.from(map.x, (value) => value / 100);
    this.y = Float64Array.from(map.y, (value) => value / 100);
    /** @type {Map<string, number[]>} hexes by square of the sheet */
    this.squares = new Map();
    for (let i = 0; i < this.x.length; i += 1) {
      const key = this.square(this.x[i], this.y[i]);
      this.squares.set(key, [...(this.squares.get(key) ?? []), i]);
    }
    /** @type {Map<string, string[]>} names of places by hex */
    this.places = new Map();
    for (const place of map.places) this.places.set(place.hex, [...(this.places.get(place.hex) ?? []), place.name]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  square(x, y) {
    return `${Math.floor(x / this.pitch)},${Math.floor(y / this.pitch)}`;
  }

  /**
   * The hex at a point; none off the board.
   * @param {number} x
   * @param {number} y
   * @returns {string|null}
   */
  at(x, y) {
    let best = -1;
    let near = (this.pitch * 0.62) ** 2;
    for (let dx = -1; dx <= 1; dx += 1) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (const i of this.squares.get(this.square(x + dx * this.pitch, y + dy * this.pitch)) ?? []) {
          const far = (this.x[i] - x) ** 2 + (this.y[i] - y) ** 2;
          if (far < near) [near, best] = [far, i];
        }
      }
    }
    return best < 0 ? null : this.map.labels[best];
  }

  /**
   * The centre of a hex.
   * @param {string} label
   * @returns {{x: number, y: number}|null}
   */
  centre(label) {
    const i = this.index.get(label);
    return i === undefined ? null : { x: this.x[i], y: this.y[i] };
  }

  /**
   * What is to be told of a hex.
   * @param {string} label
   */
  about(label) {
    const i = this.index.get(label) ?? 0;
    return { cover: this.map.covers[this.map.cover[i]], level: this.map.level[i], places: this.places.get(label) ?? [] };
  }

  /**
   * The neighbour in the direction of a step on the screen.
   * @param {string} label
   * @param {number} dx
   * @param {number} dy
   * @returns {string|null}
   */
  towards(label, dx, dy) {
    const from = this.centre(label);
    if (!from) return null;
    let best = null;
    let least = Infinity;
    for (let turn = 0; turn < 12; turn += 1) {
      const angle = (turn * Math.PI) / 6;
      const found = this.at(from.x + Math.cos(angle) * this.pitch * 0.95, from.y + Math.sin(angle) * this.pitch * 0.95);
      if (!found || found === label) continue;
      const to = /** @type {{x: number, y: number}} */ (this.centre(found));
      const along = ((to.x - from.x) * dx + (to.y - from.y) * dy) / this.pitch;
      const across = Math.abs((to.x - from.x) * dy - (to.y - from.y) * dx) / this.pitch;
      if (along > 0.3 && across < least) [best, least] = [found, across];
    }
    return best;
  }

  /**
   * Adds the border of some hexes to a path: the sides beyond which none of them lies.
   * @param {Path2D|CanvasRenderingContext2D} path
   * @param {Set<string>} hexes
   */
  border(path, hexes) {
    const { corners } = this.map;
    for (const label of hexes) {
      const centre = this.centre(label);
      if (!centre) continue;
      corners.forEach(([x, y], corner) => {
        const [x2, y2] = corners[(corner + 1) % corners.length];
        // Across the middle of a side lies its neighbour, as far again.
        const beyond = this.at(centre.x + x + x2, centre.y + y + y2);
        if (beyond && hexes.has(beyond)) return;
        path.moveTo(centre.x + x, centre.y + y);
        path.lineTo(centre.x + x2, centre.y + y2);
      });
    }
  }

  /**
   * Adds the outline of a hex to a path.
   * @param {Path2D|CanvasRenderingContext2D} path
   * @param {string} label
   * @param {number} [share] of its size
   */
  outline(path, label, share = 1) {
    const centre = this.centre(label);
    if (!centre) return;
    this.map.corners.forEach(([x, y], corner) => {
      const at = [centre.x + x * share, centre.y + y * share];
      if (corner === 0) path.moveTo(at[0], at[1]);
      else path.lineTo(at[0], at[1]);
    });
    path.closePath();
  }
}
