// Manners of the table: nothing is taken out of anybody's hand, and nobody has to ask what happened.

import assert from "node:assert/strict";
import { pause } from "./club.mjs";

/** Plays some choices by the first answer, so that there is something to look back at. */
async function some(somebody, count) {
  for (let i = 0; i < count; i += 1) {
    if ((await somebody.turn()).over) return;
    await somebody.click((i * 0.37) % 1);
  }
  await somebody.turn();
}

/** Two people at one table. */
async function pair(sit) {
  const [ada, bob] = [await sit("Ada"), await sit("Bob")];
  await ada.enter();
  await bob.enter();
  const id = await ada.newGame("corps20", "july1", ["me", "open"]);
  await bob.api(`/games/${id}/sit`, { side: "us" });
  await bob.page.goto(`${bob.club.base}/t/${id}`);
  await bob.atTable();
  return [ada, bob];
}

/** Where a hex is on the screen, without moving the map. */
function where(somebody, hex) {
  return somebody.page.evaluate((hex) => {
    const { scene, canvas } = window.cupola;
    const at = scene.geometry.centre(hex);
    const box = canvas.getBoundingClientRect();
    return { x: box.left + at.x * scene.camera.scale + scene.camera.x, y: box.top + at.y * scene.camera.scale + scene.camera.y };
  }, hex);
}

export const manners = {
  async the_slider_is_dragged_and_stays_in_hand({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.sameGame("classic", "wickerby");
    await some(ada, 14);
    const box = await (await ada.page.$(".reel input")).boundingBox();
    const middle = box.y + box.height / 2;
    const { step } = await ada.look();
    await ada.page.mouse.move(box.x + box.width - 9, middle);
    await ada.page.mouse.down();
    const seen = [];
    for (const share of [0.8, 0.6, 0.4, 0.2]) {
      await ada.page.mouse.move(box.x + box.width * share, middle);
      await ada.page.waitForFunction((last) => window.cupola.model.shown < last, seen.at(-1) ?? step);
      seen.push((await ada.look()).shown);
    }
    await ada.page.mouse.up();
    assert.ok(seen.at(-1) < step / 2, `from ${step} by ${seen}`);
    // By keyboard, too: the slider is still the one that has the focus.
    await ada.page.keyboard.press("ArrowRight");
    await ada.page.keyboard.press("ArrowRight");
    await ada.page.waitForFunction((wanted) => window.cupola.model.shown === wanted, seen.at(-1) + 2);
    // What happened there stands over the map.
    const told = await ada.page.evaluate(async () => {
      const { player, model } = window.cupola;
      await player.go(model.log.find((event) => event.kind === "move").step);
      return document.getElementById("caption").textContent;
    });
    assert.match(told, /moves to/);
    await ada.page.keyboard.press("End");
    await ada.page.waitForFunction(() => window.cupola.model.live);
  },

  async what_is_unfolded_stays_so_and_the_keyboard_stays_where_it_was({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.sameGame("classic", "first-day", ["me", "me"]);
    await ada.turn();
    await ada.page.keyboard.press("r");
    await ada.page.waitForSelector("#panel summary");
    const folds = () => ada.page.$$eval("#panel details", (all) => all.map((fold) => fold.open));
    await ada.page.$$eval("#panel details", (all) => all.forEach((fold) => { fold.open = true; }));
    await ada.page.evaluate(() => { document.getElementById("panel").scrollTop = 120; });
    await ada.page.focus("#decision button[data-option]");
    const { ply } = await ada.look();
    await ada.page.keyboard.press("Enter");
    await ada.moved(ply);
    await ada.page.waitForFunction(() => document.activeElement.id === "prompt");
    assert.ok((await folds()).every((open) => open), "the roster has folded itself");
    assert.equal(await ada.page.evaluate(() => document.getElementById("panel").scrollTop), 120);
    // Down goes to the answers; Enter gives one.
    await ada.page.keyboard.press("ArrowDown");
    const first = await ada.page.evaluate(() => document.activeElement.dataset.option);
    assert.equal(first, await ada.page.$eval("#decision button[data-option]", (button) => button.dataset.option));
    // What is asked is heard.
    const asked = await ada.page.textContent("#prompt");
    assert.ok((await ada.page.textContent("#spoken")).includes(asked), asked);
    // And so is what stands where the cursor goes.
    await ada.page.focus("#canvas");
    await ada.page.keyboard.press("n");
    await ada.page.waitForFunction(() => document.querySelector("#spoken p:last-child").textContent.includes(window.cupola.scene.cursor));
    assert.match(await ada.page.textContent("#spoken p:last-child"), /level \d/);
  },

  async whoever_is_new_to_a_club_finds_the_way_in({ sit }) {
    const [ada, new_] = [await sit("Ada"), await sit("Newcomer")];
    await ada.enter();
    await ada.newGame("corps20", "july1");
    await new_.enter();
    await new_.page.waitForSelector(".begin button");
    await new_.page.click(".begin button");
    await new_.page.waitForURL(/\/t\//);
    await new_.atTable();
    await new_.page.goto(`${new_.club.base}/`);
    await new_.page.waitForSelector(".game.mine, .game");
    assert.equal(await new_.page.$(".begin"), null, "he is not new any more");
  },

  async what_is_said_is_noticed_and_what_is_typed_stays({ sit, screens }) {
    const [ada, bob] = await pair(sit);
    await bob.page.click("#tab-talk");
    const say = async (text) => {
      await bob.page.fill("#panel form input", text);
      await bob.page.click("#panel form button");
    };
    await say("<b>Good</b> luck");
    await ada.page.waitForSelector("#tab-talk .unread:not([hidden])");
    assert.equal(await ada.page.getAttribute("#tab-talk", "aria-label"), "Talk, 1 not read");
    assert.match(await ada.page.textContent("#told"), /Bob: <b>Good<\/b> luck/);
    await ada.page.screenshot({ path: `${screens}/talk.png` });
    await ada.page.click("#tab-talk");
    await ada.page.waitForFunction(() => !document.querySelector("#tab-talk .unread:not([hidden])"));
    await ada.page.fill("#panel form input", "half a sen");
    await say("Are you there?");
    await ada.page.waitForFunction(() => document.querySelectorAll("#panel .said").length === 2);
    assert.equal(await ada.page.inputValue("#panel form input"), "half a sen");
    assert.equal(await ada.page.$("#tab-talk .unread:not([hidden])"), null, "what is read is counted as not read");
    await ada.page.reload();
    await ada.atTable();
    await ada.page.waitForSelector("#tab-talk");
    assert.equal(await ada.page.$("#tab-talk .unread:not([hidden])"), null);
  },

  async two_quick_clicks_answer_one_question({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.sameGame("classic", "wickerby", ["me", "me"]);
    await ada.turn();
    // "No more movement": the next question has a button at the same place.
    const box = await ada.page.locator("#decision .buttons button").first().boundingBox();
    const at = [box.x + 30, box.y + box.height / 2];
    const first = (await ada.look()).ply;
    await ada.page.mouse.click(...at);
    await ada.moved(first);
    await ada.page.waitForFunction(() => window.cupola.model.decision && !window.cupola.decision.busy);
    const again = async () => {
      await ada.page.mouse.down({ clickCount: 2 });
      await ada.page.mouse.up({ clickCount: 2 });
    };
    const { ply } = await ada.look();
    // However slow this machine is, the question has just come.
    await ada.page.evaluate(() => { window.cupola.decision.came = performance.now() + 60000; });
    await again();
    await pause(300);
    assert.equal((await ada.look()).ply, ply, "the second click has answered the next question");
    // On purpose, a while later, it is an answer.
    await ada.page.evaluate(() => { window.cupola.decision.came = 0; });
    await again();
    await ada.moved(ply);
  },

  async a_finger_points_first_and_chooses_the_second_time({ sit, screens }) {
    const ada = await sit("Ada", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await ada.enter();
    await ada.sameGame("classic", "wickerby");
    await ada.turn();
    assert.ok(await ada.page.isVisible(".top .brand"), "no way back to the lobby");
    const hex = await ada.page.evaluate(() => {
      const { decision, model } = window.cupola;
      const hexes = [...decision.targets.units.keys()].map((id) => model.frame.units[id].hex);
      return hexes.find((hex) => hexes.filter((other) => other === hex).length === 1);
    });
    await ada.aim(hex);
    const { x, y } = await where(ada, hex);
    const { ply } = await ada.look();
    await ada.page.touchscreen.tap(x, y);
    await ada.page.waitForFunction(() => window.cupola.decision.picked?.length === 1);
    assert.equal((await ada.look()).ply, ply, "the first touch has chosen");
    await ada.page.screenshot({ path: `${screens}/phone-once-more.png` });
    await ada.page.touchscreen.tap(x, y);
    await ada.moved(ply);
  },

  async what_the_other_side_did_stays_on_the_map_and_in_the_log({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.sameGame("classic", "wickerby");
    // Until the bot has moved.
    for (let i = 0; i < 40; i += 1) {
      await ada.turn();
      const theirs = await ada.page.evaluate(() => window.cupola.scene.trails.ways.length);
      if (theirs > 0) break;
      await ada.page.evaluate(() => { document.querySelector("#decision .buttons button, #decision button[data-option]").click(); });
      await pause(150);
    }
    const trails = () => ada.page.evaluate(() => window.cupola.scene.trails);
    const { ways } = await trails();
    assert.ok(ways.length > 0 && ways.every(({ colour }) => colour === "blue"), JSON.stringify(ways));
    await ada.still();
    await ada.page.screenshot({ path: `${screens}/trails.png` });
    const log = () => ada.page.$$eval("#panel .log > *", (lines) => lines.map((line) => [line.className.replace(" new", ""), line.textContent.replace(/(see|undo to here)/g, "")]));
    const before = await log();
    assert.ok(before.some(([name]) => name === "turnline"), "no turn is named");
    assert.ok(before.some(([name, text]) => name.includes("blue") && text.includes("moves to")), JSON.stringify(before));
    assert.ok(!before.some(([, text]) => text.includes("in the replay")), "nothing came before");
    // Whoever comes back reads and sees the same.
    await ada.page.reload();
    await ada.atTable();
    await ada.page.waitForSelector("#panel .event");
    assert.deepEqual(await log(), before);
    assert.deepEqual((await trails()).ways, ways);
    // Until something of one's own has happened.
    for (let i = 0; i < 6 && (await trails()).ways.length > 0; i += 1) {
      await ada.turn();
      const { ply } = await ada.look();
      await ada.page.evaluate(() => {
        const buttons = [...document.querySelectorAll("#decision .options button")];
        (buttons[0] ?? document.querySelector("#decision button[data-option]")).click();
      });
      await ada.moved(ply);
    }
    assert.equal((await trails()).ways.length, 0);
  },

  async a_line_that_is_dead_or_cut_is_opened_again({ sit }) {
    const [ada, bob] = await pair(sit);
    const lineOf = (somebody) => somebody.page.waitForFunction(() => window.cupola.line.socket?.readyState === 1 && window.cupola.line.socket !== window.old);
    await lineOf(bob);
    // A machine that has slept: nothing came for two minutes, and nobody said that the line is gone.
    await bob.page.evaluate(() => {
      window.old = window.cupola.line.socket;
      window.cupola.line.last -= 120000;
      window.cupola.line.check();
    });
    await lineOf(bob);
    // Another network: it is said at once that the line is cut, and what happens meanwhile comes afterwards.
    await bob.context.setOffline(true);
    await bob.page.waitForFunction(() => document.getElementById("whose").textContent.startsWith("The line is broken"));
    await ada.turn();
    const { ply } = await ada.look();
    await ada.click(0.3);
    await ada.moved(ply);
    await bob.context.setOffline(false);
    await bob.page.waitForFunction((ply) => window.cupola.model.ply > ply, ply);
    assert.ok(!(await bob.page.textContent("#whose")).startsWith("The line is broken"));
  },

  async one_more_link_for_another_device({ club, sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.page.goto(`${club.base}/#me`);
    await ada.page.click("text=A link for another device");
    const link = await ada.page.textContent("code.link");
    const phone = await sit("Phone", { viewport: { width: 390, height: 844 } });
    await phone.page.goto(link);
    await phone.page.waitForSelector("#nav a");
    assert.equal((await phone.api("/me")).me.id, (await ada.api("/me")).me.id);
    // A copy says that it is one, or marks the link.
    await ada.page.click("text=Copy");
    await ada.page.waitForFunction(() => /Copied|Marked/.test(document.body.textContent));
    // For others only the keeper makes one.
    ada.expect(403);
    assert.equal((await ada.api(`/people/${(await ada.api("/me")).me.id}/link`, {})).status, 403);
  },
};
