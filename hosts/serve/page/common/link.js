// A link that is shown once.

import { h } from "./dom.js";

/**
 * The link, and a button that copies it.
 * @param {string} link
 * @returns {HTMLElement[]}
 */
export function linkToGive(link) {
  const text = h("code.link", { text: link });
  const copied = h("span.quiet", { role: "status" });
  // Where the browser lets no page write to the clipboard, the link is at least marked, for a hand to copy.
  const mark = () => {
    getSelection()?.selectAllChildren(text);
    copied.textContent = " Marked: copy it with Ctrl-C.";
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      copied.textContent = " Copied.";
    } catch {
      mark();
    }
  };
  return [text, h("button", { type: "button", text: "Copy", onclick: copy }), copied];
}
