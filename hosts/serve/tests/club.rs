//! A club over HTTP: what is acknowledged is kept, what is not allowed changes nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Person, folder, open, raw};
use serde_json::json;

#[test]
fn a_choice_that_was_acknowledged_is_there_after_a_restart() {
    let file = folder("restart").join("club.db");
    let ada = Person::enter(open(&file), "Ada");
    let game = ada.new_game(["me", "me"]);
    for _ in 0..5 {
        assert!(ada.choose(&game));
    }
    let before = ada.table(&game);
    // Another program on the same file knows only what is stored.
    let again = Person {
        address: open(&file),
        cookie: ada.cookie.clone(),
    };
    let after = again.table(&game);
    assert_eq!(before["step"], 5);
    assert_eq!(after["step"], before["step"]);
    assert_eq!(after["frame"], before["frame"]);
    assert_eq!(after["log"], before["log"]);
}

#[test]
fn requests_that_are_stale_foreign_or_not_mine_change_nothing() {
    let address = open(&folder("refused").join("club.db"));
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let game = ada.new_game(["me", "open"]);
    let table = ada.table(&game);
    let option = table["frame"]["decision"]["options"][0]["id"].clone();
    let path = format!("/games/{game}/choose");
    let body = json!({"ply": table["ply"], "seat": "cs", "option": option});
    assert_eq!(bob.post(&path, &body).status, 403);
    let mut stale = body.clone();
    stale["ply"] = json!(99);
    assert_eq!(ada.post(&path, &stale).status, 409);
    let mut unknown = body.clone();
    unknown["option"] = json!("fly heth");
    assert_eq!(ada.post(&path, &unknown).status, 400);
    let mut extra = body.clone();
    extra["sudo"] = json!(true);
    assert_eq!(ada.post(&path, &extra).status, 422);
    let foreign = [
        "content-type: application/json",
        "origin: https://evil.example",
    ];
    let sent = ada.send("POST", &path, &foreign, &body.to_string());
    assert_eq!(sent.status, 403, "another site's page may choose");
    assert_eq!(ada.table(&game)["step"], 0);
    assert_eq!(ada.post(&path, &body).status, 200);
    assert_eq!(
        ada.post(&path, &body).status,
        409,
        "a double click counts twice"
    );
    assert_eq!(ada.table(&game)["step"], 1);
    let stranger = Person {
        address,
        cookie: format!("cupola={}", "0".repeat(32)),
    };
    assert_eq!(stranger.get(&format!("/games/{game}")).status, 401);
    assert_eq!(bob.get(&format!("/games/{game}?seat=cs")).status, 403);
    assert_eq!(bob.get(&format!("/games/{game}/journal")).status, 403);
}

#[test]
fn choices_are_taken_back_to_the_last_die_and_plies_never_come_twice() {
    let address = open(&folder("undo").join("club.db"));
    let ada = Person::enter(address, "Ada");
    let game = ada.new_game(["me", "me"]);
    let start = ada.table(&game);
    let option = start["frame"]["decision"]["options"]
        .as_array()
        .unwrap()
        .iter()
        .find(|option| {
            option["touch"]
                .as_array()
                .is_some_and(|touch| !touch.is_empty())
        })
        .unwrap()["id"]
        .clone();
    let choose = |ply: &serde_json::Value| {
        let body = json!({"ply": ply, "seat": start["seat"], "option": option});
        ada.post(&format!("/games/{game}/choose"), &body)
    };
    assert_eq!(choose(&start["ply"]).status, 200);
    let chosen = ada.table(&game);
    let undo = json!({"ply": chosen["ply"], "seat": start["seat"]});
    assert_eq!(ada.post(&format!("/games/{game}/undo"), &undo).status, 200);
    let back = ada.table(&game);
    assert_eq!(back["frame"], start["frame"]);
    assert!(back["ply"].as_u64() > chosen["ply"].as_u64());
    assert_eq!(
        choose(&start["ply"]).status,
        409,
        "an old tab chooses again"
    );
    assert_eq!(choose(&back["ply"]).status, 200);
}

#[test]
fn what_is_no_request_gets_an_answer_and_the_club_goes_on() {
    let address = open(&folder("malformed").join("club.db"));
    let ada = Person::enter(address, "Ada");
    let game = ada.new_game(["me", "steady"]);
    let paths = ["/games", "/enter", "/me", "/people", "/journals"];
    let own = [
        "choose",
        "undo",
        "odds",
        "why",
        "notes",
        "pause",
        "take-back",
        "sit",
        "invite",
    ];
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{\"ply\":-1}",
        "{\"ply\":1e99,\"seat\":\"cs\",\"option\":\"\"}",
        "{\"ply\":0,\"seat\":\"\u{0}\",\"option\":\"move \u{10ffff}\"}",
        "{\"ply\":0,\"seat\":\"cs\",\"thing\":\"\"}",
        "{\"ply\":0,\"seat\":\"cs\",\"thing\":\"h\u{e9}\"}",
        "{\"ruleset\":\"../..\",\"scenario\":\"x\",\"seats\":[\"me\",\"me\"]}",
        "{\"ruleset\":\"corps20\",\"scenario\":\"../scenarios/july1\",\"seats\":[\"me\",\"me\"]}",
        "{\"ruleset\":\"corps20\",\"scenario\":\"july1\",\"variant\":\"/etc/passwd\",\"seats\":[\"me\",\"me\"]}",
        "cupola journal 1\nruleset corps20\n",
    ];
    let all = paths
        .iter()
        .map(|path| (*path).to_owned())
        .chain(own.iter().map(|name| format!("/games/{game}/{name}")));
    for path in all {
        for body in bodies {
            let kind = ["content-type: application/json"];
            let answer = ada.send("POST", &path, &kind, body);
            assert!(
                (400..500).contains(&answer.status),
                "{path} {body}: {}",
                answer.status
            );
        }
    }
    for line in [
        "GET",
        "GET / HTTP/9\r\n\r\n",
        "\r\n\r\n",
        "\u{0}\u{1}\u{2}",
        "POST /api/enter HTTP/1.1\r\nhost: x\r\n\r\n",
    ] {
        let _ = raw(
            address,
            format!("{line}\r\nconnection: close\r\n\r\n").as_bytes(),
        );
    }
    let long = ada.send(
        "POST",
        "/me",
        &["content-type: application/json"],
        &"x".repeat(100_000),
    );
    assert_eq!(long.status, 413);
    assert_eq!(ada.get("/games").status, 200, "the club goes on");
}

#[test]
fn every_answer_carries_the_policy_and_foreign_names_are_refused() {
    let address = open(&folder("policy").join("club.db"));
    let ask = |host: &str| {
        raw(
            address,
            format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").as_bytes(),
        )
        .unwrap()
    };
    let page = ask(&address.to_string());
    assert_eq!(page.status, 200);
    assert!(
        page.head.contains("default-src 'none'; script-src 'self'"),
        "{}",
        page.head
    );
    assert!(page.head.contains("referrer-policy: no-referrer"));
    assert_eq!(
        ask("evil.example").status,
        403,
        "a name that points here is believed"
    );
}

#[test]
fn a_bot_answers_by_itself() {
    let ada = Person::enter(open(&folder("bot").join("club.db")), "Ada");
    let game = ada.new_game(["steady", "me"]);
    for _ in 0..300 {
        let table = ada.table(&game);
        if table["frame"]["decision"]["mine"] == true {
            assert!(table["step"].as_u64() > Some(0));
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the bot never came to an end of its turn");
}

#[test]
fn an_umpire_sees_all_settles_and_may_not_play() {
    let address = open(&folder("umpire").join("club.db"));
    let (host, ada) = (
        Person::enter(address, "Host"),
        Person::enter(address, "Ada"),
    );
    let game = host.new_game(["open", "open"]);
    let at = |path: &str| format!("/games/{game}/{path}");
    for side in ["cs", "us"] {
        assert_eq!(ada.post(&at("sit"), &json!({ "side": side })).status, 200);
    }
    assert_eq!(host.get(&format!("/games/{game}?seat=umpire")).status, 403);
    assert_eq!(
        ada.post(&at("umpire"), &json!({"take": true})).status,
        403,
        "who plays umpires"
    );
    assert_eq!(host.post(&at("umpire"), &json!({"take": true})).status, 200);
    assert_eq!(host.get(&format!("/games/{game}?seat=umpire")).status, 200);
    assert!(ada.choose(&game));
    let rewind = json!({"ply": ada.table(&game)["ply"], "step": 0});
    assert_eq!(ada.post(&at("rewind"), &rewind).status, 403);
    assert_eq!(host.post(&at("rewind"), &rewind).status, 200);
    assert_eq!(ada.table(&game)["step"], 0);
    assert_eq!(
        host.post(&at("stand"), &json!({"side": "us"})).status,
        200,
        "a seat is handed over"
    );
    assert_eq!(
        host.post(&at("sit"), &json!({"side": "us"})).status,
        403,
        "who has seen all plays"
    );
}

#[test]
fn beyond_a_die_both_must_agree() {
    let address = open(&folder("agree").join("club.db"));
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let game = ada.new_game(["me", "open"]);
    let at = |path: &str| format!("/games/{game}/{path}");
    assert_eq!(bob.post(&at("sit"), &json!({"side": "us"})).status, 200);
    assert!(ada.choose(&game));
    let ask = json!({"seat": "cs", "ply": ada.table(&game)["ply"], "step": 0});
    assert_eq!(ada.post(&at("take-back"), &ask).status, 200);
    assert_eq!(ada.table(&game)["step"], 1, "one side alone goes back");
    let own = json!({"seat": "cs", "ply": ada.table(&game)["ply"], "agree": true});
    assert_eq!(ada.post(&at("take-back"), &own).status, 200);
    assert_eq!(ada.table(&game)["step"], 1, "one agrees with oneself");
    assert_eq!(ada.post(&at("take-back"), &ask).status, 200);
    let agree = json!({"seat": "us", "ply": bob.table(&game)["ply"], "agree": true});
    assert_eq!(bob.post(&at("take-back"), &agree).status, 200);
    assert_eq!(bob.table(&game)["step"], 0);
}
