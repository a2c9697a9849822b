// In what rules differ from the plain ones, in a designer's words.

import { h } from "../common/dom.js";

/** @typedef {{file: string, subject: string, field: string, was: string|null, to: string|null}} Told */

/** Values longer than this are folded. */
const LONG = 120;

/** @param {string} tag @param {string} quoted */
function value(tag, quoted) {
  const text = quoted.replace(/^"(.*)"$/s, "$1");
  if (text.length <= LONG) return h(tag, { text });
  return h("details", {}, h("summary", {}, h(tag, { text: `${text.slice(0, LONG - 20)} …` })), h(tag, { text }));
}

/** @param {Told} told */
function line(told) {
  const { was, to } = told;
  const what = [told.subject, told.field].filter(Boolean).join(": ");
  if (was !== null && to !== null) return h("li", {}, h("b", { text: what }), " ", value("del", was), " → ", value("ins", to));
  if (to !== null) return h("li", {}, h("b", { text: what }), " is new: ", value("ins", to));
  return h("li", {}, h("b", { text: what }), " is not there any more", was ? h("span", {}, ": ", value("del", was)) : null);
}

/**
 * By file.
 * @param {Told[]} told
 * @returns {HTMLElement}
 */
export function lines(told) {
  /** @type {Map<string, Told[]>} */
  const files = new Map();
  for (const one of told) files.set(one.file, [...(files.get(one.file) ?? []), one]);
  return h("div.differences", {}, ...[...files].map(([file, all]) => h("section", {}, h("h4", { text: file }), h("ul", {}, ...all.map(line)))));
}

/**
 * @param {Told[]} told
 * @returns {HTMLElement}
 */
export function differences(told) {
  if (told.length === 0) return h("p.quiet", { text: "Nothing: these are the rules as printed, with the book's rulings." });
  return lines(told);
}
