// Variants, one upon the other: the order in which they are ticked is the order in which they count.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { differences } from "../help/differences.js";

/** @typedef {{name: string, title: string, about: string}} Variant */

export class Variants {
  /** @param {() => {ruleset: string, scenario: string}} game what is set up */
  constructor(game) {
    this.game = game;
    /** @type {Variant[]} */
    this.all = [];
    /** @type {string[]} in order */
    this.chosen = [];
    this.asked = 0;
    this.list = h("div.choices");
    this.told = h("div", { role: "status", "aria-live": "polite" });
    this.root = h("fieldset", {}, h("legend", { text: "Variants" }),
      h("p.quiet", { text: "None for the rules as printed, with the book's rulings. Several are put one upon the other, in the order in which you tick them." }),
      this.list, this.told);
  }

  /** The variants of another ruleset. @param {Variant[]} all */
  offer(all) {
    this.all = all;
    this.chosen = [];
    this.root.hidden = all.length === 0;
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.all.map((variant) => {
      const place = this.chosen.indexOf(variant.name);
      const box = h("input", {
        type: "checkbox", name: "variant", value: variant.name, checked: place >= 0,
        onchange: (/** @type {Event} */ event) => this.tick(variant.name, /** @type {HTMLInputElement} */ (event.target).checked),
      });
      const number = place >= 0 && this.chosen.length > 1 ? h("span.chip", { text: `${place + 1}.`, "aria-label": `number ${place + 1}` }) : null;
      return h("label.choice", {}, box, h("b", {}, number, variant.title), h("small", { text: variant.about }));
    }));
    this.tell();
  }

  /** @param {string} name @param {boolean} on */
  tick(name, on) {
    this.chosen = this.chosen.filter((known) => known !== name);
    if (on) this.chosen.push(name);
    this.draw();
    // The box was drawn anew: whoever works with the keyboard is still there.
    /** @type {HTMLElement|null} */ (this.list.querySelector(`input[value="${CSS.escape(name)}"]`))?.focus();
  }

  /** Says what they change, as soon as the club has worked it out. */
  async tell() {
    this.asked += 1;
    const { asked } = this;
    if (this.chosen.length === 0) {
      this.told.replaceChildren();
      return;
    }
    const { ruleset, scenario } = this.game();
    try {
      const { differences: told, problem } = await post("/rules", { ruleset, scenario, variants: this.chosen });
      if (asked !== this.asked) return;
      this.told.replaceChildren(h("h3", { text: problem ? "These cannot be played together here" : "What differs from the rules as printed" }),
        problem ? h("pre.problem", { text: problem }) : differences(told));
    } catch (error) {
      if (asked === this.asked) this.told.replaceChildren(h("p", { text: /** @type {Error} */ (error).message }));
    }
  }
}
