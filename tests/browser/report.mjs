// The book's pictures of a report, each a section of its page. Usage: node report.mjs ROOT FOLDER
// FOLDER is what `cupola lab compare gettysburg-july1 --games 50 --grid 6 --grid-bot steady --out FOLDER` wrote. Needs chromium, and pngquant, which makes the pictures a third
// of their size.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [root, folder] = process.argv.slice(2);
const WIDTH = 1150;

/** Of every picture in the book, the section that it is. */
const PICTURES = {
  headline: "headline", maps: "fronts", moved: "moved", losses: "losses", hourly: "hourly", guns: "guns", places: "places", tempo: "tempo",
  luck: "luck", distance: "distance",
};

/** Of the first section what it found is enough; its table would be unreadable. */
const CUT = "#headline .scroll,#headline .fold,#headline .see,#headline .reading{display:none}";

const page = readFileSync(join(folder, "index.html"), "utf8");
const work = mkdtempSync(join(tmpdir(), "cupola-report-"));

function chromium(...more) {
  const usual = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=4000"];
  return execFileSync("chromium", [...usual, ...more], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
}

for (const [picture, section] of Object.entries(PICTURES)) {
  // The section alone, and a mark that tells how high it is.
  const alone = `<style>header,nav,footer,section:not(#${section}),.skip{display:none!important}
    main{padding:1rem 2rem}section{margin:0!important}.clock{position:static!important}${CUT}</style>`;
  const mark = `<script>addEventListener("load",function(){document.body.setAttribute("data-high",
    Math.ceil(document.querySelector("main").getBoundingClientRect().bottom));});</script>`;
  const file = join(work, `${section}.html`);
  writeFileSync(file, page.replace("</head>", `${alone}</head>`).replace("</body>", `${mark}</body>`));
  const seen = chromium(`--window-size=${WIDTH},4000`, "--dump-dom", `file://${file}`);
  const high = Number(/data-high="(\d+)"/.exec(seen)?.[1] ?? 1000) + 16;
  const shot = join(work, `${section}.png`);
  chromium(`--window-size=${WIDTH},${high}`, `--screenshot=${shot}`, `file://${file}`);
  const to = join(root, "book/src/img", `report-${picture}.png`);
  execFileSync("pngquant", ["128", "--force", "--strip", "--speed", "1", "--output", to, shot]);
  console.log(`${to}: ${WIDTH} x ${high}`);
}
rmSync(work, { recursive: true });
