// Steps on the screen: what others do is played back at a pace that can be followed, and any step can be looked at again.

import { byId, h } from "../common/dom.js";
import { turnTrack } from "../boards/boards.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Step} Step */
/** @typedef {import("../state/types.js").Happening} Happening */

/** Milliseconds for a step of somebody else, so that what it was can be read; more where dice fell, fewer when many wait. */
const PACE = 600;
const FIGHT = 1300;
const HASTE = 60;

export class Player {
  /**
   * @param {Model} model
   * @param {(before: any, events: Happening[], span: number, own: boolean) => void} show called after a frame was put on the
   *   screen, with whether somebody sees what he did himself
   */
  constructor(model, show) {
    this.model = model;
    this.show = show;
    /** @type {{frame: any, step: number, events: Happening[], own: boolean}[]} */
    this.queue = [];
    this.timer = 0;
    this.playing = false;
    this.past = false;
    /** Whether the slider is drawn along. */
    this.flies = false;
    this.root = byId("track");
    /** @type {number[]} steps that somebody marked here */
    this.marks = JSON.parse(localStorage.getItem(`cupola-marks/${model.id}`) ?? "[]");
    this.fast = localStorage.getItem("cupola-pace") === "fast";
    /** How often a step was asked for: what comes late for an earlier one is not shown. */
    this.went = 0;
    this.range = /** @type {HTMLInputElement} */ (h("input", {
      type: "range", min: "0", "aria-label": "Step of the game",
      oninput: () => {
        this.playing = false;
        this.flies = true;
        this.go(Number(this.range.value)).finally(() => { this.flies = false; });
      },
    }));
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {string} */ key, /** @type {() => void} */ onclick) =>
      /** @type {HTMLButtonElement} */ (h("button", { type: "button", title: `${label} (${key})`, "aria-label": label, text, onclick }));
    const step = (/** @type {number} */ way) => { this.playing = false; this.go(model.shown + way, way > 0); };
    /** What is there is made once and changed: a hand may be on it. */
    this.parts = {
      first: button("|◀", "To the beginning", "Home", () => { this.playing = false; this.go(0); }),
      back: button("◀", "One step back", "[", () => step(-1)),
      play: button("▶▶", "Play", "p", () => this.play()),
      on: button("▶", "One step on", "]", () => step(1)),
      mark: button("☆", "Mark this step", "m", () => this.mark()),
      marks: h("span.marks"),
      where: h("span.where"),
      now: h("button.primary", { type: "button", id: "to-now", onclick: () => this.now() }),
    };
    const { first, back, play, on, mark, marks: marked, where, now } = this.parts;
    first.classList.add("first");
    mark.classList.add("mark");
    this.reel = h("div.reel", {}, first, back, play, on, this.range, mark, marked, where, now);
    this.root.replaceChildren(h("div.turns"), this.reel);
  }

  /** Steps that came from the club. @param {Step[]} steps */
  hear(steps) {
    const { model } = this;
    for (const step of steps) {
      model.take(step);
      // What somebody else of the same side orders is seen as well.
      const alone = (model.seatInfo?.commanders.length ?? 0) === 0;
      const own = Boolean(step.undo) || (step.side === model.seat && (alone || step.ply === model.chose + 1));
      this.queue.push({ frame: model.latest, step: step.step, events: step.events, own });
    }
    model.say("log");
    if (!this.past) this.next();
    else this.draw();
  }

  /** Shows the next step of the queue, and goes on by itself. */
  next() {
    clearTimeout(this.timer);
    const item = this.queue.shift();
    if (!item) {
      this.draw();
      return;
    }
    const behind = this.queue.length;
    const quiet = item.events.length === 0;
    const whole = item.events.some((event) => (event.dice ?? []).length > 0) ? FIGHT : PACE;
    const pace = this.fast || document.hidden ? 0 : item.own ? 200 : quiet ? 40 : behind > 40 ? HASTE : behind > 12 ? whole / 2 : whole;
    const before = this.model.frame;
    this.model.show(item.frame, item.step);
    // What dice decided stands still for a while after a move of the usual length.
    this.show(before, item.events, Math.max(0, Math.min(pace, PACE) - 30), item.own);
    if (pace === 0 && behind > 0) this.next();
    else this.timer = window.setTimeout(() => this.next(), behind > 0 ? pace : 0);
    this.draw();
  }

  /** Shows how things stand now, at once. */
  now() {
    clearTimeout(this.timer);
    this.went += 1;
    this.queue = [];
    this.playing = false;
    this.past = false;
    this.model.back = false;
    const before = this.model.frame;
    this.model.show(this.model.latest, this.model.step);
    this.show(before, [], 0, true);
    this.draw();
  }

  /**
   * Looks at a step.
   * @param {number} step
   * @param {boolean} [moving] whether counters travel there
   */
  async go(step, moving = false) {
    clearTimeout(this.timer);
    this.queue = [];
    this.went += 1;
    const { model, went } = this;
    const wanted = Math.max(0, Math.min(model.step, step));
    if (wanted === model.step) {
      this.now();
      return;
    }
    this.past = true;
    model.back = true;
    const { frame, events } = await model.at(wanted);
    if (went !== this.went) return;
    const before = model.frame;
    model.show(frame, wanted);
    this.show(before, events, moving ? PACE : 0, false);
    this.draw();
  }

  /** Plays on from where the screen is. */
  async play() {
    this.playing = !this.playing;
    this.draw();
    while (this.playing) {
      const next = this.model.shown + 1;
      if (next > this.model.step) {
        this.playing = false;
        this.now();
        return;
      }
      await this.go(next, true);
      const quiet = (this.model.past.get(next)?.events.length ?? 0) === 0;
      await new Promise((done) => setTimeout(done, quiet ? 60 : PACE + 60));
    }
  }

  /** What happened since somebody last looked, from there on. @param {number} step */
  async since(step) {
    await this.go(step);
    if (!this.playing) await this.play();
  }

  /** Marks the step on the screen, or takes the mark away. */
  mark() {
    const at = this.model.shown;
    this.marks = this.marks.includes(at) ? this.marks.filter((known) => known !== at) : [...this.marks, at].sort((a, b) => a - b);
    localStorage.setItem(`cupola-marks/${this.model.id}`, JSON.stringify(this.marks));
    this.draw();
  }

  draw() {
    const { model, parts } = this;
    const at = model.shown;
    const behind = this.queue.length;
    this.range.max = String(model.step);
    this.range.value = String(at);
    this.range.setAttribute("aria-valuetext", `${at} of ${model.step}, ${model.frame.turn.label}`);
    this.reel.classList.toggle("past", this.past);
    parts.back.disabled = at === 0;
    parts.play.disabled = at >= model.step;
    parts.on.disabled = at >= model.step;
    parts.play.textContent = this.playing ? "■" : "▶▶";
    parts.play.setAttribute("aria-label", this.playing ? "Stop" : "Play");
    const marked = this.marks.includes(at);
    parts.mark.textContent = marked ? "★" : "☆";
    parts.mark.setAttribute("aria-pressed", String(marked));
    parts.marks.replaceChildren(...this.marks.filter((step) => step !== at && step <= model.step).slice(-6).map((step) => h("button", {
      type: "button", title: `To the mark at step ${step}`, text: `★${step}`, onclick: () => { this.playing = false; this.go(step); },
    })));
    parts.where.textContent = behind > 0 ? `${behind} to come` : `${at} of ${model.step}`;
    // It keeps its room, or the slider would grow and shrink under the hand that drags it.
    parts.now.textContent = behind > 0 ? "Skip" : matchMedia("(max-width: 820px)").matches ? "Now" : "To the present";
    parts.now.classList.toggle("away", !this.past && behind === 0);
    const turns = turnTrack(model);
    this.root.firstElementChild?.replaceWith(turns);
    const now = turns.querySelector(".now");
    if (now instanceof HTMLElement) turns.scrollLeft = now.offsetLeft - turns.clientWidth / 2;
  }
}
