// The tabs beside the map.

import { boardsPanel } from "../boards/boards.js";
import { byId, h } from "../common/dom.js";
import { chartsPanel } from "../help/charts.js";
import { logPanel } from "../log/log.js";
import { rosterPanel } from "../roster/roster.js";
import { talkPanel } from "../talk/talk.js";

/** @typedef {import("./main.js").Table} Table */

const TABS = [["log", "Log"], ["boards", "Boards"], ["roster", "Roster"], ["charts", "Tables"], ["talk", "Talk"]];

export class Sidebar {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.open = "log";
    this.waiting = 0;
    /** Something was said. */
    this.news = false;
  }

  /** @param {string} tab */
  go(tab) {
    this.open = tab;
    this.news = true;
    this.draw();
  }

  /** Draws soon: many steps may come at once. */
  update() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw() {
    const { table } = this;
    const { model } = table;
    if (!model.frame) return;
    byId("tabs").replaceChildren(...TABS.map(([name, title]) => h("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === this.open), text: title, onclick: () => this.go(name),
    })));
    const panel = byId("panel");
    const scroll = panel.scrollTop;
    const atEnd = panel.scrollHeight - panel.clientHeight - scroll < 60;
    const was = panel.dataset.tab;
    // What is being typed stays.
    if ((this.open === "talk" || this.open === "charts") && was === this.open && !this.news) return;
    this.news = false;
    panel.dataset.tab = this.open;
    panel.setAttribute("aria-labelledby", `tab-${this.open}`);
    panel.replaceChildren(this.content());
    if (this.open === "log") panel.scrollTop = atEnd || was !== "log" ? panel.scrollHeight : scroll;
    else panel.scrollTop = was === this.open ? scroll : 0;
  }

  content() {
    const { table } = this;
    const { model } = table;
    if (this.open === "talk") return talkPanel(model);
    if (this.open === "boards") return boardsPanel(model, (hex) => table.goTo(hex), table.cite);
    if (this.open === "charts") return chartsPanel(model.look, table.cite, (hex) => table.goTo(hex));
    if (this.open === "roster") {
      return rosterPanel(model, {
        mark: (ids) => table.mark(ids),
        go: (id) => {
          const hex = model.frame.units[id]?.hex;
          if (hex) {
            table.goTo(hex);
            table.inspect(hex);
          }
        },
      });
    }
    // New is what happened since this seat last chose.
    const own = model.log.findLast((event) => event.side === model.seat)?.step ?? table.seen;
    return logPanel(model, table.cite, {
      point: (event) => {
        table.scene.traces = event?.hexes ?? [];
        table.scene.again();
      },
      go: (step) => table.player.go(step),
      undo: (step) => table.decision.undo(step),
    }, Math.max(own, table.seen));
  }
}
