//! A run shared out over workers through a real PostgreSQL server comes out as on one machine, whatever befalls
//! the workers and the connections on the way.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod server;

use server::Server;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn cupola(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cupola"));
    command.args(args).stdin(Stdio::null());
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    command.env("CUPOLA_DATA", data);
    command
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cupola-queue-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn compare(out: &Path, games: &str, more: &[&str]) -> Command {
    let out = out.to_str().unwrap();
    let mut args = vec!["lab", "compare", "gettysburg-july1", "--ruleset", "corps20"];
    args.extend(["--games", games, "--luck", "4", "--out", out]);
    args.extend(more);
    cupola(&args)
}

fn worker(url: &str, more: &[&str]) -> Child {
    let mut args = vec!["worker", "--queue", url, "--threads", "1", "--lease", "2"];
    args.extend(more);
    let mut command = cupola(&args);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn must_succeed(output: &Output) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

/// Every table that a run writes.
fn tables(folder: &Path) -> Vec<(&'static str, String)> {
    let names = [
        "games.csv",
        "game-hours.csv",
        "hours.csv",
        "places.csv",
        "positions.csv",
    ];
    names
        .map(|name| (name, std::fs::read_to_string(folder.join(name)).unwrap()))
        .to_vec()
}

/// Waits until so many games are delivered.
fn wait_for(server: &Server, delivered: i64) {
    let start = Instant::now();
    while server.count("select count(record) from cupola_game") < delivered {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "no worker delivers"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn killed_workers_and_cut_connections_change_nothing() {
    let games = "80";
    let alone = folder("alone");
    must_succeed(&compare(&alone, games, &[]).output().unwrap());

    let server = Server::start();
    let url = server.url();
    let shared = folder("shared");
    let mut first = worker(&url, &[]);
    let mut second = worker(&url, &[]);
    let run = compare(&shared, games, &["--queue", &url])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&server, 5);
    // One worker is shot in mid-game: its leases run out and somebody else plays its games.
    first.kill().unwrap();
    first.wait().unwrap();
    wait_for(&server, 12);
    // Every connection is cut, that of the run and that of the worker.
    server.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'");
    let mut third = worker(&url, &[]);
    must_succeed(&run.wait_with_output().unwrap());
    for worker in [&mut second, &mut third] {
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    for (alone, shared) in tables(&alone).into_iter().zip(tables(&shared)) {
        assert_eq!(alone, shared);
    }
    let twice = server.count("select count(*) - count(distinct (key, number)) from cupola_game");
    assert_eq!(twice, 0);
}

#[test]
fn a_worker_leaves_when_told_to_and_an_address_that_is_none_is_an_error() {
    let server = Server::start();
    let url = server.url();
    let mut idle = worker(&url, &["--leave"]);
    assert!(idle.wait().unwrap().success());
    let nobody = cupola(&["worker", "--queue", "postgres://127.0.0.1:1/nothing"])
        .output()
        .unwrap();
    assert_eq!(nobody.status.code(), Some(2));
    let text = String::from_utf8_lossy(&nobody.stderr);
    assert!(text.contains("the queue cannot be reached"), "{text}");
}
