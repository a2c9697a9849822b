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
    whoever_plays_has_a_hand_in_the_seed,
    a_bot_waits_until_its_opponent_has_drawn,
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
