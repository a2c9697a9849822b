// Hot seat: one person holds both seats. The screen follows the side that must choose, covered in between if anything
// is hidden.

import { byId, h } from "../common/dom.js";

/** @typedef {import("./main.js").Table} Table */

export class HandOver {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.root = byId("curtain");
    this.busy = false;
  }

  /** Looks whether the other seat of the same person must choose. */
  check() {
    const { model } = this.table;
    const asked = model.live ? model.frame.decision?.side : undefined;
    const seat = model.table.seats.find((known) => known.side === asked);
    if (!asked || asked === model.seat || !seat?.mine || !model.seatInfo?.mine || model.table.over) {
      this.root.hidden = true;
      return;
    }
    if (this.busy) return;
    if (!this.hides()) {
      this.change(asked);
      return;
    }
    const side = model.sideLook(asked);
    this.root.hidden = false;
    const go = h("button.primary", { type: "button", text: `I am the ${side.name}`, onclick: () => this.change(asked) });
    this.root.replaceChildren(
      h("h1", {}, h(`span.dot.${side.colour}`), ` ${side.name} to choose`),
      h("p.serif", { text: "Hand the screen over. What the other side may not see is covered until you say so." }), go);
    go.focus();
  }

  /** Whether this side knows something that the other may not. */
  hides() {
    const { frame } = this.table.model;
    return frame.hidden.length > 0 || frame.holdings.some((holding) => holding.side && holding.known.length < holding.count);
  }

  /** @param {string} seat */
  async change(seat) {
    this.busy = true;
    try {
      await this.table.changeSeat(seat);
    } finally {
      this.busy = false;
      this.root.hidden = true;
    }
  }
}
