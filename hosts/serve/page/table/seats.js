// Who sits where: taking a seat, inviting, looking from another one, and how the table is set.

import { get, post } from "../common/api.js";
import { h, show, tell } from "../common/dom.js";
import { linkToGive } from "../common/link.js";
import { differences } from "../help/differences.js";
import { afterwards } from "./afterwards.js";
import { sharesPart } from "./shares.js";
import { teamPart } from "./team.js";

/** @typedef {import("./main.js").Table} Table */

/**
 * Takes a seat.
 * @param {string} game
 * @param {string} side
 * @param {string} invitation
 */
export function sitDown(game, side, invitation) {
  return post(`/games/${game}/sit`, { side, invitation });
}

/** Whether somebody has let the time for his turn run out. @param {import("../state/model.js").Model} model @param {import("../state/types.js").Seat} seat */
function late({ table, latest }, seat) {
  return table.due !== null && table.due < Date.now() / 1000 && latest.decision?.side === seat.side && (table.host || table.seats.some((other) => other.leads));
}

/** @param {Table} table */
export function tableDialog(table) {
  const { model } = table;
  const act = (/** @type {() => Promise<any>} */ work) => async () => {
    try {
      await work();
      await model.open(model.seat);
      tableDialog(table);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  };
  const rows = model.table.seats.map((seat) => h("tr", {},
    h("td", {}, h(`span.dot.${model.sideLook(seat.side).colour}`), ` ${seat.name}`),
    h("td", {}, seat.leads ? `${seat.who} (you)` : seat.who, teamPart(table, seat, act)),
    h("td", {},
      seat.open && !model.table.umpire?.mine ? h("button", { text: "Sit down", onclick: act(() => sitDown(model.id, seat.side, "")) }) : null,
      seat.open ? h("button", { text: "Invite", onclick: () => invite(table, seat.side) }) : null,
      seat.open && model.table.host ? h("button", { text: "Seat a bot", onclick: act(() => post(`/games/${model.id}/sit`, { side: seat.side, holder: "steady" })) }) : null,
      (seat.leads || (!seat.open && (model.table.umpire?.mine || late(model, seat)))) && !model.table.over ? h("button", { text: seat.leads ? "Stand up" : "Clear the seat", onclick: act(() => post(`/games/${model.id}/stand`, { side: seat.side })) }) : null)));
  const umpire = model.table.umpire;
  const views = [...model.table.seats.filter((seat) => seat.mine || model.table.over).map((seat) => [seat.side, seat.name]),
    ["observer", "a spectator"], ...(model.table.over || umpire?.mine ? [["umpire", "the umpire, who sees all"]] : [])];
  show(model.table.title || model.look.scenario,
    h("p.quiet", { text: `${model.look.title}. ${model.look.scenario}.` }),
    rulesPart(model),
    model.table.closed ? h("p", { text: model.table.closed }) : null,
    h("table", {}, ...rows),
    umpire ? h("p", {}, `Umpire, who sees all: ${umpire.mine ? "you" : umpire.who}. `,
      umpire.mine ? h("button", { text: "Lay it down", onclick: act(() => post(`/games/${model.id}/umpire`, { take: false })) }) : null,
      umpire.mine && model.shown < model.step ? h("button", { text: `Go back to step ${model.shown}`, onclick: act(() => post(`/games/${model.id}/rewind`, { ply: model.ply, step: model.shown })) }) : null) : null,
    model.table.may_umpire ? h("p", {}, h("button", { text: "Umpire this game", onclick: act(() => post(`/games/${model.id}/umpire`, { take: true })) }), " You see all, settle disputes, and may not play.") : null,
    h("h3", { text: "Look from the seat of" }),
    h("div.buttons", {}, ...views.map(([seat, name]) => h(seat === model.seat ? "button.primary" : "button", { text: name, onclick: () => table.changeSeat(seat) }))),
    h("h3", { text: "Playback" }),
    h("label", {}, h("input", {
      type: "checkbox", checked: table.player.fast,
      onchange: (/** @type {Event} */ event) => {
        table.player.fast = /** @type {HTMLInputElement} */ (event.target).checked;
        localStorage.setItem("cupola-pace", table.player.fast ? "fast" : "");
      },
    }), " show at once what others do"),
    aidsPart(table, act),
    ...gameParts(table, act),
    ...sharesPart(model));
  askedBack(table);
}

/**
 * What can be done with the game as a whole.
 * @param {Table} table
 * @param {(work: () => Promise<any>) => () => Promise<void>} act
 */
function gameParts(table, act) {
  const { model } = table;
  const plays = model.table.seats.some((seat) => seat.mine);
  if (model.table.over) {
    return [h("h3", { text: "The game is over" }), afterwards(model)];
  }
  if (!plays && !model.table.umpire?.mine) return [];
  const paused = model.table.paused;
  return [h("h3", { text: "The game" }), h("div.buttons", {},
    h("button", { text: paused ? "Go on" : "Pause", onclick: act(() => post(`/games/${model.id}/pause`, { paused: !paused })) }),
    model.shown < model.step && model.seatInfo?.mine ? h("button", {
      text: `Ask to go back to step ${model.shown}`,
      onclick: act(() => post(`/games/${model.id}/take-back`, { seat: model.seat, ply: model.ply, step: model.shown })),
    }) : null),
  plays ? h("p.quiet", { text: "To take back beyond a die, look at the step to go back to and ask here: the other side must agree." }) : null];
}

/**
 * Aids for all at the table: whoever set it up switches them, and the umpire.
 * @param {Table} table
 * @param {(work: () => Promise<any>) => () => Promise<void>} act
 */
function aidsPart(table, act) {
  const { model } = table;
  const { aids } = model.table;
  const may = (model.table.host || model.table.umpire?.mine) && !model.table.over;
  const words = /** @type {[keyof typeof aids, string][]} */ ([["odds", "odds before a fight"], ["reach", "what can be chosen is lit"], ["sight", "sight and command are shown"]]);
  if (!may) {
    const off = words.filter(([name]) => !aids[name]).map(([, text]) => text);
    return off.length > 0 ? h("p.quiet", { text: `Switched off at this table: ${off.join("; ")}.` }) : null;
  }
  return h("div", {}, h("h3", { text: "Aids, for everybody" }), ...words.map(([name, text]) => h("div", {}, h("label", {}, h("input", {
    type: "checkbox", name: `aid-${name}`, checked: aids[name],
    onchange: (/** @type {Event} */ event) => act(() => post(`/games/${model.id}/aids`, { ...aids, [name]: /** @type {HTMLInputElement} */ (event.target).checked }))(),
  }), ` ${text}`))));
}

/** In what the rules differ from the plain ones, if they do. @param {import("../state/model.js").Model} model */
function rulesPart(model) {
  if (!model.table.bent) return null;
  const told = h("div", {}, h("p.quiet", { text: "…" }));
  return h("details", {
    ontoggle: async (/** @type {Event} */ event) => {
      if (!(/** @type {HTMLDetailsElement} */ (event.target)).open) return;
      try {
        const { differences: all } = await get(`/games/${model.id}/rules`);
        told.replaceChildren(differences(all));
      } catch (error) {
        told.replaceChildren(h("p", { text: /** @type {Error} */ (error).message }));
      }
    },
  }, h("summary", { text: "What differs from the rules as printed" }), told);
}

/** The other side wants to go back: shows the question. @param {Table} table */
export function askedBack(table) {
  const { model } = table;
  const wish = model.table.take_back;
  const old = document.getElementById("ask-back");
  if (!wish || !model.seatInfo?.mine) {
    old?.remove();
    return;
  }
  const own = wish.side === model.seat;
  const answer = (/** @type {boolean} */ agree) => async () => {
    try {
      await post(`/games/${model.id}/take-back`, { seat: model.seat, ply: model.ply, agree });
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  };
  const bar = h("div", { id: "ask-back" },
    own ? `You asked to go back to step ${wish.step}. ` : `${model.sideLook(wish.side).name} asks to go back to step ${wish.step} of ${model.step}. `,
    own ? null : h("button", { type: "button", text: "Agree", onclick: answer(true) }), " ",
    h("button", { type: "button", text: own ? "Never mind" : "No", onclick: answer(false) }));
  bar.style.pointerEvents = "auto";
  if (old) old.replaceWith(bar);
  else document.getElementById("told")?.append(bar);
}

/** @param {Table} table @param {string} side */
async function invite(table, side) {
  try {
    const { link } = await post(`/games/${table.model.id}/invite`, { side });
    show("An invitation", h("p", { text: "Whoever opens this link takes the seat. It works once and is shown this once." }),
      ...linkToGive(link));
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}
