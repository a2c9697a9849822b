// What people say at the table, and notes for oneself. What was said while one looked elsewhere is counted.

import { get, post } from "../common/api.js";
import { ago, h, tell } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {{who: string|null, mine: boolean, private: boolean, side: string|null, text: string, at: number}} Said */

/** No line is longer. */
const LONGEST = 2000;
/** So much of a line is told to those who look elsewhere. */
const GLIMPSE = 120;

export class Talk {
  /**
   * @param {Model} model
   * @param {() => void} changed called when the count of what was not read is another
   */
  constructor(model, changed) {
    this.model = model;
    this.changed = changed;
    /** @type {Said[]|null} as far as it is known */
    this.said = null;
    this.unread = 0;
    this.lines = h("div.chat", {}, h("p.quiet", { text: "…" }));
    this.input = /** @type {HTMLInputElement} */ (h("input", { maxlength: String(LONGEST), placeholder: "Say something", "aria-label": "What to say", dir: "auto" }));
    this.to = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "To whom" }));
    this.root = h("div.chat", {}, this.lines, h("form", { onsubmit: (/** @type {Event} */ event) => this.say(event) }, this.to, this.input, h("button.primary", { text: "Say" })));
  }

  /** Where it is kept how many lines were read. */
  get key() {
    return `cupola-heard/${this.model.id}`;
  }

  /** Whether somebody reads it now. */
  get open() {
    return this.root.isConnected && !document.hidden;
  }

  /** Asks what was said: when the table is opened, and when something changed at it. */
  async hear() {
    let said;
    try {
      ({ said } = await get(`/games/${this.model.id}/notes`));
    } catch (error) {
      if (this.open) tell(/** @type {Error} */ (error).message, true);
      return;
    }
    const before = this.said;
    this.said = /** @type {Said[]} */ (said);
    if (before && !this.open) {
      for (const line of this.said.slice(before.length)) if (!line.mine) tell(`${line.who ?? "Somebody"}: ${line.text.slice(0, GLIMPSE)}${line.text.length > GLIMPSE ? " …" : ""}`);
    }
    this.draw();
    if (this.said.length !== before?.length) this.end();
  }

  /** Somebody reads it now. */
  read() {
    if (this.said) localStorage.setItem(this.key, String(this.said.length));
    this.unread = 0;
  }

  /** The newest line comes in sight. */
  end() {
    this.root.parentElement?.scrollTo(0, 1e6);
  }

  draw() {
    const { model } = this;
    const said = this.said ?? [];
    const to = this.to.value;
    this.to.replaceChildren(
      h("option", { value: "", text: "to everybody" }),
      ...model.table.seats.filter((seat) => seat.mine).map((seat) => h("option", { value: seat.side, text: `to the ${seat.name} only` })),
      h("option", { value: "me", text: "a note to myself" }));
    this.to.value = [...this.to.options].some((option) => option.value === to) ? to : "";
    this.lines.replaceChildren(...said.map((line) => h("div.said", {},
      h("b", { text: line.private ? "Note to yourself" : line.who ?? "somebody", dir: "auto" }),
      h("small.quiet", { text: `${line.side ? ` to the ${model.sideLook(line.side).name}` : ""} ${ago(line.at)}` }), h("div", { text: line.text, dir: "auto" }))));
    if (said.length === 0) this.lines.append(h("p.quiet", { text: "Nobody has said anything." }));
    const read = Number(localStorage.getItem(this.key) ?? "0");
    this.unread = said.slice(read).filter((line) => !line.mine).length;
    if (this.open) this.read();
    this.changed();
  }

  /** @param {Event} event */
  async say(event) {
    event.preventDefault();
    const { input, to } = this;
    if (!input.value.trim()) return;
    try {
      await post(`/games/${this.model.id}/notes`, { text: input.value, private: to.value === "me", side: to.value && to.value !== "me" ? to.value : null });
      input.value = "";
      await this.hear();
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  }
}
