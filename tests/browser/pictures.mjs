// The book's pictures of the table, from what the tests saw. Usage: node pictures.mjs ROOT [SCREENS]
// Needs pngquant, which makes them a third of their size.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

const [root, screens = join(root, "target/browser/screens")] = process.argv.slice(2);

/** Of every picture in the book, the screen that it is. */
const PICTURES = {
  table: "odds", "table-trails": "trails", "table-why-not": "why-not", "table-replay": "replay", "table-tables": "tables-blindswords", "table-team": "team",
  "table-command": "command-blocks", "table-sight": "sight-blocks", variants: "variants", lobby: "lobby", prototype: "follow",
};

for (const [picture, screen] of Object.entries(PICTURES)) {
  const to = join(root, "book/src/img", `${picture}.png`);
  execFileSync("pngquant", ["128", "--force", "--strip", "--speed", "1", "--output", to, join(screens, `${screen}.png`)]);
  console.log(to);
}
