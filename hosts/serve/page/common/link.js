// A link that is shown once.

import { h } from "./dom.js";

/**
 * The link, and a button that copies it.
 * @param {string} link
 * @returns {HTMLElement[]}
 */
export function linkToGive(link) {
  return [h("code.link", { text: link }), h("button", { type: "button", text: "Copy", onclick: () => navigator.clipboard?.writeText(link) })];
}
