// The picture of the map: the whole of it first, then tiles as fine as the zoom wants; names as there is room.

/** @typedef {import("./geometry.js").Geometry} Geometry */
/** @typedef {import("./camera.js").Camera} Camera */

/** @type {Record<string, string>} */
const GROUND = { woods: "#cfdcb8", orchard: "#dfe6c4", town: "#e6cfc0", rocks: "#dcd5c8", marsh: "#d3e0dc", water: "#c5d9e6" };
/** Kinds whose names are set larger, and how. @type {Record<string, [number, string]>} */
const NAMES = { town: [21, "600 {}px Besley, serif"], village: [16, "600 {}px Besley, serif"], hill: [15, "600 {}px Libertinus, serif"], ridge: [16, "italic {}px Libertinus, serif"], woods: [14, "italic {}px Libertinus, serif"] };
/** Tiles that are kept. */
const MOST = 160;

export class Picture {
  /**
   * @param {Geometry} geometry
   * @param {() => void} changed
   */
  constructor(geometry, changed) {
    this.geometry = geometry;
    this.map = geometry.map;
    this.changed = changed;
    /** @type {Map<string, HTMLImageElement|null>} tiles by name; null while they are on their way */
    this.tiles = new Map();
    /** @type {Map<string, HTMLImageElement>} what is ready */
    this.ready = new Map();
    this.under = 0;
    /** @type {{name: {text: string, kind: string, x: number, y: number}, pixels: number, font: string}[]} */
    this.shown = [];
    /** @type {number|null} the zoom for which names were chosen */
    this.roomFor = null;
    this.ask("whole");
  }

  /** @param {string} name */
  ask(name) {
    if (this.tiles.has(name) || this.under >= 4) return;
    if (this.tiles.size > MOST) this.forget();
    this.tiles.set(name, null);
    this.under += 1;
    const image = new Image();
    image.src = `/map/${this.map.picture}/${name}.png`;
    image.decode().then(() => {
      this.tiles.set(name, image);
      this.ready.set(name, image);
    }, () => this.tiles.delete(name)).finally(() => {
      this.under -= 1;
      this.changed();
    });
  }

  /** Lets go of the tiles that were asked for first. */
  forget() {
    for (const name of [...this.ready.keys()].filter((known) => known !== "whole").slice(0, MOST / 2)) {
      this.ready.delete(name);
      this.tiles.delete(name);
    }
  }

  /**
   * Draws what of the map is in sight.
   * @param {CanvasRenderingContext2D} pen in units of the sheet
   * @param {Camera} camera
   * @param {number} scale device pixels in a unit
   */
  draw(pen, camera, scale) {
    const { geometry, map } = this;
    const whole = this.ready.get("whole");
    pen.imageSmoothingQuality = "medium";
    if (whole) pen.drawImage(whole, 0, 0, geometry.width, geometry.height);
    else this.sketch(pen);
    if (!whole || scale <= 1.15) return;
    const zoom = Math.min(map.zooms.length - 1, Math.max(1, Math.ceil(Math.log2(scale) - 0.3)));
    // A coarser tile is better than none while the fine one is on its way.
    for (let z = Math.max(1, zoom - 1); z <= zoom; z += 1) this.layer(pen, camera, z, z === zoom);
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Camera} camera
   * @param {number} zoom
   * @param {boolean} wanted whether tiles that are not here are asked for
   */
  layer(pen, camera, zoom, wanted) {
    const { map } = this;
    const { columns, rows } = map.zooms[zoom];
    const size = map.tile / 2 ** zoom;
    const low = camera.sheetAt(0, 0);
    const high = camera.sheetAt(camera.wide, camera.high);
    const first = (/** @type {number} */ at) => Math.max(0, Math.floor(at / size));
    const last = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.floor(at / size));
    for (let row = first(low.y); row <= last(high.y, rows); row += 1) {
      for (let column = first(low.x); column <= last(high.x, columns); column += 1) {
        const name = `${zoom}-${column}-${row}`;
        const tile = this.ready.get(name);
        if (tile) pen.drawImage(tile, column * size, row * size, tile.width / 2 ** zoom, tile.height / 2 ** zoom);
        else if (wanted) this.ask(name);
      }
    }
  }

  /**
   * Which names have room at a zoom: the weightier first, none over another.
   * @param {CanvasRenderingContext2D} pen
   * @param {number} scale pixels in a unit
   */
  room(pen, scale) {
    const key = Math.round(Math.log2(scale) * 12);
    if (this.roomFor === key) return this.shown;
    const zoom = Math.log2(scale * 1.25);
    /** @type {number[][]} */
    const taken = [];
    this.shown = this.map.names.flatMap((name) => {
      if (name.zoom > zoom) return [];
      const [size, font] = NAMES[name.kind] ?? [12.5, "{}px Libertinus, serif"];
      const pixels = size * Math.min(1.5, 0.85 + Math.max(0, zoom - name.zoom) * 0.12);
      pen.font = font.replace("{}", String(pixels));
      const half = pen.measureText(name.text).width / 2 + 4;
      const box = [name.x * scale - half, name.y * scale + pixels * 0.3, name.x * scale + half, name.y * scale + pixels * 1.5];
      if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) return [];
      taken.push(box);
      return [{ name, pixels, font }];
    });
    this.roomFor = key;
    return this.shown;
  }

  /**
   * Names of places, those for which the zoom has room.
   * @param {CanvasRenderingContext2D} pen in units of the sheet
   * @param {Camera} camera
   */
  names(pen, camera) {
    const low = camera.sheetAt(-60, -20);
    const high = camera.sheetAt(camera.wide + 60, camera.high + 20);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    for (const { name, pixels, font } of this.room(pen, camera.scale)) {
      if (name.x < low.x || name.x > high.x || name.y < low.y || name.y > high.y) continue;
      const units = pixels / camera.scale;
      pen.font = font.replace("{}", String(units));
      pen.lineWidth = units * 0.24;
      pen.strokeStyle = "rgba(252, 247, 233, .88)";
      pen.fillStyle = name.kind === "woods" ? "#2f5a34" : "#33281f";
      const y = name.y + units * 0.9;
      pen.strokeText(name.text, name.x, y);
      pen.fillText(name.text, name.x, y);
    }
  }

  /** Until the picture has come: hexes by what covers them. @param {CanvasRenderingContext2D} pen */
  sketch(pen) {
    const { geometry } = this;
    pen.fillStyle = "#fbf6e8";
    pen.fillRect(0, 0, geometry.width, geometry.height);
    for (const label of geometry.map.labels) {
      const { cover, level } = geometry.about(label);
      pen.beginPath();
      geometry.outline(pen, label);
      pen.fillStyle = GROUND[cover] ?? `hsl(42 40% ${Math.max(72, 92 - level * 2.5)}%)`;
      pen.fill();
      pen.lineWidth = geometry.pitch * 0.012;
      pen.strokeStyle = "#a8977a";
      pen.stroke();
    }
  }
}
