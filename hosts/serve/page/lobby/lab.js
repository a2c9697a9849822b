// The lab's reports, and a run that the keeper starts and watches.

import { get, post } from "../common/api.js";
import { h, tell } from "../common/dom.js";

/**
 * @param {import("../common/enter.js").Me} me
 * @returns {Promise<HTMLElement>}
 */
export async function labPage(me) {
  const { reports, running = null, says = "", scenarios = [] } = await get("/lab");
  const page = h("section", {}, h("h1", { text: "The lab" }),
    h("p.serif", { text: "The same hours under every rule system, played many times by bots: what each makes of the battle, in men, places and hours." }));
  const again = async () => { if (page.isConnected) page.replaceWith(await labPage(me)); };
  const act = (/** @type {Promise<any>} */ work) => work.then(again, (error) => tell(error.message, true));
  if (reports.length > 0) {
    page.append(h("ul", {}, ...reports.map((/** @type {any} */ report) => h("li", {}, h("a", { href: `/reports/${report.name}/index.html`, target: "_blank", text: report.title }), h("span.quiet", { text: ` ${report.name}` })))));
  } else page.append(h("p.quiet", { text: "There is no report yet." }));
  if (running) {
    page.append(h("p", { role: "status" }, h("b", { text: `Running: ${running}. ` }), h("span.quiet", { text: says }),
      me.keeper ? h("button", { type: "button", text: "Stop", onclick: () => act(post("/lab/stop", {})) }) : null));
    setTimeout(() => again().catch(() => {}), 3000);
  } else if (me.keeper && scenarios.length > 0) {
    const scenario = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Hours of the battle" }, ...scenarios.map((/** @type {string} */ name) => h("option", { value: name, text: name }))));
    const games = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: "1", max: "2000", value: "20", "aria-label": "Games of each" }));
    page.append(h("form.row", {
      onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); act(post("/lab/start", { scenario: scenario.value, games: Number(games.value) })); },
    }, "Compare ", scenario, games, " games of each ", h("button.primary", { text: "Run" })));
  }
  return page;
}
