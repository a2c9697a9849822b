// Long trials of the club, without a browser. Usage:
//   node soak.mjs kill ROOT PROGRAM [TIMES] [DATABASE]   kills it under load, again and again: what was acknowledged must be there
//   node soak.mjs flood ROOT PROGRAM [REQUESTS]          malformed requests: no panic, no leak
// Exit code 1 if anything was lost.

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { Club, pause } from "./club.mjs";

const [mode, root, program, count, database] = process.argv.slice(2);
const club = new Club(resolve(root, program), root, database && ["--database", database]);

/** The same numbers in every run. */
let seed = 1863;
const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };

async function ask(cookie, path, body) {
  const answer = await fetch(`${club.base}/api${path}`, {
    method: body ? "POST" : "GET", headers: { cookie, "content-type": "application/json" }, body: body && JSON.stringify(body),
  });
  return { status: answer.status, ...(await answer.json()) };
}

async function enter(name) {
  const entered = await fetch(`${club.base}/api/enter`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) });
  return entered.headers.get("set-cookie").split(";")[0];
}

async function kills(times) {
  await club.open();
  const cookie = await enter("Host");
  const games = [];
  for (let i = 0; i < 12; i += 1) games.push({ id: (await ask(cookie, "/games", { ruleset: "corps20", scenario: "july1", seats: ["me", "me"] })).id, step: 0, sent: 0 });
  let chosen = 0;
  let lost = 0;
  for (let kill = 0; kill < times; kill += 1) {
    let alive = true;
    const play = async (game) => {
      while (alive) {
        try {
          const table = await ask(cookie, `/games/${game.id}`);
          const options = table.frame?.decision?.options ?? [];
          if (options.length === 0) return;
          game.sent = table.step + 1;
          const done = await ask(cookie, `/games/${game.id}/choose`, { ply: table.ply, seat: table.seat, option: options[Math.floor(random() * options.length)].id });
          if (done.status === 200) { game.step = table.step + 1; chosen += 1; }
        } catch {
          // The club is gone, in the middle of a word.
          return;
        }
      }
    };
    const people = games.map(play);
    await pause(50 + random() * 400);
    alive = false;
    await club.kill();
    await Promise.all(people);
    await club.open();
    for (const game of games) {
      const { step } = await ask(cookie, `/games/${game.id}`);
      // What was on its way may have arrived; what was acknowledged must have.
      if (!(step >= game.step && step <= Math.max(game.step, game.sent))) { lost += 1; console.log(`game ${game.id}: step ${step}, acknowledged ${game.step}, sent ${game.sent}`); }
      game.step = step;
      if (step > 250) { game.id = (await ask(cookie, "/games", { ruleset: "corps20", scenario: "july1", seats: ["me", "me"] })).id; game.step = 0; game.sent = 0; }
    }
    if (kill % 20 === 19) console.log(`${kill + 1} kills, ${chosen} choices acknowledged, ${lost} lost`);
  }
  console.log(`${times} kills under load, ${chosen} choices acknowledged, ${lost} lost`);
  return lost === 0;
}

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${club.process.pid}/status`, "utf8"))[1]);

/** A request that is wrong in one way or another. */
function malformed(cookie, game) {
  const paths = ["/", "/api/me", "/api/games", `/api/games/${game}`, `/api/games/${game}/choose`, `/api/games/${game}/film?seat=cs&from=9&to=1`, `/api/games/${game}/undo`,
    `/api/games/${game}/notes`, `/api/games/${game}/appoint`, `/api/games/${game}/share`, `/api/games/${game}/live?seat=cs&ply=0`, `/api/games/${game}/hex/%ff`, "/api/journals", "/map/x/1-2-3.png", "/book/../../etc/passwd", "/api/people/x/retire"];
  const bodies = ["", "{", "[]", "null", "{\"ply\":-1}", "{\"ply\":99999999999999999999}", "{\"seat\":\"\\u0000\"}", `{"ply":0,"seat":"cs","option":"${"x".repeat(Math.floor(random() * 300))}"}`, "\ufffd\u0000", "cupola journal 2\nruleset ../..\n"];
  const methods = ["GET", "POST", "PUT", "DELETE", "BREW", ""];
  const pick = (list) => list[Math.floor(random() * list.length)];
  const body = pick(bodies);
  let text = `${pick(methods)} ${pick(paths)} HTTP/1.${pick([0, 1, 1, 1, 9])}\r\nhost: 127.0.0.1:${club.port}\r\ncookie: ${pick([cookie, "cupola=zz", "", "=;;="])}\r\ncontent-type: ${pick(["application/json", "text/plain", ""])}\r\ncontent-length: ${pick([body.length, body.length, 0, -1, "x"])}\r\n${pick(["", "upgrade: websocket\r\nconnection: upgrade\r\n", "origin: https://evil.example\r\n", "transfer-encoding: chunked\r\n"])}connection: close\r\n\r\n${body}`;
  if (random() < 0.3) {
    const at = Math.floor(random() * text.length);
    text = text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + Math.floor(random() * 5));
  }
  return text;
}

async function flood(requests) {
  await club.open();
  const cookie = await enter("Host");
  const game = (await ask(cookie, "/games", { ruleset: "corps20", scenario: "july1", seats: ["me", "steady"] })).id;
  const before = memory();
  const answers = new Map();
  let sent = 0;
  const one = () => new Promise((done) => {
    // From many addresses, lest the club's own limit on one of them answers for it.
    const socket = connect({ port: club.port, host: "127.0.0.1", localAddress: `127.0.${1 + Math.floor(random() * 250)}.${1 + Math.floor(random() * 250)}` });
    let heard = "";
    socket.setTimeout(3000, () => socket.destroy());
    socket.on("data", (bytes) => { if (heard.length < 20) heard += bytes.toString("latin1"); });
    socket.on("error", () => {});
    socket.on("close", () => {
      const status = /^HTTP\/1\.\d (\d+)/.exec(heard)?.[1] ?? "none";
      answers.set(status, (answers.get(status) ?? 0) + 1);
      done(undefined);
    });
    socket.end(malformed(cookie, game));
  });
  const person = async () => { while (sent < requests) { sent += 1; await one(); } };
  await Promise.all(Array.from({ length: 64 }, person));
  const after = memory();
  const alive = await ask(cookie, "/me");
  console.log(`${requests} malformed requests: ${[...answers].sort().map(([status, n]) => `${n} × ${status}`).join(", ")}`);
  console.log(`memory ${(before / 1024).toFixed(0)} MB before, ${(after / 1024).toFixed(0)} MB after; ${club.output.match(/panicked/g)?.length ?? 0} panics; the club ${alive.status === 200 ? "goes on" : "is gone"}`);
  return alive.status === 200 && !/panicked/.test(club.output);
}

const fine = mode === "flood" ? await flood(Number(count ?? 1000000)) : await kills(Number(count ?? 200));
await club.kill();
process.exit(fine ? 0 : 1);
