// Luck, honestly: how the dice fell against what was to be expected, and how often chance alone does worse.

import { get } from "../common/api.js";
import { h } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */

/** The share of a normal distribution further from the middle than this. @param {number} z */
function beyond(z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = Math.exp((-z * z) / 2) * 0.3989423 * t * (0.3193815 + t * (-0.3565638 + t * (1.781478 + t * (-1.821256 + t * 1.330274))));
  return Math.min(1, 2 * tail);
}

/**
 * @param {Model} model
 * @returns {HTMLElement}
 */
export function luckPart(model) {
  const root = h("section", {}, h("h3", { text: "Dice so far" }), h("p.quiet", { text: "…" }));
  get(`/games/${model.id}/luck?seat=${encodeURIComponent(model.seat)}`).then(({ luck }) => {
    const rows = Object.entries(luck).filter(([, [count]]) => count > 0).map(([side, [count, sum, expected, variance]]) => {
      const chance = beyond((sum - expected) / Math.sqrt(variance));
      return h("tr", {}, h("td", {}, h(`span.dot.${model.sideLook(side).colour}`), ` ${model.sideLook(side).name}`),
        h("td", { text: `${count} dice, ${sum} pips` }), h("td", { text: `expected ${expected.toFixed(1)}` }),
        h("td", { text: `${Math.round(chance * 100)} % of games are further off` }));
    });
    root.replaceChildren(h("h3", { text: "Dice so far" }), rows.length > 0
      ? h("table", {}, ...rows)
      : h("p.quiet", { text: "No die has fallen that this seat saw." }));
  }, () => root.remove());
  return root;
}
