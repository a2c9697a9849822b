// Load: many watchers over many games while bots and people move.
// Usage: node --experimental-websocket load.mjs ROOT PROGRAM [GAMES] [WATCHERS] [SECONDS]
// Says how long a choice took to reach every watcher, and what the club's memory is.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Club } from "./club.mjs";

const [root, program, games = "300", watchers = "1000", seconds = "30"] = process.argv.slice(2);
const club = new Club(resolve(root, program), root);
await club.open();

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${club.process.pid}/status`, "utf8"))[1]);

/** A request as one person. */
async function ask(cookie, path, body) {
  const answer = await fetch(`${club.base}/api${path}`, {
    method: body ? "POST" : "GET", headers: { cookie, "content-type": "application/json" }, body: body && JSON.stringify(body),
  });
  if (answer.status === 429) {
    await new Promise((done) => setTimeout(done, 200));
    return ask(cookie, path, body);
  }
  return { status: answer.status, head: answer.headers, ...(await answer.json()) };
}

/** Somebody of the club: nobody has more than a few dozen lines open. */
async function enter(name) {
  const entered = await fetch(`${club.base}/api/enter`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) });
  return entered.headers.get("set-cookie").split(";")[0];
}
const cookie = await enter("Host");
const guests = [];
for (let i = 0; i < 50; i += 1) guests.push(await enter(`Guest ${i}`));

const before = memory();
const ids = [];
for (let i = 0; i < Number(games); i += 1) {
  const seats = i % 3 === 0 ? ["me", "steady"] : i % 3 === 1 ? ["me", "me"] : ["steady", "steady"];
  const made = await ask(cookie, "/games", { ruleset: "corps20", scenario: "july1", seats, watched: true });
  ids.push({ id: made.id, people: i % 3 !== 2 });
}
console.log(`${games} games; ${((memory() - before) / Number(games)).toFixed(0)} kB each`);

/** When each ply of each game was acknowledged. */
const acknowledged = new Map();
const delays = [];
let open = 0;
let heard = 0;
const sockets = [];
for (let i = 0; i < Number(watchers); i += 1) {
  const { id } = ids[i % ids.length];
  const socket = new WebSocket(`ws://127.0.0.1:${club.port}/api/games/${id}/live?seat=observer&ply=0`, { headers: { cookie: guests[i % guests.length] } });
  socket.onopen = () => { open += 1; };
  socket.onmessage = ({ data }) => {
    const now = performance.now();
    heard += 1;
    for (const step of JSON.parse(data).steps ?? []) {
      const at = acknowledged.get(`${id}/${step.ply}`);
      if (at !== undefined) delays.push(Math.max(0, now - at));
    }
  };
  sockets.push(socket);
  if (i % 50 === 0) await new Promise((done) => setTimeout(done, 60));
}
await new Promise((done) => setTimeout(done, 3000));
console.log(`${open} of ${watchers} watchers connected; ${(memory() / 1024).toFixed(0)} MB`);

// People choose, one after another, all over the club.
const people = ids.filter((game) => game.people);
const end = performance.now() + Number(seconds) * 1000;
let chosen = 0;
const turns = [];
async function person(offset) {
  for (let i = offset; performance.now() < end; i += 4) {
    const { id } = people[i % people.length];
    const table = await ask(cookie, `/games/${id}`);
    const options = table.frame?.decision?.options ?? [];
    if (options.length === 0) continue;
    const start = performance.now();
    acknowledged.set(`${id}/${table.ply + 1}`, start);
    const done = await ask(cookie, `/games/${id}/choose`, { ply: table.ply, seat: table.seat, option: options[Math.floor(Math.random() * options.length)].id });
    if (done.status === 200) {
      chosen += 1;
      turns.push(performance.now() - start);
    }
  }
}
await Promise.all([0, 1, 2, 3].map(person));
await new Promise((done) => setTimeout(done, 1000));
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)]?.toFixed(1);
console.log(`${chosen} choices in ${seconds} s; acknowledged after ${at(turns, 0.5)} ms (median), ${at(turns, 0.99)} ms (99 %)`);
console.log(`${delays.length} deliveries; choice to watcher ${at(delays, 0.5)} ms (median), ${at(delays, 0.99)} ms (99 %); ${heard} messages in all`);
sockets.forEach((socket) => socket.close());
await club.kill();
process.exit(0);
