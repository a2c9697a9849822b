// The lab's reports, and a run that the keeper starts and watches.

import { get, post } from "../common/api.js";
import { h, tell } from "../common/dom.js";

/**
 * How far each part of a run is.
 * @param {{label: string, done: number, wanted: number, pace: string}[]} parts
 * @param {string} says the last thing it said, as long as there are no parts
 */
function bars(parts, says) {
  if (parts.length === 0) return h("p.quiet", { text: says || "It begins …" });
  return h("table.bars", {}, ...parts.map((part) => h("tr", {},
    h("th", { scope: "row", text: part.label }),
    h("td", {}, h("progress", { max: String(part.wanted), value: String(part.done), "aria-label": `${part.label}: ${part.done} of ${part.wanted} games` })),
    h("td", { text: `${part.done} of ${part.wanted}` }),
    h("td.quiet", { text: part.done < part.wanted ? part.pace : "done" }))));
}

/** @typedef {{name: string, title: string, rulesets: string[]}} Hours hours of a battle, and who plays them */

/**
 * @param {import("../common/enter.js").Me} me
 * @returns {Promise<HTMLElement>}
 */
export async function labPage(me) {
  const { reports, running = null, says = "", hours = [], progress = null, failed = null } = await get("/lab");
  const page = h("section", {}, h("h1", { text: "The lab" }),
    h("p.serif", { text: "The same hours under every rule system, played many times by bots: what each makes of the battle, in men, places and hours." }));
  const again = async () => { if (page.isConnected) page.replaceWith(await labPage(me)); };
  const act = (/** @type {Promise<any>} */ work) => work.then(again, (error) => tell(error.message, true));
  if (reports.length > 0) {
    page.append(h("ul", {}, ...reports.map((/** @type {any} */ report) => h("li", {}, h("a", { href: `/reports/${report.name}/index.html`, target: "_blank", text: report.title }), h("span.quiet", { text: ` ${report.name}` })))));
  } else page.append(h("p.quiet", { text: me.keeper ? "There is no report yet." : "There is no report yet. The club's keeper can start a run here." }));
  if (running) {
    page.append(h("section.run", { role: "status" }, h("h2", { text: `Running: ${running}` }), bars(progress ?? [], says),
      h("p.quiet", { text: "The report stands in the list as soon as all is played. What is played is kept: a run that was stopped goes on from there." }),
      me.keeper ? h("button", { type: "button", text: "Stop", onclick: () => act(post("/lab/stop", {})) }) : null));
    setTimeout(() => again().catch(() => {}), 1500);
  } else if (me.keeper && hours.length > 0) {
    const scenario = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Hours of the battle" }, ...hours.map((/** @type {Hours} */ { name, title, rulesets }) => h("option", { value: name, text: `${title} (${rulesets.join(", ")})` }))));
    if (failed) page.append(h("p", { role: "status" }, h("b.bad", { text: `The run ${failed.name} failed: ` }), failed.says));
    const games = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: "1", max: "2000", value: "10", "aria-label": "Games of each" }));
    page.append(h("form.row", {
      onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); act(post("/lab/start", { scenario: scenario.value, games: Number(games.value) })); },
    }, "Compare ", scenario, games, " games of each ", h("button.primary", { text: "Run" })),
    h("p.quiet", { text: "Bots play the same hours under every rule system. The club's own finished games of these hours stand beside theirs. Ten games of a day take a minute or so, of the whole battle by regiments much longer; from fifty on other plans and players are tried as well." }));
  }
  return page;
}
