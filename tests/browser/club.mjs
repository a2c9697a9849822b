// A club to test with: the program on a port of its own, people in browser contexts of their own.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/** Every wait is for something, and ends in a failure only after this long: the machine may be slow and busy. */
export const PATIENCE = Number(process.env.PATIENCE ?? 240000);

/** Before looking again. @param {number} ms */
export const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** A port that is free now. */
function freePort() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

export class Club {
  /** @param {string} program @param {string} root @param {string[]} [where] how to say where it is kept, if not in a file */
  constructor(program, root, where) {
    this.program = program;
    this.root = root;
    this.where = where;
    this.folder = mkdtempSync(join(tmpdir(), "cupola-browser-"));
  }

  async open() {
    this.port ??= await freePort();
    this.base = `http://127.0.0.1:${this.port}`;
    const file = join(this.folder, "club.db");
    const where = this.where ?? ["--file", file];
    this.process = spawn(this.program, ["serve", "--address", `127.0.0.1:${this.port}`, "--reports", join(this.folder, "reports"), ...where], { cwd: this.root });
    this.output = "";
    this.process.stdout.on("data", (text) => { this.output += text; });
    this.process.stderr.on("data", (text) => { this.output += text; });
    const end = Date.now() + PATIENCE;
    while (Date.now() < end && this.process.exitCode === null) {
      if (this.output.includes("Stop with")) return;
      await pause(50);
    }
    throw new Error(`the club does not open: ${this.output}`);
  }

  /** Ends it as a power cut would. */
  kill() {
    return new Promise((done) => {
      this.process.once("exit", done);
      this.process.kill("SIGKILL");
    });
  }

  /**
   * A journal in which the dice fall alike in every run, made by the program in the terminal: before the first choice, or to
   * the end if bots play it.
   * @param {{id: string}[]} sides @param {string} who plays both sides
   */
  journal(ruleset, scenario, seed, sides, who = "human") {
    const file = join(this.folder, `${ruleset}-${scenario}-${seed}-${who}.cupola`);
    const seats = sides.flatMap(({ id }) => ["--seat", `${id}=${who}`]);
    const made = spawnSync(this.program, ["play", `${ruleset}/${scenario}`, ...seats, "--seed", seed, "--autosave", file, "--quiet"],
      { cwd: this.root, input: "quit\n", encoding: "utf8" });
    try {
      return readFileSync(file, "utf8");
    } catch {
      throw new Error(`no journal: ${made.stdout} ${made.stderr}`);
    }
  }

  get keeperLink() {
    return /\S+#enter=\S+/.exec(this.output)[0];
  }
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
}

/** Somebody at a browser of his own; everything that comes over the network is kept. */
export class Somebody {
  static async sit(browser, club, name, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const self = new Somebody();
    Object.assign(self, { context, page, club, name, heard: [], wrong: [], expected: [409, 422] });
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => self.heard.push({ from: socket.url(), text: Promise.resolve(String(payload)) })));
    page.on("response", (response) => {
      if (!response.url().includes("/api/") || response.url().includes("/api/look/")) return;
      self.heard.push({ from: response.url(), text: response.text().catch(() => "") });
    });
    page.on("pageerror", (error) => self.wrong.push(String(error.stack)));
    page.on("console", (message) => { if (message.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(message.text())) self.wrong.push(message.text()); });
    return self;
  }

  /** Refusals that this test provokes: the console tells of them at any time, also after the last line of the test. */
  expect(...statuses) {
    this.expected.push(...statuses);
  }

  get complaints() {
    return this.wrong.filter((text) => !this.expected.some((status) => text.includes(`status of ${status}`)));
  }

  /** All that came over the network about a game, up to a ply that is on its way. */
  async heardOf(game, ply) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const about = this.heard.filter(({ from }) => from.includes(game));
      const texts = await Promise.all(about.map(({ text }) => text));
      const messages = texts.map(read).filter((message) => message !== null);
      if (messages.some((message) => message.ply >= ply || message.steps?.some((step) => step.ply >= ply))) return { messages, text: texts.join("\n") };
      await pause(50);
    }
    throw new Error(`${this.name} never heard of ply ${ply}`);
  }

  async enter() {
    await this.page.goto(`${this.club.base}/`);
    await this.page.fill("form.door input", this.name);
    await this.page.click("form.door button");
    await this.page.waitForSelector("#nav a");
  }

  api(path, body) {
    return this.page.evaluate(async ([path, body]) => {
      const answer = await fetch(`/api${path}`, body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      return { status: answer.status, ...(await answer.json()) };
    }, [path, body ?? null]);
  }

  /** Sets up a game through the form. */
  async newGame(ruleset, scenario, seats = ["me", "steady"]) {
    const { page } = this;
    await page.goto(`${this.club.base}/#new`);
    await page.waitForSelector("form.new");
    await page.check(`input[name=ruleset][value="${ruleset}"]`);
    await page.check(`input[name=scenario][value="${scenario}"]`);
    await page.selectOption("select[name=seat0]", seats[0]);
    await page.selectOption("select[name=seat1]", seats[1]);
    await page.click("form.new button.primary");
    await this.atTable();
    return page.url().split("/t/")[1];
  }

  /** Takes in a journal; says which game it is now. @param {string} text */
  async bring(text) {
    const taken = await this.page.evaluate((text) => fetch("/api/journals", { method: "POST", body: text }).then((answer) => answer.json()), text);
    if (!taken.id) throw new Error(`the journal is not taken in: ${taken.error}`);
    return taken.id;
  }

  /** Sits down at a game in which the dice fall alike in every run: for what would otherwise come once in a while. */
  async sameGame(ruleset, scenario, seats = ["me", "steady"], seed = "1863") {
    const { rulesets } = await this.api("/catalogue");
    const { sides } = rulesets.find((one) => one.name === ruleset).scenarios.find((one) => one.name === scenario);
    const id = await this.bring(this.club.journal(ruleset, scenario, seed, sides));
    for (const [index, holder] of seats.entries()) {
      if (holder === "me") continue;
      await this.api(`/games/${id}/stand`, { side: sides[index].id });
      if (holder !== "open") await this.api(`/games/${id}/sit`, { side: sides[index].id, holder });
    }
    await this.page.goto(`${this.club.base}/t/${id}`);
    await this.atTable();
    return id;
  }

  async atTable() {
    await this.page.waitForFunction(() => window.cupola?.scene.frame);
    // Letters that come late move everything on the page.
    await this.page.evaluate(async () => { window.cupola.player.fast = true; await document.fonts.ready; });
  }

  /** Waits until nothing moves on the map and every tile that it wants is there: for pictures. */
  async still() {
    await this.page.waitForFunction(() => {
      const { scene } = window.cupola;
      return scene.ways.size === 0 && !scene.camera.gliding && scene.picture.ready.has("whole") && scene.picture.under === 0;
    });
    await this.page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  }

  /** Brings a hex to the middle of the map and says where it is on the screen. */
  aim(hex) {
    return this.page.evaluate((hex) => {
      const { scene, canvas } = window.cupola;
      const at = scene.geometry.centre(hex);
      scene.camera.stop();
      scene.camera.centreOn(at.x, at.y);
      const box = canvas.getBoundingClientRect();
      return { x: box.left + at.x * scene.camera.scale + scene.camera.x, y: box.top + at.y * scene.camera.scale + scene.camera.y };
    }, hex);
  }

  /** What the page knows. */
  look() {
    return this.page.evaluate(() => {
      const { model } = window.cupola;
      return { step: model.step, shown: model.shown, ply: model.ply, mine: Boolean(model.decision), over: Boolean(model.frame.verdict),
        asked: model.frame.decision?.side ?? null, seat: model.seat, options: model.decision?.options.length ?? 0 };
    });
  }

  /** Waits until this seat must choose or the game is over. */
  async turn() {
    await this.page.waitForFunction(() => !window.cupola.decision.busy && (window.cupola.model.decision || window.cupola.model.frame.verdict));
    return this.look();
  }

  /** Answers by a click on the map if there is something lit, otherwise by a button. Says what was clicked. */
  async click(pick) {
    const { page } = this;
    const before = (await this.look()).ply;
    const hex = await page.evaluate((pick) => {
      const { model, decision } = window.cupola;
      const { hexes, units, plain } = decision.targets;
      const lit = [...hexes.keys(), ...[...units.keys()].map((id) => model.frame.units[id].hex)];
      // Buttons end phases: now and then is enough while there is something to do on the map.
      if (lit.length === 0 || (plain.length > 0 && pick > 0.8)) return null;
      return lit[Math.floor(pick * 997) % lit.length];
    }, pick);
    if (hex !== null) {
      const { x, y } = await this.aim(hex);
      await page.mouse.click(x, y);
      // The page has understood the click when the mouse is up: it chooses, or asks which of several is meant.
      const chosen = await page.evaluate((ply) => window.cupola.decision.busy || window.cupola.model.ply !== ply, before);
      if (chosen) {
        await this.moved(before);
        return `hex ${hex}`;
      }
    }
    await page.evaluate((pick) => {
      const buttons = document.querySelectorAll("#decision .options button, #decision .buttons button");
      buttons[Math.floor(pick * 991) % buttons.length].click();
    }, pick);
    await this.moved(before);
    return "button";
  }

  /** Waits until the game has gone on since a ply, and the screen shows it. */
  moved(ply) {
    return this.page.waitForFunction((ply) => window.cupola.model.ply !== ply && window.cupola.model.live, ply, { polling: 20 });
  }

  /** Plays on by pressing the page's own buttons, as fast as they come, until the other side must choose. */
  async rush(limit) {
    this.rushes = (this.rushes ?? 0) + 1;
    return this.page.evaluate(async ([limit, rushes, patience]) => {
      // The same presses in every run of the tests.
      let seed = rushes * 7919;
      const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
      const table = window.cupola;
      const end = Date.now() + patience;
      let done = 0;
      while (done < limit && Date.now() < end) {
        const { model, decision } = table;
        if (model.live && (model.frame.verdict || !model.decision)) break;
        const buttons = [...document.querySelectorAll("#decision .options button, #decision .buttons button")];
        if (!model.decision || buttons.length === 0 || decision.busy) {
          await new Promise((next) => { setTimeout(next, 10); });
          continue;
        }
        const { ply } = model;
        buttons[Math.floor(random() * buttons.length)].click();
        // Until it was carried out or refused.
        do await new Promise((next) => { setTimeout(next, 5); });
        while (Date.now() < end && (decision.busy || (model.ply === ply && !document.querySelector("#told .bad"))));
        done += 1;
      }
      return done;
    }, [limit, this.rushes, PATIENCE]);
  }
}

/** Who of these must choose, once all of their screens agree on how the game stands; nobody when it is over. */
export async function asked(...people) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const all = await Promise.all(people.map((somebody) => somebody.look()));
    if (all.every((state) => state.ply === all[0].ply && state.shown === state.step)) {
      if (all.every((state) => state.over)) return null;
      const one = all.findIndex((state) => state.mine);
      if (one >= 0) return people[one];
    }
    await pause(20);
  }
  throw new Error("nobody is asked, and the game is not over");
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
