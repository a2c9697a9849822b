//! How many times as fast many workers are as one: a trial, since it takes minutes and depends on the machine. Games are slowed down
//! by a rest after each, so that two processors can stand for eight machines; the server is a real one.
//!
//! ```text
//! cargo run --release -p cupola-queue --example workers -- target/release/cupola 160 2500 1 8
//! ```
//!
//! plays 160 games with rests of 2500 ms, once with one worker and once with eight, and tells what each took: from the moment the
//! workers are started until the last record is delivered.
#![allow(clippy::unwrap_used, reason = "a trial fails by panicking")]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../cupola/tests/server/mod.rs"]
mod server;

use server::Server;
use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [program, games, rest, crowds @ ..] = args.as_slice() else {
        return Err("expected: PROGRAM GAMES REST-IN-MS WORKERS...".into());
    };
    let (games, rest): (i64, u64) = (games.parse()?, rest.parse()?);
    let mut first: Option<f64> = None;
    for workers in crowds {
        let workers: u32 = workers.parse()?;
        let took = trial(program, games, rest, workers).as_secs_f64();
        let times = *first.get_or_insert(took) / took;
        println!("{workers} workers: {games} games in {took:.1} s, {times:.2} times as fast");
    }
    Ok(())
}

/// How long so many workers take for all games of a run.
fn trial(program: &str, games: i64, rest: u64, workers: u32) -> Duration {
    let server = Server::start();
    let (url, out) = (server.url(), server.file("report"));
    let wanted = games.to_string();
    let mut run = Command::new(program);
    run.args(["lab", "compare", "gettysburg-july1", "--ruleset", "corps20"]);
    run.args([
        "--bot", "random", "--luck", "0", "--grid", "0", "--floor", "0",
    ]);
    run.args(["--games", &wanted, "--queue", &url]);
    run.args(["--out", &out]);
    let mut run = quiet(run);
    wait_for(&server, "select count(*) from cupola_game", games, &mut run);
    let rest = rest.to_string();
    let start = Instant::now();
    let crowd = (0..workers).map(|_| {
        let mut worker = Command::new(program);
        worker.args(["worker", "--queue", &url, "--threads", "1", "--rest", &rest]);
        quiet(worker)
    });
    let mut crowd: Vec<Child> = crowd.collect();
    wait_for(
        &server,
        "select count(record) from cupola_game",
        games,
        &mut run,
    );
    let took = start.elapsed();
    for child in crowd.iter_mut().chain([&mut run]) {
        let _ = child.kill();
        child.wait().unwrap();
    }
    took
}

fn quiet(mut command: Command) -> Child {
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
    silent.stderr(Stdio::null()).spawn().unwrap()
}

/// Waits until a count has come to a number; the run that wants the games must not fail meanwhile.
fn wait_for(server: &Server, count: &str, number: i64, run: &mut Child) {
    while server.count(count) < number {
        let ended = run.try_wait().unwrap();
        assert!(ended.is_none_or(|how| how.success()), "the run has failed");
        std::thread::sleep(Duration::from_millis(50));
    }
}
