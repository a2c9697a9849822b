// What the page costs: script and layout of a frame while the largest map is dragged and zoomed, by Chromium's own
// trace; bytes of the first load and of updates; how long until the map and its counters are seen. Usage: node measure.mjs ROOT PROGRAM [RULESET]
// CPU time is counted, not the clock: the machine may be busy.

import { resolve } from "node:path";
import { Club, Somebody, launch } from "./club.mjs";

const [root, program, only] = process.argv.slice(2);
const club = new Club(resolve(root, program), root);
await club.open();
const browser = await launch();

/** What counts as script and layout. */
const WORK = new Set(["FireAnimationFrame", "EventDispatch", "FunctionCall", "Layout", "UpdateLayoutTree"]);

/** CPU milliseconds of the page's main thread by frame, while something is done. */
async function trace(page, work) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const done = new Promise((end) => { session.once("Tracing.tracingComplete", end); });
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline"] } });
  await work();
  await session.send("Tracing.end");
  await done;
  const frames = events.filter((event) => event.name === "FireAnimationFrame");
  const thread = frames[0]?.tid;
  const own = events.filter((event) => event.ph === "X" && event.tid === thread && event.pid === frames[0].pid && WORK.has(event.name))
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  // What lies inside another is counted with it.
  let end = 0;
  const outer = own.filter((event) => { if (event.ts < end) return false; end = event.ts + event.dur; return true; });
  const costs = [];
  for (const event of outer) {
    if (event.name === "FireAnimationFrame" || costs.length === 0) costs.push(0);
    costs[costs.length - 1] += (event.tdur ?? event.dur) / 1000;
  }
  return { frames: frames.length, costs: costs.sort((a, b) => a - b) };
}

const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))]?.toFixed(2);
const ada = await Somebody.sit(browser, club, "Ada");
await ada.enter();
const { rulesets } = await ada.api("/catalogue");
for (const ruleset of rulesets.filter((known) => !only || known.name === only)) {
  const longest = [...ruleset.scenarios].sort((a, b) => (b.turns?.count ?? 0) - (a.turns?.count ?? 0))[0];
  let loaded = 0;
  const session = await ada.context.newCDPSession(ada.page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const urls = new Map();
  session.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { if (!urls.get(requestId)?.includes("/map/")) loaded += encodedDataLength; });
  const { id } = await ada.api("/games", { ruleset: ruleset.name, scenario: longest.name, seats: ["me", "steady"], watched: true });
  await ada.page.goto(`${club.base}/t/${id}`);
  await ada.atTable();
  await ada.still();
  const first = loaded;
  // Once more without the browser's cache: the first time the club has drawn the map. By the clock, beside the page's own work.
  const useful = () => ada.page.evaluate(() => Math.round(performance.getEntriesByName("useful")[0].startTime));
  const drawn = await useful();
  await session.send("Performance.enable");
  await ada.page.goto(`${club.base}/t/${id}`);
  await ada.atTable();
  await ada.still();
  const { metrics } = await session.send("Performance.getMetrics");
  const worked = metrics.find((metric) => metric.name === "TaskDuration").value;
  console.log(`${ruleset.name}/${longest.name}: first useful picture after ${await useful()} ms (${drawn} ms with the map still to be drawn); the page worked ${Math.round(worked * 1000)} ms`);
  const counters = await ada.page.evaluate(() => [...window.cupola.scene.stacks.values()].reduce((sum, stack) => sum + stack.units.length, 0));
  const updates = [];
  for (let i = 0; i < 12; i += 1) {
    const before = ada.heard.length;
    const { over } = await ada.turn();
    if (over) break;
    await ada.click((i * 0.37) % 1);
    for (const { from, text } of ada.heard.slice(before)) if (from.startsWith("ws")) updates.push((await text).length);
  }
  updates.sort((a, b) => a - b);
  const box = await ada.page.locator("#canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async () => {
    await ada.page.mouse.move(x, y);
    await ada.page.mouse.down();
    for (let i = 0; i < 60; i += 1) await ada.page.mouse.move(x + 200 * Math.sin(i / 8), y + 120 * Math.cos(i / 8));
    await ada.page.mouse.up();
  };
  for (const [name, scale, many] of [["all in sight", 1, 0], ["close", 3, 0], ["600 counters in sight", 1, 600], ["600 counters, close", 3, 600]]) {
    await ada.page.evaluate(([scale, many]) => {
      const { scene, model } = window.cupola;
      scene.camera.fit();
      scene.camera.zoom(scale);
      if (many === 0) return;
      // As many as a whole battle by regiments has, all over the map.
      const units = Object.values(model.frame.units).filter((unit) => unit.hex);
      const labels = scene.geometry.map.labels;
      const copies = Array.from({ length: many }, (_, i) => [`copy${i}`, { ...units[i % units.length], hex: labels[(i * 37) % labels.length] }]);
      scene.set({ ...model.frame, units: Object.fromEntries(copies) }, null, [], 0);
    }, [scale, many]);
    await ada.still();
    await drag();
    const { frames, costs } = await trace(ada.page, drag);
    console.log(`${ruleset.name}/${longest.name}, ${counters} counters, ${name}: ${frames} frames, script and layout ${at(costs, 0.5)} ms (median), ${at(costs, 0.95)} ms (95 %)`);
  }
  console.log(`${ruleset.name}: first load ${(first / 1024).toFixed(0)} kB besides the map; updates ${at(updates, 0.5)} bytes (median), ${at(updates, 1)} (largest)`);
}
await browser.close();
await club.kill();
process.exit(0);
