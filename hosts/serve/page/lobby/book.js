// The book, read at the table.

import { h } from "../common/dom.js";
import { markdown } from "../help/markdown.js";
import { page } from "../help/rules.js";

/**
 * A page of the book.
 * @param {string} path from the book's folder
 * @returns {Promise<HTMLElement>}
 */
export async function bookPage(path) {
  const text = await page(path);
  scrollTo(0, 0);
  return h("article", {}, path === "SUMMARY.md" ? null : h("p", {}, h("a", { href: "#book/SUMMARY.md", text: "Contents" })),
    markdown(text, "", path.replace(/[^/]*$/, "")));
}
