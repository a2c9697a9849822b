// The table seen in a real browser. Usage: node run.mjs ROOT PROGRAM [--screens FOLDER] [NAME…]
// Prints one line a test and ends in a count; exit code 1 if any failed.

import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createRequire } from "node:module";
import { Club, Somebody, launch } from "./club.mjs";
import { comforts } from "./comforts.mjs";
import { follow } from "./follow.mjs";
import { manners } from "./manners.mjs";
import { tests } from "./tests.mjs";


const args = process.argv.slice(2);
const root = args.shift();
const program = resolve(root, args.shift());
let screens = join(root, "target/browser/screens");
if (args[0] === "--screens") [, screens] = args.splice(0, 2);
mkdirSync(screens, { recursive: true });
// Found beside this file, or where NODE_PATH says.
const axe = () => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const club = new Club(program, root);
await club.open();
const browser = await launch();
let passed = 0;
const failed = [];
for (const [name, test] of Object.entries({ ...tests, ...comforts, ...manners, ...follow })) {
  if (args.length > 0 && !args.some((wanted) => name.includes(wanted))) continue;
  const people = [];
  const sit = async (who, options) => {
    const somebody = await Somebody.sit(browser, club, who, options);
    people.push(somebody);
    return somebody;
  };
  const start = Date.now();
  try {
    await test({ club, browser, sit, screens, axe });
    for (const somebody of people) if (somebody.complaints.length > 0) throw new Error(`the page complains: ${somebody.complaints.join("\n")}`);
    passed += 1;
    console.log(`test ${name} ... ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed.push(name);
    console.log(`test ${name} ... FAILED\n${error.stack}`);
    for (const somebody of people) await somebody.page.screenshot({ path: join(screens, `failed-${somebody.name}.png`) }).catch(() => {});
  }
  for (const somebody of people) await somebody.context.close().catch(() => {});
}
await browser.close();
await club.kill();
console.log(`test result: ${passed} passed; ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
