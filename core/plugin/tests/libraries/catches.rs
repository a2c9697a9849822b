//! A panic in a plugin is caught and named, and the game is as it was.

use crate::{parade, workshop};
use cupola_kernel::{Act, Acts, ApplyError, Arg, Fight, Play, Preview, Seed, Session};
use stumble::Answer;

const VARIANT: &str = r#"(
    base: "parade", name: "stumbling", title: "Stumbling", plugins: ["stumble"],
    change: [
        swap_phase(was: "march", to: "stumble.stumble"),
        swap_combat(role: "duel", was: "stare", to: "stumble.trip"),
    ],
)"#;

fn play() -> Play {
    let library = workshop().library("stumble", "stumble").unwrap();
    let plugin = cupola_plugin::load(&library).unwrap();
    parade::play(plugin.contribution(), VARIANT).unwrap()
}

/// The message of a fault that names the culprit, the words and the place.
fn assert_named(told: &str, name: &str, words: &str) {
    assert!(
        told.starts_with(&format!("{name} panicked: {words} (")),
        "{told}"
    );
    assert!(told.contains("stumble/src/lib.rs:"), "{told}");
}

#[test]
fn a_panic_in_a_phase_is_named_and_changes_nothing() {
    let mut session = Session::begin(&play(), Seed(3)).unwrap();
    let side = session.game().decision().unwrap().ask.side;
    session.apply(side, Answer::Stand.act()).unwrap();
    let before = session.game().hash();
    for (answer, name, words) in [
        (Answer::Fall, "stumble.stumble", "fell down"),
        (Answer::Trip, "stumble.trip", "tripped"),
    ] {
        let error = session.apply(side, answer.act()).unwrap_err();
        assert!(matches!(error, ApplyError::Fault(_)), "{error:?}");
        assert_named(&error.to_string(), name, words);
        assert_eq!(session.game().hash(), before);
        assert_eq!(session.journal().steps.len(), 1);
        assert_eq!(session.game().decision().unwrap().options.len(), 3);
    }
    // The game goes on, and hears nothing of the steps that never happened.
    let done = session.apply(side, Answer::Stand.act()).unwrap();
    assert_eq!((done.events, done.rolls), (vec![], vec![]));
    session.undo(side).unwrap();
    assert_eq!(session.game().hash(), before);
}

#[test]
fn a_panic_for_words_is_told_in_the_words() {
    let session = Session::begin(&play(), Seed(3)).unwrap();
    let game = session.game();
    let act = Answer::Fall.act();
    let before = game.hash();
    assert_named(&game.text(act), "stumble.stumble", "no words");
    assert_named(&game.prompt().unwrap(), "stumble.stumble", "no question");
    let unknown = Act {
        verb: 77,
        args: [Arg::None; 3],
    };
    assert_named(&game.why_not(unknown).why, "stumble.stumble", "no reason");
    let _ = game.option_view(act);
    assert_eq!(game.hash(), before);
}

#[test]
fn a_combat_system_that_panics_has_no_odds() {
    let play = play();
    let game = play.game(Seed(3)).unwrap();
    let (table, fight) = (game.table(), Fight::default());
    let combat = table.combat("duel").unwrap();
    let fault = cupola_kernel::odds(&*combat, table, &fight).unwrap_err();
    assert_named(&fault.to_string(), "stumble.trip", "tripped");
    assert!(Preview::of(&*combat, table, &fight).is_err());
    let counts = combat.modifiers(table, &fight);
    assert_named(&counts.0[0].label, "stumble.trip", "nothing counts");
    assert_eq!(counts.sum(), 0);
}
