// What one does when a game is over: look at it again, take it home, play again.

import { post } from "../common/api.js";
import { h, tell } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */

/**
 * @param {Model} model
 * @returns {HTMLElement}
 */
export function afterwards(model) {
  const played = model.table.seats.some((seat) => seat.mine);
  return h("div.buttons", {},
    played ? h("button.primary", {
      type: "button", text: model.table.rematch ? "To the next game" : "Play again, sides changed",
      onclick: async () => {
        try {
          const { id } = await post(`/games/${model.id}/rematch`, {});
          location.href = `/t/${id}`;
        } catch (error) {
          tell(/** @type {Error} */ (error).message, true);
        }
      },
    }) : null,
    h("a.button", { href: `/api/games/${model.id}/journal`, text: "Take the journal" }),
    h("a.button", { href: "/", text: "To the lobby" }));
}
