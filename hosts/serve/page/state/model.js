// What this seat knows: the latest frame, the frame that is shown, the log, and who wants to be told.

import { get } from "../common/api.js";
import { mineOf } from "../decision/orders.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Happening} Happening */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").TableInfo} TableInfo */

/** Steps that are asked for at once when looking back. */
const REEL = 100;

/**
 * A frame after a change; what did not change is shared.
 * @param {Frame} frame
 * @param {any} change
 * @returns {Frame}
 */
export function changed(frame, change) {
  const next = { ...frame, ...change };
  if (change.units) {
    next.units = { ...frame.units };
    for (const [id, unit] of Object.entries(change.units)) {
      if (unit === null) delete next.units[id];
      else next.units[id] = unit;
    }
  }
  return next;
}

export class Model extends EventTarget {
  /**
   * @param {string} id the game
   */
  constructor(id) {
    super();
    this.id = id;
    this.seat = "";
    this.ply = 0;
    /** The latest step. */
    this.step = 0;
    /** @type {Frame} the latest frame */
    this.latest = /** @type {any} */ (null);
    /** @type {Frame} the frame on the screen */
    this.frame = /** @type {any} */ (null);
    /** The step on the screen. */
    this.shown = 0;
    /** The ply that was answered here last. */
    this.chose = -1;
    /** Whether somebody looks back at it, and not on as it goes. */
    this.back = false;
    /** @type {Happening[]} */
    this.log = [];
    /** Whether more happened than the log tells. */
    this.earlier = false;
    /** @type {TableInfo} */
    this.table = /** @type {any} */ (null);
    /** @type {Look} */
    this.look = /** @type {any} */ (null);
    /** The name of the look, and of the rules. */
    this.lookName = "";
    this.rules = "";
    /** @type {{decision: Decision, table: TableInfo, mine: Decision|null}|null} what of a decision is this person's */
    this.own = null;
    /** @type {Map<number, {frame: Frame, events: Happening[], side: string}>} */
    this.past = new Map();
  }

  /**
   * Sits down.
   * @param {string} [seat] where, if it matters
   */
  async open(seat = "") {
    const whole = await get(`/games/${this.id}?seat=${encodeURIComponent(seat)}`);
    await this.takeLook(whole);
    this.table = whole.table;
    if (this.seat !== whole.seat) this.past.clear();
    this.seat = whole.seat;
    this.whole(whole);
  }

  /**
   * Takes over the look of what is sent, before anything of it is shown.
   * @param {{look: string}} whole
   */
  async takeLook({ look }) {
    if (look === this.lookName) return;
    this.look = await get(`/look/${look}`);
    this.lookName = look;
    this.say("look");
  }

  /**
   * Takes over everything at once.
   * @param {any} whole
   */
  whole(whole) {
    // Under other rules nothing was as it was.
    if (this.rules !== whole.rules) this.past.clear();
    this.rules = whole.rules;
    this.ply = whole.ply;
    this.step = whole.step;
    this.latest = whole.frame;
    this.log = whole.log;
    this.earlier = Boolean(whole.earlier);
    this.forget(this.step);
    this.show(this.latest, this.step);
    this.say("log");
  }

  /**
   * Takes over one step; the screen follows when whoever plays it back says so.
   * @param {Step} step
   */
  take(step) {
    this.ply = step.ply ?? this.ply;
    this.latest = changed(this.latest, step.change);
    if (step.undo) {
      this.log = this.log.filter((event) => (event.step ?? 0) <= step.step);
      this.forget(step.step);
    }
    this.step = step.step;
    for (const event of step.events) this.log.push({ ...event, step: step.step, side: step.side });
    this.past.set(step.step, { frame: this.latest, events: step.events, side: step.side });
  }

  /**
   * Puts a frame on the screen.
   * @param {Frame} frame
   * @param {number} step
   */
  show(frame, step) {
    const before = this.frame;
    this.frame = frame;
    this.shown = step;
    this.dispatchEvent(new CustomEvent("shown", { detail: { before } }));
  }

  /** @param {string} what */
  say(what) {
    this.dispatchEvent(new Event(what));
  }

  /** Whether the screen shows how things stand now. */
  get live() {
    return this.frame === this.latest;
  }

  /** The decision, as far as it is this person's and the screen shows it. */
  get decision() {
    const decision = this.frame?.decision;
    if (!this.live || !decision?.mine || this.table.paused || this.table.closed || !this.seatInfo?.mine) return null;
    if (this.own?.decision !== decision || this.own.table !== this.table) this.own = { decision, table: this.table, mine: mineOf(this, decision) };
    return this.own.mine;
  }

  /** The seat from which this page looks, if it is a side's. */
  get seatInfo() {
    return this.table.seats.find((seat) => seat.side === this.seat);
  }

  /** @param {string} id a side's */
  sideLook(id) {
    return this.look.sides.find((side) => side.id === id) ?? { id, name: id, colour: "grey", corners: "square" };
  }

  /** @param {number} step what lies behind it never happened */
  forget(step) {
    for (const known of this.past.keys()) if (known > step) this.past.delete(known);
  }

  /**
   * The frame at a step, asked for if it is not known.
   * @param {number} step
   * @returns {Promise<{frame: Frame, events: Happening[], side: string}>}
   */
  async at(step) {
    const known = this.past.get(step);
    if (known) return known;
    const from = Math.max(0, Math.floor((step - 1) / REEL) * REEL);
    const film = await get(`/games/${this.id}/film?seat=${encodeURIComponent(this.seat)}&from=${from}&to=${from + REEL}`);
    let frame = film.frame;
    this.past.set(from, { frame, events: this.past.get(from)?.events ?? [], side: this.past.get(from)?.side ?? "" });
    for (const part of film.steps) {
      frame = changed(frame, part.change);
      this.past.set(part.step, { frame, events: part.events, side: part.side });
    }
    const found = this.past.get(step);
    if (!found) throw new Error("There is no such step.");
    return found;
  }
}
