// Citations open the book's chapter at the section.

import { h, show, tell } from "../common/dom.js";
import { markdown } from "./markdown.js";

/** @typedef {import("../state/types.js").Look} Look */

/** @type {Map<string, Promise<string>>} */
const kept = new Map();

/** @param {string} path of a page of the book */
export function page(path) {
  let asked = kept.get(path);
  if (!asked) {
    asked = fetch(`/book/${path}`).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error("The book has no such page."))));
    kept.set(path, asked);
  }
  return asked;
}

/**
 * A citation that can be opened.
 * @param {() => Look} look
 * @returns {(rule: string) => HTMLElement}
 */
export function citer(look) {
  return (rule) => {
    if (!rule || rule === "§") return h("span");
    return h("button.cite", { type: "button", text: rule, title: `Open the rules at ${rule}`, onclick: () => openRule(look(), rule) });
  };
}

/**
 * @param {Look} look
 * @param {string} rule
 */
export async function openRule(look, rule) {
  try {
    const section = rule.replace(/^§/, "");
    const parts = [];
    if (look.sections) parts.push(...lines(await page(look.sections), section));
    if (look.chapter) parts.push(markdown(await page(look.chapter), section, look.chapter.replace(/[^/]*$/, "")));
    if (parts.length === 0) parts.push(h("p", { text: "This ruleset brings no chapter." }));
    show(`${look.title}: ${rule || "rules"}`, ...parts);
    document.querySelector("#dialog .found")?.scrollIntoView({ block: "center" });
  } catch (error) {
    tell(/** @type {Error} */ (error).message, true);
  }
}

/** The lines of the table of sections that are about one. @param {string} text @param {string} section */
function lines(text, section) {
  const rows = text.split("\n").filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const wanted = [section, ...section.split(/[.-]/).map((_, i, all) => all.slice(0, all.length - i - 1).join(".")).filter(Boolean)];
  const found = wanted.map((name) => rows.find((row) => row[0] === name)).filter((row) => row !== undefined);
  return found.length === 0 ? [] : [h("p", {}, ...found.reverse().flatMap((row) => [h("b", { text: `§${row[0]} ` }), row[1], h("br")]))];
}
