// Which things on the map an open decision can be answered with.

/** @typedef {import("../state/types.js").Decision} Decision */
/** @typedef {import("../state/types.js").Frame} Frame */
/** @typedef {import("../state/types.js").Option} Option */

/**
 * @typedef {object} Targets
 * @property {Map<string, Option[]>} hexes options by the hex they end in
 * @property {Map<string, Option[]>} units options by the unit they are about
 * @property {Option[]} plain options that touch nothing on the map, for buttons
 * @property {Map<string, string>} place the target of each option, as `h…` or `u…`
 */

/** @type {Targets} */
export const NONE = { hexes: new Map(), units: new Map(), plain: [], place: new Map() };

/**
 * An option is clicked where it differs from the others: what all options touch says nothing.
 * @param {Decision|null} decision
 * @param {Frame} frame
 * @returns {Targets}
 */
export function targets(decision, frame) {
  if (!decision) return NONE;
  /** @type {Map<string, number>} */
  const counts = new Map();
  const mapped = decision.options.filter((option) => option.touch.some(onMap) && formation(option).length === 0);
  for (const option of mapped) {
    for (const touch of new Set(option.touch)) counts.set(touch, (counts.get(touch) ?? 0) + 1);
  }
  /** @type {Targets} */
  const found = { hexes: new Map(), units: new Map(), plain: [], place: new Map() };
  for (const option of decision.options) {
    const members = formation(option).filter((unit) => frame.units[unit]?.hex);
    if (members.length > 0) {
      found.place.set(option.id, `u${members[0]}`);
      for (const unit of members) push(found.units, unit, option);
      continue;
    }
    const telling = option.touch.filter((touch) => onMap(touch) && (mapped.length < 3 || (counts.get(touch) ?? 0) < mapped.length));
    const target = telling.at(-1) ?? (mapped.length === 1 ? option.touch.filter(onMap).at(-1) : undefined);
    if (!target) {
      found.plain.push(option);
      continue;
    }
    found.place.set(option.id, target);
    const name = target.slice(1);
    if (target[0] === "h") push(found.hexes, name, option);
    else if (frame.units[name]?.hex) push(found.units, name, option);
    else found.plain.push(option);
  }
  return found;
}

/** The units of a formation that an option names: it is clicked on any of them. @param {Option} option */
function formation({ touch: [name, ...units] }) {
  const named = name?.[0] === "t" && units.length > 0 && units.every((touch) => touch[0] === "u");
  return named ? units.map((touch) => touch.slice(1)) : [];
}

/** @param {string} touch */
function onMap(touch) {
  return touch[0] === "h" || touch[0] === "u";
}

/** @param {Map<string, Option[]>} map @param {string} key @param {Option} option */
function push(map, key, option) {
  map.set(key, [...(map.get(key) ?? []), option]);
}

/**
 * The options that a click on a hex can mean: those of the counter that was hit, otherwise all there.
 * @param {Targets} targets
 * @param {Frame} frame
 * @param {string} hex
 * @param {string|null} unit
 * @returns {Option[]}
 */
export function optionsAt(targets, frame, hex, unit) {
  if (unit && targets.units.has(unit)) return targets.units.get(unit) ?? [];
  const here = targets.hexes.get(hex) ?? [];
  const units = [...targets.units].filter(([id]) => frame.units[id]?.hex === hex).flatMap(([, options]) => options);
  return [...here, ...units];
}
