// The tabs beside the map.

import { boardsPanel } from "../boards/boards.js";
import { byId, h, keeping } from "../common/dom.js";
import { chartsPanel } from "../help/charts.js";
import { logPanel } from "../log/log.js";
import { rosterPanel } from "../roster/roster.js";
import { Talk } from "../talk/talk.js";

/** @typedef {import("./main.js").Table} Table */

const TABS = [["log", "Log"], ["boards", "Boards"], ["roster", "Roster"], ["charts", "Tables"], ["talk", "Talk"]];

export class Sidebar {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.open = "log";
    this.waiting = 0;
    /** What is shown is to be made anew, also where somebody may be typing. */
    this.news = false;
    this.talk = new Talk(table.model, () => this.update());
    this.byHand = false;
    /** Where somebody reads in the log who has scrolled up in it; otherwise the newest line stays in sight. @type {number|null} */
    this.reading = null;
    const panel = byId("panel");
    for (const input of ["wheel", "touchmove", "keydown", "pointerdown"]) panel.addEventListener(input, () => { this.byHand = true; }, { passive: true });
    panel.addEventListener("scroll", () => {
      if (panel.dataset.tab !== "log") return;
      if (!this.byHand) this.stay();
      else this.reading = panel.scrollHeight - panel.clientHeight - panel.scrollTop < 60 ? null : panel.scrollTop;
    });
    panel.addEventListener("scrollend", () => { this.byHand = false; });
    new ResizeObserver(() => this.stay()).observe(panel);
  }

  /** Whatever moves the log besides a hand, as choices above it that take more room or less, leaves what is read where it is. */
  stay() {
    const panel = byId("panel");
    this.byHand = false;
    if (panel.dataset.tab === "log") panel.scrollTop = this.reading ?? panel.scrollHeight;
  }

  /** @param {string} tab */
  go(tab) {
    this.open = tab;
    this.news = true;
    this.draw();
  }

  /** The tabs, made once: a hand may be on them. */
  drawTabs() {
    const root = byId("tabs");
    if (root.childElementCount === 0) {
      root.append(...TABS.map(([name, title]) => h("button", { type: "button", role: "tab", id: `tab-${name}`, onclick: () => this.go(name) }, title, h("span.unread", { hidden: true }))));
    }
    for (const [name, title] of TABS) {
      const tab = byId(`tab-${name}`);
      const unread = name === "talk" ? this.talk.unread : 0;
      tab.setAttribute("aria-selected", String(name === this.open));
      tab.setAttribute("aria-label", unread > 0 ? `${title}, ${unread} not read` : title);
      const count = /** @type {HTMLElement} */ (tab.lastElementChild);
      count.hidden = unread === 0;
      count.textContent = String(unread);
    }
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
    if (this.talk.open) this.talk.read();
    this.drawTabs();
    const panel = byId("panel");
    const scroll = panel.scrollTop;
    const was = panel.dataset.tab;
    // What is being typed stays.
    if ((this.open === "talk" || this.open === "charts") && was === this.open && !this.news) return;
    this.news = false;
    panel.dataset.tab = this.open;
    panel.setAttribute("aria-labelledby", `tab-${this.open}`);
    if (was === this.open) keeping(panel, () => panel.replaceChildren(this.content()));
    else panel.replaceChildren(this.content());
    panel.scrollTop = was === this.open ? scroll : 0;
    if (was !== "log") this.reading = null;
    this.stay();
    if (!this.talk.open) return;
    this.talk.end();
    this.update();
  }

  content() {
    const { table } = this;
    const { model } = table;
    if (this.open === "talk") return this.talk.root;
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
