// What a club does at its table.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE, asked, pause } from "./club.mjs";

/** The scenario to play of each ruleset: its shortest. */
async function scenarios(somebody) {
  const { rulesets } = await somebody.api("/catalogue");
  return rulesets.map((ruleset) => {
    const length = (scenario) => scenario.turns?.count ?? 1000;
    return [ruleset.name, [...ruleset.scenarios].sort((a, b) => length(a) - length(b))[0].name];
  });
}

/**
 * The units that a seat was ever shown, also for a single step, by what came over the network: reading them off the
 * page would miss those that are on their way to it.
 */
function inSight(messages) {
  const known = new Set();
  const note = (units) => Object.entries(units ?? {}).forEach(([id, unit]) => { if (unit !== null) known.add(id); });
  for (const message of messages) {
    note(message.frame?.units);
    for (const step of message.steps ?? []) note(step.change?.units);
  }
  return known;
}

/**
 * How many things of the other side's hand are kept from somebody; fails if one of them ever came over the network as
 * such: what a seat may not know of a holding is a number.
 */
async function heldBack(somebody, other, messages, name) {
  const own = await somebody.page.evaluate(() => window.cupola.model.frame.holdings);
  const theirs = await other.page.evaluate(() => window.cupola.model.frame.holdings);
  let kept = 0;
  for (const holding of theirs) {
    const mine = own.find((one) => one.name === holding.name && one.side === holding.side);
    const secret = holding.known.filter((text) => !mine?.known.includes(text));
    if (!mine || secret.length === 0) continue;
    kept += secret.length;
    const heard = messages.flatMap((message) => [message.frame, ...(message.steps ?? []).map((step) => step.change)])
      .flatMap((frame) => frame?.holdings ?? []).filter((one) => one.name === holding.name && one.side === holding.side);
    for (const one of heard) for (const text of secret) assert.ok(!one.known.includes(text), `${name}: ${text} of ${holding.name} came over the network`);
  }
  return kept;
}

export const tests = {
  // The first test: nobody has set up a game yet.
  async the_first_screen_shows_how_each_game_begins_and_one_click_plays({ sit, screens }) {
    const zoe = await sit("Zoe");
    await zoe.enter();
    const { rulesets } = await zoe.api("/catalogue");
    await zoe.page.waitForFunction((many) => document.querySelectorAll(".way .opening").length === many, rulesets.length);
    // Pictures come as somebody comes to them.
    for (const picture of await zoe.page.$$(".opening")) {
      await picture.scrollIntoViewIfNeeded();
      await zoe.page.waitForFunction((image) => image.complete && image.naturalWidth > 300, picture);
    }
    await zoe.page.screenshot({ path: join(screens, "welcome.png"), fullPage: true });
    const missing = await zoe.page.evaluate(async () => (await fetch("/api/openings/nobody/nowhere")).status);
    assert.equal(missing, 404);
    zoe.expect(404);
    // The book's contents are a list, with lists in it.
    await zoe.page.click("#nav a[href='#book/SUMMARY.md']");
    await zoe.page.waitForSelector(".reader li");
    const chapters = await zoe.page.$$eval(".reader li > a", (links) => links.length);
    const inner = await zoe.page.$$eval(".reader li li > a", (links) => links.length);
    assert.ok(chapters > 40 && inner > 10 && inner < chapters, `${inner} of ${chapters} chapters`);
    await zoe.page.screenshot({ path: join(screens, "contents.png") });
    await zoe.page.goBack();
    await zoe.page.click(".way");
    await zoe.page.waitForSelector(`form.new input[name=ruleset][value="${rulesets[0].name}"]:checked`);
    await zoe.page.goBack();
    await zoe.page.click(".begin button");
    await zoe.page.waitForURL(/\/t\//);
    await zoe.page.waitForFunction(() => (window.cupola?.model.decision?.options.length ?? 0) > 1);
  },

  async a_keeper_invites_and_the_secret_leaves_the_address({ club, sit }) {
    const keeper = await sit("Keeper");
    await keeper.page.goto(club.keeperLink);
    await keeper.page.waitForSelector("#nav a");
    assert.equal(new URL(keeper.page.url()).hash, "", "the secret is still in the address bar");
    const made = await keeper.api("/people", { name: "Buford" });
    const guest = await sit("Buford");
    await guest.page.goto(made.link);
    await guest.page.waitForSelector("#nav a");
    assert.equal((await guest.api("/me")).me.name, "Buford");
    guest.expect(401);
    const again = await sit("Thief");
    again.expect(401, 403);
    await again.page.goto(club.keeperLink);
    await again.page.waitForSelector(".door");
    await keeper.api(`/people/${made.id}/retire`, {});
    assert.equal((await guest.api("/games")).status, 401, "a retired link still works");
    const cookie = (await keeper.context.cookies())[0];
    assert.ok(cookie.httpOnly && cookie.sameSite === "Strict", "the cookie is not guarded");
  },

  async every_ruleset_is_played_against_a_bot_by_clicking({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    for (const [ruleset, scenario] of await scenarios(ada)) {
      await ada.newGame(ruleset, scenario);
      await ada.page.waitForFunction(() => window.cupola.scene.picture.ready.size > 0);
      let clicks = 0;
      let over = false;
      for (let i = 0; i < 30; i += 1) {
        ({ over } = await ada.turn());
        if (over) break;
        await ada.click((i * 0.37) % 1);
        clicks += 1;
      }
      assert.ok(over || clicks === 30, `${ruleset}: only ${clicks} choices`);
      const { step } = await ada.look();
      assert.ok(step >= clicks, `${ruleset}: ${step} steps after ${clicks} clicks`);
      await ada.page.evaluate(() => window.cupola.fitUnits());
      await ada.still();
      await ada.page.screenshot({ path: join(screens, `table-${ruleset}.png`) });
    }
  },

  async fog_holds_in_everything_that_comes_over_the_network({ sit }) {
    const [union, rebel] = [await sit("Union"), await sit("Rebel")];
    union.expect(403);
    await union.enter();
    await rebel.enter();
    const { rulesets } = await union.api("/catalogue");
    /** @type {Record<string, number>} what each ruleset kept from the Union: units, and things in hands and cups */
    const hid = {};
    for (const ruleset of rulesets) {
      const id = await union.newGame(ruleset.name, ruleset.scenarios[0].name, ["open", "me"]);
      const joined = await rebel.api(`/games/${id}/sit`, { side: ruleset.scenarios[0].sides[0].id });
      assert.equal(joined.status, 200, joined.error);
      await rebel.page.goto(`${rebel.club.base}/t/${id}`);
      await rebel.atTable();
      for (let i = 0; i < 24; i += 1) {
        const who = await asked(union, rebel);
        if (!who) break;
        await who.rush(2);
      }
      await asked(union, rebel);
      const { ply } = await union.look();
      const { messages, text } = await union.heardOf(id, ply);
      const known = inSight(messages);
      const all = await union.page.evaluate(() => Object.keys(window.cupola.model.look.units));
      const secret = all.filter((unit) => !known.has(unit));
      hid[ruleset.name] = secret.length + await heldBack(union, rebel, messages, ruleset.name);
      for (const unit of secret) assert.ok(!new RegExp(`["\\s]u?${unit}["\\s]`).test(text), `${ruleset.name}: ${unit} was never in sight, yet it came over the network`);
      assert.ok(!/"seed"|"hash"|"resolved"/.test(text), `${ruleset.name}: a seed or hash left the club`);
      const journal = await union.page.evaluate((id) => fetch(`/api/games/${id}/journal`).then((answer) => answer.status), id);
      assert.equal(journal, 403, "the journal of a running game is given out");
      const seat = await union.api(`/games/${id}?seat=${ruleset.scenarios[0].sides[0].id}`);
      assert.equal(seat.status, 403, "the other side's seat can be looked from");
    }
    for (const [name, count] of Object.entries(hid)) {
      // The rules of these hide something; of the others there is nothing to hide.
      if (["blocks", "blindswords"].includes(name)) assert.ok(count > 0, `${name} hid nothing: the test proves nothing`);
    }
  },

  async two_people_play_to_the_end_and_replay_it({ sit, screens }) {
    const [first, second] = [await sit("Lee"), await sit("Meade")];
    await first.enter();
    await second.enter();
    const id = await first.newGame("corps20", "july1", ["me", "open"]);
    const invitation = await first.api(`/games/${id}/invite`, { side: "us" });
    await second.page.goto(invitation.link);
    await second.atTable();
    assert.equal(new URL(second.page.url()).hash, "", "the invitation is still in the address bar");
    assert.equal((await second.look()).seat, "us");
    for (let i = 0; i < 2000; i += 1) {
      const who = await asked(first, second);
      if (!who) break;
      await who.rush(12);
    }
    const end = await second.look();
    assert.ok(end.over, `not over after ${end.step} steps`);
    assert.equal((await first.look()).step, end.step, "two browsers disagree");
    await second.page.keyboard.press("Home");
    await second.page.waitForFunction(() => window.cupola.model.shown === 0);
    const start = await second.page.evaluate(() => Object.values(window.cupola.model.frame.units).map((unit) => unit.hex).join());
    await second.page.keyboard.press("]");
    await second.page.waitForFunction(() => window.cupola.model.shown === 1);
    await second.page.keyboard.press("[");
    await second.page.waitForFunction(() => window.cupola.model.shown === 0);
    assert.equal(await second.page.evaluate(() => Object.values(window.cupola.model.frame.units).map((unit) => unit.hex).join()), start);
    await second.page.evaluate(() => window.cupola.player.go(Math.floor(window.cupola.model.step / 2)));
    await second.page.waitForFunction(() => window.cupola.model.shown === Math.floor(window.cupola.model.step / 2));
    await second.page.evaluate(() => window.cupola.fitUnits());
    await second.still();
    await second.page.screenshot({ path: join(screens, "replay.png") });
    await second.page.keyboard.press("End");
    await second.page.waitForFunction(() => window.cupola.model.live);
    const journal = await second.page.evaluate((id) => fetch(`/api/games/${id}/journal`).then((answer) => answer.text()), id);
    assert.ok(journal.startsWith("cupola journal"), "no journal after the end");
    await second.bring(journal);
    await second.page.click("#tools button[title=Table]");
    await second.page.waitForFunction(() => document.querySelector("dialog[open]")?.textContent.includes("Checked here: every share is what was pledged"));
    const again = await first.api(`/games/${id}/rematch`, {});
    assert.ok(again.id, again.error);
  },

  async two_people_play_every_ruleset_to_the_end({ sit }) {
    const [first, second] = [await sit("Ewell"), await sit("Howard")];
    await first.enter();
    await second.enter();
    for (const [ruleset, scenario] of await scenarios(first)) {
      // The other test plays this one, and replays it.
      if (ruleset === "corps20") continue;
      const start = Date.now();
      const id = await first.sameGame(ruleset, scenario, ["me", "open"]);
      const { side } = await first.page.evaluate(() => window.cupola.model.table.seats.find((seat) => !seat.mine));
      const { link } = await first.api(`/games/${id}/invite`, { side });
      await second.page.goto(link);
      await second.atTable();
      for (let who = await asked(first, second); who; who = await asked(first, second)) await who.rush(40);
      const end = await second.look();
      assert.ok(end.over, `${ruleset}: not over after ${end.step} steps`);
      assert.equal((await first.look()).step, end.step, `${ruleset}: two browsers disagree`);
      if (process.env.TIMES) console.log(`${ruleset}/${scenario}: ${end.step} choices in ${Date.now() - start} ms`);
    }
  },

  async the_lobby_comes_page_by_page({ club, sit, screens }) {
    const [ada, bob] = [await sit("Ada"), await sit("Bob")];
    await ada.enter();
    await bob.enter();
    const { rulesets } = await ada.api("/catalogue");
    const { sides } = rulesets.find((one) => one.name === "corps20").scenarios.find((one) => one.name === "training");
    const journal = club.journal("corps20", "training", "1863", sides, "random");
    const brought = new Set();
    for (let i = 0; i < 30; i += 1) brought.add(await ada.bring(journal));
    const { page } = bob;
    await page.goto(`${club.base}/`);
    const shown = () => page.evaluate(() => [...document.querySelectorAll("section:has(#only-mine) a.game")].map((link) => link.getAttribute("href").split("/t/")[1]));
    await page.waitForSelector("#more-over");
    const first = await shown();
    assert.equal(first.length, 24, `${first.length} finished games on the first page`);
    // By the keyboard, and whoever presses it again is still there.
    while (await page.locator("#more-over").count() > 0) {
      const before = (await shown()).length;
      await page.focus("#more-over");
      await page.keyboard.press("Enter");
      await page.waitForFunction((before) => document.querySelectorAll("section:has(#only-mine) a.game").length > before, before);
    }
    const all = await shown();
    assert.equal(new Set(all).size, all.length, "a game is shown twice");
    for (const id of brought) assert.ok(all.includes(id), "a game is never shown");
    await page.screenshot({ path: join(screens, "lobby-pages.png"), fullPage: true });
    await page.check("#only-mine");
    await page.waitForFunction(() => document.querySelectorAll("section:has(#only-mine) a.game").length === 0);
    await page.uncheck("#only-mine");
    await page.waitForFunction(() => document.querySelectorAll("section:has(#only-mine) a.game").length === 24);
    await ada.page.goto(`${club.base}/`);
    await ada.page.check("#only-mine");
    await ada.page.waitForFunction(() => document.querySelectorAll("section:has(#only-mine) a.game").length === 24);
  },

  async stale_and_foreign_requests_change_nothing({ sit }) {
    const [ada, bob] = [await sit("Ada"), await sit("Bob")];
    ada.expect(400, 413);
    bob.expect(403);
    await ada.enter();
    await bob.enter();
    const id = await ada.newGame("corps20", "july1");
    const { ply } = await ada.turn();
    const option = await ada.page.evaluate(() => window.cupola.model.decision.options[0].id);
    const choose = (who, body) => who.api(`/games/${id}/choose`, { ply, seat: "cs", option, ...body });
    assert.equal((await choose(bob, {})).status, 403, "a stranger may choose");
    assert.equal((await choose(ada, { ply: ply + 7 })).status, 409, "a stale choice is taken");
    assert.equal((await choose(ada, { option: "fly heth" })).status, 400);
    const two = await Promise.all([choose(ada, {}), choose(ada, {})]);
    assert.deepEqual(two.map((answer) => answer.status).sort(), [200, 409], "a double click counts twice");
    const foreign = await fetch(`${ada.club.base}/api/games/${id}/choose`, { method: "POST", headers: { origin: "https://evil.example", "content-type": "application/json" }, body: "{}" });
    assert.equal(foreign.status, 403, "another site's page may post");
    const policy = (await fetch(`${ada.club.base}/`)).headers.get("content-security-policy");
    assert.ok(policy?.includes("default-src 'none'"));
    const long = await fetch(`${ada.club.base}/api/enter`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "x".repeat(100000) }) });
    assert.equal(long.status, 413, "a long body is read");
  },

  async two_tabs_of_one_seat_agree_and_undo_is_fair({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    const id = await ada.newGame("corps20", "july1");
    const other = await ada.context.newPage();
    await other.goto(`${ada.club.base}/t/${id}`);
    await other.waitForFunction(() => window.cupola?.model.decision);
    const { step } = await ada.turn();
    await ada.page.evaluate(() => { const table = window.cupola; return table.decision.choose(table.model.decision.options.find((option) => option.touch.some((touch) => touch[0] === "u"))); });
    await other.waitForFunction((step) => window.cupola.model.step === step + 1, step);
    await ada.page.keyboard.press("u");
    for (const tab of [other, ada.page]) await tab.waitForFunction((step) => window.cupola.model.step === step && window.cupola.model.live, step);
    assert.equal((await ada.look()).step, step);
  },

  async a_killed_club_loses_nothing_and_the_page_comes_back({ club, sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.newGame("corps20", "july1");
    await ada.turn();
    await ada.click(0.3);
    await ada.turn();
    const before = await ada.look();
    await club.kill();
    await ada.page.waitForFunction(() => document.body.classList.contains("away"));
    await club.open();
    await ada.page.waitForFunction(() => !document.body.classList.contains("away"));
    const after = await ada.turn();
    assert.equal(after.step, before.step, "an acknowledged choice is gone");
    await ada.click(0.3);
    assert.ok((await ada.look()).step > before.step, "the game does not go on");
  },

  async a_phone_is_enough({ sit, screens }) {
    const ada = await sit("Ada", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await ada.enter();
    await ada.newGame("corps20", "july1");
    await ada.turn();
    const wide = await ada.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 392, `the page is ${wide} wide`);
    const { step } = await ada.look();
    const hex = await ada.page.evaluate(() => {
      const { decision, model } = window.cupola;
      return model.frame.units[[...decision.targets.units.keys()][0]].hex;
    });
    const at = await ada.aim(hex);
    await ada.page.touchscreen.tap(at.x, at.y);
    await ada.page.waitForSelector(".options button");
    await ada.page.screenshot({ path: join(screens, "phone.png") });
    await ada.page.locator(".options button").first().tap();
    await ada.page.waitForFunction((step) => window.cupola.model.step > step, step);
  },

  async the_keyboard_is_enough({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.newGame("corps20", "july1");
    let { step } = await ada.turn();
    await ada.page.keyboard.press("n");
    await ada.page.keyboard.press("Enter");
    await ada.page.waitForFunction((step) => window.cupola.model.step > step, step);
    ({ step } = await ada.turn());
    await ada.page.keyboard.press("n");
    await ada.page.keyboard.press("n");
    await ada.page.keyboard.press("Enter");
    await ada.page.waitForFunction((step) => window.cupola.model.step > step, step);
    await ada.page.keyboard.press("?");
    await ada.page.waitForSelector("dialog[open] .keys");
    await ada.page.keyboard.press("Escape");
    ({ step } = await ada.turn());
    const before = await ada.page.evaluate(() => window.cupola.scene.cursor);
    await ada.page.focus("#canvas");
    await ada.page.keyboard.press("ArrowDown");
    assert.notEqual(await ada.page.evaluate(() => window.cupola.scene.cursor), before, "the cursor does not move");
  },

  async one_screen_for_two_is_covered_between_them({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.newGame("blocks", "day1", ["me", "me"]);
    let covered = false;
    for (const end = Date.now() + PATIENCE; !covered && Date.now() < end; await pause(10)) {
      await ada.rush(4);
      covered = await ada.page.evaluate(() => !document.getElementById("curtain").hidden);
    }
    assert.ok(covered, "the screen was never covered");
    await ada.page.screenshot({ path: join(screens, "hand-over.png") });
    const seat = (await ada.look()).seat;
    await ada.page.click("#curtain button");
    await ada.page.waitForFunction((seat) => window.cupola.model.seat !== seat && document.getElementById("curtain").hidden, seat);
  },

  async what_is_not_offered_is_explained_with_the_rule({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    await ada.newGame("corps20", "july1");
    await ada.turn();
    await ada.click(0);
    await ada.turn();
    const at = await ada.aim(await ada.page.evaluate(() => {
      const { scene, decision } = window.cupola;
      return scene.geometry.map.labels.find((hex) => !decision.targets.hexes.has(hex));
    }));
    await ada.page.mouse.click(at.x, at.y);
    await ada.page.waitForSelector("#stack .why");
    assert.match(await ada.page.textContent("#stack .why"), /§/);
    await ada.page.screenshot({ path: join(screens, "why-not.png") });
    await ada.page.click("#stack .why .cite");
    await ada.page.waitForSelector("dialog[open] .reader");
  },

  async a_load_and_its_updates_are_small({ sit }) {
    const ada = await sit("Ada");
    await ada.enter();
    const { rulesets } = await ada.api("/catalogue");
    // The ruleset with the largest look is the one with the most counters.
    const session = await ada.context.newCDPSession(ada.page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const urls = new Map();
    let loaded = 0;
    session.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { if (!urls.get(requestId)?.includes("/map/")) loaded += encodedDataLength; });
    for (const ruleset of rulesets) {
      const { id } = await ada.api("/games", { ruleset: ruleset.name, scenario: ruleset.scenarios[0].name, seats: ["me", "steady"] });
      loaded = 0;
      await ada.page.goto(`${ada.club.base}/t/${id}`);
      await ada.atTable();
      assert.ok(loaded < 1024 * 1024, `${ruleset.name}: the first load has ${loaded} bytes besides the map`);
      const before = ada.heard.length;
      for (let i = 0; i < 6; i += 1) if (!(await ada.turn()).over) await ada.click((i * 0.37) % 1);
      const updates = await Promise.all(ada.heard.slice(before).filter(({ from }) => from.startsWith("ws")).map(({ text }) => text));
      for (const text of updates) {
        for (const step of JSON.parse(text).steps ?? []) {
          const size = JSON.stringify(step).length;
          assert.ok(size < 20000, `${ruleset.name}: a step has ${size} bytes`);
        }
      }
    }
  },

  async tables_and_cards_are_one_key_away({ sit, screens }) {
    const ada = await sit("Ada");
    await ada.enter();
    for (const [ruleset, scenario] of await scenarios(ada)) {
      await ada.newGame(ruleset, scenario);
      await ada.page.focus("#canvas");
      await ada.page.keyboard.press("k");
      await ada.page.waitForSelector(".charts summary");
      const tables = await ada.page.locator(".charts .chart table").count();
      assert.ok(tables > 0, `${ruleset}: no tables`);
      await ada.page.evaluate(() => { document.querySelector(".charts details").open = true; });
      await ada.page.locator(".charts .chart table").first().waitFor({ state: "visible" });
      await ada.page.screenshot({ path: join(screens, `tables-${ruleset}.png`) });
      await ada.page.fill(".charts input", "zzzz");
      await ada.page.waitForFunction(() => document.querySelectorAll(".charts details").length === 0);
      await ada.page.fill(".charts input", "");
    }
  },

  async a_side_is_shared_by_two({ sit, screens }) {
    const [lee, hill] = [await sit("Lee"), await sit("Hill")];
    hill.expect(403);
    await lee.enter();
    await hill.enter();
    const id = await lee.newGame("corps20", "july1", ["me", "steady"]);
    await lee.turn();
    const { unit, formation } = await lee.page.evaluate(() => {
      const { model, decision } = window.cupola;
      const [unit] = decision.targets.units.keys();
      return { unit, formation: model.look.units[unit].node };
    });
    const { link } = await lee.api(`/games/${id}/appoint`, { side: "cs", formations: [formation] });
    await hill.page.goto(link);
    await hill.atTable();
    // The unit is lit for its commander, and no longer for the leader.
    await hill.page.waitForFunction((unit) => window.cupola.model.decision?.options.some((option) => option.touch.includes(`u${unit}`)), unit);
    await lee.page.waitForFunction((unit) => !window.cupola.model.decision?.options.some((option) => option.touch[0] === `u${unit}`), unit);
    await lee.page.click("#tools button[title=Table]");
    await lee.page.waitForSelector("dialog[open]");
    assert.match(await lee.page.textContent("dialog[open]"), /Hill has/);
    await lee.page.screenshot({ path: join(screens, "team.png") });
    const { ply } = await hill.look();
    await hill.page.evaluate((unit) => { const { decision, model } = window.cupola; decision.choose(model.decision.options.find((option) => option.touch.includes(`u${unit}`))); }, unit);
    await hill.moved(ply);
  },

  async the_lab_s_reports_are_one_click_away_and_locked_up({ club, sit, screens }) {
    const folder = join(club.folder, "reports", "gettysburg-july1-20");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.html"), `<!doctype html><title>The first day under four rulesets</title><style>body { color: #123456 }</style><p id="seen">no</p>
      <script>document.getElementById("seen").textContent = "drawn"; try { document.cookie; } catch { document.getElementById("seen").textContent += ", no cookie"; }
      fetch("/api/me").then(() => { document.getElementById("seen").textContent += ", asked"; }, () => { document.getElementById("seen").textContent += ", not asked"; });</script>`);
    const ada = await sit("Ada");
    await ada.enter();
    await ada.page.click("#nav a[href='#lab']");
    await ada.page.waitForSelector("main a[target=_blank]");
    assert.equal(await ada.page.textContent("main a[target=_blank]"), "The first day under four rulesets");
    assert.equal(await ada.page.locator("main form").count(), 0, "one who is no keeper may start a run");
    await ada.page.screenshot({ path: join(screens, "lab.png") });
    const report = await ada.context.newPage();
    await report.goto(`${club.base}/reports/gettysburg-july1-20/index.html`);
    await report.waitForFunction(() => document.getElementById("seen").textContent === "drawn, no cookie, not asked");
  },

  async names_for_screen_readers_and_contrast({ sit, screens, axe }) {
    const ada = await sit("Ada", { bypassCSP: true });
    await ada.enter();
    await ada.newGame("corps20", "july1");
    await ada.turn();
    const check = async (what) => {
      await ada.page.addScriptTag({ content: axe() });
      const found = await ada.page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] }));
      const lines = found.violations.map((wrong) => `${wrong.id}: ${wrong.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
      assert.deepEqual(lines, [], `${what}: ${lines.join("; ")}`);
    };
    await check("the table");
    await ada.rush(6);
    await ada.turn();
    await ada.page.evaluate(() => window.cupola.offer(1));
    await ada.page.waitForSelector("#told button");
    await check("what happened since");
    for (const key of ["b", "r", "k", "t"]) {
      await ada.page.focus("#canvas");
      await ada.page.keyboard.press(key);
      await ada.page.waitForFunction((key) => document.getElementById("panel").dataset.tab === { b: "boards", r: "roster", k: "charts", t: "talk" }[key], key);
      await check(`the table with key ${key}`);
    }
    const hex = await ada.page.evaluate(() => [...window.cupola.scene.stacks.keys()][0]);
    await ada.page.evaluate((hex) => window.cupola.inspect(hex), hex);
    await ada.page.waitForSelector("#stack .measures button");
    await check("a stack");
    await ada.page.click("#tools button[title=Table]");
    await ada.page.waitForSelector("dialog[open]");
    await check("the table's dialog");
    await ada.page.keyboard.press("Escape");
    await ada.page.evaluate(() => { document.documentElement.dataset.theme = "dark"; });
    await check("the table in the dark");
    await ada.page.goto(`${ada.club.base}/#new`);
    await ada.page.waitForSelector("form.new");
    await ada.page.screenshot({ path: join(screens, "new-game.png") });
    await check("a new game");
    await ada.page.check("input[name=ruleset][value=corps20]");
    const { rulesets } = await ada.api("/catalogue");
    const elsewhere = rulesets.find((one) => one.name === "corps20").scenarios.find((one) => one.battle !== "gettysburg");
    await ada.page.check(`input[name=scenario][value="${elsewhere.name}"]`);
    await ada.page.check("input[name=variant][value=stuart-early]");
    // It is of another battle than the scenario, and says so; then it is not.
    await ada.page.waitForSelector(".problem");
    await check("a new game with a variant that does not fit");
    await ada.page.check("input[name=scenario][value=july1]");
    await ada.page.waitForSelector(".differences li");
    await check("a new game with a variant");
    for (const where of ["#lab", "#people", "#me", "#book/club.md"]) {
      await ada.page.goto(`${ada.club.base}/${where}`);
      await ada.page.waitForFunction(() => document.querySelector("main")?.textContent.length > 20);
      await check(where);
    }
    await ada.page.goto(`${ada.club.base}/`);
    await ada.page.waitForSelector(".game");
    await ada.page.screenshot({ path: join(screens, "lobby.png") });
    await check("the lobby");
  },
};
