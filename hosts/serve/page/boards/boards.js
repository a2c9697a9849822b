// Tracks, holdings and boxes beside the map, as the ruleset declares them; the turn track.

import { h } from "../common/dom.js";
import { sideNames } from "../common/words.js";
import { named } from "../help/charts.js";
import { luckPart } from "./luck.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Holding} Holding */
/** @typedef {import("../state/types.js").Track} Track */

/**
 * @param {Model} model
 * @param {(id: string) => void} point
 * @param {(rule: string) => HTMLElement} cite
 * @returns {HTMLElement}
 */
export function boardsPanel(model, point, cite) {
  const { look, frame } = model;
  const root = h("div.boards", {});
  const tracks = new Set(frame.tracks.map((track) => track.name));
  const holdings = new Set(frame.holdings.map((holding) => holding.name));
  for (const board of look.boards) {
    const part = h("section", {}, h("h3", { text: board.title }));
    for (const name of board.tracks) {
      frame.tracks.filter((track) => track.name === name).forEach((track) => part.append(trackLine(model, track)));
      tracks.delete(name);
    }
    for (const name of board.holdings) {
      frame.holdings.filter((holding) => holding.name === name).forEach((holding) => part.append(holdingPart(model, holding, cite)));
      holdings.delete(name);
    }
    if (part.childElementCount > 1) root.append(part);
  }
  // What no board claims is shown all the same.
  const rest = [
    ...frame.tracks.filter((track) => tracks.has(track.name)).map((track) => trackLine(model, track)),
    ...frame.holdings.filter((holding) => holdings.has(holding.name)).map((holding) => holdingPart(model, holding, cite)),
  ];
  if (rest.length > 0) root.append(h("section", {}, h("details", { open: rest.length < 6 }, h("summary", {}, h("b", { text: `Also (${rest.length})` })), ...rest)));
  if (frame.marks.length > 0) root.append(marksPart(model, point));
  root.append(boxesPart(model), luckPart(model));
  if (look.badges.length > 0) {
    root.append(h("section", {}, h("h3", { text: "Signs on counters" }),
      h("table", {}, ...look.badges.map(([sign, means]) => h("tr", {}, h("td", {}, h("span.chip", { text: sign })), h("td", { text: means }))))));
  }
  return root;
}

/** @param {Model} model @param {Track} track */
function trackLine(model, track) {
  const words = model.look.tracks.find((known) => known.name === track.name);
  const line = h("div.trackline", { title: words?.about ?? "" },
    h("span", { text: words?.title ?? track.name }), h("b", { text: track.max === null ? String(track.value) : `${track.value} of ${track.max}` }));
  if (track.max) {
    const bar = h(`i.${words?.side ? model.sideLook(words.side).colour : "none"}`);
    bar.style.width = `${Math.max(0, Math.min(100, (100 * track.value) / track.max))}%`;
    line.append(h("div.rail", {}, bar));
  }
  return line;
}

/** @param {Model} model @param {Holding} holding @param {(rule: string) => HTMLElement} cite */
function holdingPart(model, holding, cite) {
  const words = model.look.holdings.find((known) => known.name === holding.name);
  const side = holding.side ? ` · ${model.sideLook(holding.side).name}` : "";
  return h("div.holding", {},
    h("div", { title: words?.about ?? "" }, h("b", { text: (words?.title ?? holding.name) + side }), ` (${holding.count})`),
    holding.known.length > 0 ? h("ul", {}, ...holding.known.map((text) => h("li", {}, named(model.look, text, cite)))) : null);
}

/** @param {Model} model @param {(hex: string) => void} point */
function marksPart(model, point) {
  return h("section", {}, h("h3", { text: "On the map" }), h("ul", {}, ...model.frame.marks.map((mark) => h("li", {},
    h("button.cite", { type: "button", text: mark.hex, onclick: () => point(mark.hex) }), " ", sideNames(model.look, mark.text)))));
}

/** Units beside the map, by box. @param {Model} model */
function boxesPart(model) {
  /** @type {Map<string, import("../state/types.js").Unit[]>} */
  const boxes = new Map();
  for (const unit of [...Object.values(model.frame.units), ...model.frame.hidden]) {
    if (unit.box) boxes.set(unit.box, [...(boxes.get(unit.box) ?? []), unit]);
  }
  if (boxes.size === 0) return h("section", {});
  return h("section.boxes", {}, h("h3", { text: "Beside the map" }), ...[...boxes].map(([name, units]) => h("details", {},
    h("summary", {}, `${name} (${units.length})`),
    h("ul", {}, ...units.map((unit) => {
      const when = unit.state.arrives ? `: ${unit.state.arrives}${unit.state.by ? `, ${unit.state.by}` : ""}` : "";
      return h("li", {}, h(`span.dot.${model.sideLook(unit.side).colour}`), ` ${unit.name}${when}`);
    })))));
}

/**
 * The turns with their light.
 * @param {Model} model
 * @returns {HTMLElement}
 */
export function turnTrack(model) {
  const now = model.frame.turn.index;
  const root = h("div.turns", { role: "list", "aria-label": "Turn track" });
  model.look.turns.forEach((turn, index) => {
    const state = index === now ? ".now" : index < now ? ".past" : "";
    root.append(h(`div.turn.${turn.light}${state}`, { role: "listitem", title: `${turn.label}, ${turn.light}`, text: turn.label, ...(index === now ? { "aria-current": "step" } : {}) }));
  });
  return root;
}
