// The line to the club: steps as they happen. It comes back by itself.

/** @typedef {import("./model.js").Model} Model */

/** The club says something at least every half a minute; a line on which nothing has come for so many milliseconds is dead. */
const DEAD = 75000;

export class Line {
  /**
   * @param {Model} model
   * @param {{steps: (steps: any[]) => void, whole: (message: any) => Promise<void>, state: (open: boolean) => void}} on called with
   *   the steps that came, with everything at once, and when the line opens or breaks
   */
  constructor(model, on) {
    this.model = model;
    this.on = on;
    this.tries = 0;
    /** One message after the other: one of them may have to fetch something. */
    this.heard = Promise.resolve();
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {number|undefined} */
    this.timer = undefined;
    /** When something was heard last. */
    this.last = performance.now();
    // A machine that slept or that changed its network is not told that its line is gone.
    setInterval(() => this.check(), 10000);
    for (const change of ["online", "offline"]) addEventListener(change, () => this.check(true));
    document.addEventListener("visibilitychange", () => this.check());
  }

  /** Opens a new line if this one is dead. @param {boolean} [changed] whether the network is another */
  check(changed = false) {
    const waits = this.socket === null && this.timer !== undefined;
    if (this.socket ? changed || performance.now() - this.last > DEAD : changed && waits) {
      this.on.state(false);
      this.open();
    }
  }

  open() {
    this.close();
    const { model } = this;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = `seat=${encodeURIComponent(model.seat)}&ply=${model.ply}`;
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${model.id}/live?${query}`);
    this.socket = socket;
    this.last = performance.now();
    socket.onopen = () => {
      this.tries = 0;
      this.last = performance.now();
      this.on.state(true);
    };
    socket.onmessage = ({ data }) => {
      this.last = performance.now();
      this.heard = this.heard.then(() => (this.socket === socket ? this.hear(JSON.parse(data)) : undefined)).catch((error) => {
        // What could not be taken in is asked for again.
        console.warn(error);
        if (this.socket === socket) this.open();
      });
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.on.state(false);
      this.tries += 1;
      this.timer = window.setTimeout(() => this.open(), Math.min(8000, 250 * 2 ** Math.min(this.tries, 5)));
    };
  }

  /** @param {any} message */
  async hear(message) {
    const { model } = this;
    if (message.table) {
      model.table = { ...model.table, ...message.table };
      model.say("table");
    }
    if (message.chat) model.dispatchEvent(new CustomEvent("chat", { detail: message.chat }));
    if (message.frame) await this.on.whole(message);
    if (message.steps) this.on.steps(message.steps);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
