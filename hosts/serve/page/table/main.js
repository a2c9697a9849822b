// A table: everything on the screen follows from what the club sends for one seat.

import { get } from "../common/api.js";
import { byId, h, tell } from "../common/dom.js";
import { door, invitation, whoAmI } from "../common/enter.js";
import { applyTheme } from "../common/theme.js";
import { forgetSprites } from "../counters/sprites.js";
import { Inspector } from "../counters/inspector.js";
import { DecisionPanel } from "../decision/panel.js";
import { citer } from "../help/rules.js";
import { Card } from "../map/card.js";
import { listen } from "../map/input.js";
import { Ruler } from "../map/ruler.js";
import { Scene } from "../map/scene.js";
import { Player } from "../replay/player.js";
import { Line } from "../state/live.js";
import { Model } from "../state/model.js";
import { trailsOf } from "../map/trails.js";
import { Caption } from "./caption.js";
import { HandOver } from "./handover.js";
import { drawFollows } from "./follows.js";
import { Keys } from "./keyboard.js";
import { Sidebar } from "./sidebar.js";
import { drawTop } from "./top.js";
import { askedBack, sitDown } from "./seats.js";
import { addShares } from "./shares.js";

applyTheme();

/** @typedef {import("../state/types.js").Happening} Happening */

export class Table {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    const canvas = /** @type {HTMLCanvasElement} */ (byId("canvas"));
    this.canvas = canvas;
    this.cite = citer(() => model.look);
    this.scene = new Scene(canvas, model.look);
    this.card = new Card(model, this.scene);
    this.decision = new DecisionPanel(model, this.scene, this.cite);
    this.ruler = new Ruler(this);
    this.inspector = new Inspector(model, (ids) => this.mark(ids), (option) => this.decision.choose(option));
    this.caption = new Caption(model);
    this.player = new Player(model, (before, events, span, own) => this.showFrame(before, events, span, own));
    this.sidebar = new Sidebar(this);
    this.handOver = new HandOver(this);
    this.line = new Line(model, { steps: (steps) => this.player.hear(steps), whole: (message) => this.takeWhole(message), state: (open) => this.lineState(open) });
    this.keys = new Keys(this);
    /** @type {string|null} */
    this.under = null;
    this.seen = Number(localStorage.getItem(this.seenKey()) ?? "0");
    listen(canvas, this.scene.camera, {
      click: (x, y, touch, clicks) => { if (!this.decision.isEcho(clicks)) this.click(x, y, touch); },
      hover: (x, y) => this.hover(x, y),
      leave: () => this.leave(),
    });
    const zoom = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) => h("button", { type: "button", text, title, "aria-label": title, onclick: act });
    byId("zoom").replaceChildren(
      zoom("+", "Zoom in", () => this.scene.camera.zoom(1.4)),
      zoom("−", "Zoom out", () => this.scene.camera.zoom(1 / 1.4)),
      zoom("◎", "To what can be chosen (f)", () => this.decision.find()),
      zoom("⤢", "The whole map (0)", () => this.wholeMap()));
    byId("credit").textContent = model.look.map.attribution ?? "";
    model.addEventListener("shown", () => this.follow());
    model.addEventListener("look", () => this.changeLook());
    model.addEventListener("log", () => this.sidebar.update());
    model.addEventListener("table", () => {
      // A line may have been said.
      this.sidebar.talk.hear();
      this.follow();
      askedBack(this);
    });
    document.fonts?.ready.then(() => { forgetSprites(); this.scene.again(); });
    window.addEventListener("theme", () => this.scene.again());
    window.addEventListener("pagehide", () => this.look());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.look(); else this.sidebar.update(); });
  }

  /** Where it is kept what was seen last. */
  seenKey() {
    return `cupola-seen/${this.model.id}/${this.model.seat}`;
  }

  /** Notes that everything shown was seen. */
  look() {
    localStorage.setItem(this.seenKey(), String(this.model.shown));
  }

  start() {
    const { model, player } = this;
    this.scene.set(model.frame, null, [], 0);
    this.fitUnits();
    this.follow();
    player.draw();
    this.line.open();
    this.sidebar.talk.hear();
    this.offer(this.seen);
  }

  /** Offers to play back what happened since a step. @param {number} seen */
  offer(seen) {
    const { model, player } = this;
    const missed = model.step - seen;
    if (seen === 0 || missed <= 0 || !model.log.some((event) => (event.step ?? 0) > seen)) return;
    const line = h("div", {}, `${missed} ${missed === 1 ? "step" : "steps"} since you last looked. `);
    const button = h("button", { type: "button", text: missed === 1 ? "Play it back" : "Play them back", onclick: () => { line.remove(); player.since(seen); } });
    line.append(button);
    line.style.pointerEvents = "auto";
    byId("told").append(line);
    setTimeout(() => line.remove(), 12000);
  }

  /** Everything came at once: the line was broken for a while, or the game was asleep. @param {any} message */
  async takeWhole(message) {
    const { model, player } = this;
    const seen = model.rules === message.rules ? model.shown : message.step;
    await model.takeLook(message);
    if (player.past) player.now();
    player.queue = [];
    model.whole(message);
    player.draw();
    this.offer(seen);
  }

  /** The rules are others now, and perhaps the map. */
  changeLook() {
    this.scene.change(this.model.look);
    byId("credit").textContent = this.model.look.map.attribution ?? "";
    this.sidebar.news = true;
  }

  /** Shows all of the map; from then on it comes no closer by itself. */
  wholeMap() {
    this.scene.camera.fit();
    this.scene.camera.byHand = true;
  }

  /** Shows the part of the map where units stand. */
  fitUnits() {
    const { scene } = this;
    const at = [...scene.stacks.keys()].map((hex) => scene.geometry.centre(hex)).filter((found) => found !== null);
    if (at.length < 2) return;
    const pad = scene.geometry.pitch * 1.6;
    const xs = at.map((point) => point.x);
    const ys = at.map((point) => point.y);
    scene.camera.frame(Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) + pad, Math.max(...ys) + pad);
    // From very far nothing could be told apart: the middle of one's own is shown instead.
    if (this.decision.isFar(30)) this.decision.comeTo(this.own());
  }

  /** Where one's own units stand; everybody's, for those who have none. */
  own() {
    const { scene, model } = this;
    const hexes = (/** @type {boolean} */ all) => [...scene.stacks].filter(([, stack]) => all || stack.units.some(({ unit }) => unit.side === model.seat)).map(([hex]) => hex);
    const own = hexes(false);
    return own.length > 0 ? own : hexes(true);
  }

  /** @param {any} before @param {Happening[]} events @param {number} span @param {boolean} own */
  showFrame(before, events, span, own) {
    const { scene, model } = this;
    scene.traces = [...new Set(events.flatMap((event) => event.hexes))];
    scene.set(model.frame, before, events, span);
    const last = scene.traces.at(-1);
    const at = last ? scene.geometry.centre(last) : null;
    // Where it happened comes in sight, unless somebody flies over it.
    if (at && (span > 0 || (this.player.past && !this.player.flies))) scene.camera.reveal(at);
    this.caption.show(own ? [] : events);
    this.look();
  }

  /** Everything beside the map follows the frame that is shown. */
  follow() {
    if (this.scene.frame !== this.model.frame) this.scene.set(this.model.frame, null, [], 0);
    this.scene.trails = trailsOf(this.model);
    this.decision.update();
    this.caption.ask();
    this.sidebar.update();
    drawTop(this);
    drawFollows(this);
    if (this.inspector.hex) this.inspect(this.inspector.hex);
    else this.point();
    this.handOver.check();
  }

  /** @param {number} x @param {number} y */
  thing(x, y) {
    const { scene } = this;
    const at = scene.camera.sheetAt(x, y);
    const counter = scene.counterAt(at.x, at.y);
    return { hex: counter?.hex ?? scene.geometry.at(at.x, at.y), unit: counter?.id ?? null };
  }

  /** @param {number} x @param {number} y @param {boolean} touch */
  click(x, y, touch) {
    this.canvas.focus({ preventScroll: true });
    const way = this.decision.facing(this.scene.camera.sheetAt(x, y));
    if (way) {
      this.decision.choose(way);
      return;
    }
    const { hex, unit } = this.thing(x, y);
    if (!hex) {
      this.inspector.close();
      return;
    }
    this.act(hex, unit, touch);
  }

  /** Acts at a hex, or looks into it. @param {string} hex @param {string|null} unit @param {boolean} touch */
  act(hex, unit, touch) {
    if (this.ruler.end(hex)) return;
    this.scene.cursor = hex;
    if (this.decision.click(hex, unit, touch)) return;
    this.inspect(hex, unit);
    this.scene.again();
  }

  /** @param {string} hex @param {string|null} [unit] */
  async inspect(hex, unit = null) {
    const { scene, card } = this;
    const options = this.decision.at(hex, null);
    const stack = scene.stacks.get(hex);
    this.inspector.open(hex, stack, this.decision.targets.units, [this.ground(hex), this.measures(hex)]);
    // The inspector says it all where it is beside the map.
    const small = matchMedia("(max-width: 820px)").matches;
    if (small) card.show(hex, options);
    else card.hide();
    if (options.length > 0 || !this.model.decision) return;
    const why = await card.whyNot(unit ? `u${unit}` : `h${hex}`, this.cite);
    if (why.length > 0 && this.inspector.hex === hex) {
      this.inspector.open(hex, stack, this.decision.targets.units, [this.ground(hex), this.measures(hex), ...why]);
      if (small) card.show(hex, options, why.map((line) => line.cloneNode(true)));
    }
  }

  /** What can be measured from a hex, for those who have no keys. @param {string} hex */
  measures(hex) {
    const { ruler, scene } = this;
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) => h("button", { type: "button", text, title, onclick: act });
    if (!this.model.table.aids.sight) return h("div.measures", {});
    return h("div.measures", {},
      button("Sees", "Everything in sight from here (v)", () => ruler.seen(hex)),
      button("Line to …", "A line of sight from here: click its other end (g)", () => ruler.begin(hex)),
      (scene.stacks.get(hex)?.units.length ?? 0) > 0 ? button("Commands", "How far leaders here command (o)", () => ruler.command(hex)) : null);
  }

  /** All about the ground of a hex, on demand. @param {string} hex */
  ground(hex) {
    const { scene } = this;
    const about = scene.geometry.about(hex);
    const text = `${about.cover}, level ${about.level}`;
    const more = h("small.quiet", { text: [text, ...about.places].join(" · ") });
    get(`/games/${this.model.id}/hex/${encodeURIComponent(hex)}`).then((card) => {
      const sides = card.sides.filter((/** @type {any} */ side) => side.water || side.crossing || side.rise !== "level");
      const notes = [...card.threads, ...sides.map((/** @type {any} */ side) => `${side.direction}: ${[side.rise, side.water, side.crossing].filter((part) => part && part !== "level").join(", ")}`)];
      more.textContent = [`${card.terrain}, level ${card.level}, ${Math.round(card.height)} m`, ...card.places, ...notes].join(" · ");
    }).catch(() => {});
    return more;
  }

  /** What the card says of the hex under the mouse or at the cursor follows too; what was measured stays. */
  point() {
    const { scene, card } = this;
    const at = scene.hover ?? scene.cursor;
    if (card.root.hidden || scene.line || scene.command || scene.sight) return;
    if (at) card.show(at, this.decision.at(at, null));
    else card.hide();
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    const { hex, unit } = this.thing(x, y);
    this.under = hex;
    const { scene } = this;
    const way = this.decision.facing(scene.camera.sheetAt(x, y));
    const options = way ? [way] : hex ? this.decision.at(hex, unit) : [];
    this.canvas.classList.toggle("lit", options.length > 0);
    if (hex !== scene.hover) {
      scene.hover = hex;
      scene.path = options[0]?.path ?? [];
      scene.again();
      if (hex) this.card.show(hex, options);
      else this.card.hide();
    }
    if (options.length > 0) this.decision.heat(options[0]);
  }

  leave() {
    this.under = null;
    this.scene.hover = null;
    this.scene.path = [];
    this.scene.again();
    this.card.hide();
  }

  /** Points out units. @param {string[]} ids */
  mark(ids) {
    this.scene.marked = new Set(ids);
    this.scene.again();
  }

  /** Goes to a hex and marks it. @param {string} hex */
  goTo(hex) {
    const at = this.scene.geometry.centre(hex);
    if (!at) return;
    this.scene.cursor = hex;
    this.scene.camera.reveal(at);
    this.scene.again();
  }

  /** @param {boolean} open */
  lineState(open) {
    document.body.classList.toggle("away", !open);
    if (open && this.wasAway) tell("Connected again.");
    if (!open) this.wasAway = true;
    drawTop(this);
  }

  /** Looks from another seat. @param {string} seat */
  async changeSeat(seat) {
    this.line.close();
    this.player.queue = [];
    [this.player.past, this.model.back] = [false, false];
    await this.model.open(seat);
    this.seen = this.model.step;
    this.scene.set(this.model.frame, null, [], 0);
    this.follow();
    this.player.draw();
    this.line.open();
  }
}

async function main() {
  const id = location.pathname.split("/")[2] ?? "";
  const invited = invitation();
  const { me, walkIn } = await whoAmI();
  if (!me) {
    byId("map").replaceChildren(door(walkIn || Boolean(invited), invited ? { game: id, invitation: invited.invitation } : {}, async () => {
      if (invited) await sitDown(id, invited.side, invited.invitation);
      location.reload();
    }));
    return;
  }
  if (invited) {
    try {
      await sitDown(id, invited.side, invited.invitation);
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  }
  const model = new Model(id);
  await model.open("");
  await addShares(model);
  const table = new Table(model);
  // For tests and the curious: what the page knows is what the club sent.
  /** @type {any} */ (window).cupola = table;
  table.start();
}

main().catch((error) => {
  byId("decision").replaceChildren(h("div.prompt", { text: error.message }), h("a.button", { href: "/", text: "To the lobby" }));
});
