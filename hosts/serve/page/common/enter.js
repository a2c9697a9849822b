// Coming in: a secret link becomes a cookie and leaves the address bar.

import { get, post } from "./api.js";
import { h, tell } from "./dom.js";

/** @typedef {{id: string, name: string, keeper: boolean, webhook: string, email: string}} Me */

/**
 * Who I am; uses the secret in the address if there is one.
 * @returns {Promise<{me: Me|null, walkIn: boolean}>}
 */
export async function whoAmI() {
  const secret = /^#enter=([0-9a-f]{32})$/.exec(location.hash);
  if (secret) {
    history.replaceState(null, "", location.pathname);
    await post("/enter", { secret: secret[1] });
  }
  const { me, walk_in } = await get("/me");
  return { me, walkIn: walk_in };
}

/**
 * An invitation to a seat in the address, which it leaves.
 * @returns {{side: string, invitation: string}|null}
 */
export function invitation() {
  const found = /^#seat=([^=]+)=([0-9a-f]{32})$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname);
  return { side: decodeURIComponent(found[1]), invitation: found[2] };
}

/**
 * The door for somebody who is not known.
 * @param {boolean} walkIn whether a name is enough
 * @param {{game?: string, invitation?: string}} with_ what else he shows
 * @param {() => void} entered
 * @returns {HTMLElement}
 */
export function door(walkIn, with_, entered) {
  const wrong = h("p.quiet", { role: "alert" });
  if (!walkIn) {
    return h("div.door", {},
      h("h1", { text: "The club's table" }),
      h("p", { text: "Open the link that you were given. If you have none, ask the club's keeper for one." }));
  }
  const name = /** @type {HTMLInputElement} */ (h("input", { name: "name", required: true, maxlength: "80", autocomplete: "nickname", "aria-label": "Your name" }));
  const form = h("form.door", {
    /** @param {Event} event */
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { namesake } = await post("/enter", { name: name.value, ...with_ });
        entered();
        if (namesake) tell(`There is another ${name.value.trim()} in this club, with games of their own. If that is you, come in by your link.`);
      } catch (error) {
        wrong.textContent = /** @type {Error} */ (error).message;
      }
    },
  },
  h("h1", { text: "Who sits down?" }),
  h("p.quiet", { text: "Say a name; it is kept with your games, in this browser's cookie and the club's file." }),
  name, h("button.primary", { text: "Come in" }), wrong);
  setTimeout(() => name.focus(), 0);
  return form;
}
