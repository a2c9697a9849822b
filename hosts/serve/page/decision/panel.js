// The open decision: what is asked, by which rule, and everything that can be answered.

import { askForDie } from "./dice.js";
import { post, Refused } from "../common/api.js";
import { byId, h, tell } from "../common/dom.js";
import { played } from "../help/charts.js";
import { hexIn, optionTexts, plainly } from "../common/words.js";
import { afterwards } from "../table/afterwards.js";
import { handleAt, handles } from "./handles.js";
import { asked } from "./orders.js";
import { pictureOf } from "../counters/sprites.js";
import { oddsOf, oddsTable } from "./odds.js";
import { NONE, optionsAt, targets } from "./targets.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Option} Option */
/** @typedef {import("../map/scene.js").Scene} Scene */

/** From so many options on there is a field to search them. */
const MANY = 10;
/** Pixels from hex to hex: with fewer no counter can be read, more are not needed. */
const FAR = 44;
const NEAR = 72;
/** Two clicks within so many milliseconds may be one hand that clicks twice. */
const ECHO = 600;

export class DecisionPanel {
  /**
   * @param {Model} model
   * @param {Scene} scene
   * @param {(rule: string) => HTMLElement} cite
   */
  constructor(model, scene, cite) {
    this.model = model;
    this.scene = scene;
    this.cite = cite;
    this.root = byId("decision");
    this.targets = NONE;
    this.busy = false;
    this.filter = "";
    /** @type {Option[]|null} options that a click left open */
    this.picked = null;
    /** @type {string} */
    this.hot = "";
    this.oddsBox = h("div.oddsbox");
    this.hotTimer = 0;
    /** The question that was pointed out last. */
    this.asked = "";
    /** @type {Map<string, string>} what the options say */
    this.texts = new Map();
    /** @type {string} the unit that the question is about */
    this.unit = "";
    /** Whether odds are shown unasked. */
    this.few = false;
    /** When the question came. */
    this.came = 0;
    this.root.addEventListener("keydown", (event) => this.walk(event));
  }

  /**
   * Whether a click was the second of two quick ones, and the first has changed the question under it: it was not meant as an
   * answer to this one.
   * @param {number} clicks how many came at once
   */
  isEcho(clicks) {
    return clicks > 1 && performance.now() - this.came < ECHO;
  }

  /** Up and down through the answers. @param {KeyboardEvent} event */
  walk(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way || !(event.target instanceof HTMLElement) || event.target.matches("input")) return;
    const all = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("button[data-option]")]);
    if (all.length === 0) return;
    const at = all.indexOf(event.target);
    all[(at < 0 && way < 0 ? all.length - 1 : at + way + all.length) % all.length].focus();
    event.preventDefault();
  }

  /** @param {Option} option */
  says(option) {
    return this.texts.get(option.id) ?? option.text;
  }

  /** Follows the frame that is shown. */
  update() {
    this.filter = "";
    this.picked = null;
    this.hot = "";
    clearTimeout(this.hotTimer);
    const { model, scene } = this;
    const decision = model.decision;
    this.targets = targets(decision, model.frame);
    const reach = model.table.aids.reach;
    scene.lit = {
      hexes: new Map(reach ? [...this.targets.hexes].map(([hex, options]) => [hex, options[0].cost ?? ""]) : []),
      units: new Set(reach ? this.targets.units.keys() : []),
    };
    scene.path = [];
    this.pointOut();
    scene.handles = reach ? handles(scene, this.targets.plain) : [];
    scene.hot = "";
    scene.again();
    this.draw();
  }

  /** Where the question is about a place or a unit, that is shown on the map. */
  pointOut() {
    const { model, scene } = this;
    const { decision } = model;
    const { hex, unit } = decision ? this.subject(decision) : { hex: null, unit: "" };
    const asked = decision ? `${hex} ${decision.prompt}` : "";
    const before = this.asked;
    this.asked = asked;
    this.unit = unit;
    scene.ask(hex, unit);
    if (asked !== before) this.came = performance.now();
    if (!decision || asked === before) return;
    const at = hex ? scene.geometry.centre(hex) : null;
    if (!scene.camera.byHand && this.isFar()) this.find();
    else if (at) scene.camera.reveal(at);
    else this.bringIn();
  }

  /** If nothing that can be chosen is in sight, the nearest of it is brought there. */
  bringIn() {
    const { camera, geometry } = this.scene;
    const { x, y } = camera.sheetAt(camera.wide / 2, camera.high / 2);
    const at = this.lit().flatMap((hex) => (hex ? geometry.centre(hex) ?? [] : []));
    if (at.length === 0 || at.some((point) => camera.sees(point))) return;
    const away = (/** @type {{x: number, y: number}} */ point) => Math.hypot(point.x - x, point.y - y);
    camera.reveal(at.reduce((best, point) => (away(point) < away(best) ? point : best)));
  }

  /** The hexes of all that can be chosen. */
  lit() {
    const { model, targets: { hexes, units } } = this;
    return [...hexes.keys(), ...[...units.keys()].map((id) => model.frame.units[id]?.hex ?? null)];
  }

  /** Whether counters are drawn too small to be read. @param {number} [least] */
  isFar(least = FAR) {
    const { camera, geometry } = this.scene;
    return camera.scale * geometry.pitch < least;
  }

  /** Comes so close to what can be chosen that it can be read: to all of it if there is room, to the middle of it otherwise. */
  find() {
    this.comeTo([this.scene.asked, ...this.lit()]);
  }

  /** Comes close to some hexes. @param {(string|null)[]} hexes */
  comeTo(hexes) {
    const { scene } = this;
    const { camera, geometry } = scene;
    const at = hexes.flatMap((hex) => (hex ? geometry.centre(hex) ?? [] : []));
    if (at.length === 0) return;
    const [xs, ys] = [at.map(({ x }) => x), at.map(({ y }) => y)];
    const [low, high] = [{ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) }];
    const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
    const room = Math.min(camera.wide / (high.x - low.x + geometry.pitch * 3), camera.high / (high.y - low.y + geometry.pitch * 3));
    const scale = Math.min(NEAR, Math.max(FAR, room * geometry.pitch)) / geometry.pitch;
    const away = (/** @type {{x: number, y: number}} */ point) => Math.hypot(point.x - middle.x, point.y - middle.y);
    const fits = room >= scale;
    const subject = scene.asked ? geometry.centre(scene.asked) : null;
    camera.glideTo(fits ? middle : subject ?? at.reduce((best, point) => (away(point) < away(best) ? point : best)), scale);
  }

  /**
   * The hex and the unit that a question is about: the one unit that every answer moves; where nothing on the map answers it,
   * the unit that was chosen before, or the hex that is named.
   * @param {import("../state/types.js").Decision} decision
   * @returns {{hex: string|null, unit: string}}
   */
  subject(decision) {
    const { model, scene, targets: { hexes, units } } = this;
    const [first, ...others] = decision.options.filter((option) => option.touch.some((touch) => touch[0] === "h"));
    const moved = first?.touch.find((touch) => touch[0] === "u" && others.length > 0 && others.every((option) => option.touch.includes(touch)));
    if (moved) return { hex: model.frame.units[moved.slice(1)]?.hex ?? null, unit: moved.slice(1) };
    // Whoever was chosen before is meant only if the question says so.
    const before = decision.subject ? model.frame.units[decision.subject] : null;
    const unit = before && decision.subject && plainly(model.look, decision.prompt).includes(before.name) ? decision.subject : "";
    if (unit && before?.hex) return { hex: before.hex, unit };
    if (hexes.size + units.size > 0) return { hex: null, unit };
    return { hex: hexIn(scene.geometry, decision.prompt) ?? before?.hex ?? null, unit };
  }

  /** What is asked, with the counter that it is about. @param {string} text */
  question(text) {
    const unit = this.model.frame.units[this.unit];
    const prompt = h("div.prompt", { text, id: "prompt", tabindex: "-1" });
    return unit ? h("div.question", {}, pictureOf(unit.face, 62), prompt) : prompt;
  }

  /** Puts something into the panel; whoever was in it by keyboard is at the new question then. @param {...HTMLElement} parts */
  fill(...parts) {
    const held = this.root.contains(document.activeElement);
    this.root.replaceChildren(...parts);
    if (held) (/** @type {HTMLElement|null} */ (this.root.querySelector(".prompt")) ?? this.root).focus({ preventScroll: true });
  }

  draw() {
    const { model } = this;
    const decision = model.decision;
    this.texts = optionTexts(model.look, decision?.options ?? []);
    this.oddsBox = h("div.oddsbox");
    if (!decision) {
      this.fill(...this.waiting());
      return;
    }
    const phase = model.look.phases[model.frame.phase] ?? model.frame.phase;
    const parts = [
      h("div.head", {}, h("span", { text: phase }), this.cite(decision.rule)),
      this.question(plainly(model.look, decision.prompt)),
    ];
    const plain = this.targets.plain;
    const many = plain.length > 6;
    const listed = this.picked ?? decision.options.filter((option) => many || !plain.includes(option));
    if (!many && plain.length > 0 && !this.picked) {
      parts.push(h("div.buttons", {}, ...plain.map((option, i) => this.button(option, i, plain.length === 1 && listed.length === 0))));
    }
    parts.push(this.oddsBox);
    if (this.picked) {
      parts.push(h("div.head", {}, h("b", { text: this.picked.length > 1 ? "Which?" : "Once more to choose it:" }), h("button", { text: "All options", onclick: () => { this.picked = null; this.draw(); } })));
    }
    if (listed.length > 0) parts.push(...this.list(listed));
    this.fill(...parts);
    // With few answers, their odds are worth showing unasked.
    const fights = decision.options.filter((option) => option.odds);
    this.few = fights.length > 0 && decision.options.length <= 4;
    if (this.few) this.heat(fights[0]);
  }

  /** @param {Option[]} options */
  list(options) {
    const shown = options.filter((option) => this.says(option).toLowerCase().includes(this.filter));
    const list = h("div.options", { role: "group", "aria-labelledby": "prompt" }, ...shown.map((option) => this.row(option)));
    if (options.length < MANY) return [list];
    const filter = h("input.filter", {
      type: "search", placeholder: `Search ${options.length} options`, value: this.filter, "aria-label": "Search options",
      oninput: (/** @type {Event} */ event) => {
        this.filter = /** @type {HTMLInputElement} */ (event.target).value.toLowerCase();
        const found = options.filter((option) => this.says(option).toLowerCase().includes(this.filter));
        list.replaceChildren(...found.map((option) => this.row(option)));
      },
    });
    return [filter, list];
  }

  /** @param {Option} option */
  row(option) {
    return h("button", {
      type: "button", "data-option": option.id, onclick: (/** @type {MouseEvent} */ { detail }) => this.answer(option, detail),
      onmouseenter: () => this.heat(option), onfocus: () => this.heat(option), onmouseleave: () => this.cool(),
    }, this.face(option), h("span", { text: this.says(option) }), option.cost ? h("span.cost", { text: option.left ? `${option.cost}, ${option.left} left` : option.cost }) : null,
    option.odds ? h("span.cost", { text: "⚄", title: "odds" }) : null);
  }

  /** @param {Option} option @param {number} index @param {boolean} only */
  button(option, index, only) {
    return h(only ? "button.primary" : "button", {
      type: "button", "data-option": option.id, onclick: (/** @type {MouseEvent} */ { detail }) => this.answer(option, detail),
      onmouseenter: () => this.heat(option), onfocus: () => this.heat(option),
      title: index < 9 ? `Key ${index + 1}` : "",
    }, this.face(option), this.says(option));
  }

  /** The counter of the one unit that is chosen with an option. @param {Option} option */
  face(option) {
    const target = this.targets.place.get(option.id) ?? "";
    const id = target[0] === "u" && option.touch[0][0] !== "t" ? target.slice(1) : "";
    const unit = id === this.unit ? undefined : this.model.frame.units[id];
    return unit ? pictureOf(unit.face, 34) : null;
  }

  /** What is said while there is nothing to choose. */
  waiting() {
    const { model } = this;
    const { frame, look } = model;
    if (frame.verdict) {
      const winner = model.sideLook(frame.verdict.winner ?? "").name;
      return [h("div.prompt", { text: frame.verdict.winner ? `${winner} wins: ${frame.verdict.how}` : `Nobody wins: ${frame.verdict.how}` }),
        h("div.head", {}, this.cite(frame.verdict.rule)), afterwards(model)];
    }
    if (!model.live && !model.back) return [h("div.prompt", { text: "This is what happened …", tabindex: "-1" })];
    if (!model.live) return [h("p.quiet", { text: model.table.over ? `This is how it was at step ${model.shown}.` : "This is how it was. Go to the present to choose." })];
    if (model.table.closed) return [h("p", { text: model.table.closed })];
    if (model.table.paused) {
      const may = model.table.seats.some((seat) => seat.mine) || model.table.umpire?.mine;
      return [h("p.quiet", { text: "The game is paused: nobody's time runs." }),
        may ? h("button", { type: "button", text: "Go on", onclick: () => post(`/games/${model.id}/pause`, { paused: false }).catch((error) => tell(error.message, true)) }) : null]
        .filter((part) => part !== null);
    }
    const decision = frame.decision;
    if (!decision) return [];
    const seat = model.table.seats.find((known) => known.side === decision.side);
    const phase = look.phases[frame.phase] ?? frame.phase;
    const who = seat?.open ? "Somebody must take the seat of the " + seat.name : `${seat?.name ?? decision.side} chooses (${asked(model, decision)})`;
    return [h("div.head", {}, h("span", { text: phase }), this.cite(decision.rule)), h("div.prompt", { text: `${who} …`, tabindex: "-1" })];
  }

  /**
   * Points to an option: its path on the map, its odds here.
   * @param {Option} option
   */
  heat(option) {
    if (this.hot === option.id) return;
    const { scene, model } = this;
    // Odds that are shown unasked stay, though the mouse rests on the button that led here.
    if (this.few && !option.odds && !played(model.look, option, this.cite)) return;
    this.hot = option.id;
    scene.path = option.path ?? [];
    scene.hot = option.id;
    const target = this.targets.place.get(option.id) ?? "";
    scene.hover = target[0] === "h" ? target.slice(1) : model.frame.units[target.slice(1)]?.hex ?? null;
    scene.again();
    clearTimeout(this.hotTimer);
    const card = played(model.look, option, this.cite);
    if (!option.odds || !model.table.aids.odds) {
      this.oddsBox.replaceChildren(...(card ? [card] : []));
      return;
    }
    this.hotTimer = window.setTimeout(async () => {
      // The game may have gone on meanwhile: nothing is asked about a choice that is no longer open.
      if (this.hot !== option.id || !model.decision?.options.includes(option)) return;
      const odds = await oddsOf(model, option.id);
      if (this.hot !== option.id) return;
      this.oddsBox.replaceChildren(...(odds ? [oddsTable(model.look, this.says(option), odds, this.cite)] : []));
    }, 90);
  }

  /** The way to face whose arrow is under a point of the sheet. @param {{x: number, y: number}} at */
  facing(at) {
    return this.model.decision ? handleAt(this.scene, at)?.option ?? null : null;
  }

  cool() {
    this.hot = "";
    this.scene.hot = "";
    this.scene.path = [];
    this.scene.hover = null;
    this.scene.again();
  }

  /**
   * A click on the map. True if it was an answer or a question back.
   * @param {string} hex
   * @param {string|null} unit
   * @param {boolean} touch whether a finger clicked, which cannot hover first
   */
  click(hex, unit, touch) {
    const options = optionsAt(this.targets, this.model.frame, hex, unit);
    if (options.length === 0 || !this.model.decision) return false;
    // A finger points first, and chooses when it comes to the same place again.
    const again = this.picked?.length === 1 && this.picked[0] === options[0];
    if (options.length === 1 && (!touch || again)) {
      this.choose(options[0]);
      return true;
    }
    this.picked = options;
    this.draw();
    this.heat(options[0]);
    const first = /** @type {HTMLElement|null} */ (this.root.querySelector(".options button"));
    first?.focus({ preventScroll: touch });
    return true;
  }

  /**
   * What can be done at a hex, in words.
   * @param {string} hex
   * @param {string|null} unit
   */
  at(hex, unit) {
    return this.model.decision ? optionsAt(this.targets, this.model.frame, hex, unit) : [];
  }

  /** A button was clicked. @param {Option} option @param {number} clicks */
  answer(option, clicks) {
    if (!this.isEcho(clicks)) this.choose(option);
  }

  /**
   * @param {Option} option
   * @param {number[]} [dice] as they fell, where they are typed in
   */
  async choose(option, dice = []) {
    if (this.busy || !this.model.decision) return;
    this.busy = true;
    this.model.chose = this.model.ply;
    this.root.classList.add("busy");
    try {
      await post(`/games/${this.model.id}/choose`, {
        ply: this.model.ply, seat: this.model.seat, option: option.id, ...(dice.length > 0 ? { dice } : {}),
      });
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (refused.die) {
        askForDie(option.text, refused.die, dice, (value) => this.choose(option, [...dice, value]));
        return;
      }
      tell(refused.rule ? `${refused.message} (${refused.rule})` : refused.message, true);
      if (refused.kind === "stale") await this.model.open(this.model.seat);
    } finally {
      this.busy = false;
      this.root.classList.remove("busy");
    }
  }

  /** @param {number} index of a button */
  press(index) {
    const plain = this.targets.plain;
    if (this.model.decision && plain.length <= 6 && plain[index]) this.choose(plain[index]);
  }

  /** Takes back the last choice, or all behind a step. @param {number} [to] */
  async undo(to) {
    try {
      await post(`/games/${this.model.id}/undo`, { ply: this.model.ply, seat: this.model.seat, ...(to === undefined ? {} : { to }) });
    } catch (error) {
      tell(/** @type {Error} */ (error).message, true);
    }
  }
}
