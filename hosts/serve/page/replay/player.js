// Steps on the screen: what others do is played back at a pace that can be followed, and any step can be looked at again.

import { byId, h } from "../common/dom.js";
import { turnTrack } from "../boards/boards.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Step} Step */
/** @typedef {import("../state/types.js").Happening} Happening */

/** Milliseconds for a step of somebody else; fewer when many wait. */
const PACE = 420;
const HASTE = 60;

export class Player {
  /**
   * @param {Model} model
   * @param {(before: any, events: Happening[], span: number) => void} show called after a frame was put on the screen
   */
  constructor(model, show) {
    this.model = model;
    this.show = show;
    /** @type {{frame: any, step: number, events: Happening[], own: boolean}[]} */
    this.queue = [];
    this.timer = 0;
    this.playing = false;
    this.past = false;
    this.root = byId("track");
    /** @type {number[]} steps that somebody marked here */
    this.marks = JSON.parse(localStorage.getItem(`cupola-marks/${model.id}`) ?? "[]");
    this.fast = localStorage.getItem("cupola-pace") === "fast";
  }

  /** Steps that came from the club. @param {Step[]} steps */
  hear(steps) {
    const { model } = this;
    for (const step of steps) {
      model.take(step);
      const own = step.side === model.seat || Boolean(step.undo);
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
    const pace = this.fast || document.hidden ? 0 : item.own ? 200 : quiet ? 40 : behind > 40 ? HASTE : behind > 12 ? PACE / 2 : PACE;
    const before = this.model.frame;
    this.model.show(item.frame, item.step);
    this.show(before, item.events, Math.max(0, pace - 30));
    if (pace === 0 && behind > 0) this.next();
    else this.timer = window.setTimeout(() => this.next(), behind > 0 ? pace : 0);
    this.draw();
  }

  /** Shows how things stand now, at once. */
  now() {
    clearTimeout(this.timer);
    this.queue = [];
    this.playing = false;
    this.past = false;
    const before = this.model.frame;
    this.model.show(this.model.latest, this.model.step);
    this.show(before, [], 0);
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
    const { model } = this;
    const wanted = Math.max(0, Math.min(model.step, step));
    if (wanted === model.step) {
      this.now();
      return;
    }
    this.past = true;
    const { frame, events } = await model.at(wanted);
    const before = model.frame;
    model.show(frame, wanted);
    this.show(before, events, moving ? PACE : 0);
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
    const { model } = this;
    const at = model.shown;
    const go = (/** @type {number} */ step) => () => { this.playing = false; this.go(step, step === at + 1); };
    const range = h("input", {
      type: "range", min: "0", max: String(model.step), value: String(at), "aria-label": "Step of the game",
      oninput: (/** @type {Event} */ event) => { this.playing = false; this.go(Number(/** @type {HTMLInputElement} */ (event.target).value)); },
    });
    const behind = this.queue.length;
    const reel = h(this.past ? "div.reel.past" : "div.reel", {},
      h("button", { type: "button", title: "To the beginning (Home)", "aria-label": "To the beginning", text: "|◀", onclick: go(0) }),
      h("button", { type: "button", title: "One step back ([)", "aria-label": "One step back", text: "◀", disabled: at === 0, onclick: go(at - 1) }),
      h("button", { type: "button", title: "Play (p)", "aria-label": this.playing ? "Stop" : "Play", text: this.playing ? "■" : "▶▶", disabled: at >= model.step, onclick: () => this.play() }),
      h("button", { type: "button", title: "One step on (])", "aria-label": "One step on", text: "▶", disabled: at >= model.step, onclick: go(at + 1) }),
      range,
      h("button", { type: "button", title: "Mark this step (m)", "aria-label": "Mark this step", "aria-pressed": String(this.marks.includes(at)), text: this.marks.includes(at) ? "★" : "☆", onclick: () => this.mark() }),
      ...this.marks.filter((step) => step !== at && step <= model.step).slice(-6).map((step) => h("button", { type: "button", title: `To the mark at step ${step}`, text: `★${step}`, onclick: go(step) })),
      h("span.where", { text: behind > 0 ? `${behind} to come` : `${at} of ${model.step}` }),
      this.past || behind > 0 ? h("button.primary", { type: "button", id: "to-now", text: behind > 0 ? "Skip" : "To the present", onclick: () => this.now() }) : null);
    const turns = turnTrack(model);
    this.root.replaceChildren(turns, reel);
    const now = turns.querySelector(".now");
    if (now instanceof HTMLElement) turns.scrollLeft = now.offsetLeft - turns.clientWidth / 2;
  }
}
