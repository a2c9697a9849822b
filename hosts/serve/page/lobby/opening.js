// How scenarios begin, as pictures: people look before they read.

import { h } from "../common/dom.js";

/**
 * A picture of a scenario's first position. What it shows stands beside it in words, so it has none of its own.
 * @param {string} ruleset
 * @param {string} scenario
 * @returns {HTMLElement}
 */
export function opening(ruleset, scenario) {
  const path = [ruleset, scenario].map(encodeURIComponent).join("/");
  /** @type {HTMLElement} */
  const image = h("img.opening", { src: `/api/openings/${path}`, alt: "", loading: "lazy", width: "520", height: "390", onerror: () => image.remove() });
  return image;
}

/** The battle with most scenarios first, and in it the short ones. @param {any} ruleset */
export function byLength(ruleset) {
  const length = (/** @type {any} */ scenario) => scenario.turns?.count ?? 1000;
  const many = (/** @type {any} */ scenario) => ruleset.scenarios.filter((/** @type {any} */ other) => other.battle === scenario.battle).length;
  return [...ruleset.scenarios].sort((a, b) => many(b) - many(a) || a.battle.localeCompare(b.battle) || length(a) - length(b));
}

/** The scenario with the fewest turns is the one to begin with. @param {any} ruleset */
export function shortest(ruleset) {
  return byLength(ruleset)[0]?.name ?? "";
}
