// What people measure on the map: lines of sight, what is seen from a hex, how far a leader commands. The club says it.

import { get } from "../common/api.js";
import { h, tell } from "../common/dom.js";
import { profile } from "./profile.js";

/** @typedef {import("../table/main.js").Table} Table */
/** @typedef {{unit: string, name: string, about: string, rule: string, hexes: string[], units: string[]}} Range */

export class Ruler {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {string|null} where a line begins whose end is to be clicked */
    this.from = null;
    /** @type {{hex: string, ranges: Range[], at: number}|null} */
    this.ranges = null;
  }

  clear() {
    const { scene } = this.table;
    this.from = null;
    this.ranges = null;
    scene.line = null;
    scene.sight = null;
    scene.command = null;
    scene.again();
  }

  /** @param {string} path */
  async ask(path) {
    try {
      return await get(`/games/${this.table.model.id}/${path}`);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
      return null;
    }
  }

  /** Everything that is seen from a hex; once more, no longer. @param {string|null} from */
  async seen(from) {
    const { scene, card, cite } = this.table;
    if (!from || scene.sight?.from === from) {
      this.clear();
      return;
    }
    const seen = await this.ask(`sight/${encodeURIComponent(from)}`);
    if (!seen) return;
    this.clear();
    scene.sight = { from, hexes: new Set(seen.hexes) };
    scene.again();
    const words = seen.rule
      ? h("div.quiet", {}, `${seen.hexes.length} hexes are in sight from here by the rules `, cite(seen.rule), ".")
      : h("div.quiet", { text: `${seen.hexes.length} hexes lie open to the eye from here, as far as the bare ground goes. These rules have no lines of sight.` });
    card.show(from, [], [words]);
  }

  /**
   * How far a leader commands; once more, the next one in that hex, then none.
   * @param {string|null} hex
   */
  async command(hex) {
    if (!hex) return this.clear();
    if (this.ranges?.hex === hex) return this.show(this.ranges.at + 1);
    const { model } = this.table;
    const found = await this.ask(`command/${encodeURIComponent(hex)}?seat=${encodeURIComponent(model.seat)}`);
    if (!found) return undefined;
    this.clear();
    if (found.ranges.length === 0) {
      tell("Nobody there commands others.");
      return undefined;
    }
    this.ranges = { hex, ranges: found.ranges, at: 0 };
    return this.show(0);
  }

  /** @param {number} at */
  show(at) {
    const { scene, card, cite, model } = this.table;
    const ranges = this.ranges;
    const range = ranges?.ranges[at];
    if (!ranges || !range) return this.clear();
    ranges.at = at;
    scene.command = { from: ranges.hex, hexes: new Set(range.hexes), units: new Set(range.units) };
    scene.again();
    const more = ranges.ranges.length - at - 1;
    // Who obeys an enemy is not told.
    const own = model.seat === "umpire" || model.frame.units[range.unit]?.side === model.seat;
    card.show(ranges.hex, [], [h("div", {}, h("b", { text: range.name }), `: ${range.about} `, cite(range.rule), own ? `. ${range.units.length} ${range.units.length === 1 ? "is" : "are"} marked.` : "."),
      ...(more > 0 ? [h("div.quiet", { text: `${more} more here: once again.` })] : [])]);
    return undefined;
  }

  /** A line whose end is clicked next. @param {string} from */
  begin(from) {
    this.clear();
    this.from = from;
    tell("Now the other end.");
  }

  /** Whether a click ended a line. @param {string} hex */
  end(hex) {
    if (!this.from) return false;
    const { from } = this;
    this.from = null;
    this.line(from, hex);
    return true;
  }

  /**
   * The line between two hexes, with the heights along it and what the rules make of it.
   * @param {string|null} from
   * @param {string|null} to
   */
  async line(from, to) {
    const { scene, card, cite } = this.table;
    if (!from || !to || from === to) {
      this.clear();
      return;
    }
    const line = await this.ask(`line?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`);
    if (!line) return;
    this.clear();
    scene.line = { from, to, clear: line.rules ? line.rules.clear : line.ground_clear, blocked: line.rules?.blocked ?? null };
    scene.again();
    card.show(to, [], [profile(line, cite)]);
  }
}
