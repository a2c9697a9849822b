//! What holds of every club, wherever it is kept.

pub use super::dice::*;
pub use super::many::*;
pub use super::people::*;
pub use super::sleep::*;
pub use super::wire::*;
use super::{Home, Person, raw};
use serde_json::{Value, json};
use std::path::Path;

pub fn a_choice_that_was_acknowledged_is_there_after_a_restart(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    for _ in 0..5 {
        assert!(ada.choose(&game));
    }
    let before = ada.table(&game);
    // Another program on the same file knows only what is stored.
    let again = Person {
        address: home.open(),
        cookie: ada.cookie.clone(),
    };
    let after = again.table(&game);
    assert_eq!(before["step"], 5);
    assert_eq!(after["step"], before["step"]);
    assert_eq!(after["frame"], before["frame"]);
    assert_eq!(after["log"], before["log"]);
}

pub fn requests_that_are_stale_foreign_or_not_mine_change_nothing(home: &Home) {
    let address = home.open();
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

pub fn choices_are_taken_back_to_the_last_die_and_plies_never_come_twice(home: &Home) {
    let address = home.open();
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

pub fn what_is_no_request_gets_an_answer_and_the_club_goes_on(home: &Home) {
    let address = home.open();
    let ada = Person::enter(address, "Ada");
    let game = ada.new_game(["me", "steady"]);
    let paths = ["/games", "/enter", "/me", "/people", "/journals", "/rules"];
    let own = [
        "aids",
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
        "{\"ruleset\":\"corps20\",\"scenario\":\"july1\",\"variants\":[\"/etc/passwd\"],\"seats\":[\"me\",\"me\"]}",
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

pub fn every_answer_carries_the_policy_and_foreign_names_are_refused(home: &Home) {
    let address = home.open();
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

pub fn a_bot_answers_by_itself(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
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

pub fn an_umpire_sees_all_settles_and_may_not_play(home: &Home) {
    let address = home.open();
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

pub fn beyond_a_die_both_must_agree(home: &Home) {
    let address = home.open();
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

/// A copy of the data folder that a test may change.
fn data_of_its_own(name: &str) -> std::path::PathBuf {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().flatten() {
            let target = to.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => copy(&entry.path(), &target),
                false => drop(std::fs::copy(entry.path(), target).unwrap()),
            }
        }
    }
    let folder = super::folder(&format!("data-{name}"));
    copy(&super::data(), &folder);
    folder
}

fn change(data: &Path, from: &str, to: &str) {
    let file = data.join("rulesets/corps20/battles/gettysburg/map.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from));
    std::fs::write(file, text.replace(from, to)).unwrap();
}

pub fn a_game_survives_an_upgrade_or_says_what_is_in_the_way(home: &Home) {
    let data = data_of_its_own(&home.name());
    let ada = Person::enter(home.open_with(&data), "Ada");
    let game = ada.new_game(["me", "me"]);
    for _ in 0..3 {
        assert!(ada.choose(&game));
    }
    // A value that this scenario never comes to: the game goes on under the new rules.
    change(&data, "up_to: (4,", "up_to: (5,");
    let later = ada.at(home.open_with(&data));
    let table = later.table(&game);
    assert_eq!(table["step"], 3, "{table}");
    assert_eq!(table["table"]["closed"], json!(null));
    let said = later.get(&format!("/games/{game}/notes")).json();
    let told = said["said"][0]["text"].as_str().unwrap_or_default();
    assert!(
        told.contains("map.ron") && told.contains("goes on"),
        "{said}"
    );
    assert!(later.choose(&game));
    // One that counts from the beginning: it can be looked at and no longer played.
    change(&data, "\"cs\": 6", "\"cs\": 5");
    let last = ada.at(home.open_with(&data));
    let table = last.table(&game);
    let why = table["table"]["closed"].as_str().unwrap_or_default();
    assert!(why.contains("map.ron") && why.contains("Step 1"), "{table}");
    assert!(
        !last.choose(&game),
        "a game that was left behind is played on"
    );
    let undo = json!({"ply": table["ply"], "seat": table["seat"]});
    assert_eq!(last.post(&format!("/games/{game}/undo"), &undo).status, 403);
    // The rules of before can still finish it.
    change(&data, "\"cs\": 5", "\"cs\": 6");
    let again = ada.at(home.open_with(&data));
    assert_eq!(again.table(&game)["step"], 4);
    assert!(again.choose(&game));
}

pub fn a_side_is_shared_and_everybody_orders_his_own(home: &Home) {
    let address = home.open();
    let (ada, bob, eve) = (
        Person::enter(address, "Ada"),
        Person::enter(address, "Bob"),
        Person::enter(address, "Eve"),
    );
    let game = ada.new_game(["me", "open"]);
    let at = |path: &str| format!("/games/{game}/{path}");
    assert_eq!(eve.post(&at("sit"), &json!({"side": "us"})).status, 200);
    let table = ada.table(&game);
    let look = ada
        .get(&format!(
            "/look/{}",
            table["table"]["look"].as_str().unwrap()
        ))
        .json();
    let options = table["frame"]["decision"]["options"].as_array().unwrap();
    let about_a_unit = |option: &&Value| {
        option["touch"][0]
            .as_str()
            .is_some_and(|to| to.starts_with('u'))
    };
    let option = options.iter().find(about_a_unit).unwrap();
    let unit = &option["touch"][0].as_str().unwrap()[1..];
    let formation = look["units"][unit]["node"].clone();
    let give = |who: &Person, formations: Value, person: &str| {
        let wish = json!({"side": "cs", "formations": formations, "person": person});
        who.post(&at("appoint"), &wish).status
    };
    assert_eq!(
        give(&eve, json!([formation]), &bob.id()),
        403,
        "the enemy appoints"
    );
    assert_eq!(give(&ada, json!(["no-such"]), &bob.id()), 400);
    assert_eq!(
        give(&ada, json!([formation]), &eve.id()),
        403,
        "the enemy commands"
    );
    assert_eq!(bob.get(&format!("/games/{game}?seat=cs")).status, 403);
    assert_eq!(give(&ada, json!([formation]), &bob.id()), 200);
    assert_eq!(bob.get(&format!("/games/{game}?seat=cs")).status, 200);
    let choose = |who: &Person, option: &Value| {
        let wish = json!({"ply": table["ply"], "seat": "cs", "option": option["id"]});
        who.post(&at("choose"), &wish).status
    };
    assert_eq!(
        choose(&ada, option),
        403,
        "the leader orders another's unit"
    );
    let node =
        |option: &Value| look["units"][&option["touch"][0].as_str().unwrap()[1..]]["node"].clone();
    let mut others = options.iter().filter(about_a_unit);
    if let Some(other) = others.find(|option| node(option) != formation) {
        assert_eq!(
            choose(&bob, other),
            403,
            "a commander orders the leader's unit"
        );
    }
    assert_eq!(
        bob.post(&at("sit"), &json!({"side": "us"})).status,
        403,
        "one serves both sides"
    );
    assert_eq!(choose(&bob, option), 200);
    let ply = ada.table(&game)["ply"].clone();
    let mut line = bob.listen(&game, "cs", ply.as_u64().unwrap());
    let dismiss = json!({"side": "cs", "person": bob.id()});
    assert_eq!(eve.post(&at("dismiss"), &dismiss).status, 403);
    assert_eq!(ada.post(&at("dismiss"), &dismiss).status, 200);
    assert_eq!(bob.get(&format!("/games/{game}?seat=cs")).status, 403);
    while let Some(message) = line.next() {
        assert!(
            message.get("steps").is_none(),
            "one who was dismissed looks on"
        );
    }
}

pub fn whoever_leaves_a_seat_sees_no_more_from_it(home: &Home) {
    let address = home.open();
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let game = ada.new_game(["me", "open"]);
    let at = |path: &str| format!("/games/{game}/{path}");
    assert_eq!(bob.post(&at("sit"), &json!({"side": "us"})).status, 200);
    let mut line = bob.listen(&game, "us", 0);
    assert!(ada.choose(&game));
    let heard = line.next().unwrap();
    assert_eq!(heard["steps"][0]["ply"], 1, "{heard}");
    assert_eq!(bob.post(&at("stand"), &json!({"side": "us"})).status, 200);
    let _ = ada.choose(&game);
    while let Some(message) = line.next() {
        assert!(
            message.get("steps").is_none(),
            "an empty chair sees: {message}"
        );
    }
}

pub fn two_programs_on_one_store_never_both_choose(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    let table = ada.table(&game);
    let other = ada.at(home.open());
    assert_eq!(other.table(&game)["ply"], table["ply"]);
    let option = table["frame"]["decision"]["options"][0]["id"].clone();
    let body = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
    let path = format!("/games/{game}/choose");
    assert_eq!(ada.post(&path, &body).status, 200);
    assert_eq!(
        other.post(&path, &body).status,
        409,
        "the same question is answered twice"
    );
    // Whoever was too late has the game as it is.
    let wanted = ada.table(&game);
    let mut tries = 0;
    while other.table(&game)["frame"] != wanted["frame"] {
        tries += 1;
        assert!(tries < 600, "one program never hears of the other");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

pub fn a_club_moves_between_a_file_and_a_database_and_back(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    for _ in 0..3 {
        assert!(ada.choose(&game));
    }
    let note = json!({"text": "Good morning."});
    assert_eq!(ada.post(&format!("/games/{game}/notes"), &note).status, 200);
    let name = format!("copy_of_{}", home.name());
    let there = if home.is_file() {
        Home::database(&name)
    } else {
        Home::file(&name)
    };
    cupola_serve::Club::backup(&home.place, &there.place).unwrap();
    let again = ada.at(there.open());
    assert_eq!(again.table(&game)["frame"], ada.table(&game)["frame"]);
    assert_eq!(
        again.get(&format!("/games/{game}/notes")).json(),
        ada.get(&format!("/games/{game}/notes")).json()
    );
    assert!(again.choose(&game));
    let twice = cupola_serve::Club::backup(&home.place, &there.place);
    assert!(twice.is_err(), "a club is written over");
}

pub fn whoever_plays_has_a_hand_in_the_seed(home: &Home) {
    let address = home.open();
    let (ada, bob) = (Person::enter(address, "Ada"), Person::enter(address, "Bob"));
    let wish = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["me", "open"], "watched": true, "drawn": true});
    let game = ada.post("/games", &wish).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let at = |path: &str| format!("/games/{game}/{path}");
    assert_eq!(bob.post(&at("sit"), &json!({"side": "us"})).status, 200);
    let before = ada.table(&game);
    let draw = &before["table"]["draw"];
    assert_eq!(draw["mine"], json!(["cs"]));
    assert_eq!(
        draw["pledges"].as_array().unwrap().len(),
        1,
        "the house pledges first"
    );
    let give = |who: &Person, side: &str, share: &str| {
        who.post(&at("share"), &json!({"side": side, "share": share}))
            .status
    };
    assert_eq!(
        give(&bob, "cs", &"1".repeat(64)),
        403,
        "one draws for the other"
    );
    assert_eq!(give(&ada, "cs", "short"), 400);
    assert_eq!(give(&ada, "cs", &"1".repeat(64)), 200);
    assert_eq!(give(&ada, "cs", &"2".repeat(64)), 403, "one draws twice");
    let after = ada.table(&game);
    assert!(after["ply"].as_u64() > before["ply"].as_u64());
    assert_eq!(
        after["table"]["draw"]["pledges"][1],
        before["table"]["draw"]["pledges"][0]
    );
    assert_eq!(give(&bob, "us", &"3".repeat(64)), 200);
    assert!(
        !ada.table(&game).to_string().contains(&"3".repeat(64)),
        "a share is shown before the end"
    );
    assert!(ada.choose(&game));
    let late = Person::enter(address, "Eve");
    assert_eq!(give(&late, "us", &"4".repeat(64)), 403);
    // The game is the same for one who opens it later.
    let again = ada.at(home.open());
    assert_eq!(again.table(&game)["frame"], ada.table(&game)["frame"]);
}

pub fn a_bot_waits_until_its_opponent_has_drawn(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let wish = json!({"ruleset": "corps20", "scenario": "july1", "seats": ["steady", "me"], "drawn": true});
    let game = ada.post("/games", &wish).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(ada.table(&game)["step"], 0);
    let share = json!({"side": "us", "share": "5".repeat(64)});
    assert_eq!(
        ada.post(&format!("/games/{game}/share"), &share).status,
        200
    );
    for _ in 0..2400 {
        if ada.table(&game)["step"].as_u64() > Some(0) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the bot never began");
}

pub fn what_is_said_to_one_side_is_not_heard_by_the_other(home: &Home) {
    let address = home.open();
    let (ada, bob, eve) = (
        Person::enter(address, "Ada"),
        Person::enter(address, "Bob"),
        Person::enter(address, "Eve"),
    );
    let game = ada.new_game(["me", "open"]);
    let at = |path: &str| format!("/games/{game}/{path}");
    assert_eq!(bob.post(&at("sit"), &json!({"side": "us"})).status, 200);
    let say = |who: &Person, text: &str, side: Value| {
        let line = json!({"text": text, "side": side});
        who.post(&at("notes"), &line).status
    };
    assert_eq!(say(&ada, "Good morning", json!(null)), 200);
    assert_eq!(say(&ada, "Turn their left", json!("cs")), 200);
    assert_eq!(say(&ada, "I am one of you", json!("us")), 403);
    assert_eq!(say(&eve, "I look on", json!("cs")), 403);
    let heard = |who: &Person| who.get(&at("notes")).json().to_string();
    assert!(heard(&ada).contains("Turn their left"));
    for other in [&bob, &eve] {
        assert!(heard(other).contains("Good morning"));
        assert!(!heard(other).contains("Turn their left"), "the enemy hears");
    }
}

pub fn lines_are_not_without_number(home: &Home) {
    let ada = Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    let mut lines: Vec<super::Line> = (0..64).map(|_| ada.listen(&game, "observer", 0)).collect();
    assert_eq!(ada.try_listen(&game, "observer", 0).0, 429);
    lines.truncate(32);
    let mut tries = 0;
    while ada.try_listen(&game, "observer", 0).0 != 101 {
        tries += 1;
        assert!(tries < 600, "a line that was closed still counts");
        std::thread::sleep(std::time::Duration::from_millis(100));
        // Something happens, so that it is seen who has gone.
        let _ = ada.post(&format!("/games/{game}/notes"), &json!({"text": "Hello?"}));
    }
}
