// What people measure, and the small things that they love elsewhere.

import assert from "node:assert/strict";
import { join } from "node:path";
import { PATIENCE, asked, pause } from "./club.mjs";

/** Waits until something holds in the club's own memory. @param {() => Promise<boolean>} holds @param {string} what */
async function until(holds, what) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(50)) if (await holds()) return;
  throw new Error(`never: ${what}`);
}

/** A hex with a leader who commands more than his own hex, by asking the club for every stack that this seat sees. */
function leaderHex(somebody) {
  return somebody.page.evaluate(async () => {
    const { model, scene } = window.cupola;
    for (const hex of scene.stacks.keys()) {
      const found = await fetch(`/api/games/${model.id}/command/${encodeURIComponent(hex)}?seat=${model.seat}`).then((answer) => answer.json());
      if (found.ranges?.[0]?.hexes.length > 1) return { hex, ranges: found.ranges };
    }
    return null;
  });
}

export const comforts = {
  async odds_come_before_a_fight_is_chosen({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    let option = null;
    // Some games have no fight in them: then the next.
    for (let game = 1; game <= 6 && !option; game += 1) {
      await ada.sameGame("blindswords", "main", ["me", "steady"], `${game}`);
      for (let i = 0; i < 300 && !option && !(await ada.turn()).over; i += 1) {
        option = await ada.page.evaluate(() => window.cupola.model.decision?.options.find((one) => one.odds)?.id ?? null);
        if (!option) await ada.rush(4);
      }
    }
    assert.ok(option, "no fight ever came");
    await ada.page.evaluate((id) => { const { decision, model } = window.cupola; decision.hot = ""; decision.heat(model.decision.options.find((one) => one.id === id)); }, option);
    await ada.page.waitForSelector("#decision .odds");
    const { ply, seat } = await ada.look();
    const { odds } = await ada.api(`/games/${await ada.page.evaluate(() => window.cupola.model.id)}/odds`, { ply, seat, option });
    const sum = odds.outcomes.reduce((all, outcome) => all + outcome.permille, 0);
    assert.ok(Math.abs(sum - 1000) <= odds.outcomes.length, `the chances add up to ${sum}`);
    assert.ok(odds.modifiers.every((modifier) => modifier.rule.startsWith("§")), "something counts by no rule");
    assert.equal(await ada.page.locator("#decision .odds .bar").count(), odds.outcomes.length);
    await ada.page.evaluate(() => {
      const { scene } = window.cupola;
      const at = scene.geometry.centre(scene.asked ?? [...scene.stacks.keys()][0]);
      scene.camera.zoom(60 / (scene.geometry.pitch * scene.camera.scale));
      scene.camera.centreOn(at.x, at.y);
    });
    await ada.still();
    await ada.page.screenshot({ path: join(screens, "odds.png") });
  },

  async the_log_shows_the_newest_line_unless_somebody_reads_an_earlier_one({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.sameGame("gbacw", "to-stop");
    const panel = () => ada.page.evaluate(() => {
      const { scrollHeight, clientHeight, scrollTop } = document.querySelector("#panel");
      return { hidden: scrollHeight - clientHeight - scrollTop, top: scrollTop, height: clientHeight };
    });
    /** Where the log comes to rest. */
    const rest = async () => {
      for (let was = await panel(); ; ) {
        await pause(150);
        const now = await panel();
        if (now.top === was.top && now.height === was.height) return now;
        was = now;
      }
    };
    // The list of choices grows and shrinks, and the log beneath it with it.
    const heights = new Set();
    for (const pick of [0.31, 0.12, 0.71, 0.05, 0.44, 0.27, 0.63, 0.18, 0.52, 0.36, 0.09, 0.74, 0.21, 0.58]) {
      if ((await ada.turn()).over) break;
      await ada.click(pick);
      await ada.turn();
      const { hidden, height } = await rest();
      heights.add(height);
      assert.ok(hidden < 60, `${hidden} pixels of the log are out of sight`);
    }
    assert.ok(heights.size > 1, "the log was as high all the time: nothing was tried");
    await ada.page.hover("#panel");
    await ada.page.mouse.wheel(0, -400);
    await until(async () => (await panel()).hidden > 100, "the log is scrolled");
    const { top } = await rest();
    await ada.click(0.4);
    await ada.turn();
    assert.ok(Math.abs((await rest()).top - top) < 60, "who reads an earlier line is torn away from it");
  },

  async how_far_a_leader_commands_is_shown_by_the_rules({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    let shown = 0;
    // Where leaders are on the field at once, or come with the first turn.
    for (const [ruleset, scenario] of [["corps20", "training"], ["blocks", "day1"], ["gbacw", "to-stop"]]) {
      await ada.newGame(ruleset, scenario);
      let found = null;
      for (let i = 0; i < 200 && !found && !(await ada.turn()).over; i += 1) {
        found = await leaderHex(ada);
        if (!found) await ada.rush(3);
      }
      assert.ok(found, `${ruleset}: no leader commands anything`);
      for (const range of found.ranges) assert.match(range.rule, /^§/, `${ruleset}: no rule is named`);
      const at = await ada.aim(found.hex);
      await ada.page.mouse.move(at.x, at.y);
      await ada.page.focus("#canvas");
      await ada.page.keyboard.press("o");
      await ada.page.waitForFunction((hex) => window.cupola.scene.command?.from === hex, found.hex);
      const state = await ada.page.evaluate(() => ({ hexes: window.cupola.scene.command.hexes.size, card: document.getElementById("card").textContent }));
      assert.equal(state.hexes, found.ranges[0].hexes.length);
      assert.ok(state.card.includes(found.ranges[0].about), `${ruleset}: the card does not say how it is measured`);
      await ada.still();
      await ada.page.screenshot({ path: join(screens, `command-${ruleset}.png`) });
      await ada.page.keyboard.press("Escape");
      await ada.page.waitForFunction(() => window.cupola.scene.command === null);
      shown += 1;
    }
    assert.equal(shown, 3);
  },

  async lines_of_sight_are_those_of_the_rules_with_the_reason({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    const { rulesets } = await ada.api("/catalogue");
    for (const ruleset of ["gbacw", "blocks", "blindswords"]) {
      const { scenarios } = rulesets.find((one) => one.name === ruleset);
      await ada.newGame(ruleset, scenarios[0].name);
      await ada.turn();
      // Two hexes that do not see each other, and why: the first that the club finds.
      const blocked = await ada.page.evaluate(async () => {
        const { model, scene } = window.cupola;
        const ask = (path) => fetch(`/api/games/${model.id}/${path}`).then((answer) => answer.json());
        const { geometry } = scene;
        for (const from of [...scene.stacks.keys()].slice(0, 40)) {
          const a = geometry.centre(from);
          for (const to of geometry.map.labels) {
            const b = geometry.centre(to);
            const far = Math.hypot(a.x - b.x, a.y - b.y) / geometry.pitch;
            if (far < 1.5 || far > 3.2) continue;
            const line = await ask(`line?from=${from}&to=${to}`);
            if (line.rules?.blocked) return line;
          }
        }
        return null;
      });
      assert.ok(blocked, `${ruleset}: everything sees everything`);
      assert.match(blocked.rules.rule, /^§/);
      assert.ok(blocked.rules.why.length > 8 && blocked.rules.along.length >= 3);
      const { hexes, rule } = await ada.api(`/games/${await ada.page.evaluate(() => window.cupola.model.id)}/sight/${blocked.from}`);
      assert.ok(rule && !hexes.includes(blocked.to), `${ruleset}: what is seen and the line disagree`);
      // By the keyboard and the mouse, as people do it.
      await ada.page.evaluate((hex) => { window.cupola.scene.cursor = hex; }, blocked.from);
      const at = await ada.aim(blocked.to);
      await ada.page.mouse.move(at.x, at.y);
      await ada.page.focus("#canvas");
      await ada.page.keyboard.press("g");
      await ada.page.waitForSelector("#card .profile svg");
      const said = await ada.page.textContent("#card");
      assert.ok(said.includes("Not in sight") && said.includes(blocked.rules.why), `${ruleset}: ${said}`);
      await ada.still();
      await ada.page.screenshot({ path: join(screens, `sight-${ruleset}.png`) });
      // The same for fingers.
      await ada.page.keyboard.press("Escape");
      await ada.page.evaluate((hex) => window.cupola.inspect(hex), blocked.from);
      await ada.page.click("#stack .measures button:has-text('Line to')");
      const end = await ada.aim(blocked.to);
      await ada.page.mouse.click(end.x, end.y);
      await ada.page.waitForFunction((to) => window.cupola.scene.line?.to === to, blocked.to);
    }
  },

  async variants_are_stacked_and_what_they_change_is_told({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    const { page } = ada;
    await page.goto(`${ada.club.base}/#new`);
    await page.waitForSelector("form.new");
    await page.check("input[name=ruleset][value=corps20]");
    await page.check("input[name=scenario][value=july1]");
    await page.check("input[name=variant][value=no-rain]");
    await page.check("input[name=variant][value=stuart-early]");
    await page.waitForFunction(() => document.querySelectorAll(".differences li").length > 2);
    const told = await page.textContent(".differences");
    assert.match(told, /a turn/i);
    assert.match(told, /July|july1-noon|noon/);
    await page.locator("fieldset:has(.differences)").screenshot({ path: join(screens, "variants.png") });
    await page.click("form.new button.primary");
    await ada.atTable();
    const id = page.url().split("/t/")[1];
    await page.click("#tools button[title=Table]");
    await page.click("dialog[open] summary:has-text('What differs')");
    await page.waitForFunction(() => document.querySelectorAll("dialog[open] .differences li").length > 2);
    await page.screenshot({ path: join(screens, "rules-of-a-table.png") });
    await page.keyboard.press("Escape");
    await ada.turn();
    await ada.rush(6);
    await page.goto(`${ada.club.base}/`);
    await page.waitForSelector(".game");
    assert.match(await page.textContent(`a.game[href="/t/${id}"]`), /without rain/);
    ada.expect(400, 404);
    const again = await ada.api("/games", { ruleset: "corps20", scenario: "july1", variants: ["no-rain", "no-rain"], seats: ["me", "steady"] });
    assert.equal(again.status, 400, "a variant counts twice");
    const foreign = await ada.api("/games", { ruleset: "corps20", scenario: "july1", variants: ["../../../etc/passwd"], seats: ["me", "steady"] });
    assert.equal(foreign.status, 404, "a path is a variant");
  },

  async small_things_that_people_love({ sit, screens }) {
    const ada = await sit("Ada");
    ada.expect(400);
    await ada.enter();
    await ada.sameGame("corps20", "july1", ["me", "me"]);
    await ada.turn();
    const { page } = ada;
    await page.focus("#canvas");
    // One key hides the counters, as long as it is held.
    await page.keyboard.down("c");
    await page.waitForFunction(() => window.cupola.scene.bare);
    await page.keyboard.up("c");
    await page.waitForFunction(() => !window.cupola.scene.bare);
    // Whose eyes these are is written, not only coloured; it follows the side that must choose.
    const eyes = () => page.evaluate(() => `${document.getElementById("eyes").textContent} ${document.body.dataset.eyes}`);
    const first = await eyes();
    assert.match(first, /^Seen by the \S+/);
    // One choice at a time: the seat changes by itself, and back.
    await until(async () => {
      await ada.turn();
      if (await eyes() !== first) return true;
      await ada.rush(1);
      return false;
    }, "the bar says that the other side looks");
    // Undo to here, from the log: after a choice that led to no die.
    await until(async () => {
      const { over, step } = await ada.turn();
      assert.ok(!over, "the game ends, and nothing was ever to be taken back");
      await page.evaluate(() => { const table = window.cupola; return table.decision.choose(table.model.decision.options.find((option) => option.touch.some((touch) => touch[0] === "u")) ?? table.model.decision.options[0]); });
      await page.waitForFunction((step) => window.cupola.model.step > step && window.cupola.model.live, step);
      const undo = page.locator(".log .here:has-text('undo to here')").last();
      if (await undo.count() === 0) return false;
      const chosen = (await ada.look()).step;
      await undo.focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction((step) => window.cupola.model.step < step || document.querySelector("#told .bad"), chosen);
      return (await ada.look()).step < chosen;
    }, "a choice is taken back");
    // A bookmark of the replay outlives the page.
    await page.focus("#canvas");
    await page.keyboard.press("[");
    await page.waitForFunction(() => !window.cupola.model.live);
    const at = await page.evaluate(() => window.cupola.model.shown);
    await page.keyboard.press("m");
    await page.keyboard.press("End");
    await page.waitForFunction(() => window.cupola.model.live);
    await page.reload();
    await ada.atTable();
    await page.click(`.reel button:has-text("★${at}")`);
    await page.waitForFunction((at) => window.cupola.model.shown === at, at);
    await page.keyboard.press("End");
  },

  async what_is_asked_is_near_enough_to_read_and_ways_to_face_are_clicked({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    // By regiments on the whole field: from afar no counter could be read.
    await ada.sameGame("gbacw", "day-of-decision");
    await ada.turn();
    const { page } = ada;
    const near = () => page.evaluate(() => { const { scene } = window.cupola; return scene.camera.scale * scene.geometry.pitch; });
    await page.waitForFunction(() => !window.cupola.scene.camera.gliding);
    assert.ok(await near() >= 43.9, `${await near()} pixels from hex to hex`);
    // Whoever has chosen how close to look is left alone, until he asks.
    await page.focus("#canvas");
    await page.keyboard.press("0");
    const far = await near();
    const { ply } = await ada.look();
    await page.keyboard.press("1");
    await ada.moved(ply);
    assert.equal(await near(), far, "the map moves under somebody's hands");
    await page.keyboard.press("f");
    await page.waitForFunction(() => { const { scene } = window.cupola; return !scene.camera.gliding && scene.camera.scale * scene.geometry.pitch >= 43.9; });
    await ada.still();
    await page.screenshot({ path: join(screens, "facing.png") });
    const at = await page.evaluate(() => {
      const { scene, canvas, model } = window.cupola;
      const handle = scene.handles.find((one) => one.option.text.endsWith("SE"));
      const box = canvas.getBoundingClientRect();
      const unit = Object.keys(model.frame.units).find((id) => model.frame.units[id].hex === scene.asked && model.frame.units[id].face.facing !== undefined);
      return { unit, ways: scene.handles.length, x: box.left + handle.x * scene.camera.scale + scene.camera.x, y: box.top + handle.y * scene.camera.scale + scene.camera.y };
    });
    assert.ok(at.ways > 1, `${at.ways} ways to face`);
    const before = (await ada.look()).ply;
    await page.mouse.click(at.x, at.y);
    await ada.moved(before);
    assert.equal(await page.evaluate((unit) => window.cupola.model.frame.units[unit].state.facing, at.unit), "SE");
  },

  async luck_is_shown_honestly({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    // A game in which dice fall all the time.
    const id = await ada.sameGame("blindswords", "noon");
    const { page } = ada;
    const { seat } = await ada.look();
    const fell = async () => Object.values((await ada.api(`/games/${id}/luck?seat=${seat}`)).luck).reduce((all, [count]) => all + count, 0);
    await until(async () => { await ada.turn(); await ada.rush(8); return await fell() > 5; }, "dice fall");
    await page.focus("#canvas");
    await page.keyboard.press("b");
    // What fell, what was to be expected, and how often chance alone is further off.
    await page.waitForFunction(() => /expected [\d.]+/.test(document.getElementById("panel").textContent) && /% of games/.test(document.getElementById("panel").textContent));
    await page.screenshot({ path: join(screens, "luck.png") });
  },

  async aids_are_switched_off_for_everybody({ sit }) {
    const [ada, bob] = [await sit("Ada"), await sit("Bob")];
    bob.expect(403);
    ada.expect(403);
    await ada.enter();
    await bob.enter();
    const id = await ada.newGame("corps20", "july1", ["me", "open"]);
    await ada.turn();
    assert.ok(await ada.page.evaluate(() => window.cupola.scene.lit.units.size > 0), "nothing is lit");
    assert.equal((await bob.api(`/games/${id}/aids`, { odds: false, reach: false, sight: false })).status, 403, "a stranger switches aids");
    await ada.page.click("#tools button[title=Table]");
    for (const name of ["odds", "reach", "sight"]) {
      await ada.page.uncheck(`input[name=aid-${name}]`);
      await ada.page.waitForFunction((name) => window.cupola.model.table.aids[name] === false, name);
    }
    await ada.page.keyboard.press("Escape");
    await ada.page.waitForFunction(() => window.cupola.scene.lit.units.size === 0);
    const hex = await ada.page.evaluate(() => [...window.cupola.scene.stacks.keys()][0]);
    assert.equal((await ada.api(`/games/${id}/sight/${hex}`)).status, 403);
    assert.equal((await ada.api(`/games/${id}/command/${hex}?seat=cs`)).status, 403);
    const { ply } = await ada.look();
    const option = await ada.page.evaluate(() => window.cupola.model.decision.options[0].id);
    assert.equal((await ada.api(`/games/${id}/odds`, { ply, seat: "cs", option })).status, 403);
    // It can be played all the same.
    await ada.rush(3);
    assert.ok((await ada.look()).ply > ply);
  },

  async played_again_with_sides_changed({ sit }) {
    const [first, second] = [await sit("Lee"), await sit("Meade")];
    await first.enter();
    await second.enter();
    const { rulesets } = await first.api("/catalogue");
    const short = [...rulesets.find((one) => one.name === "corps20").scenarios].sort((a, b) => (a.turns?.count ?? 99) - (b.turns?.count ?? 99))[0];
    const id = await first.newGame("corps20", short.name, ["me", "open"]);
    await second.api(`/games/${id}/sit`, { side: short.sides[1].id });
    await second.page.goto(`${second.club.base}/t/${id}`);
    await second.atTable();
    for (let i = 0; i < 2000; i += 1) {
      const who = await asked(first, second);
      if (!who) break;
      await who.rush(20);
    }
    await first.page.click("#decision button:has-text('Play again, sides changed')");
    await first.page.waitForURL((url) => !url.pathname.endsWith(id));
    await first.atTable();
    const seats = await first.page.evaluate(() => window.cupola.model.table.seats.map((seat) => seat.who));
    assert.deepEqual(seats, ["Meade", "Lee"]);
  },

  async a_whole_game_by_keyboard_alone({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    const { rulesets } = await ada.api("/catalogue");
    const short = [...rulesets.find((one) => one.name === "corps20").scenarios].sort((a, b) => (a.turns?.count ?? 99) - (b.turns?.count ?? 99))[0];
    const { page } = ada;
    const { keyboard } = page;
    // Set up without a mouse: the choices are radio buttons, the last button sets it up.
    await page.goto(`${ada.club.base}/#new`);
    await page.waitForSelector("form.new");
    await page.focus("input[name=ruleset][value=corps20]");
    await keyboard.press("Space");
    await page.focus(`input[name=scenario][value="${short.name}"]`);
    await keyboard.press("Space");
    await page.focus("form.new button.primary");
    await keyboard.press("Enter");
    await ada.atTable();
    let presses = 0;
    for (let i = 0; i < 3000; i += 1) {
      const { over, ply } = await ada.turn();
      if (over) break;
      const { lit, plain } = await page.evaluate(() => {
        const { targets } = window.cupola.decision;
        return { lit: targets.hexes.size + targets.units.size, plain: targets.plain.length };
      });
      await page.focus("#canvas");
      if (plain > 0 && plain <= 6 && (lit === 0 || i % 3 === 2)) await keyboard.press(String(plain));
      else if (lit > 0) {
        for (let n = 0; n <= i % 4; n += 1) await keyboard.press("n");
        await keyboard.press("Enter");
        // Several things can be done there: the list has the focus.
        const open = await page.evaluate((ply) => window.cupola.model.ply === ply && !window.cupola.decision.busy && document.activeElement?.matches(".options button"), ply);
        if (open) await keyboard.press("Enter");
      } else {
        await page.focus("#decision .options button");
        await keyboard.press("Enter");
      }
      presses += 1;
      await ada.moved(ply);
    }
    const end = await ada.look();
    assert.ok(end.over, `not over after ${presses} choices`);
  },

  async a_run_of_the_lab_is_started_and_watched({ club, sit, screens }) {
    // A keeper's link works once: a fresh start prints a fresh one.
    await club.kill();
    await club.open();
    const keeper = await sit("Keeper");
    const { page } = keeper;
    await page.goto(club.keeperLink);
    await page.waitForSelector("#nav a");
    // A game of the club's own, to stand beside the bots'.
    const { rulesets } = await keeper.api("/catalogue");
    const own = rulesets.find((one) => one.name === "corps20").scenarios.find((one) => one.battle === "training");
    await keeper.newGame("corps20", own.name, ["me", "steady"]);
    for (let i = 0; i < 400 && !(await keeper.turn()).over; i += 1) await keeper.rush(20);
    assert.ok((await keeper.look()).over, "the game does not end");
    await page.goto(`${club.base}/#lab`);
    await page.waitForSelector("main form");
    await page.selectOption("main select", "training");
    // Enough of them that a fast machine is not through before anybody looks.
    await page.fill("main input[type=number]", "8");
    await page.click("main form button.primary");
    await page.waitForSelector(".bars progress");
    await page.screenshot({ path: join(screens, "lab-run.png") });
    assert.match(await page.textContent(".bars"), /\d+ of 8/);
    await page.waitForSelector("main a[href='/reports/training-8/index.html']");
    await page.waitForSelector("main form");
    const report = await page.evaluate(() => fetch("/reports/training-8/index.html").then((answer) => answer.text()));
    assert.ok(report.includes("as the club plays it"), "the club's own game is not in the report");
  },
};
