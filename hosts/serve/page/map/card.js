// The card at the map's foot: the hex under the mouse, what stands there, what can be done or why not.

import { post } from "../common/api.js";
import { byId, h } from "../common/dom.js";
import { hiddenWords } from "../counters/inspector.js";
import { pictureOf } from "../counters/sprites.js";
import { plainly, sideNames } from "../common/words.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("./scene.js").Scene} Scene */

/** So many counters of a stack are drawn. */
const MOST = 6;

export class Card {
  /** @param {Model} model @param {Scene} scene */
  constructor(model, scene) {
    this.model = model;
    this.scene = scene;
    this.root = byId("card");
    this.asked = "";
  }

  hide() {
    this.root.hidden = true;
    this.asked = "";
  }

  /**
   * @param {string} hex
   * @param {import("../state/types.js").Option[]} options
   * @param {Node[]} [extra]
   */
  show(hex, options, extra = []) {
    const { scene, model } = this;
    const about = scene.geometry.about(hex);
    const stack = scene.stacks.get(hex);
    const known = stack?.units.filter(({ id }) => id !== null) ?? [];
    const hidden = (stack?.units.length ?? 0) - known.length;
    const units = known.map(({ unit }) => (unit.ratings ? `${unit.name} ${unit.ratings}` : unit.name));
    if (hidden > 0) units.push(hiddenWords(stack?.units.find(({ id }) => id === null)?.unit.name ?? "", hidden));
    const many = units.length > 4 ? [...units.slice(0, 4), `and ${units.length - 4} more`] : units;
    const marks = model.frame.marks.filter((mark) => mark.hex === hex).map((mark) => sideNames(model.look, mark.text));
    this.root.hidden = false;
    // Whoever lies below others in the stack is seen here.
    const faces = (stack?.units ?? []).map(({ unit }) => unit.face);
    this.root.replaceChildren(
      h("h3", { text: [hex, ...about.places.slice(0, 2)].join(" · ") }),
      h("div.quiet", { text: [`${about.cover}, level ${about.level}`, ...marks].join(" · ") }),
      faces.length > 1 ? h("div.faces", {}, ...faces.slice(-MOST).reverse().map((face) => pictureOf(face, 52))) : "",
      many.length > 0 ? h("div", { text: many.join(", ") }) : "",
      options.length > 0 ? h("ul", {}, ...options.slice(0, 4).map((option) => h("li", { text: plainly(model.look, option.text) + (option.cost ? ` (${option.cost})` : "") }))) : "",
      ...extra);
  }

  /** What it says, for those who hear it. */
  get words() {
    return [...this.root.querySelectorAll("h3, div:not(.faces), li")].map((part) => part.textContent).join(". ");
  }

  /**
   * Asks the club why nothing can be done there.
   * @param {string} thing `h…` or `u…`
   * @param {(rule: string) => HTMLElement} cite
   * @returns {Promise<HTMLElement[]>}
   */
  async whyNot(thing, cite) {
    const { model } = this;
    if (!model.decision) return [];
    this.asked = thing;
    try {
      const { why } = await post(`/games/${model.id}/why`, { ply: model.ply, seat: model.seat, thing });
      if (this.asked !== thing) return [];
      // What was tried is named where several things were.
      const verbs = new Set(why.map((/** @type {any} */ reason) => reason.verb));
      return why.slice(0, 4).map((/** @type {any} */ reason) => h("div.why", {}, `Not ${verbs.size > 1 ? `“${reason.verb}”` : "here"}: ${reason.why} `, cite(reason.rule)));
    } catch {
      return [];
    }
  }
}
