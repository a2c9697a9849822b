//! A run shared out over workers through a real PostgreSQL server comes out as on one machine, whatever befalls
//! the workers and the connections on the way.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "the club's tests use more of it")]
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
    args.extend([
        "--grid",
        "2",
        "--floor",
        "4",
        "--grid-bot",
        "steady",
        "--grid-bot",
        "search:400",
    ]);
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
        "game-ground.csv",
        "grid-games.csv",
        "grid.csv",
        "claims.csv",
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

/// Who plays long games has no more than the one that he plays: all others are free for others, and when he dies it is that one
/// alone that is played again.
#[test]
fn a_lost_worker_costs_its_game_only() {
    let server = Server::start();
    let url = server.url();
    let shared = folder("lost");
    let mut run = compare(&shared, "8", &["--bot", "random", "--queue", &url]);
    let run = run.stdout(Stdio::null()).stderr(Stdio::piped());
    let run = run.spawn().unwrap();
    wait_for(&server, 3);
    let mut slow = worker(&url, &["--rest", "600000"]);
    let taken = "select count(*) from cupola_game where worker is not null and record is null";
    let start = Instant::now();
    while server.count(taken) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing is taken"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.count(taken), 1);
    slow.kill().unwrap();
    slow.wait().unwrap();
    let mut quick = worker(&url, &[]);
    must_succeed(&run.wait_with_output().unwrap());
    quick.kill().unwrap();
    quick.wait().unwrap();
    assert_eq!(server.count(taken), 0);
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

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The data with a comment more, so that its games have another key.
fn other_data() -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let data = data.canonicalize().unwrap();
    let root = folder("data");
    std::fs::create_dir_all(root.join("rulesets/corps20")).unwrap();
    for entry in std::fs::read_dir(&data).unwrap().flatten() {
        if entry.file_name() != "rulesets" {
            std::os::unix::fs::symlink(entry.path(), root.join(entry.file_name())).unwrap();
        }
    }
    for entry in std::fs::read_dir(data.join("rulesets"))
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name() != "corps20")
    {
        let to = root.join("rulesets").join(entry.file_name());
        std::os::unix::fs::symlink(entry.path(), to).unwrap();
    }
    copy(
        &data.join("rulesets/corps20"),
        &root.join("rulesets/corps20"),
    );
    let turns = root.join("rulesets/corps20/battles/gettysburg/turns.ron");
    let text = std::fs::read_to_string(&turns).unwrap();
    std::fs::write(&turns, format!("{text}// another edition\n")).unwrap();
    root
}

#[test]
fn what_a_worker_cannot_play_stops_neither_it_nor_other_runs() {
    let server = Server::start();
    let url = server.url();
    assert!(worker(&url, &["--leave"]).wait().unwrap().success());
    // A job that nobody can read, first in line.
    server.execute("insert into cupola_job (key, job) values ('!', 'garbage')");
    server.execute("insert into cupola_game (key, number) values ('!', 0)");
    // A run whose data are others than the worker's.
    let (strange, said) = (folder("strange"), folder("said"));
    let mut other = compare(&strange, "8", &["--queue", &url]);
    other.env("CUPOLA_DATA", other_data());
    other.stderr(std::fs::File::create(&said).unwrap());
    let mut other = other.stdout(Stdio::null()).spawn().unwrap();
    wait_for(&server, 3);
    let mut worker = worker(&url, &[]);
    let shared = folder("besides");
    let run = compare(&shared, "12", &["--queue", &url]).output().unwrap();
    must_succeed(&run);
    assert!(worker.try_wait().unwrap().is_none(), "the worker has left");
    // Each hears why it plays nothing of theirs.
    let start = Instant::now();
    let told = || std::fs::read_to_string(&said).unwrap();
    while !told().contains("turns.ron differs in layout or comments") {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", told());
        std::thread::sleep(Duration::from_millis(50));
    }
    let notes = server.execute("select why from cupola_note where key = '!'");
    assert!(notes.contains("a job that cannot be read"), "{notes}");
    for child in [&mut worker, &mut other] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[test]
fn a_record_that_cannot_be_read_is_told_and_played_again() {
    let server = Server::start();
    let url = server.url();
    let alone = folder("alone-too");
    must_succeed(&compare(&alone, "8", &[]).output().unwrap());
    let shared = folder("rotten");
    // The address may stand in a file: nobody reads it off the command line.
    let address = folder("address");
    std::fs::write(&address, format!("{url}\n")).unwrap();
    let at = format!("@{}", address.display());
    let mut run = compare(&shared, "8", &["--queue", &at]);
    let run = run
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&server, 3);
    server.execute("update cupola_game set record = '\\x00' where number = 1");
    let mut worker = worker(&url, &[]);
    let output = run.wait_with_output().unwrap();
    must_succeed(&output);
    worker.kill().unwrap();
    worker.wait().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("no records of games [1]"), "{told}");
    for (alone, shared) in tables(&alone).into_iter().zip(tables(&shared)) {
        assert_eq!(alone, shared);
    }
}
