// A game that follows a designer's files, while he edits them.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Club } from "./club.mjs";

/** A variant with one change in it. @param {string} file @param {string} change */
function save(file, change) {
  writeFileSync(file, `(\n    base: "corps20",\n    name: "stronger",\n    title: "Stronger",\n    why: "does the attack succeed?",\n    battle: "gettysburg",\n    change: [\n        ${change},\n    ],\n)\n`);
}

/** A situation in which two corps may attack. @param {string} file @param {string} sickles where he stands */
function stand(file, sickles) {
  writeFileSync(file, `(\n    ruleset: "corps20", scenario: "gettysburg", turn: "july2-noon", phase: "combat", side: "us",\n    state: (clear: true, units: {\n        "reynolds": (at: "18.11"), "sickles": (at: "${sickles}"), "heth": (at: "18.10"), "meade": (at: "20.11"),\n    }),\n)\n`);
}

/** Odds of a fight as the page shows them, or null. */
const oddsShown = () => document.querySelector("#decision .odds")?.textContent ?? null;

export const follow = {
  async a_prototype_shows_what_a_save_changes({ club: house, sit, screens }) {
    const folder = mkdtempSync(join(tmpdir(), "cupola-follow-"));
    const [file, situation] = [join(folder, "stronger.ron"), join(folder, "slope.ron")];
    save(file, 'shift(path: "counters/reynolds/strength", by: 0)');
    stand(situation, "19.10");
    const club = new Club(house.program, house.root, ["--file", join(folder, "club.db"), "--follow", `${situation}+${file}`]);
    await club.open();
    try {
      const ada = await sit("Ada");
      const { page } = ada;
      // Until the page shows what a save has done, in milliseconds.
      const shows = async (work, what) => {
        const start = Date.now();
        work();
        await page.waitForFunction((what) => document.getElementById("follows").textContent.includes(what), what, { polling: 10 });
        return Date.now() - start;
      };
      await page.goto(club.keeperLink);
      await ada.atTable();
      assert.match(await page.textContent("#follows"), /Prototype.*follows slope\.ron\+stronger\.ron/);
      assert.ok(!page.url().includes("#"), "the secret stays in the address");
      const choose = async (id) => {
        const { ply } = await ada.turn();
        await page.click(`#decision button[data-option="${id}"]`);
        await ada.moved(ply);
      };
      await choose("attack sickles heth");
      const heat = () => page.evaluate(() => { const { decision, model } = window.cupola; decision.hot = ""; decision.heat(model.decision.options.find((one) => one.id === "attack reynolds heth")); });
      await heat();
      await page.waitForSelector("#decision .odds");
      const [before, state] = [await page.evaluate(oddsShown), await ada.look()];
      const rating = () => page.evaluate(() => window.cupola.model.frame.units.reynolds.ratings);
      assert.match(await rating(), /^4-/);
      const took = await shows(() => save(file, 'shift(path: "counters/reynolds/strength", by: 3)'), "save 1");
      assert.match(await page.textContent("#follows"), /strength 4 → 7/);
      const after = await ada.turn();
      assert.equal(after.step, state.step, "the choice was not made again");
      assert.ok(after.ply > state.ply && after.mine);
      assert.match(await rating(), /^7-/);
      await heat();
      await page.waitForFunction((before) => { const odds = document.querySelector("#decision .odds")?.textContent; return odds && odds !== before; }, before);
      await ada.still();
      await page.screenshot({ path: join(screens, "follow.png") });
      // What does not fit is told where it stands, and the game stays.
      await shows(() => save(file, 'shift(path: "counters/reynold/strength", by: 3)'), 'did you mean "reynolds"?');
      assert.match(await page.textContent("#follows"), /stronger\.ron:8:\d+: change\[0\]\.path/);
      assert.equal((await ada.turn()).ply, after.ply);
      await page.screenshot({ path: join(screens, "follow-wrong.png") });
      await shows(() => save(file, 'shift(path: "counters/reynolds/strength", by: 2)'), "save 3");
      assert.ok(!(await page.textContent("#follows")).includes("does not fit"));
      // What the new rules forbid waits, and comes back.
      await shows(() => stand(situation, "20.09"), "is no longer");
      assert.match(await page.textContent("#follows"), /Sickles 19\.10 → 20\.09/);
      assert.equal((await ada.look()).step, 0);
      assert.match(await page.textContent("#follows"), /Step 1 .*attack sickles heth.*One choice waits/);
      await page.screenshot({ path: join(screens, "follow-lost.png") });
      await shows(() => stand(situation, "19.10"), "save 5");
      await page.waitForFunction(() => window.cupola.model.step === 1 && window.cupola.model.decision);
      await page.click("#follows .again");
      await page.waitForFunction(() => window.cupola.model.step === 0);
      console.log(`     the page showed the first save after ${took} ms`);
      // The lobby says which game it is.
      await page.goto(`${club.base}/`);
      await page.waitForSelector("a.game");
      assert.match(await page.textContent("a.game"), /follows files/);
    } finally {
      await club.kill();
    }
  },
};
