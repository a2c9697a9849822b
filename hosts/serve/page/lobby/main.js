// The lobby: my games, open ones, those to watch, finished ones, and setting up a new one.

import { get } from "../common/api.js";
import { door, whoAmI } from "../common/enter.js";
import { byId, h, tell } from "../common/dom.js";
import { applyTheme, toggleTheme } from "../common/theme.js";
import { bookPage } from "./book.js";
import { labPage } from "./lab.js";
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
    if (location.hash === "#new") show(newGame(await get("/catalogue")));
    else if (location.hash === "#lab") show(await labPage(me));
    else if (location.hash === "#people") show(await peoplePage(me));
    else if (location.hash.startsWith("#book/")) show(await bookPage(location.hash.slice(6)));
    else if (location.hash === "#me") show(profile(me, start));
    else show(...gameList((await get("/games")).games, await get("/catalogue")));
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

// The list is looked at anew when somebody comes back to it, and now and then.
setInterval(() => {
  if (!document.hidden && location.hash === "" && byId("nav").childElementCount > 0) {
    const here = went;
    Promise.all([get("/games"), get("/catalogue")])
      .then(([{ games }, catalogue]) => { if (here === went) page(...gameList(games, catalogue)); })
      .catch(() => {});
  }
}, 15000);

start();
