// As much of Markdown as the book's chapters use.

import { h } from "../common/dom.js";

/**
 * Where a link of a page of the book leads.
 * @param {string} target
 * @param {string} base the page's folder
 */
function resolve(target, base) {
  return new URL(target, `http://book/${base}`).pathname.slice(1);
}

/**
 * @param {string} text
 * @param {string} base the folder of the page, for its links and pictures
 * @returns {(Node|string)[]}
 */
function inline(text, base) {
  /** @type {(Node|string)[]} */
  const out = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|!\[([^\]]*)\]\(([^)]+)\)|\[([^\]]+)\]\(([^)]+)\)/g;
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    out.push(text.slice(last, found.index));
    if (found[1] !== undefined) out.push(h("code", { text: found[1] }));
    else if (found[2] !== undefined) out.push(h("b", { text: found[2] }));
    else if (found[3] !== undefined) out.push(h("i", { text: found[3] }));
    else if (found[4] !== undefined) out.push(h("img", { src: `/book/${resolve(found[5], base)}`, alt: found[4] }));
    else if (/\.md(#.*)?$/.test(found[7])) out.push(h("a", { href: `/#book/${resolve(found[7].replace(/#.*/, ""), base)}`, text: found[6] }));
    else if (/^https?:/.test(found[7])) out.push(h("a", { href: found[7], target: "_blank", rel: "noopener", text: found[6] }));
    else out.push(found[6]);
    last = (found.index ?? 0) + found[0].length;
  }
  out.push(text.slice(last));
  return out.filter((part) => part !== "");
}

/**
 * A chapter as elements; what cites the section is marked.
 * @param {string} source
 * @param {string} section
 * @param {string} [base] the folder of the page
 * @returns {HTMLElement}
 */
export function markdown(source, section, base = "") {
  const root = h("div.reader");
  const cited = section ? new RegExp(`§${section.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\d.]*\\d)`) : null;
  const mark = (/** @type {HTMLElement} */ element, /** @type {string} */ text) => {
    if (cited?.test(text)) element.classList.add("found");
    return element;
  };
  for (const block of source.replace(/```[\s\S]*?```/g, (code) => code.replaceAll("\n\n", "\n \n")).split(/\n{2,}/)) {
    let text = block.trim();
    const head = /^(#{1,4}) (.*)\n?/.exec(text);
    if (head) {
      root.append(mark(h(`h${Math.min(4, head[1].length + 1)}`, {}, ...inline(head[2], base)), head[2]));
      text = text.slice(head[0].length);
    }
    if (!text) continue;
    if (text.startsWith("```")) root.append(h("pre", { tabindex: "0", text: text.replace(/^```.*\n|```$/g, "") }));
    else if (text.startsWith("|")) root.append(tableOf(text, mark, base));
    else if (ITEM.test(text)) root.append(listOf(text, mark, base));
    else root.append(mark(h("p", {}, ...inline(text.replace(/\n/g, " "), base)), text));
  }
  return root;
}

/** How an item of a list begins. */
const ITEM = /^([-*]|\d+\.) /;

/**
 * A list, and those in it that stand farther in.
 * @param {string} text
 * @param {(element: HTMLElement, text: string) => HTMLElement} mark
 * @param {string} base
 * @returns {HTMLElement}
 */
function listOf(text, mark, base) {
  const items = text.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => {
    const inner = item.search(/\n +(?:[-*]|\d+\.) /);
    const own = (inner < 0 ? item : item.slice(0, inner)).replace(ITEM, "").replace(/\n\s*/g, " ");
    const deep = inner < 0 ? "" : item.slice(inner + 1);
    const margin = /^ */.exec(deep)?.[0].length ?? 0;
    return mark(h("li", {}, ...inline(own, base), deep ? listOf(deep.split("\n").map((line) => line.slice(margin)).join("\n"), mark, base) : null), own);
  });
  return h(/^\d/.test(text) ? "ol" : "ul", {}, ...items);
}

/** @param {string} text @param {(element: HTMLElement, text: string) => HTMLElement} mark @param {string} base */
function tableOf(text, mark, base) {
  const rows = text.split("\n").filter((line) => !/^\|[\s:|-]+\|$/.test(line));
  return h("table", {}, ...rows.map((line, index) => mark(h("tr", {}, ...line.split("|").slice(1, -1).map((cell) =>
    h(index === 0 ? "th" : "td", {}, ...inline(cell.trim(), base)))), line)));
}
