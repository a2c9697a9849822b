// The open decision: what is asked, by which rule, and everything that can be answered.

import { askForDie } from "./dice.js";
import { post, Refused } from "../common/api.js";
import { byId, h, tell } from "../common/dom.js";
import { played } from "../help/charts.js";
import { hexIn, optionTexts, plainly } from "../common/words.js";
import { afterwards } from "../table/afterwards.js";
import { handleAt, handles } from "./handles.js";
import { asked } from "./orders.js";
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
    const hex = decision ? this.subject(decision) : null;
    const asked = decision ? `${hex} ${decision.prompt}` : "";
    const before = this.asked;
    this.asked = asked;
    scene.asked = hex;
    if (!decision || asked === before) return;
    const at = hex ? scene.geometry.centre(hex) : null;
    if (!scene.camera.byHand && this.isFar()) this.find();
    else if (at) scene.camera.reveal(at);
  }

  /** Whether counters are drawn too small to be read. @param {number} [least] */
  isFar(least = FAR) {
    const { camera, geometry } = this.scene;
    return camera.scale * geometry.pitch < least;
  }

  /** Comes so close to what can be chosen that it can be read: to all of it if there is room, to the middle of it otherwise. */
  find() {
    const { model, scene, targets: { hexes, units } } = this;
    this.comeTo([scene.asked, ...hexes.keys(), ...[...units.keys()].map((id) => model.frame.units[id]?.hex ?? null)]);
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
   * The hex that a question is about: of the one unit that every answer moves; where nothing on the map answers it, of the
   * unit that was chosen before, or the one that is named.
   * @param {import("../state/types.js").Decision} decision
   */
  subject(decision) {
    const { model, scene, targets: { hexes, units } } = this;
    const [first, ...others] = decision.options.filter((option) => option.touch.some((touch) => touch[0] === "h"));
    const moved = first?.touch.find((touch) => touch[0] === "u" && others.length > 1 && others.every((option) => option.touch.includes(touch)));
    if (moved) return model.frame.units[moved.slice(1)]?.hex ?? null;
    if (hexes.size + units.size > 0) return null;
    const before = decision.subject ? model.frame.units[decision.subject]?.hex : null;
    return hexIn(scene.geometry, decision.prompt) ?? before ?? null;
  }

  draw() {
    const { model } = this;
    const decision = model.decision;
    this.texts = optionTexts(model.look, decision?.options ?? []);
    this.oddsBox = h("div.oddsbox");
    if (!decision) {
      this.root.replaceChildren(...this.waiting());
      return;
    }
    const phase = model.look.phases[model.frame.phase] ?? model.frame.phase;
    const parts = [
      h("div.head", {}, h("span", { text: phase }), this.cite(decision.rule)),
      h("div.prompt", { text: plainly(model.look, decision.prompt), id: "prompt" }),
    ];
    const plain = this.targets.plain;
    const many = plain.length > 6;
    const listed = this.picked ?? decision.options.filter((option) => many || !plain.includes(option));
    if (!many && plain.length > 0 && !this.picked) {
      parts.push(h("div.buttons", {}, ...plain.map((option, i) => this.button(option, i, plain.length === 1 && listed.length === 0))));
    }
    parts.push(this.oddsBox);
    if (this.picked) {
      parts.push(h("div.head", {}, h("b", { text: "Which?" }), h("button", { text: "All options", onclick: () => { this.picked = null; this.draw(); } })));
    }
    if (listed.length > 0) parts.push(...this.list(listed));
    this.root.replaceChildren(...parts);
    // With few answers, their odds are worth showing unasked.
    const fights = decision.options.filter((option) => option.odds);
    if (fights.length > 0 && decision.options.length <= 4) this.heat(fights[0]);
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
      type: "button", "data-option": option.id, onclick: () => this.choose(option),
      onmouseenter: () => this.heat(option), onfocus: () => this.heat(option), onmouseleave: () => this.cool(),
    }, h("span", { text: this.says(option) }), option.cost ? h("span.cost", { text: option.left ? `${option.cost}, ${option.left} left` : option.cost }) : null,
    option.odds ? h("span.cost", { text: "⚄", title: "odds" }) : null);
  }

  /** @param {Option} option @param {number} index @param {boolean} only */
  button(option, index, only) {
    return h(only ? "button.primary" : "button", {
      type: "button", "data-option": option.id, onclick: () => this.choose(option),
      onmouseenter: () => this.heat(option), onfocus: () => this.heat(option),
      title: index < 9 ? `Key ${index + 1}` : "",
    }, this.says(option));
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
    return [h("div.head", {}, h("span", { text: phase }), this.cite(decision.rule)), h("div.prompt", { text: `${who} …` })];
  }

  /**
   * Points to an option: its path on the map, its odds here.
   * @param {Option} option
   */
  heat(option) {
    if (this.hot === option.id) return;
    this.hot = option.id;
    const { scene, model } = this;
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
    if (options.length === 1 && !touch) {
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

  /**
   * @param {Option} option
   * @param {number[]} [dice] as they fell, where they are typed in
   */
  async choose(option, dice = []) {
    if (this.busy || !this.model.decision) return;
    this.busy = true;
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
