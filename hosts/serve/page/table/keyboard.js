// Everything by keyboard.

import { speak } from "../common/dom.js";
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
    else if (key === "0") table.wholeMap();
    else if (key === "f") table.decision.find();
    else if (key === "c") this.bare(true);
    else if (key === "g") table.ruler.line(scene.cursor, table.under);
    else if (key === "v") table.ruler.seen(table.under ?? scene.cursor);
    else if (key === "o") table.ruler.command(table.under ?? scene.cursor);
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
    table.ruler.clear();
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
    this.cursorTo(next);
  }

  /** @param {string} hex */
  cursorTo(hex) {
    const { table } = this;
    table.goTo(hex);
    const options = table.decision.at(hex, null);
    table.card.show(hex, options);
    speak(table.card.words);
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
    this.cursorTo(next);
  }
}
