// The lobby: my games, open ones, those to watch, finished ones, and setting up a new one.

import { get } from "../common/api.js";
import { door, whoAmI } from "../common/enter.js";
import { byId, h, tell } from "../common/dom.js";
import { applyTheme, toggleTheme } from "../common/theme.js";
import { bookPage } from "./book.js";
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
    h("a.button", { href: "#people", text: "People" }),
    h("a.button", { href: "#me", text: me.name }),
    h("button", { type: "button", title: "Light or dark", "aria-label": "Light or dark", text: "◐", onclick: toggleTheme }));
  await route(me);
  onhashchange = () => route(me);
}

/** @param {import("../common/enter.js").Me} me */
async function route(me) {
  try {
    if (location.hash === "#new") page(newGame(await get("/catalogue")));
    else if (location.hash === "#people") page(await peoplePage(me));
    else if (location.hash.startsWith("#book/")) page(await bookPage(location.hash.slice(6)));
    else if (location.hash === "#me") page(profile(me, start));
    else page(...gameList((await get("/games")).games, await get("/catalogue")));
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

// The list is looked at anew when somebody comes back to it, and now and then.
setInterval(() => {
  if (!document.hidden && location.hash === "" && byId("nav").childElementCount > 0) {
    Promise.all([get("/games"), get("/catalogue")])
      .then(([{ games }, catalogue]) => page(...gameList(games, catalogue)))
      .catch(() => {});
  }
}, 15000);

start();
