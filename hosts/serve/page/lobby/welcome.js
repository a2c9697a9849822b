// The first screen of a club in which nobody plays yet: what it is about, and a game one click away.

import { post } from "../common/api.js";
import { h, tell } from "../common/dom.js";
import { opening, shortest } from "./opening.js";

/**
 * @param {any} catalogue
 * @returns {Node[]}
 */
export function welcome(catalogue) {
  /** @type {any[]} */
  const rulesets = catalogue.rulesets;
  return [
    h("div.hero", {},
      h("h1", { text: "One battle, several games" }),
      h("p.serif", { text: "The same ground, the same army and the same hours, played by different rules: against a bot, against friends, or both sides yourself." })),
    firstGame(catalogue),
    h("section.section", {},
      h("header", {}, h("h2", { text: "Choose the rules" }), h("span.quiet", { text: "each picture is how a game of them begins" })),
      h("div.ways", {}, ...rulesets.map(way)),
      h("p.quiet.fine", { text: catalogue.attributions.join(" · ") })),
  ].filter((part) => part !== null);
}

/** A game to begin with, if there is one. @param {any} catalogue */
export function firstGame(catalogue) {
  const first = catalogue.rulesets.find((/** @type {any} */ ruleset) => ruleset.begin);
  return first ? begin(first) : null;
}

/** The game for those who have never played one. @param {any} ruleset */
function begin(ruleset) {
  const scenario = ruleset.scenarios.find((/** @type {any} */ known) => known.name === ruleset.begin);
  const sides = scenario.sides.map((/** @type {any} */ side) => side.name);
  const button = /** @type {HTMLButtonElement} */ (h("button.primary", {
    type: "button", text: "Play it now", onclick: async () => {
      button.disabled = true;
      try {
        const made = await post("/games", {
          ruleset: ruleset.name, scenario: scenario.name, seats: ["me", "steady"],
          aids: { odds: true, reach: true, sight: true }, watched: true, drawn: true,
        });
        location.href = `/t/${made.id}`;
      } catch (error) {
        button.disabled = false;
        tell(/** @type {Error} */ (error).message, true);
      }
    },
  }));
  return h("section.section.begin", {}, opening(ruleset.name, scenario.name), h("div", {},
    h("h2", { text: "New to this? Begin here" }),
    h("p.serif", { text: `${scenario.title}: a short game, and nothing to know before. You lead the ${sides[0]}; a bot leads the ${sides[1]}. What can be chosen is lit, and every choice says what it costs and how likely it is to come off.` }),
    h("div.row", {}, button, ruleset.chapter ? h("a.button", { href: `#book/${ruleset.chapter}`, text: "Its rules" }) : null)));
}

/** One of the rule systems. @param {any} ruleset */
function way(ruleset) {
  return h("a.game.way", { href: `#new/${encodeURIComponent(ruleset.name)}` },
    opening(ruleset.name, shortest(ruleset)),
    h("h3", { text: ruleset.title }),
    h("div.quiet", { text: ruleset.about }));
}
