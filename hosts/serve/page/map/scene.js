// The map with everything on it, drawn when something has changed.

import { isDark } from "../common/theme.js";
import { drawFacing } from "../counters/face.js";
import { drawHandle } from "../decision/handles.js";
import { sprite } from "../counters/sprites.js";
import { layOut, onTop, stacks } from "../counters/stacks.js";
import { Camera } from "./camera.js";
import { Geometry } from "./geometry.js";
import { Picture } from "./picture.js";
import { NOTHING, drawFights, drawWays } from "./trails.js";

/** @typedef {import("../state/types.js").Frame} Frame */
/** @typedef {import("../state/types.js").Look} Look */
/** @typedef {import("../counters/stacks.js").Placed} Placed */
/** @typedef {{hexes: Map<string, string>, units: Set<string>}} Lit hexes with a short text, and units */
/** @typedef {{points: {x: number, y: number}[], start: number, span: number}} Way */

export class Scene {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Look} look
   */
  constructor(canvas, look) {
    this.canvas = canvas;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.look = look;
    this.geometry = new Geometry(look.map);
    const again = () => this.again();
    this.camera = new Camera(this.geometry, again);
    this.picture = new Picture(this.geometry, again);
    this.density = 1;
    this.waiting = 0;
    /** @type {Frame|null} */
    this.frame = null;
    /** @type {Map<string, import("../counters/stacks.js").Stack>} */
    this.stacks = new Map();
    /** @type {Placed[]} */
    this.placed = [];
    this.placedFor = 0;
    /** @type {Lit} */
    this.lit = { hexes: new Map(), units: new Set() };
    /** @type {Set<string>} units of a formation */
    this.marked = new Set();
    /** @type {string|null} */
    this.hover = null;
    /** @type {string|null} */
    this.cursor = null;
    /** @type {string[]} */
    this.path = [];
    /** @type {string|null} the hex that a question is about */
    this.asked = null;
    /** @type {string} the unit that it is about: on top of its stack */
    this.subject = "";
    /** @type {import("./trails.js").Trails} what others did */
    this.trails = NOTHING;
    /** @type {import("../decision/handles.js").Handle[]} ways to face there */
    this.handles = [];
    /** @type {string} the option of the one under the mouse */
    this.hot = "";
    /** @type {string[]} hexes of the last thing that happened */
    this.traces = [];
    /** @type {{from: string, to: string, clear: boolean, blocked?: string|null}|null} */
    this.line = null;
    /** @type {{from: string, hexes: Set<string>, units: Set<string>}|null} how far a leader commands, and whom */
    this.command = null;
    /** @type {{from: string, hexes: Set<string>}|null} what is seen from a hex */
    this.sight = null;
    this.bare = false;
    this.useful = false;
    /** @type {Map<string, Way>} */
    this.ways = new Map();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  /** Other rules, and perhaps another map. @param {Look} look */
  change(look) {
    const map = JSON.stringify(look.map) !== JSON.stringify(this.look.map);
    this.look = look;
    this.placedFor = 0;
    if (map) {
      this.geometry = new Geometry(look.map);
      this.camera.sheet = this.geometry;
      this.picture = new Picture(this.geometry, () => this.again());
      [this.line, this.command, this.sight, this.hover, this.cursor] = [null, null, null, null, null];
      this.resize();
    }
    this.again();
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    this.density = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(box.width * this.density));
    this.canvas.height = Math.max(1, Math.round(box.height * this.density));
    this.camera.resize(box.width, box.height);
  }

  /** Draws with the next picture of the screen. */
  again() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame((now) => {
      this.waiting = 0;
      this.draw(now);
    });
  }

  /**
   * Shows a frame; counters that stand elsewhere than before travel there.
   * @param {Frame} frame
   * @param {Frame|null} before
   * @param {{units: string[], hexes: string[]}[]} events
   * @param {number} span milliseconds for a move; none for at once
   */
  set(frame, before, events, span) {
    this.frame = frame;
    this.stacks = stacks(frame);
    this.placedFor = 0;
    this.ways.clear();
    if (before && span > 0) {
      for (const [id, unit] of Object.entries(frame.units)) {
        const was = before.units[id];
        if (!unit.hex || !was?.hex || was.hex === unit.hex) continue;
        const told = events.find((event) => event.hexes.length > 1 && event.units.includes(id) && event.hexes.at(-1) === unit.hex);
        const hexes = told ? told.hexes : [was.hex, unit.hex];
        const points = (hexes[0] === was.hex ? hexes : [was.hex, ...hexes]).map((hex) => this.geometry.centre(hex)).filter((at) => at !== null);
        this.ways.set(id, { points, start: performance.now(), span });
      }
    }
    this.again();
  }

  /** Counters in their places at this zoom. */
  places() {
    if (this.placedFor !== this.camera.scale) {
      // What is asked about is on top of its stack, then what can be chosen.
      const height = (/** @type {string} */ id) => (id === this.subject ? 2 : Number(this.lit.units.has(id)));
      this.placed = [...this.stacks.values()].flatMap((stack) => layOut(onTop(stack, height), this.geometry, this.camera.scale));
      this.placedFor = this.camera.scale;
    }
    return this.placed;
  }

  /** What a question is about. @param {string|null} hex @param {string} unit */
  ask(hex, unit) {
    this.asked = hex;
    this.subject = unit;
    this.placedFor = 0;
  }

  /**
   * The counter under a point of the sheet, topmost first.
   * @param {number} x
   * @param {number} y
   * @returns {Placed|null}
   */
  counterAt(x, y) {
    if (this.bare) return null;
    const all = this.places();
    for (let i = all.length - 1; i >= 0; i -= 1) {
      const { x: cx, y: cy, size } = all[i];
      if (Math.abs(x - cx) < size / 2 && Math.abs(y - cy) < size / 2) return all[i];
    }
    return null;
  }

  /** @param {number} now */
  draw(now) {
    const { pen, camera, density } = this;
    const k = camera.scale * density;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = isDark() ? "#14120f" : "#cfc4a8";
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    pen.setTransform(k, 0, 0, k, camera.x * density, camera.y * density);
    this.picture.draw(pen, camera, k);
    this.shade();
    this.commanded();
    this.light();
    this.labels();
    this.picture.names(pen, camera);
    this.marks();
    if (!this.bare) drawWays(this);
    if (!this.bare && this.frame) this.counters(now);
    if (!this.bare) drawFights(this);
    this.costs();
    this.arrow();
    this.pointers();
    if (this.ways.size > 0) this.again();
    // For those who measure: the map and its counters are there.
    if (!this.useful && this.frame && this.picture.ready.has("whole")) {
      this.useful = true;
      performance.mark("useful");
    }
  }

  /** Hatches what is not seen from a hex. */
  shade() {
    const { pen, geometry, sight, camera } = this;
    if (!sight) return;
    pen.beginPath();
    for (const label of geometry.map.labels) if (!sight.hexes.has(label)) geometry.outline(pen, label, 1.01);
    pen.fillStyle = "rgba(32, 28, 40, .46)";
    pen.fill();
    pen.beginPath();
    geometry.outline(pen, sight.from, 0.95);
    pen.lineWidth = Math.max(geometry.pitch * 0.05, 2.5 / camera.scale);
    pen.strokeStyle = "#ffc42e";
    pen.stroke();
  }

  /** The hexes in which a leader's word is obeyed: tinted, with a border that is seen without colours too. */
  commanded() {
    const { pen, geometry, command, camera } = this;
    if (!command || command.hexes.size === 0) return;
    pen.beginPath();
    for (const label of command.hexes) geometry.outline(pen, label, 1.005);
    pen.fillStyle = "rgba(127, 82, 178, .22)";
    pen.fill();
    pen.beginPath();
    geometry.border(pen, command.hexes);
    for (const [width, colour, dash] of /** @type {[number, string, boolean][]} */ ([[0.075, "rgba(255, 250, 236, .9)", false], [0.045, "#53307e", true]])) {
      pen.lineWidth = Math.max(geometry.pitch * width, (width * 50) / camera.scale);
      pen.strokeStyle = colour;
      pen.setLineDash(dash ? [geometry.pitch * 0.16, geometry.pitch * 0.08] : []);
      pen.stroke();
    }
    pen.setLineDash([]);
  }

  /** Hexes that can be chosen. */
  light() {
    const { pen, geometry, lit, camera } = this;
    if (this.traces.length > 0) {
      pen.beginPath();
      for (const hex of this.traces) geometry.outline(pen, hex, 0.97);
      pen.lineWidth = Math.max(geometry.pitch * 0.03, 1.6 / camera.scale);
      pen.strokeStyle = "rgba(35, 84, 143, .75)";
      pen.setLineDash([geometry.pitch * 0.1, geometry.pitch * 0.06]);
      pen.stroke();
      pen.setLineDash([]);
    }
    if (lit.hexes.size === 0) return;
    pen.beginPath();
    for (const hex of lit.hexes.keys()) geometry.outline(pen, hex, 0.94);
    pen.fillStyle = "rgba(255, 190, 30, .27)";
    pen.fill();
    pen.lineWidth = Math.max(geometry.pitch * 0.016, 1.2 / camera.scale);
    pen.strokeStyle = "rgba(176, 104, 0, .8)";
    pen.stroke();
  }

  /** What it costs to go there, in the middle of the hex or below the counters in it; those have a border that nothing hides. */
  costs() {
    const { pen, geometry, lit, camera, stacks: all } = this;
    const { pitch } = geometry;
    const taken = this.bare ? [] : [...lit.hexes.keys()].filter((hex) => all.has(hex));
    pen.beginPath();
    for (const hex of taken) geometry.outline(pen, hex, 0.92);
    for (const [width, colour] of /** @type {[number, string][]} */ ([[0.075, "rgba(255, 250, 236, .9)"], [0.045, "#d58a00"]])) {
      pen.lineWidth = Math.max(pitch * width, (width * 45) / camera.scale);
      pen.strokeStyle = colour;
      pen.stroke();
    }
    if (camera.scale * pitch < 26) return;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const [hex, text] of lit.hexes) {
      const at = geometry.centre(hex);
      if (!text || !at) continue;
      const low = all.has(hex) && !this.bare;
      pen.font = `700 ${pitch * (low ? 0.18 : 0.24)}px Barlow, sans-serif`;
      halo(pen, text, at.x, at.y + pitch * (low ? 0.4 : 0.02), pitch * 0.06, "#5a3200");
    }
  }

  /** Labels of hexes, where they can be read. */
  labels() {
    const { pen, geometry, camera } = this;
    const shown = camera.scale * geometry.pitch;
    if (shown < 46) return;
    const low = camera.sheetAt(-20, -20);
    const high = camera.sheetAt(camera.wide + 20, camera.high + 20);
    const size = Math.min(geometry.pitch * 0.13, 13 / camera.scale);
    pen.font = `500 ${size}px Barlow, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.globalAlpha = 0.75;
    geometry.map.labels.forEach((label, i) => {
      const [x, y] = [geometry.x[i], geometry.y[i]];
      if (x < low.x || x > high.x || y < low.y || y > high.y) return;
      halo(pen, label, x, y - geometry.pitch * 0.43, size * 0.28, "#5d4a36");
    });
    pen.globalAlpha = 1;
  }

  /** Markers on hexes. */
  marks() {
    const { pen, geometry, frame, look, camera } = this;
    if (!frame || camera.scale * geometry.pitch < 14) return;
    const size = Math.max(geometry.pitch * 0.2, 11 / camera.scale);
    /** @type {Map<string, number>} */
    const seen = new Map();
    for (const mark of frame.marks) {
      const at = geometry.centre(mark.hex);
      const words = look.marks.find((known) => known.kind === mark.kind);
      if (!at) continue;
      const n = seen.get(mark.hex) ?? 0;
      seen.set(mark.hex, n + 1);
      const holder = look.sides.find((side) => new RegExp(`\\b${side.id}\\b`).test(mark.text));
      const colour = holder ? { blue: "#2f629f", rust: "#a3522f" }[holder.colour] ?? "#555" : "#6c5f52";
      const [x, y] = [at.x + geometry.pitch * (0.33 - n * 0.2), at.y - geometry.pitch * 0.3];
      pen.beginPath();
      pen.arc(x, y, size * 0.62, 0, Math.PI * 2);
      pen.fillStyle = "rgba(255, 250, 236, .92)";
      pen.fill();
      pen.lineWidth = size * 0.14;
      pen.strokeStyle = colour;
      pen.stroke();
      pen.fillStyle = colour;
      pen.font = `700 ${size}px Barlow, "Segoe UI Symbol", "DejaVu Sans", sans-serif`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(words?.sign ?? "•", x, y + size * 0.06);
    }
  }

  /** @param {number} now */
  counters(now) {
    const { camera, pen } = this;
    const low = camera.sheetAt(-80, -80);
    const high = camera.sheetAt(camera.wide + 80, camera.high + 80);
    /** @type {Placed[]} */
    const travelling = [];
    for (const placed of this.places()) {
      if (placed.id && this.ways.has(placed.id)) travelling.push(placed);
      else if (placed.x > low.x && placed.x < high.x && placed.y > low.y && placed.y < high.y) this.counter(placed, placed.x, placed.y);
    }
    for (const [hex, stack] of this.stacks) this.count(hex, stack.units.length);
    for (const placed of travelling) {
      const way = /** @type {Way} */ (this.ways.get(/** @type {string} */ (placed.id)));
      const share = Math.min(1, (now - way.start) / way.span);
      const at = along(way.points, share);
      pen.beginPath();
      way.points.forEach((point, i) => (i === 0 ? pen.moveTo(point.x, point.y) : pen.lineTo(point.x, point.y)));
      pen.lineWidth = this.geometry.pitch * 0.07;
      pen.lineCap = "round";
      pen.lineJoin = "round";
      pen.strokeStyle = "rgba(35, 84, 143, .55)";
      pen.stroke();
      this.counter(placed, at.x, at.y);
      if (share >= 1) this.ways.delete(/** @type {string} */ (placed.id));
    }
  }

  /** @param {Placed} placed @param {number} x @param {number} y */
  counter(placed, x, y) {
    const { pen, camera, density } = this;
    const { face } = placed.unit;
    const shown = placed.size * camera.scale;
    const picture = sprite(face, shown, density);
    const side = placed.size * 1.3;
    if (placed.id && (this.lit.units.has(placed.id) || this.marked.has(placed.id) || this.command?.units.has(placed.id))) {
      const obeys = Boolean(this.command?.units.has(placed.id));
      const lit = this.lit.units.has(placed.id) && !obeys;
      const r = placed.size * 0.5 + Math.max(placed.size * 0.07, 2.4 / camera.scale);
      pen.beginPath();
      if (face.outline === "leader") pen.arc(x, y, r, 0, Math.PI * 2);
      else pen.roundRect(x - r, y - r, r * 2, r * 2, r * 0.2);
      pen.fillStyle = obeys ? "#c9a9ee" : lit ? "#ffc42e" : "#7fd1c0";
      pen.fill();
      pen.lineWidth = Math.max(placed.size * 0.02, 1 / camera.scale);
      pen.strokeStyle = obeys ? "#53307e" : lit ? "#8a5200" : "#1d6b5c";
      pen.stroke();
    }
    pen.drawImage(picture, x - side / 2, y - side / 2, side, side);
    if (face.facing !== undefined && shown > 12) {
      pen.save();
      pen.translate(x, y);
      drawFacing(pen, face, placed.size);
      pen.restore();
    }
  }

  /** How many lie in a stack, where not all are seen. @param {string} hex @param {number} count */
  count(hex, count) {
    const { pen, geometry, camera } = this;
    const shown = geometry.pitch * camera.scale;
    if (count < 2 || shown < 18 || (shown >= 92 && count <= 6)) return;
    const at = /** @type {{x: number, y: number}} */ (geometry.centre(hex));
    const size = Math.max(geometry.pitch * 0.17, 10 / camera.scale);
    const [x, y] = [at.x - geometry.pitch * 0.33, at.y + geometry.pitch * 0.3];
    pen.beginPath();
    pen.arc(x, y, size * 0.72, 0, Math.PI * 2);
    pen.fillStyle = "#2b2420";
    pen.fill();
    pen.fillStyle = "#fffaf0";
    pen.font = `700 ${size}px Barlow, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(String(count), x, y + size * 0.05);
  }

  /** The way that a choice would take, and a line of sight. */
  arrow() {
    const { pen, geometry } = this;
    if (this.path.length > 1) {
      const points = this.path.map((hex) => geometry.centre(hex)).filter((at) => at !== null);
      pen.lineCap = "round";
      pen.lineJoin = "round";
      for (const [width, colour] of /** @type {[number, string][]} */ ([[0.13, "rgba(255,250,236,.9)"], [0.075, "#8a5200"]])) {
        pen.beginPath();
        points.forEach((point, i) => (i === 0 ? pen.moveTo(point.x, point.y) : pen.lineTo(point.x, point.y)));
        pen.lineWidth = geometry.pitch * width;
        pen.strokeStyle = colour;
        pen.stroke();
      }
    }
    if (this.line) {
      const [a, b] = [geometry.centre(this.line.from), geometry.centre(this.line.to)];
      if (!a || !b) return;
      pen.beginPath();
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
      pen.lineWidth = geometry.pitch * 0.05;
      pen.strokeStyle = this.line.clear ? "#2f6b3c" : "#9b2d1f";
      pen.setLineDash(this.line.clear ? [] : [geometry.pitch * 0.12, geometry.pitch * 0.08]);
      pen.stroke();
      pen.setLineDash([]);
      const blocked = this.line.blocked ? geometry.centre(this.line.blocked) : null;
      if (blocked) {
        const r = Math.max(geometry.pitch * 0.18, 7 / this.camera.scale);
        for (const [width, colour] of /** @type {[number, string][]} */ ([[0.75, "rgba(255, 250, 236, .95)"], [0.4, "#9b2d1f"]])) {
          pen.beginPath();
          pen.moveTo(blocked.x - r, blocked.y - r);
          pen.lineTo(blocked.x + r, blocked.y + r);
          pen.moveTo(blocked.x + r, blocked.y - r);
          pen.lineTo(blocked.x - r, blocked.y + r);
          pen.lineWidth = r * width;
          pen.strokeStyle = colour;
          pen.stroke();
        }
      }
    }
  }

  /** The hex under the mouse, and the cursor of the keyboard. */
  pointers() {
    const { pen, geometry, camera } = this;
    const asked = this.asked ? geometry.centre(this.asked) : null;
    if (asked) {
      // A ring that is found from afar, too.
      const r = Math.max(geometry.pitch * 0.62, 17 / camera.scale);
      for (const [width, colour] of /** @type {[number, string][]} */ ([[6, "rgba(255, 250, 236, .9)"], [3, "#b06800"]])) {
        pen.beginPath();
        pen.arc(asked.x, asked.y, r, 0, Math.PI * 2);
        pen.lineWidth = width / camera.scale;
        pen.strokeStyle = colour;
        pen.stroke();
      }
    }
    for (const handle of this.handles) drawHandle(pen, handle, geometry.pitch, handle.option.id === this.hot);
    for (const [hex, colour, width] of /** @type {[string|null, string, number][]} */ ([
      [this.hover, "rgba(43, 36, 32, .7)", 0.03], [this.cursor, "#c0117a", 0.05]])) {
      if (!hex) continue;
      pen.beginPath();
      geometry.outline(pen, hex, 0.98);
      pen.lineWidth = Math.max(geometry.pitch * width, 2 / camera.scale);
      pen.strokeStyle = colour;
      pen.stroke();
    }
  }
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y @param {number} width @param {string} ink */
function halo(pen, text, x, y, width, ink) {
  pen.lineWidth = width;
  pen.lineJoin = "round";
  pen.strokeStyle = "rgba(255, 250, 236, .9)";
  pen.strokeText(text, x, y);
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}

/** @param {{x: number, y: number}[]} points @param {number} share */
function along(points, share) {
  const eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
  const place = eased * (points.length - 1);
  const i = Math.min(points.length - 2, Math.floor(place));
  if (i < 0) return points[0];
  const part = place - i;
  return { x: points[i].x + (points[i + 1].x - points[i].x) * part, y: points[i].y + (points[i + 1].y - points[i].y) * part };
}
