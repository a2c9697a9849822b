// Commanders of a side: who has which formations, and how its leader hands them out.

import { get, post } from "../common/api.js";
import { h, show, tell } from "../common/dom.js";
import { linkToGive } from "../common/link.js";

/** @typedef {import("./main.js").Table} Table */
/** @typedef {import("../state/types.js").Seat} Seat */
/** @typedef {(work: () => Promise<any>) => () => Promise<void>} Act */

/** @param {Table} table @param {string} id of a formation */
function nameOf({ model }, id) {
  const node = model.look.tree.find((known) => known.id === id);
  return node ? [node.name, node.commander].filter(Boolean).join(", ") : id;
}

/**
 * The commanders of a seat.
 * @param {Table} table
 * @param {Seat} seat
 * @param {Act} act
 */
export function teamPart(table, seat, act) {
  const { model } = table;
  const leads = (seat.leads || model.table.umpire?.mine) && !model.table.over;
  if (seat.commanders.length === 0 && !leads) return null;
  const lines = seat.commanders.map((commander) => h("li", {},
    h("b", { text: commander.mine ? `${commander.who} (you)` : commander.who }), ` has ${commander.formations.map((id) => nameOf(table, id)).join("; ")} `,
    leads || commander.mine ? h("button", { text: commander.mine ? "Lay it down" : "Take it back", onclick: act(() => post(`/games/${model.id}/dismiss`, { side: seat.side, person: commander.id })) }) : null));
  return h("div", {}, lines.length > 0 ? h("ul", {}, ...lines) : null,
    leads ? h("button", { text: `Share the ${seat.name}`, onclick: () => appoint(table, seat) }) : null);
}

/** Formations that have counters of this side in the game, the larger ones first. @param {Table} table @param {Seat} seat */
function formations({ model }, seat) {
  const { look } = model;
  const side = look.sides.findIndex((known) => known.id === seat.side);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const unit of Object.values(look.units)) {
    if (unit.side !== side) continue;
    let node = unit.node ?? "";
    for (let depth = 0; node && depth < 20; depth += 1) {
      counts.set(node, (counts.get(node) ?? 0) + 1);
      const here = node;
      node = look.tree.find((known) => known.id === here)?.of ?? "";
    }
  }
  return look.tree.filter((node) => (counts.get(node.id) ?? 0) > 1).map((node) => ({ ...node, units: counts.get(node.id) ?? 0, depth: depthOf(look.tree, node.of) }));
}

/** @param {{id: string, of: string}[]} tree @param {string} of @returns {number} */
function depthOf(tree, of) {
  const parent = tree.find((node) => node.id === of);
  return parent ? 1 + depthOf(tree, parent.of) : 0;
}

/** Gives formations to somebody. @param {Table} table @param {Seat} seat */
async function appoint(table, seat) {
  const { model } = table;
  const { people } = await get("/people");
  const whom = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "To whom" },
    h("option", { value: "", text: "whoever opens an invitation" }),
    ...people.filter((/** @type {any} */ person) => !person.retired).map((/** @type {any} */ person) => h("option", { value: person.id, text: person.name }))));
  const boxes = formations(table, seat).map((node) => {
    const box = h("label", {}, h("input", { type: "checkbox", value: node.id }), ` ${[node.name, node.commander].filter(Boolean).join(", ")}`, h("span.quiet", { text: ` (${node.units})` }));
    box.style.paddingLeft = `${node.depth * 1.2}em`;
    return box;
  });
  const list = h("div.formations", {}, ...boxes);
  const give = async () => {
    const chosen = [...list.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    try {
      const { link } = await post(`/games/${model.id}/appoint`, { side: seat.side, formations: chosen, person: whom.value || null });
      if (link) {
        show("An invitation", h("p", { text: "Whoever opens this link commands these formations. It works once and is shown this once." }),
          ...linkToGive(link));
      } else {
        tell("They have their orders.");
        /** @type {HTMLDialogElement} */ (document.getElementById("dialog")).close();
      }
      await model.open(model.seat);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  };
  show(`Share the ${seat.name}`,
    h("p", { text: "A choice about a unit is its commander's; everything else stays with you. Take a formation back at any time." }),
    h("p", {}, "Give to ", whom), list, h("button.primary", { text: "Give the orders", onclick: give }));
}
