// What people say at the table, and notes for oneself.

import { get, post } from "../common/api.js";
import { ago, h, tell } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */

/**
 * @param {Model} model
 * @returns {HTMLElement}
 */
export function talkPanel(model) {
  const lines = h("div.chat", {});
  const input = /** @type {HTMLInputElement} */ (h("input", { maxlength: "2000", placeholder: "Say something", "aria-label": "What to say" }));
  const sides = model.table.seats.filter((seat) => seat.mine);
  const to = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "To whom" },
    h("option", { value: "", text: "to everybody" }),
    ...sides.map((seat) => h("option", { value: seat.side, text: `to the ${seat.name} only` })),
    h("option", { value: "me", text: "a note to myself" })));
  const load = async () => {
    try {
      const { said } = await get(`/games/${model.id}/notes`);
      lines.replaceChildren(...said.map((/** @type {any} */ line) => h("div.said", {},
        h("b", { text: line.private ? "Note to yourself" : line.who ?? "somebody" }),
        h("small.quiet", { text: `${line.side ? ` to the ${model.sideLook(line.side).name}` : ""} ${ago(line.at)}` }), h("div", { text: line.text }))));
      if (said.length === 0) lines.append(h("p.quiet", { text: "Nobody has said anything." }));
      lines.parentElement?.parentElement?.scrollTo(0, 1e6);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  };
  const form = h("form", {
    /** @param {Event} event */
    onsubmit: async (event) => {
      event.preventDefault();
      if (!input.value.trim()) return;
      try {
        await post(`/games/${model.id}/notes`, { text: input.value, private: to.value === "me", side: to.value && to.value !== "me" ? to.value : null });
        input.value = "";
        await load();
      } catch (error) {
        tell(/** @type {Error} */ (error).message, true);
      }
    },
  }, to, input, h("button.primary", { text: "Say" }));
  load();
  return h("div.chat", {}, lines, form);
}
