// The games of the club as far as they were asked for: mine, a first page of every part, and more pages on demand.

import { get } from "../common/api.js";

/** @typedef {import("./list.js").GameCard} GameCard */
/** @typedef {"open"|"running"|"over"} Part */

export class Games {
  constructor() {
    /** @type {GameCard[]} what comes anew each time */
    this.first = [];
    /** @type {Record<Part, string|null>} how to ask for what follows on the first page */
    this.follows = { open: null, running: null, over: null };
    /** @type {Record<Part, {games: GameCard[], next: string|null}|null>} pages that were asked for besides */
    this.more = { open: null, running: null, over: null };
    /** Of the finished games only those in which I had a hand. */
    this.mine = false;
    /** @type {GameCard[]} */
    this.own = [];
  }

  /** Looks again. True if something has changed since. */
  async refresh() {
    const before = JSON.stringify([this.first, this.own]);
    const found = await get("/games");
    this.first = found.games;
    this.follows = found.more;
    if (this.mine) await this.findOwn();
    return JSON.stringify([this.first, this.own]) !== before;
  }

  async findOwn() {
    const { games, more } = await get("/games?part=over&mine=true");
    this.own = games;
    if (this.more.over === null) this.follows.over = more;
  }

  /** Shows all finished games, or only mine. @param {boolean} mine */
  async onlyMine(mine) {
    this.mine = mine;
    this.more.over = null;
    if (mine) await this.findOwn();
    else await this.refresh();
  }

  /** Whether there are more of a part than are shown. @param {Part} part */
  next(part) {
    const more = this.more[part];
    return more === null ? this.follows[part] : more.next;
  }

  /** One more page. @param {Part} part */
  async load(part) {
    const after = this.next(part);
    if (after === null) return;
    const words = new URLSearchParams({ part, after });
    if (part === "over" && this.mine) words.set("mine", "true");
    const found = await get(`/games?${words}`);
    const more = this.more[part] ?? { games: [], next: null };
    this.more[part] = { games: [...more.games, ...found.games], next: found.more };
  }

  /** All that are to be shown, each once: what was read last counts. */
  get all() {
    const fresh = this.mine ? [...this.first.filter((game) => !game.verdict), ...this.own] : this.first;
    const more = Object.values(this.more).flatMap((page) => page?.games ?? []);
    const known = new Set(fresh.map((game) => game.id));
    return [...fresh, ...more.filter((game) => !known.has(game.id))];
  }
}
