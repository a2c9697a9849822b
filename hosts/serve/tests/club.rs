//! A club over HTTP: what is acknowledged is kept, what is not allowed changes nothing; in a file and in a database.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "../../cupola/tests/server/mod.rs"]
#[allow(dead_code, reason = "the queue's tests use more of it")]
mod server;

use common::{Home, cases};

/// The same for both stores.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod in_a_file {
            $(#[test] fn $name() { super::cases::$name(&super::Home::file(stringify!($name))); })*
        }
        mod in_a_database {
            $(#[test] fn $name() { super::cases::$name(&super::Home::database(stringify!($name))); })*
        }
    };
}

on_both! {
    a_choice_that_was_acknowledged_is_there_after_a_restart,
    requests_that_are_stale_foreign_or_not_mine_change_nothing,
    choices_are_taken_back_to_the_last_die_and_plies_never_come_twice,
    what_is_no_request_gets_an_answer_and_the_club_goes_on,
    every_answer_carries_the_policy_and_foreign_names_are_refused,
    a_bot_answers_by_itself,
    an_umpire_sees_all_settles_and_may_not_play,
    beyond_a_die_both_must_agree,
    a_game_survives_an_upgrade_or_says_what_is_in_the_way,
    a_side_is_shared_and_everybody_orders_his_own,
    whoever_leaves_a_seat_sees_no_more_from_it,
    two_programs_on_one_store_never_both_choose,
    a_club_moves_between_a_file_and_a_database_and_back,
    what_is_said_to_one_side_is_not_heard_by_the_other,
    lines_are_not_without_number,
    whoever_plays_has_a_hand_in_the_seed,
    a_bot_waits_until_its_opponent_has_drawn,
    whoever_says_no_more_is_still_answered,
    a_web_server_that_knows_its_users_names_them,
    dice_of_a_real_table_are_asked_for_one_by_one_and_kept,
    the_lobby_comes_page_by_page,
    a_long_game_is_opened_from_a_state_that_was_kept,
    a_state_that_is_not_the_journal_s_is_not_believed,
    a_game_sleeps_and_whoever_is_at_the_table_stays,
    what_happens_while_a_line_is_opened_is_told_step_by_step,
    a_journal_brings_its_own_scenario_and_its_position,
    whoever_lost_his_link_gets_another_that_works_once,
    names_can_be_seen_and_what_is_too_long_is_said_to_be,
    the_log_says_whose_choice_it_was_and_in_which_turn,
}

/// What only a shared store does: a bot's turn goes on at another program when the one that had it is gone.
#[test]
fn a_bot_goes_on_elsewhere_when_its_program_is_gone() {
    let home = Home::database("takeover");
    // This one never has its bots think, as if it had died before they could.
    let ada = common::Person::enter(home.open_deaf(), "Ada");
    let game = ada.new_game(["steady", "me"]);
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(ada.table(&game)["step"], 0);
    let other = ada.at(home.open());
    for _ in 0..600 {
        if other.table(&game)["frame"]["decision"]["mine"] == true {
            // And the first, which only serves, has heard of it.
            for _ in 0..600 {
                if ada.table(&game)["frame"]["decision"]["mine"] == true {
                    return;
                }
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            panic!("the first program never heard of it");
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("nobody took the bot over");
}

/// And what others do there wakes a game at whose table somebody sits here.
#[test]
fn what_others_do_wakes_a_game() {
    cases::what_others_do_wakes_a_game(&Home::database("woken"));
}

/// Both lines of a club to its database, the one for records and the one for news, are encrypted if the server can.
#[test]
fn the_lines_to_a_database_are_encrypted() {
    let server = std::sync::Arc::new(server::Server::start_with_tls());
    let address = server.url_by("127.0.0.1", "");
    let database = cupola_database::Database::at(&address).unwrap();
    let home = Home {
        name: "encrypted".into(),
        place: cupola_serve::Place::Database(Box::new(database)),
        trust: None,
        lab: None,
        _server: Some(server.clone()),
    };
    let ada = common::Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    assert!(ada.choose(&game));
    let lines =
        "from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'cupola'";
    for _ in 0..600 {
        if server.count(&format!("select count(*) {lines}")) == 2 {
            assert_eq!(server.count(&format!("select count(*) {lines} and ssl")), 2);
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("there are not two lines");
}

/// Somebody else holds the file, or there is no room: it is said, nothing has happened, and it goes on afterwards.
#[test]
fn a_choice_that_cannot_be_stored_is_refused_and_did_not_happen() {
    let home = Home::file("locked");
    let ada = common::Person::enter(home.open(), "Ada");
    let game = ada.new_game(["me", "me"]);
    let table = ada.table(&game);
    let cupola_serve::Place::File(path) = &home.place else {
        panic!("a file");
    };
    let thief = rusqlite::Connection::open(path).unwrap();
    thief.execute_batch("BEGIN IMMEDIATE").unwrap();
    let option = table["frame"]["decision"]["options"][0]["id"].clone();
    let choice = serde_json::json!({"ply": table["ply"], "seat": table["seat"], "option": option});
    let path = format!("/games/{game}/choose");
    let refused = ada.post(&path, &choice);
    assert!(refused.status >= 500, "{}", refused.status);
    assert!(
        refused.json()["error"]
            .as_str()
            .unwrap_or_default()
            .contains("locked")
    );
    thief.execute_batch("ROLLBACK").unwrap();
    assert_eq!(ada.table(&game)["step"], 0);
    assert_eq!(ada.post(&path, &choice).status, 200);
}

/// Reports are read by everybody, runs are the keeper's, and a report can do nothing to the club.
#[test]
fn reports_are_one_click_away_and_locked_up() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = common::folder("lab");
    // Stands for the lab: it makes a report, and takes its time if it is told to.
    let program = folder.join("program");
    let script = "#!/bin/sh\necho playing\nfor last; do :; done\n[ \"$7\" = 7 ] && exec sleep 600\n\
                  echo '<title>A report</title><script>1</script>' > \"$last/index.html\"\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(folder.join("secret"), "secret").unwrap();
    let home = Home {
        lab: Some((folder.join("reports"), program)),
        ..Home::file("lab_home")
    };
    let (address, keeper) = home.open_as_keeper();
    let ada = common::Person::enter(address, "Ada");
    let run = |games: u32| serde_json::json!({"scenario": "gettysburg-july1", "games": games});
    assert_eq!(
        ada.post("/lab/start", &run(3)).status,
        403,
        "anybody runs the lab"
    );
    let hours = ada.get("/lab").json()["hours"].clone();
    let mut all = hours.as_array().unwrap().iter();
    let july1 = all.find(|one| one["name"] == "gettysburg-july1").unwrap();
    assert_eq!(july1["title"], "The first day", "{hours}");
    assert_eq!(july1["rulesets"].as_array().unwrap().len(), 4);
    let odd = serde_json::json!({"scenario": "../x", "games": 3});
    assert_eq!(keeper.post("/lab/start", &odd).status, 404);
    assert_eq!(keeper.post("/lab/start", &run(3)).status, 200);
    let mut tries = 0;
    while ada.get("/lab").json()["reports"][0]["title"] != "A report" {
        tries += 1;
        assert!(tries < 600, "{}", ada.get("/lab").json());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let page = ada.plain("/reports/gettysburg-july1-3/index.html");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("sandbox allow-scripts"), "{}", page.head);
    for path in [
        "/reports/../secret/x",
        "/reports/%2e%2e/secret",
        "/reports/gettysburg-july1-3/%2e%2e%2f%2e%2e%2fsecret",
    ] {
        assert_eq!(ada.plain(path).status, 404, "{path}");
    }
    let stranger = common::Person {
        address,
        cookie: String::new(),
    };
    assert_eq!(
        stranger
            .plain("/reports/gettysburg-july1-3/index.html")
            .status,
        401
    );
    assert_eq!(keeper.post("/lab/start", &run(7)).status, 200);
    assert_eq!(
        keeper.post("/lab/start", &run(4)).status,
        403,
        "two runs at once"
    );
    assert_eq!(keeper.post("/lab/stop", &serde_json::json!({})).status, 200);
    assert_eq!(ada.get("/lab").json()["running"], serde_json::Value::Null);
}
