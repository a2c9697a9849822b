// The odds of an option before it is chosen, with everything that counts.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";

/** @typedef {{sum: number, modifiers: {label: string, value: number, rule: string}[],
 *   outcomes: {text: string, permille: number, odds: string}[]}} Odds */

/** @type {Map<string, Promise<Odds|null>>} */
const known = new Map();

/**
 * @param {import("../state/model.js").Model} model
 * @param {string} option
 * @returns {Promise<Odds|null>}
 */
export function oddsOf(model, option) {
  const key = `${model.id}/${model.ply}/${option}`;
  let asked = known.get(key);
  if (!asked) {
    if (known.size > 300) known.clear();
    asked = post(`/games/${model.id}/odds`, { ply: model.ply, seat: model.seat, option }).then((answer) => answer.odds, () => null);
    known.set(key, asked);
  }
  return asked;
}

/**
 * What a result means that is one word of the table.
 * @param {import("../state/types.js").Look} look
 * @param {string} text
 */
function meaning(look, text) {
  return look.terms.find((term) => term.kind === "result" && term.name === text)?.text ?? null;
}

/**
 * The words of the results that can come, for those who do not know the table by heart: as far as they are not told beside them.
 * @param {import("../state/types.js").Look} look
 * @param {Odds} odds
 */
function meanings(look, odds) {
  const several = odds.outcomes.filter((outcome) => meaning(look, outcome.text) === null);
  const words = new Set(several.flatMap((outcome) => outcome.text.split(/[^\w+-]+/)));
  const met = look.terms.filter((term) => term.kind === "result" && words.has(term.name));
  return met.length > 0 ? h("dl.meanings", {}, ...met.flatMap((term) => [h("dt", { text: term.name }), h("dd", { text: term.text })])) : null;
}

/**
 * @param {import("../state/types.js").Look} look
 * @param {string} title
 * @param {Odds} odds
 * @param {(rule: string) => HTMLElement} cite
 * @returns {HTMLElement}
 */
export function oddsTable(look, title, odds, cite) {
  const signed = (/** @type {number} */ value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));
  const modifiers = odds.modifiers.map((modifier) => h("tr", {},
    h("td.num", { text: signed(modifier.value) }), h("td", {}, modifier.label, " ", cite(modifier.rule))));
  if (odds.modifiers.length > 1) {
    modifiers.push(h("tr", {}, h("td.num", { text: signed(odds.sum) }), h("td", {}, h("b", { text: "in all" }))));
  }
  const bars = odds.outcomes.filter((outcome) => outcome.permille > 0 || odds.outcomes.length < 12).map((outcome) => {
    const bar = h("i");
    bar.style.width = `${Math.max(1, outcome.permille / 10)}%`;
    const means = meaning(look, outcome.text);
    return h("div.bar", { title: outcome.odds },
      h("b", { text: `${(outcome.permille / 10).toFixed(1)} %` }), h("div", {}, outcome.text, means ? h("small.quiet", { text: ` ${means}` }) : null, bar));
  });
  return h("div.odds", { role: "group", "aria-label": "Odds" }, h("h4", { text: title }), h("table", {}, ...modifiers), ...bars, meanings(look, odds));
}
