// A hand in the seed: 32 random bytes of this browser's, drawn after the club has pledged its own. They are kept here,
// so that when the game is over anybody can see that they were used.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */

/** @param {string} game @param {string} side */
const key = (game, side) => `cupola-share/${game}/${side}`;

/** Draws for every seat of mine that has not yet. @param {Model} model */
export async function addShares(model) {
  const mine = model.table.draw?.mine ?? [];
  for (const side of mine) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const share = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const house = model.table.draw?.pledges.find(([who]) => who === "house")?.[1] ?? "";
    localStorage.setItem(key(model.id, side), JSON.stringify({ share, house }));
    // Whoever was faster in another tab has drawn for this seat.
    await post(`/games/${model.id}/share`, { side, share }).catch(() => localStorage.removeItem(key(model.id, side)));
  }
  if (mine.length > 0) await model.open(model.seat);
}

/** @param {string} text */
async function sha256(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The lines of a block of a journal. @param {string[]} lines @param {string} name */
function block(lines, name) {
  const at = lines.findIndex((line) => new RegExp(`^${name} \\d+$`).test(line));
  return at < 0 ? [] : lines.slice(at + 1, at + 1 + Number(lines[at].split(" ")[1])).map((line) => line.split(" "));
}

/** Checks pledges, shares and seed of a game that is over, as anybody can. @param {Model} model */
async function verified(model) {
  const text = await fetch(`/api/games/${model.id}/journal`).then((answer) => answer.text());
  const lines = text.split("\n");
  const pledges = new Map(block(lines, "pledges").map(([who, pledge]) => [who, pledge]));
  const shares = block(lines, "shares");
  for (const [who, share] of shares) {
    if (await sha256(`cupola pledge 1\n${who}\n${share}\n`) !== pledges.get(who)) return `The share of ${who} is not what was pledged.`;
    const own = JSON.parse(localStorage.getItem(key(model.id, who)) ?? "null");
    if (own && own.share !== share) return `The share of ${who} is not the one that this browser drew.`;
    if (own && own.house !== pledges.get("house")) return "The club's pledge is not the one that was shown at the start.";
  }
  const seed = (await sha256(`cupola seed 1\n${shares.map((pair) => `${pair.join(" ")}\n`).join("")}`)).slice(0, 32);
  const used = /^seed (\S+)$/m.exec(text)?.[1].padStart(32, "0");
  return seed === used ? "Checked here: every share is what was pledged, and the seed follows from them." : "The seed does not follow from the shares.";
}

/** What is shown of it. @param {Model} model */
export function sharesPart(model) {
  const draw = model.table.draw;
  if (!draw) return [];
  const name = (/** @type {string} */ who) => (who === "house" ? "the club" : model.sideLook(who).name);
  const result = h("p.quiet", { text: model.table.over ? "…" : "The seed of the dice follows from what each of these drew. What they drew is shown when the game is over." });
  if (model.table.over) {
    const told = crypto.subtle ? verified(model) : Promise.resolve("Take the journal; `cupola replay --verify` checks pledges and seed.");
    told.then((text) => { result.textContent = text; }, () => { result.textContent = "The journal could not be read."; });
  }
  return [h("h3", { text: "A hand in the dice" }),
    h("table.pledges", {}, ...draw.pledges.map(([who, pledge]) => h("tr", {}, h("td", { text: name(who) }), h("td", {}, h("code", { text: pledge, title: "pledge: the SHA-256 of what was drawn" }))))),
    result];
}
