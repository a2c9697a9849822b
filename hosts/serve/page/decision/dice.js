// Dice of one's own: the club asks for each die that is rolled, and the choice waits until all have fallen.

import { byId, h, show } from "../common/dom.js";

/** What a die is for, in words. @param {string} purpose */
const words = (purpose) => purpose.replaceAll(/[_-]/g, " ");

/**
 * Asks how a die fell.
 * @param {string} choice what it is rolled for, as the list has it
 * @param {{sides: number, purpose: string}} die
 * @param {number[]} fallen those before it
 * @param {(value: number) => void} tell
 */
export function askForDie(choice, die, fallen, tell) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const answer = (/** @type {number} */ value) => {
    dialog.close();
    tell(value);
  };
  const faces = Array.from({ length: die.sides }, (_, index) => index + 1);
  const field = /** @type {HTMLInputElement} */ (h("input", {
    type: "number", min: "1", max: String(die.sides), required: true, inputmode: "numeric", "aria-label": `The die, 1 to ${die.sides}`,
  }));
  const form = h("form.row", {}, field, h("button.primary", { text: "That is how it fell" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(Number(field.value));
  });
  show(`Roll a die for ${words(die.purpose)}`,
    h("p", { text: `${choice}. The die has ${die.sides} faces.${fallen.length > 0 ? ` So far: ${fallen.join(", ")}.` : ""}` }),
    // A click for the dice that people have; a field for the rest.
    die.sides <= 12
      ? h("div.row.faces", {}, ...faces.map((face) => h("button.face", { type: "button", onclick: () => answer(face) },
        h("b", { text: String(face) }), die.sides === 10 ? h("small", { text: ` (${face - 1})` }) : null)))
      : form,
    h("p.quiet", { text: `${die.sides === 10 ? "In brackets what the same face is on a die that is read from 0 to 9. " : ""}Nothing happens before all dice have fallen; Close takes the choice back.` }));
  /** @type {HTMLElement|null} */ (dialog.querySelector(".faces button, input"))?.focus();
}
