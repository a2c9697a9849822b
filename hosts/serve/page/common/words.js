// What the rules say, made plain for people who see the map.

/** @typedef {import("../state/types.js").Look} Look */
/** @typedef {import("../state/types.js").Option} Option */

/**
 * Without the ids by which the terminal tells counters of one name apart: here the counter is pointed out.
 * @param {Look} look
 * @param {string} text
 */
export function plainly(look, text) {
  return text.replace(/ \[([\w.-]+)\]/g, (all, id) => (look.units[id] ? "" : all));
}

/**
 * The texts of options, each plain as long as no other reads the same.
 * @param {Look} look
 * @param {Option[]} options
 * @returns {Map<string, string>} by the option's id
 */
export function optionTexts(look, options) {
  const plain = options.map((option) => plainly(look, option.text));
  const seen = new Map();
  for (const text of plain) seen.set(text, (seen.get(text) ?? 0) + 1);
  return new Map(options.map((option, i) => [option.id, seen.get(plain[i]) === 1 ? plain[i] : option.text]));
}

/**
 * With the names of sides instead of their ids.
 * @param {Look} look
 * @param {string} text
 */
export function sideNames(look, text) {
  return look.sides.reduce((said, side) => said.replace(new RegExp(`\\b${side.id}\\b`, "g"), side.name), text);
}

/**
 * The first hex that a text names.
 * @param {import("../map/geometry.js").Geometry} geometry
 * @param {string} text
 * @returns {string|null}
 */
export function hexIn(geometry, text) {
  const words = text.match(/[A-Za-z0-9][A-Za-z0-9.]*[A-Za-z0-9]/g) ?? [];
  return words.find((word) => /[0-9]/.test(word) && geometry.index.has(word)) ?? null;
}
