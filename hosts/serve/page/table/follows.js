// A prototype: the game follows a designer's files. What the last save changed, or what is wrong with it, stands here.

import { post } from "../common/api.js";
import { byId, h, tell } from "../common/dom.js";
import { lines } from "../help/differences.js";

/** @typedef {import("./main.js").Table} Table */

/** How many choices, in words. @param {number} count */
const choices = (count) => (count === 1 ? "One choice waits" : `${count} choices wait`);

/** @param {Table} table */
export function drawFollows(table) {
  const { model } = table;
  const root = byId("follows");
  const { follows } = model.table;
  root.hidden = !follows;
  if (!follows) return;
  const { what, name, live, saves = 0, changed = [], more = 0, wrong = null, lost, waiting, verdict = null } = follows;
  const head = h("div.head", {}, h("b", { text: "Prototype" }), h("span", { title: what, text: live ? `follows ${name}` : name }),
    live ? h("span.saves", { text: saves === 0 ? "nothing saved yet" : `save ${saves}` }) : null);
  root.classList.toggle("bad", Boolean(wrong));
  root.replaceChildren(head, ...(live ? [
    wrong ? h("div", { role: "alert" }, h("b", { text: "It does not fit yet; the game stays as it was." }), h("pre", { text: wrong })) : null,
    lost ? h("div.lost", { role: "alert" }, h("p", { text: lost }),
      h("p.quiet", { text: `${choices(waiting)} from there on: until the files allow it again, or you choose something else.` })) : null,
    changed.length > 0 && !wrong ? h("details", { open: true }, h("summary", { text: "Since the last save" }), lines(changed),
      more > 0 ? h("p.quiet", { text: `and ${more} more` }) : null) : null,
    verdict ? h("details", {}, h("summary", { text: "The lab" }), h("pre", { text: verdict })) : null,
    model.step > 0 && model.table.host && model.seatInfo?.mine ? h("button.again", { type: "button", text: "Begin again", title: "Back to before the first choice, under the rules as they are now", onclick: () => beginAgain(table) }) : null,
  ] : [h("p.quiet", { text: `This club was started without following it: the game keeps the rules that were in force last. cupola serve --follow ${what} goes on.` })])
    .filter((part) => part !== null));
}

/** Back to before the first choice. @param {Table} table */
async function beginAgain({ model }) {
  try {
    await post(`/games/${model.id}/take-back`, { seat: model.seat, ply: model.ply, step: 0 });
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}
