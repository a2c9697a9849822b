// The list of shortcuts, and what they do.

import { h, show } from "../common/dom.js";

/** @type {[string, string][]} */
export const KEYS = [
  ["1 … 9", "press one of the buttons of the decision"],
  ["arrows", "move the cursor from hex to hex (with the map in focus)"],
  ["Enter", "act at the cursor, or look into the stack there"],
  ["n, N", "go to the next or the last thing that can be chosen"],
  ["f", "find what can be chosen: come so close that it can be read"],
  ["u", "take back, up to the last die or reveal"],
  ["+, −, 0", "zoom in, out, show the whole map"],
  ["c", "hide all counters while it is held, to read the map"],
  ["g", "line of sight by the rules, with its heights: from the cursor to the hex under the mouse"],
  ["v", "everything that is seen from the hex under the mouse or at the cursor"],
  ["o", "how far a leader in that hex commands, and whom; once more, the next leader there"],
  ["[, ]", "one step back, one step on"],
  ["p", "play on from here"],
  ["m", "mark the step on the screen, to find it again"],
  ["Home, End", "to the beginning, to the present"],
  ["k", "tables, cards, chits, entries"],
  ["l, r, b, t", "log, roster, boards, talk"],
  ["x", "the rules of the phase"],
  ["Esc", "back to how things stand"],
  ["?", "this list"],
];

export function showKeys() {
  show("Shortcuts", h("table.keys", {}, ...KEYS.map(([key, text]) => h("tr", {}, h("td", {}, h("kbd", { text: key })), h("td", { text })))));
}
