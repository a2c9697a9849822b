// The lobby: my games, open ones, those to watch, finished ones, and setting up a new one.

import { get } from "../common/api.js";
import { door, whoAmI } from "../common/enter.js";
import { byId, h, tell } from "../common/dom.js";
import { applyTheme, toggleTheme } from "../common/theme.js";
import { bookPage } from "./book.js";
import { labPage } from "./lab.js";
import { Games } from "./games.js";
import { gameList } from "./list.js";
import { newGame } from "./newgame.js";
import { profile, peoplePage } from "./people.js";

applyTheme();
const main = byId("main");

/** @param {...Node} content */
function page(...content) {
  main.replaceChildren(...content);
}

async function start() {
  let found;
  try {
    found = await whoAmI();
  } catch (error) {
    page(door(false, {}, start));
    tell(/** @type {Error} */ (error).message, true);
    return;
  }
  const { me, walkIn } = found;
  if (!me) {
    page(door(walkIn, {}, start));
    return;
  }
  byId("nav").replaceChildren(
    h("a.button", { href: "#", text: "Games" }),
    h("a.button.primary", { href: "#new", text: "New game" }),
    h("a.button", { href: "#book/SUMMARY.md", text: "Book" }),
    h("a.button", { href: "#lab", text: "Lab" }),
    h("a.button", { href: "#people", text: "People" }),
    h("a.button", { href: "#me", text: me.name }),
    h("button", { type: "button", title: "Light or dark", "aria-label": "Light or dark", text: "◐", onclick: toggleTheme }));
  onhashchange = () => route(me);
  await route(me);
}

/** How often somebody went somewhere: what was asked for on the way to another page comes too late. */
let went = 0;

/** @param {import("../common/enter.js").Me} me */
async function route(me) {
  went += 1;
  const here = went;
  /** @param {...Node} content */
  const show = (...content) => { if (here === went) page(...content); };
  try {
    if (/^#new(\/|$)/.test(location.hash)) show(newGame(await get("/catalogue"), location.hash.split("/").slice(1)));
    else if (location.hash === "#lab") show(await labPage(me));
    else if (location.hash === "#people") show(await peoplePage(me));
    else if (location.hash.startsWith("#book/")) show(await bookPage(location.hash.slice(6)));
    else if (location.hash === "#me") show(profile(me, start));
    else await gamesPage(here);
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

/** What was asked for of the games stays when somebody comes back to them. */
const games = new Games();

/** @type {any} what can be played, with the names of things */
let catalogue = null;

/** @param {number} here */
async function gamesPage(here) {
  [catalogue] = await Promise.all([get("/catalogue"), games.refresh()]);
  showGames(here);
}

/** @param {number} here */
function showGames(here) {
  if (here !== went) return;
  const waiting = games.all.filter((game) => game.my_turn && !game.verdict).length;
  document.title = waiting > 0 ? `▶ ${waiting} · Cupola` : "Cupola";
  const focus = document.activeElement;
  const [id, href] = [focus?.id, focus?.getAttribute("href")];
  page(...gameList(games, catalogue, () => showGames(here)));
  // Whoever goes through the list by keyboard is still where he was.
  const again = id ? document.getElementById(id) : href ? main.querySelector(`a[href="${CSS.escape(href)}"]`) : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/** Looks at the list anew; nothing moves if nothing has changed. */
function again() {
  if (location.hash !== "" || byId("nav").childElementCount === 0) return;
  const here = went;
  games.refresh().then((changed) => { if (changed) showGames(here); }, () => {});
}

// When somebody comes back to it, and now and then; more seldom behind other tabs, where its title tells whose turn it is.
let ticks = 0;
setInterval(() => {
  ticks += 1;
  if (!document.hidden || ticks % 4 === 0) again();
}, 15000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
addEventListener("pageshow", (event) => { if (event.persisted) again(); });

start();
