//! Two programs on one database are one club: when one is killed, its games go on at the other.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "other tests use more of it")]
mod program;
#[allow(dead_code, reason = "the queue's tests use more of it")]
mod server;

use program::Program;
use serde_json::json;
use server::Server;
use std::time::{Duration, Instant};

#[test]
fn when_a_program_is_killed_its_games_go_on_at_the_other() {
    let server = Server::start();
    let start = || Program::start(&["--database", &server.url()], &[]);
    let (mut first, second) = (start(), start());
    let cookie = first.enter("Ada").cookie;
    let wish = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["me", "steady"]});
    let (_, made) = first.ask(&cookie, "/games", Some(&wish));
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let mut acknowledged = 0;
    // Until it is the bot's turn, which is thinking when the power goes.
    let end = Instant::now() + Duration::from_secs(240);
    while Instant::now() < end {
        let (_, table) = first.ask(&cookie, &game, None);
        let options = &table["frame"]["decision"]["options"];
        let Some(option) = options.as_array().and_then(|all| all.last()) else {
            break;
        };
        let choice = json!({"ply": table["ply"], "seat": "cs", "option": option["id"]});
        let (head, done) = first.ask(&cookie, &format!("{game}/choose"), Some(&choice));
        assert!(head.contains(" 200 "), "{head} {done}");
        acknowledged = table["step"].as_u64().unwrap() + 1;
    }
    first.kill();
    let (_, table) = second.ask(&cookie, &game, None);
    assert!(
        table["step"].as_u64() >= Some(acknowledged),
        "{acknowledged} were acknowledged: {table}"
    );
    // The bot goes on there, until it is Ada's turn again.
    let end = Instant::now() + Duration::from_secs(240);
    loop {
        let (_, table) = second.ask(&cookie, &game, None);
        if table["frame"]["decision"]["mine"] == true && table["step"].as_u64() > Some(acknowledged)
        {
            return;
        }
        assert!(
            Instant::now() < end,
            "nobody goes on: {}",
            table["frame"]["decision"]
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}
