// Setting up a game: every choice is explained.

import { post } from "../common/api.js";
import { h, tell } from "../common/dom.js";
import { opening, shortest, byLength } from "./opening.js";
import { Variants } from "./variants.js";

/**
 * @param {string} name
 * @param {{value: string, title: string, about?: string, small?: string, picture?: Node}[]} choices
 * @param {string} chosen
 * @param {() => void} [changed]
 */
function radios(name, choices, chosen, changed) {
  return choices.map(({ value, title, about, small, picture }) => h(picture ? "label.choice.pictured" : "label.choice", {},
    h("input", { type: "radio", name, value, checked: value === chosen, onchange: changed }),
    h("b", { text: title }), about ? h("small", { text: about }) : null, small ? h("small.fine", { text: small }) : null, picture));
}

/**
 * @param {any} catalogue
 * @param {string[]} wanted a ruleset, and a scenario of it, to begin with
 * @returns {HTMLElement}
 */
export function newGame(catalogue, wanted = []) {
  const form = /** @type {HTMLFormElement} */ (h("form.new", {}));
  const value = (/** @type {string} */ name) => String(new FormData(form).get(name) ?? "");
  const scenarios = h("div.choices.two");
  const variants = new Variants(() => ({ ruleset: value("ruleset"), scenario: value("scenario") }));
  const seats = h("div.choices.two");

  const fill = () => {
    const ruleset = catalogue.rulesets.find((/** @type {any} */ known) => known.name === value("ruleset"))
      ?? catalogue.rulesets[0];
    scenarios.replaceChildren(...radios("scenario", byLength(ruleset).map((/** @type {any} */ scenario) => ({
      value: scenario.name,
      title: scenario.title,
      about: lasts(scenario),
      picture: opening(ruleset.name, scenario.name),
    })), ruleset.scenarios.some((/** @type {any} */ known) => known.name === wanted[1]) ? wanted[1] : shortest(ruleset)));
    variants.offer(ruleset.variants);
    seats.replaceChildren(...ruleset.sides.map((/** @type {any} */ side, /** @type {number} */ index) => h("label.field", {},
      h("b", { text: side.name }),
      select(`seat${index}`, [
        ["me", "I play it"],
        ...catalogue.bots.map((/** @type {any} */ bot) => [bot.name, `${bot.title} bot`]),
        ["open", "Open: somebody else takes it"],
      ], index === 0 ? "me" : "steady"))));
    name();
  };
  const about = h("ul.quiet", {}, ...catalogue.bots.map((/** @type {any} */ bot) => h("li", { text: `${bot.title} bot: ${bot.about}` })));
  const summary = h("span", { id: "summary", role: "status" });
  // A battle has sides of its own.
  const name = () => {
    const ruleset = catalogue.rulesets.find((/** @type {any} */ known) => known.name === value("ruleset"));
    const scenario = ruleset?.scenarios.find((/** @type {any} */ known) => known.name === value("scenario"));
    const sides = scenario?.sides ?? ruleset?.sides ?? [];
    seats.querySelectorAll("label > b").forEach((label, index) => { label.textContent = sides[index]?.name ?? label.textContent; });
    const who = sides.map((/** @type {any} */ side, /** @type {number} */ index) => `${side.name}: ${said(value(`seat${index}`))}`);
    summary.textContent = [scenario?.title, ruleset?.title, ...who].filter(Boolean).join(" · ");
  };
  form.addEventListener("change", (event) => {
    name();
    // Another scenario may be of another battle.
    if (/** @type {HTMLInputElement} */ (event.target).name === "scenario") variants.tell();
  });

  form.append(
    h("h1", { text: "New game" }),
    h("fieldset", {}, h("legend", { text: "Rules" }), h("div.choices", {}, ...radios("ruleset",
      catalogue.rulesets.map((/** @type {any} */ ruleset) => ({
        value: ruleset.name, title: ruleset.title, about: ruleset.about, small: `Modelled on ${ruleset.modelled_on}`,
        picture: opening(ruleset.name, shortest(ruleset)),
      })),
      (catalogue.rulesets.find((/** @type {any} */ known) => known.name === wanted[0]) ?? catalogue.rulesets[0])?.name, fill))),
    h("fieldset", {}, h("legend", { text: "Scenario" }), scenarios),
    variants.root,
    h("fieldset", {}, h("legend", { text: "Who plays" }), seats, about,
      h("p.quiet", { text: "Take both seats to play against yourself or with a friend at this screen: it is covered at every hand-over." })),
    h("fieldset", {}, h("legend", { text: "At the table" }), h("div.choices.two", {},
      check("odds", "Show odds", "Exact chances before a fight is chosen, for everybody.", true),
      check("reach", "Light up what can be chosen", "With what it costs, for everybody.", true),
      check("sight", "Show sight and command", "Who sees whom and how far leaders command, by the rules, for everybody.", true),
      check("typed", "We roll our own dice", "Whoever chooses types in how they fell; the journal says so. Bots and what is drawn blindly keep the club's.", false),
      check("watched", "The club may watch", "Others of the club may look on, with fog, and take open seats.", true)),
      h("label.field", {}, "Pace", select("days", [["", "Any pace"], ["1", "One day a turn"], ["3", "Three days a turn"], ["7", "A week a turn"]], ""))),
    h("label.field", {}, "Name of the game, if you like", h("input", { name: "title", maxlength: "80" })),
    h("div.row.ready", {}, h("button.primary", { text: "Set it up" }), summary));
  fill();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("button.primary"));
    button.disabled = true;
    button.textContent = "One moment …";
    try {
      const made = await post("/games", {
        title: value("title"),
        ruleset: value("ruleset"),
        scenario: value("scenario"),
        variants: variants.chosen,
        seats: [value("seat0"), value("seat1")],
        aids: { odds: value("odds") === "on", reach: value("reach") === "on", sight: value("sight") === "on" },
        watched: value("watched") === "on",
        days: Number(value("days")) || null,
        drawn: true,
        typed: value("typed") === "on",
      });
      location.href = `/t/${made.id}`;
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
      button.disabled = false;
      button.textContent = "Set it up";
    }
  });
  return form;
}

/** Who has a seat, in a word. @param {string} seat */
function said(seat) {
  return seat === "me" ? "you" : seat === "open" ? "open" : `${seat} bot`;
}

/** How long a scenario lasts, in words. @param {any} scenario */
function lasts({ turns }) {
  if (!turns) return "";
  return turns.count === 1 ? `1 turn, ${turns.from}` : `${turns.count} turns, ${turns.from} to ${turns.to}`;
}

/**
 * @param {string} name
 * @param {string[][]} options
 * @param {string} chosen
 */
function select(name, options, chosen) {
  return h("select", { name }, ...options.map(([value, text]) => h("option", { value, text, selected: value === chosen })));
}

/**
 * @param {string} name
 * @param {string} title
 * @param {string} about
 * @param {boolean} checked
 */
function check(name, title, about, checked) {
  return h("label.choice", {}, h("input", { type: "checkbox", name, checked }), h("b", { text: title }), h("small", { text: about }));
}
