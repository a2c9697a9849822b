// Several people on one side: whose order an option is. The club decides by the same rule and refuses what is not
// one's own; here it only says what to light up.

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Commander} Commander */
/** @typedef {import("../state/types.js").Decision} Decision */
/** @typedef {import("../state/types.js").Look} Look */
/** @typedef {import("../state/types.js").Option} Option */

/**
 * The commander of a unit: of the smallest formation that somebody has.
 * @param {Look} look
 * @param {Commander[]} commanders
 * @param {string} unit
 * @returns {Commander|null}
 */
export function commanderOf(look, commanders, unit) {
  let node = look.units[unit]?.node ?? "";
  for (let depth = 0; node && depth < 20; depth += 1) {
    const here = node;
    const found = commanders.find((commander) => commander.formations.includes(here));
    if (found) return found;
    node = look.tree.find((known) => known.id === here)?.of ?? "";
  }
  return null;
}

/**
 * Whose order each option of a decision is; null for the side's leader.
 * @param {Model} model
 * @param {Decision} decision
 * @returns {(option: Option) => Commander|null}
 */
export function owners(model, decision) {
  const { look, table } = model;
  const seat = table.seats.find((known) => known.side === decision.side);
  const commanders = seat?.commanders ?? [];
  if (commanders.length === 0) return () => null;
  const side = look.sides.findIndex((known) => known.id === decision.side);
  const own = (/** @type {Option} */ option) => option.touch.filter((touch) => touch[0] === "u" && look.units[touch.slice(1)]?.side === side).map((touch) => touch.slice(1));
  const of = (/** @type {string} */ unit) => commanderOf(look, commanders, unit);
  const touched = [...new Set(decision.options.flatMap(own))].map(of);
  const all = touched.length === 0 ? (decision.subject ? of(decision.subject) : null)
    : touched.every((other) => other === touched[0]) ? touched[0] : null;
  return (option) => {
    const [unit] = own(option);
    return unit === undefined ? all : of(unit);
  };
}

/**
 * The decision as far as it is this person's to take; null if it is somebody else's.
 * @param {Model} model
 * @param {Decision} decision
 * @returns {Decision|null}
 */
export function mineOf(model, decision) {
  const seat = model.table.seats.find((known) => known.side === decision.side);
  if (!seat || seat.commanders.length === 0) return decision;
  const owner = owners(model, decision);
  const options = decision.options.filter((option) => {
    const one = owner(option);
    return one ? one.mine : seat.leads;
  });
  return options.length > 0 ? { ...decision, options } : null;
}

/**
 * Who of a side has something to choose, in words.
 * @param {Model} model
 * @param {Decision} decision
 */
export function asked(model, decision) {
  const seat = model.table.seats.find((known) => known.side === decision.side);
  if (!seat) return "";
  const owner = owners(model, decision);
  const names = new Set(decision.options.map((option) => owner(option)?.who ?? seat.who));
  return names.size > 0 ? [...names].join(", ") : seat.who;
}
