// The bar at the top: the turn with its hour and light, whose turn it is, who sits where, tools.

import { byId, h, left } from "../common/dom.js";
import { toggleTheme } from "../common/theme.js";
import { showKeys } from "../help/keys.js";
import { openRule } from "../help/rules.js";
import { tableDialog } from "./seats.js";

/** @typedef {import("./main.js").Table} Table */

const LIGHT = /** @type {Record<string, string>} */ ({ day: "☀", dawn: "◐", dusk: "◑", night: "☾" });

/** @param {Table} table */
export function drawTop(table) {
  const { model } = table;
  const { frame, look } = model;
  const { turn } = frame;
  const hour = turn.start.slice(11, 16);
  byId("clock").replaceChildren(
    h("span.light", { title: turn.light, text: LIGHT[turn.light] ?? "" }),
    h("b", { text: turn.label }), h("span.hour", { text: `${hour}–${turn.end.slice(11, 16)} · ${turn.light}` }));
  const whose = byId("whose");
  const asked = frame.decision?.side;
  const mine = Boolean(model.decision);
  whose.classList.toggle("mine", mine);
  whose.textContent = document.body.classList.contains("away") ? "The line is broken; trying again …"
    : frame.verdict ? "The game is over" : model.table.closed ? "Closed: the rules have changed" : !model.live ? `Step ${model.shown} of ${model.step}`
      : model.table.paused ? "Paused"
      : mine ? `Your turn: ${look.phases[frame.phase] ?? frame.phase}`
        : asked ? `${model.sideLook(asked).name} to choose: ${look.phases[frame.phase] ?? frame.phase}` : "";
  if (model.live && asked && model.table.due) whose.append(` · ${left(model.table.due)}`);
  byId("seats").replaceChildren(...model.table.seats.map((seat) => {
    const side = model.sideLook(seat.side);
    const who = [seat.leads ? "you" : seat.who, ...seat.commanders.map((commander) => (commander.mine ? "you" : commander.who))].join(", ");
    return h(seat.side === asked ? "span.asked" : "span", { title: who }, h(`span.dot.${side.colour}`), ` ${seat.name}: ${who}`);
  }));
  // Whose eyes these are is said where it could be doubted: with both seats in one hand, when looking on, and where there
  // is no room for the seats.
  const both = model.table.seats.filter((seat) => seat.mine).length > 1;
  const eyes = model.seatInfo ? model.sideLook(model.seat).name : model.seat;
  const pill = byId("eyes");
  const doubted = both || !model.seatInfo?.mine;
  pill.textContent = doubted ? `Seen by the ${eyes}` : eyes;
  pill.className = `eyes ${doubted ? "" : "sure"} ${model.seatInfo ? model.sideLook(model.seat).colour : ""}`;
  document.body.dataset.eyes = model.seatInfo ? model.sideLook(model.seat).colour : "none";
  // Whoever looks elsewhere sees it in the tab.
  document.title = `${model.decision ? "▶ Your turn · " : ""}${model.table.title || look.scenario} · Cupola`;
  drawTools(table);
}

/** The tools are made once: a hand may be on them. @param {Table} table */
function drawTools(table) {
  const { model } = table;
  const root = byId("tools");
  const tool = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) =>
    h(text === "?" ? "button.keys" : "button", { type: "button", text, title, "aria-label": title, onclick: act });
  if (root.childElementCount === 0) {
    root.append(
      tool("↶", "Take back (u)", () => table.decision.undo()),
      tool("§", "Rules (x)", () => openRule(model.look, model.frame.decision?.rule ?? "")),
      tool("⚙", "Table", () => tableDialog(table)),
      tool("◐", "Light or dark", toggleTheme),
      tool("?", "Shortcuts (?)", showKeys));
  }
  const back = /** @type {HTMLButtonElement} */ (root.firstElementChild);
  back.disabled = !model.live || model.step <= (model.frame.decision?.undo_to ?? 0) || !model.seatInfo?.mine || model.table.over;
}
