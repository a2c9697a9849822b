// Everything by keyboard.

import { get } from "../common/api.js";
import { h, tell } from "../common/dom.js";
import { showKeys } from "../help/keys.js";
import { openRule } from "../help/rules.js";

/** @typedef {import("./main.js").Table} Table */

const ARROWS = /** @type {Record<string, number[]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
const TABS = /** @type {Record<string, string>} */ ({ l: "log", b: "boards", r: "roster", k: "charts", t: "talk" });

export class Keys {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    document.addEventListener("keydown", (event) => this.down(event));
    document.addEventListener("keyup", (event) => {
      if (event.key === "c") this.bare(false);
    });
  }

  /** @param {boolean} bare */
  bare(bare) {
    this.table.scene.bare = bare;
    this.table.scene.again();
  }

  /** @param {KeyboardEvent} event */
  down(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches("input:not([type=range]), textarea, select") || document.querySelector("dialog[open]")) return;
    const onMap = target === this.table.canvas || target === document.body;
    if (onMap && ARROWS[event.key]) this.move(ARROWS[event.key]);
    else if (onMap && event.key === "Enter") this.enter();
    else if (!this.other(event)) return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  other({ key, target }) {
    const { table } = this;
    const { player, model, scene } = table;
    const { camera } = scene;
    if (/^[1-9]$/.test(key)) table.decision.press(Number(key) - 1);
    else if (key === "n" || key === "N") this.nextLit(key === "n" ? 1 : -1);
    else if (key === "u") table.decision.undo();
    else if (key === "+" || key === "=") camera.zoom(1.3);
    else if (key === "-") camera.zoom(1 / 1.3);
    else if (key === "0") camera.fit();
    else if (key === "c") this.bare(true);
    else if (key === "g") this.sight();
    else if (key === "v") this.seen();
    else if (key === "[") player.go(model.shown - 1);
    else if (key === "]") player.go(model.shown + 1, true);
    else if (key === "p") player.play();
    else if (key === "m") player.mark();
    else if (key === "Home" && /** @type {HTMLElement} */ (target).tagName !== "INPUT") player.go(0);
    else if (key === "End" || key === "Escape") this.back();
    else if (key === "x") openRule(model.look, model.frame.decision?.rule ?? "");
    else if (key === "?") showKeys();
    else if (TABS[key]) table.sidebar.go(TABS[key]);
    else return false;
    return true;
  }

  back() {
    const { table } = this;
    table.player.playing = false;
    table.scene.line = null;
    table.scene.sight = null;
    table.inspector.close();
    table.card.hide();
    table.player.now();
  }

  /** @param {number[]} way */
  move([dx, dy]) {
    const { table } = this;
    const { scene } = table;
    const from = scene.cursor ?? scene.geometry.at(scene.camera.sheetAt(scene.camera.wide / 2, scene.camera.high / 2).x, scene.camera.sheetAt(scene.camera.wide / 2, scene.camera.high / 2).y)
      ?? scene.geometry.map.labels[0];
    const next = scene.cursor ? scene.geometry.towards(from, dx, dy) : from;
    if (!next) return;
    table.goTo(next);
    const options = table.decision.at(next, null);
    table.card.show(next, options);
    if (options.length > 0) table.decision.heat(options[0]);
  }

  enter() {
    const { table } = this;
    if (table.scene.cursor) table.act(table.scene.cursor, null, false);
  }

  /** @param {number} way */
  nextLit(way) {
    const { table } = this;
    const { model, scene } = table;
    const hexes = [...new Set([...table.decision.targets.hexes.keys(), ...[...table.decision.targets.units.keys()].map((id) => model.frame.units[id]?.hex ?? "")])].filter(Boolean);
    if (hexes.length === 0) return;
    const at = hexes.indexOf(scene.cursor ?? "");
    const next = hexes[(at + way + hexes.length) % hexes.length];
    table.canvas.focus({ preventScroll: true });
    table.goTo(next);
    const options = table.decision.at(next, null);
    table.card.show(next, options);
    if (options.length > 0) table.decision.heat(options[0]);
  }

  /** Everything that the ground lets one see from the hex under the mouse, or from the cursor; once more, no longer. */
  async seen() {
    const { table } = this;
    const { scene } = table;
    const from = table.under ?? scene.cursor;
    if (!from || scene.sight?.from === from) {
      scene.sight = null;
      scene.again();
      return;
    }
    try {
      const seen = await get(`/games/${table.model.id}/sight/${encodeURIComponent(from)}`);
      scene.sight = { from, hexes: new Set(seen.hexes) };
      scene.again();
      table.card.show(from, [], [h("div.quiet", { text: `${seen.hexes.length} hexes lie open to the eye from here, as far as the bare ground goes. What else blocks sight is for the rules to say.` })]);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  }

  /** The line from the cursor to the hex under the mouse, with the heights along it. */
  async sight() {
    const { table } = this;
    const { scene, under } = table;
    if (!scene.cursor || !under || scene.cursor === under) {
      scene.line = null;
      scene.again();
      return;
    }
    const line = await get(`/games/${table.model.id}/line?from=${encodeURIComponent(scene.cursor)}&to=${encodeURIComponent(under)}`)
      .catch((error) => tell(error.message, true));
    if (!line) return;
    scene.line = { from: line.from, to: line.to, clear: line.ground_clear };
    scene.again();
    table.card.show(under, [], [profile(line)]);
  }
}

/** Heights along a line as a small drawing. @param {any} line */
function profile(line) {
  const wide = 330;
  const high = 70;
  const heights = line.hexes.flatMap((/** @type {any} */ hex) => [hex.height, hex.line_height]);
  const low = Math.min(...heights) - 2;
  const span = Math.max(6, Math.max(...heights) + 2 - low);
  const x = (/** @type {number} */ i) => (i * wide) / Math.max(1, line.hexes.length - 1);
  const y = (/** @type {number} */ height) => high - ((height - low) / span) * high;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  svg.setAttribute("width", String(wide));
  const draw = (/** @type {string} */ d, /** @type {string} */ fill, /** @type {string} */ stroke) => {
    const path = document.createElementNS(svg.namespaceURI, "path");
    path.setAttribute("d", d);
    path.setAttribute("fill", fill);
    path.setAttribute("stroke", stroke);
    path.setAttribute("stroke-width", "2");
    svg.append(path);
  };
  const ground = line.hexes.map((/** @type {any} */ hex, /** @type {number} */ i) => `${x(i)} ${y(hex.height)}`);
  draw(`M0 ${high}L${ground.join("L")}L${wide} ${high}Z`, "#c9b98f", "#7a6440");
  draw(`M0 ${y(line.hexes[0].line_height)}L${wide} ${y(line.hexes.at(-1).line_height)}`, "none", line.ground_clear ? "#2f6b3c" : "#9b2d1f");
  const text = `${line.distance} hexes, ${line.metres} m; the ground ${line.ground_clear ? "stays below" : "rises above"} the line. What else blocks sight is for the rules to say.`;
  return h("div", {}, /** @type {any} */ (svg), h("div.quiet", { text }));
}
