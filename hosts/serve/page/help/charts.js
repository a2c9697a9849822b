// What lies beside the map: the tables that the game reads, and what its cards, chits, entries and words mean.

import { h, show } from "../common/dom.js";

/** @typedef {import("../state/types.js").Look} Look */
/** @typedef {import("../state/types.js").Chart} Chart */
/** @typedef {import("../state/types.js").Term} Term */
/** @typedef {(rule: string) => HTMLElement} Cite */

/** What kinds of terms are called over a list of them. @type {Record<string, string>} */
const KINDS = { card: "Cards", chit: "Chits", entry: "Entries", result: "Results", word: "Words" };

/** What was searched for last; a panel that is drawn anew keeps it. */
let wanted = "";

/**
 * Everything, with a field to search it.
 * @param {Look} look
 * @param {Cite} cite
 * @param {(hex: string) => void} go shows a hex
 * @returns {HTMLElement}
 */
export function chartsPanel(look, cite, go) {
  const list = h("div", {});
  const fill = () => list.replaceChildren(...found(look, wanted, cite, go));
  const search = h("input.filter", {
    type: "search", value: wanted, placeholder: "Search tables, cards, entries …", "aria-label": "Search tables, cards and entries",
    oninput: (/** @type {Event} */ event) => { wanted = /** @type {HTMLInputElement} */ (event.target).value; fill(); },
  });
  fill();
  return h("div.charts", {}, search, list);
}

/** @param {Look} look @param {string} text @param {Cite} cite @param {(hex: string) => void} go */
function found(look, text, cite, go) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (/** @type {string[]} */ parts) => words.every((word) => parts.join(" ").toLowerCase().includes(word));
  const charts = look.charts.filter((chart) => fits([chart.title, chart.rule, ...chart.head, ...chart.rows.flat()]));
  const terms = look.terms.filter((term) => fits([term.name, term.kind, KINDS[term.kind] ?? "", term.text]));
  const parts = charts.map((chart) => h("details", { open: words.length > 0 || charts.length < 3 },
    h("summary", {}, h("b", { text: chart.title })), chart.rule ? h("div", {}, cite(section(chart.rule))) : null, chartTable(chart)));
  for (const kind of new Set(terms.map((term) => term.kind))) {
    const own = terms.filter((term) => term.kind === kind);
    parts.push(h("details", { open: words.length > 0 }, h("summary", {}, h("b", { text: KINDS[kind] ?? kind }), ` (${own.length})`),
      h("dl", {}, ...own.flatMap((term) => [h("dt", { text: term.name }), h("dd", {}, ...meaning(term, look, cite, go))]))));
  }
  if (parts.length === 0) parts.push(h("p.quiet", { text: text ? "Nothing has that in it." : "This ruleset brings no tables." }));
  return parts;
}

/** @param {string} rule as charts have it, without the sign */
function section(rule) {
  return rule ? `§${rule.replace(/^§/, "")}` : "";
}

/** @param {Chart} chart */
export function chartTable(chart) {
  return h("div.chart", {}, h("table", {},
    h("tr", {}, ...chart.head.map((text) => h("th", { text }))),
    ...chart.rows.map((row) => h("tr", {}, ...row.map((text, column) => h(column === 0 ? "th" : "td", { text, ...(column === 0 ? { scope: "row" } : {}) }))))),
  chart.note ? h("p.quiet", { text: chart.note }) : null);
}

/** What a term means; a hex that it names can be gone to. @param {Term} term @param {Look} look @param {Cite} cite @param {(hex: string) => void} go */
function meaning(term, look, cite, go) {
  const hex = /\bat (\S+)$/.exec(term.text)?.[1];
  const known = hex && term.kind === "entry" && look.map.labels.includes(hex);
  const text = known ? term.text.slice(0, -hex.length) : term.text;
  return [text, known ? h("button.cite", { type: "button", text: hex, title: "Show it on the map", onclick: () => go(hex) }) : " ", " ", cite(section(term.rule))];
}

/**
 * A thing by its name, to be opened if the ruleset explains it.
 * @param {Look} look
 * @param {string} name as it is held: perhaps with more words behind it
 * @param {Cite} cite
 * @returns {Node}
 */
export function named(look, name, cite) {
  const term = termOf(look, name);
  if (!term) return document.createTextNode(name);
  return h("button.cite", {
    type: "button", text: name, title: term.text,
    onclick: () => show(term.name, h("p.serif", { text: term.text }), h("p", {}, cite(section(term.rule)))),
  });
}

/** Kinds of terms that are things, rather than words that any sentence may have in it. */
const THINGS = ["card", "chit"];

/**
 * What the card or chit says that an option plays.
 * @param {Look} look
 * @param {{text: string, touch: string[]}} option
 * @param {Cite} cite
 * @returns {HTMLElement|null}
 */
export function played(look, option, cite) {
  const tokens = option.touch.filter((touch) => touch[0] === "t").map((touch) => termOf(look, touch.slice(1)));
  const term = tokens.find((found) => found !== null)
    ?? look.terms.filter((known) => THINGS.includes(known.kind) && option.text.includes(known.name)).sort((a, b) => b.name.length - a.name.length)[0];
  return term ? h("div.odds", {}, h("h4", {}, term.name, " ", cite(section(term.rule))), h("div.serif", { text: term.text })) : null;
}

/** The term that a name begins with; the longest counts. @param {Look} look @param {string} name */
export function termOf(look, name) {
  const lower = name.toLowerCase();
  const fits = look.terms.filter((term) => lower === term.name.toLowerCase()
    || (lower.startsWith(term.name.toLowerCase()) && /\W/.test(lower[term.name.length])));
  return fits.sort((a, b) => b.name.length - a.name.length)[0] ?? null;
}
