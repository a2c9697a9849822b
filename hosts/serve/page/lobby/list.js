// The games of the club.

import { ago, h, left, tell } from "../common/dom.js";
import { firstGame, welcome } from "./welcome.js";

/**
 * @typedef {{who: string, open: boolean, bot: boolean, mine: boolean, leads: boolean}} SeatCard
 * @typedef {{id: string, title: string, ruleset: string, scenario: string, variant: string|null, seats: SeatCard[],
 *   turn: string, verdict: string, asked: number|null, my_turn: boolean, moved: number, paused: boolean, follows: boolean, due: number|null}} GameCard
 */

/** @typedef {import("./games.js").Part} Part */

/**
 * @param {import("./games.js").Games} all
 * @param {any} catalogue
 * @param {() => void} changed more games are to be shown
 * @returns {Node[]}
 */
export function gameList(all, catalogue, changed) {
  const games = all.all;
  const mine = games.filter((game) => !game.verdict && game.seats.some((seat) => seat.mine));
  const others = games.filter((game) => !mine.includes(game));
  const open = others.filter((game) => !game.verdict && game.seats.some((seat) => seat.open));
  const running = others.filter((game) => !game.verdict && !open.includes(game));
  const over = others.filter((game) => game.verdict);
  mine.sort((a, b) => Number(b.my_turn) - Number(a.my_turn) || b.moved - a.moved);
  if (games.length === 0 && !all.mine) {
    return [...welcome(catalogue), journalIn()];
  }
  /** @param {string} title @param {Part} part @param {GameCard[]} those @param {Node} [besides] */
  const pages = (title, part, those, besides) => section(title, those, catalogue, besides ? "none" : "", besides, more(all, part, title, changed));
  // Whoever is new to a club in which others play finds the way in as well.
  const isNew = mine.length === 0 && !over.some((game) => game.seats.some((seat) => seat.mine));
  return [
    section("My games", mine, catalogue, "You sit at no table."),
    isNew ? firstGame(catalogue) : null,
    pages("Open seats", "open", open),
    pages("Others play", "running", running),
    over.length > 0 || all.mine ? pages("Finished", "over", over, onlyMine(all, changed)) : null,
    journalIn(),
  ].filter((part) => part !== null);
}

/**
 * A button for one more page, if there is one.
 * @param {import("./games.js").Games} all
 * @param {Part} part
 * @param {string} title
 * @param {() => void} changed
 */
function more(all, part, title, changed) {
  if (all.next(part) === null) return undefined;
  const button = /** @type {HTMLButtonElement} */ (h("button.more", {
    id: `more-${part}`, type: "button", text: "More games", "aria-label": `More games: ${title}`,
    onclick: async () => {
      button.disabled = true;
      try {
        await all.load(part);
        changed();
      } catch (error) {
        button.disabled = false;
        tell(/** @type {Error} */ (error).message, true);
      }
    },
  }));
  return button;
}

/** Whether all finished games are shown. @param {import("./games.js").Games} all @param {() => void} changed */
function onlyMine(all, changed) {
  const box = /** @type {HTMLInputElement} */ (h("input", {
    id: "only-mine", type: "checkbox", checked: all.mine,
    onchange: () => all.onlyMine(box.checked).then(changed, (error) => tell(error.message, true)),
  }));
  return h("label.only", {}, box, " only mine");
}

/** A journal from elsewhere becomes a game here. */
function journalIn() {
  const file = /** @type {HTMLInputElement} */ (h("input", {
    type: "file", accept: ".cupola,text/plain", "aria-label": "A journal",
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      try {
        const answer = await fetch("/api/journals", { method: "POST", body: await chosen.text(), headers: { "content-type": "text/plain" } });
        const made = await answer.json().catch(() => ({}));
        if (answer.ok) location.href = `/t/${made.id}`;
        else tell(made.error ?? (answer.status === 413 ? "That is too long for a journal." : "The club does not answer as it should."), true);
      } catch {
        tell("The club cannot be reached.", true);
      }
      // The same file may be tried again.
      file.value = "";
    },
  }));
  return h("section.section", {}, h("details", {}, h("summary", { text: "Bring a journal" }),
    h("p.quiet", { text: "A game that was played elsewhere is checked step by step; then it can be replayed here, or played on." }), file));
}

/**
 * @param {string} title
 * @param {GameCard[]} games
 * @param {any} catalogue
 * @param {string} none
 * @param {Node} [besides]
 * @param {HTMLElement} [further]
 */
function section(title, games, catalogue, none, besides, further) {
  if (games.length === 0 && !none && !further) return null;
  const count = games.length > 0 ? `${games.length}${further ? " of more" : ""}` : none;
  return h("section.section", {},
    h("header", {}, h("h2", { text: title }), h("span.quiet", { text: count }), besides ?? null),
    h("div.games", {}, ...games.map((game) => card(game, catalogue))),
    further ?? null);
}

/**
 * @param {GameCard} game
 * @param {any} catalogue
 */
function card(game, catalogue) {
  const ruleset = catalogue.rulesets.find((/** @type {any} */ known) => known.name === game.ruleset);
  const scenario = ruleset?.scenarios.find((/** @type {any} */ known) => known.name === game.scenario);
  const sides = scenario?.sides ?? ruleset?.sides;
  const variants = (game.variant?.split("+") ?? []).map((name) => ruleset?.variants.find((/** @type {any} */ known) => known.name === name)?.title ?? name);
  const state = game.verdict
    ? h("b", { text: game.verdict })
    : game.my_turn ? h("span.flag", { text: "▶ Your turn" })
      : h("span.quiet", { text: game.paused ? "paused" : waiting(game, sides) });
  return h(game.my_turn ? "a.game.mine" : "a.game", { href: `/t/${game.id}` },
    h("h3", { text: game.title || scenario?.title || game.scenario }),
    h("div.quiet", { text: [...(game.title ? [scenario?.title ?? game.scenario] : []), ruleset?.title ?? game.ruleset, ...variants, ...(game.follows ? ["a prototype that follows files"] : [])].join(" · ") }),
    ...game.seats.map((seat, side) => h("div.seatrow", {},
      h("span.quiet", { text: `${sides?.[side].name ?? ""}:` }),
      h(seat.mine ? "b" : "bdi", { text: seat.leads ? `${seat.who} (you)` : seat.mine ? `${seat.who} and you` : seat.who }))),
    h("div.line", {}, state, h("span.turn", { text: `${game.turn} · ${ago(game.moved)}` })),
    game.due && !game.verdict ? h("div.line", {}, due(game.due)) : null);
}

/** How long a player may take yet. @param {number} when */
function due(when) {
  return h(when * 1000 < Date.now() ? "span.flag" : "span.quiet", { text: left(when) });
}

/**
 * @param {GameCard} game
 * @param {{name: string}[]} [sides]
 */
function waiting(game, sides) {
  if (game.asked === null) return "";
  return `waits for ${game.seats[game.asked].open ? "somebody" : sides?.[game.asked].name ?? "the other side"}`;
}
