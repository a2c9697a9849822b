// The log: what happened, with dice, and the rule that made it happen.

import { h } from "../common/dom.js";
import { plainly } from "../common/words.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Happening} Happening */

/** So many lines are shown; earlier ones are in the replay. */
const SHOWN = 300;

/**
 * @param {Model} model
 * @param {(rule: string) => HTMLElement} cite
 * @param {{point: (event: Happening|null) => void, go: (step: number) => void, undo: (step: number) => void}} on
 * @param {number} seen the last step that was looked at before
 * @returns {HTMLElement}
 */
export function logPanel(model, cite, on, seen) {
  const known = model.live ? model.log : model.log.filter((event) => (event.step ?? 0) <= model.shown);
  const events = known.slice(-SHOWN).filter(once);
  const root = h("div.log", {});
  if (model.earlier || known.length > SHOWN) root.append(h("p.quiet", { text: "What came before is in the replay." }));
  let last = -1;
  /** @type {string|undefined} */
  let turn;
  for (const event of events) {
    // Rulesets that say nothing when a turn begins get their line all the same.
    const begins = event.turn !== undefined && event.turn !== turn;
    turn = event.turn ?? turn;
    if (begins && event.kind !== "turn") root.append(h("div.turnline", { text: turn ?? "" }));
    // A unit that turns is no turn of the game.
    if (event.kind === "turn" && event.units.length + event.hexes.length === 0) root.append(h("div.turnline", { text: event.text }));
    else root.append(line(model, event, cite, on, seen, event.step !== last));
    last = event.step ?? last;
  }
  if (events.length === 0) root.append(...beginning(model));
  return root;
}

/**
 * Whether this is to be told: where others are told of a block that moves, its own side is told which one, and that is enough.
 * @param {Happening} event
 * @param {number} at
 * @param {Happening[]} all
 */
export function once(event, at, all) {
  if (event.units.length > 0 || event.hexes.length === 0) return true;
  const same = (/** @type {Happening|undefined} */ other) => other?.step === event.step && other?.kind === event.kind && other.units.length > 0
    && other.hexes.join() === event.hexes.join();
  return !same(all[at + 1]) && !same(all[at - 1]);
}

/** What is said before anything has happened: which game this is, and how to begin. @param {Model} model */
function beginning({ look, decision, step }) {
  const turns = look.turns.slice(look.first_turn);
  const lines = [
    [look.scenario, look.title].join(" · "),
    `From ${turns[0].label} to ${turns[turns.length - 1].label}.${step === 0 ? " Nothing has happened yet." : ""}`,
    decision ? "Whatever can be chosen is lit on the map and stands in the list above: one click is one choice, and a click on anything else says why not." : "",
    "Boards tells who is winning, Tables has every table and card; ? lists the keys.",
  ];
  return lines.filter((line) => line !== "").map((text, i) => h(i === 0 ? "b" : "p.quiet", { text }));
}

/**
 * @param {Model} model
 * @param {Happening} event
 * @param {(rule: string) => HTMLElement} cite
 * @param {{point: (event: Happening|null) => void, go: (step: number) => void, undo: (step: number) => void}} on
 * @param {number} seen
 * @param {boolean} first the first line of its step
 */
function line(model, event, cite, on, seen, first) {
  const about = sideOf(model, event);
  const colour = about ? model.sideLook(about).colour : "";
  const step = event.step ?? 0;
  const text = h("span", {}, plainly(model.look, event.text), " ", ...dice(event), cite(event.rule), sums(event, cite));
  if (first && step > 0) {
    text.append(h("button.here", { type: "button", text: "see", title: "Show how it stood then", onclick: () => on.go(step) }));
    if (model.live && event.side === model.seat && step > (model.frame.decision?.undo_to ?? Infinity)) {
      text.append(h("button.here", { type: "button", text: "undo to here", title: "Take back this choice and those after it", onclick: () => on.undo(step - 1) }));
    }
  }
  return h(`div.event.${colour || "none"}${step > seen ? ".new" : ""}`, {
    onmouseenter: () => on.point(event), onmouseleave: () => on.point(null),
  }, h("span.mark"), text);
}

/**
 * Whom it is about: the side of its first unit, or the one that is named first. Who made the choice that led to it says little
 * otherwise: it may be the last of the other side before a turn begins.
 * @param {Model} model
 * @param {Happening} event
 */
export function sideOf({ look }, event) {
  const unit = look.units[event.units[0]];
  if (unit) return look.sides[unit.side]?.id ?? "";
  const named = look.sides.map((side) => ({ id: side.id, at: event.text.indexOf(side.name) })).filter(({ at }) => at >= 0);
  // What is done at a place is done by whoever chose it.
  return named.sort((a, b) => a.at - b.at)[0]?.id ?? (event.hexes.length > 0 ? event.side ?? "" : "");
}

/** Dice as they fell. @param {Happening} event */
export function dice(event) {
  const rolls = event.dice ?? [];
  if (rolls.length === 0) return [];
  return [h("span.dice", { role: "img", "aria-label": `dice: ${rolls.map((roll) => roll.value).join(", ")}` },
    ...rolls.map((roll) => h("span.die", { title: `${roll.purpose}, of ${roll.sides}`, text: String(roll.value) })))];
}

/**
 * What counted, for those who want to add it up.
 * @param {Happening} event
 * @param {(rule: string) => HTMLElement} cite
 */
function sums(event, cite) {
  if (!event.modifiers || event.modifiers.length === 0) return null;
  const signed = (/** @type {number} */ value) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));
  return h("details", { "data-key": `${event.step} ${event.text}` }, h("summary", { text: `what counted: ${signed(event.sum ?? 0)}` }),
    h("table", {}, ...event.modifiers.map((modifier) => h("tr", {}, h("td", { text: signed(modifier.value) }), h("td", {}, modifier.label, " ", cite(modifier.rule))))));
}
