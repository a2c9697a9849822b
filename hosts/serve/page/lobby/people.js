// People: whom the keeper invites, and what one may change about oneself.

import { get, post } from "../common/api.js";
import { h, tell } from "../common/dom.js";
import { linkToGive } from "../common/link.js";

/**
 * @param {import("../common/enter.js").Me} me
 * @returns {Promise<HTMLElement>}
 */
export async function peoplePage(me) {
  const { people } = await get("/people");
  const page = h("section", {}, h("h1", { text: "People of the club" }));
  const out = h("div", { role: "status" });
  const rows = people.map((/** @type {any} */ person) => h("tr", {},
    h("td", {}, h("bdi", { text: person.name }), person.keeper ? " · keeper" : "", person.retired ? " · retired" : ""),
    h("td", {}, ...(me.keeper && !person.retired && person.id !== me.id ? [
      h("button", { type: "button", text: "New link", title: "For somebody who has lost his", onclick: () => oneMore(`/people/${person.id}/link`, out) }), " ",
      h("button", {
        type: "button", text: "Retire the link",
        onclick: async () => {
          if (!confirm(`No link of ${person.name} will work any longer.`)) return;
          try {
            await post(`/people/${person.id}/retire`, {});
            page.replaceWith(await peoplePage(me));
          } catch (error) {
            tell(/** @type {Error} */ (error).message, true);
          }
        },
      })] : []))));
  page.append(h("table.people", {}, ...rows), out);
  if (me.keeper) page.append(inviteForm());
  return page;
}

/** One more link for somebody who is known. @param {string} path @param {HTMLElement} out where it is shown */
async function oneMore(path, out) {
  try {
    const { name, link } = await post(path, {});
    out.replaceChildren(h("p", { text: `Whoever opens this link is ${name}. It works once, and is shown this once.` }), ...linkToGive(link));
    out.scrollIntoView({ block: "nearest" });
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

function inviteForm() {
  const name = /** @type {HTMLInputElement} */ (h("input", { required: true, maxlength: "80", "aria-label": "Name" }));
  const out = h("div", {});
  return h("form", {
    /** @param {Event} event */
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        const made = await post("/people", { name: name.value });
        out.replaceChildren(
          h("p", { text: `This is ${made.name}'s link. It is shown this once; whoever has it is ${made.name}.` }),
          ...linkToGive(made.link));
        name.value = "";
      } catch (error) {
        tell(/** @type {Error} */ (error).message, true);
      }
    },
  }, h("h2", { text: "Invite somebody" }), h("div.row", {}, name, h("button.primary", { text: "Make a link" })), out);
}

/**
 * @param {import("../common/enter.js").Me} me
 * @param {() => void} changed
 * @returns {HTMLElement}
 */
export function profile(me, changed) {
  const name = /** @type {HTMLInputElement} */ (h("input", { name: "name", value: me.name, required: true, maxlength: "80" }));
  const webhook = /** @type {HTMLInputElement} */ (h("input", { name: "webhook", value: me.webhook, placeholder: "https://…" }));
  const email = /** @type {HTMLInputElement} */ (h("input", { name: "email", type: "email", value: me.email }));
  const keep = () => post("/me", { name: name.value, webhook: webhook.value, email: email.value });
  const came = h("p.quiet", { role: "status" });
  const device = h("div", { role: "status" });
  const tryOut = /** @type {HTMLButtonElement} */ (h("button", {
    type: "button", text: "Keep, and send a notice to try",
    onclick: async () => {
      tryOut.disabled = true;
      came.textContent = "One moment …";
      try {
        await keep();
        came.textContent = (await post("/me/try", {})).told.join(" ");
      } catch (error) {
        came.textContent = /** @type {Error} */ (error).message;
      }
      tryOut.disabled = false;
    },
  }));
  return h("form.door", {
    /** @param {Event} event */
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        await keep();
        tell("Kept.");
        location.hash = "";
        changed();
      } catch (error) {
        tell(/** @type {Error} */ (error).message, true);
      }
    },
  },
  h("h1", { text: "You" }),
  h("label.field", {}, "Name", name),
  h("label.field", {}, "Webhook for turn notices", webhook, h("small.quiet", { text: "An address that takes what chat services take: a POST with a JSON text." })),
  h("label.field", {}, "E-mail for turn notices", email, h("small.quiet", { text: "Works if the club's keeper has set up a way to send them." })),
  came,
  h("div.row", {}, h("button.primary", { text: "Keep" }), tryOut, h("button", {
    type: "button", text: "Leave on this browser",
    onclick: async () => {
      if (!confirm("Without a link you cannot come back as yourself. Leave all the same?")) return;
      await post("/leave", {});
      location.href = "/";
    },
  })),
  h("div.row", {}, h("button", { type: "button", text: "A link for another device", onclick: () => oneMore("/me/link", device) })), device);
}
