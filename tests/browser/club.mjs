// A club to test with: the program on a port of its own, people in browser contexts of their own.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

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
  constructor(program, root) {
    this.program = program;
    this.root = root;
    this.folder = mkdtempSync(join(tmpdir(), "cupola-browser-"));
  }

  async open() {
    this.port ??= await freePort();
    this.base = `http://127.0.0.1:${this.port}`;
    const file = join(this.folder, "club.db");
    this.process = spawn(this.program, ["serve", "--address", `127.0.0.1:${this.port}`, "--file", file], { cwd: this.root });
    this.output = "";
    this.process.stdout.on("data", (text) => { this.output += text; });
    this.process.stderr.on("data", (text) => { this.output += text; });
    for (let i = 0; i < 600; i += 1) {
      if (this.output.includes("Stop with")) return;
      if (this.process.exitCode !== null) break;
      await new Promise((done) => setTimeout(done, 50));
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
    const page = await context.newPage();
    const self = new Somebody();
    Object.assign(self, { context, page, club, name, heard: [], wrong: [], expected: [409, 422] });
    page.setDefaultTimeout(60000);
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => self.heard.push({ from: "socket", text: String(payload) })));
    page.on("response", async (response) => {
      if (!response.url().includes("/api/") || response.url().includes("/api/look/")) return;
      const text = await response.text().catch(() => "");
      self.heard.push({ from: response.url(), text });
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

  async atTable() {
    await this.page.waitForFunction(() => window.cupola?.scene.frame, null, { timeout: 180000 });
    await this.page.evaluate(() => { window.cupola.player.fast = true; });
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
  async turn(timeout = 120000) {
    await this.page.waitForFunction(() => window.cupola.model.decision || window.cupola.model.frame.verdict, null, { timeout });
    return this.look();
  }

  /** Answers by a click on the map if there is something lit, otherwise by a button. Says what was clicked. */
  async click(pick) {
    const { page } = this;
    const before = (await this.look()).ply;
    const target = await page.evaluate((pick) => {
      const table = window.cupola;
      const { scene, model } = table;
      const { hexes, units, plain } = table.decision.targets;
      const lit = [...hexes.keys(), ...[...units.keys()].map((id) => model.frame.units[id].hex)];
      // Buttons end phases: now and then is enough while there is something to do on the map.
      if (lit.length === 0 || (plain.length > 0 && pick > 0.8)) return null;
      const hex = lit[Math.floor(pick * 997) % lit.length];
      const at = scene.geometry.centre(hex);
      scene.camera.centreOn(at.x, at.y);
      const box = table.canvas.getBoundingClientRect();
      return { hex, x: box.left + at.x * scene.camera.scale + scene.camera.x, y: box.top + at.y * scene.camera.scale + scene.camera.y };
    }, pick);
    if (target) {
      await page.mouse.click(target.x, target.y);
      const gone = await this.moved(before, 900);
      if (gone) return `hex ${target.hex}`;
    }
    // Several options at one place, or none on the map: the list.
    const button = page.locator(".options button, .buttons button");
    const count = await button.count();
    await button.nth(Math.floor(pick * 991) % count).click();
    await this.moved(before, 30000);
    return "button";
  }

  async moved(ply, timeout) {
    try {
      await this.page.waitForFunction((ply) => window.cupola.model.ply !== ply && window.cupola.model.live, ply, { timeout, polling: 20 });
      return true;
    } catch {
      return false;
    }
  }

  /** Plays on by pressing the page's own buttons, as fast as they come, until the other side must choose. */
  async rush(limit) {
    this.rushes = (this.rushes ?? 0) + 1;
    return this.page.evaluate(async ([limit, rushes]) => {
      // The same presses in every run of the tests.
      let seed = rushes * 7919;
      const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
      const table = window.cupola;
      let done = 0;
      let still = 0;
      while (done < limit && still < 200) {
        const buttons = [...document.querySelectorAll("#decision .options button, #decision .buttons button")];
        if (table.model.frame.verdict) break;
        if (!table.model.decision || buttons.length === 0 || table.decision.busy) {
          if (table.model.live && table.model.frame.decision && !table.model.frame.decision.mine && still > 20) break;
          still += 1;
          await new Promise((next) => setTimeout(next, 10));
          continue;
        }
        still = 0;
        const { ply } = table.model;
        buttons[Math.floor(random() * buttons.length)].click();
        for (let i = 0; i < 500 && table.model.ply === ply; i += 1) await new Promise((next) => setTimeout(next, 5));
        done += 1;
      }
      return done;
    }, [limit, this.rushes]);
  }
}
