//! Loaded, a plugin plays as it does when it is linked.

use crate::{parade, workshop};
use cupola_kernel::{Registry, Seed, Session};
use cupola_plugin::Reason;
use cupola_plugin_harness::plays_the_same;

/// The plugin's phase and the plugin's combat system in place of the parade's.
const BOTH: &str = r#"(
    base: "parade", name: "rehearsed", title: "Rehearsed", plugins: ["rehearsal"],
    change: [
        swap_phase(was: "march", to: "rehearsal.muster"),
        swap_combat(role: "duel", was: "stare", to: "rehearsal.duel"),
    ],
)"#;

/// The plugin's phase after the parade's, which fights by the parade's combat system.
const BESIDE: &str = r#"(
    base: "parade", name: "beside", title: "Beside", plugins: ["rehearsal"],
    change: [add_phase(phase: "rehearsal.muster", after: "march")],
)"#;

/// A component of the plugin's own on the parade's units.
const TALLIED: &str = r#"(
    base: "parade", name: "tallied", title: "Tallied", plugins: ["rehearsal"],
    change: [
        swap_phase(was: "march", to: "rehearsal.muster"),
        add_phase(phase: "rehearsal.tally", after: "rehearsal.muster"),
    ],
)"#;

#[test]
fn linked_and_loaded_play_the_same_games() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    for variant in [BOTH, BESIDE, TALLIED] {
        let steps = plays_the_same(&rehearsal::contribution(), &library, 0..20, |plugin| {
            parade::play(plugin, variant)
        });
        assert!(steps.as_ref().is_ok_and(|steps| *steps > 150), "{steps:?}");
    }
}

#[test]
fn a_game_of_a_plugin_forks_replays_and_restores() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    let plugin = cupola_plugin::load(&library).unwrap();
    let play = parade::play(plugin.contribution(), BOTH).unwrap();
    let mut session = Session::begin(&play, Seed(7)).unwrap();
    while let Some(decision) = session.game().decision() {
        let (side, act) = (decision.ask.side, decision.options[0]);
        session.apply(side, act).unwrap();
        assert_eq!(session.game().fork().hash(), session.game().hash());
    }
    let replayed = Session::replay(&play, session.journal(), "game.cupola").unwrap();
    assert_eq!(replayed.game().hash(), session.game().hash());
    let mut restored = play.game(Seed(7)).unwrap();
    restored
        .restore(&session.game().snapshot().unwrap())
        .unwrap();
    assert_eq!(restored.hash(), session.game().hash());
}

/// A library has a kernel of its own in it, which counts for itself: two tables with one number would be taken for each other by
/// whoever keeps what follows from their units.
#[test]
fn an_edition_that_a_plugin_asks_for_is_nobody_elses() {
    let library = workshop().library("stumble", "stumble").unwrap();
    let plugin = cupola_plugin::load(&library).unwrap();
    let variant = r#"(base: "parade", name: "stumbling", title: "Stumbling", plugins: ["stumble"],
        change: [swap_phase(was: "march", to: "stumble.stumble")])"#;
    let play = parade::play(plugin.contribution(), variant).unwrap();
    // A thread begins a lot of numbers of its own, here and in the library.
    let pair = || {
        let game = play.game(Seed(7)).unwrap();
        [game.fork().table().edition(), game.table().edition()]
    };
    let made: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|_| scope.spawn(pair)).collect();
        let made = threads.into_iter();
        made.flat_map(|thread| thread.join().unwrap()).collect()
    });
    for (n, edition) in made.iter().enumerate() {
        assert!(!made[..n].contains(edition), "{edition:?} twice");
    }
}

#[test]
fn what_a_plugin_brings_is_listed_under_its_space() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    let plugin = cupola_plugin::load(&library).unwrap();
    assert_eq!(plugin.space(), "rehearsal");
    let mut registry = Registry::default();
    plugin.register(&mut registry).unwrap();
    let names: Vec<_> = registry.names().collect();
    assert_eq!(
        names,
        [
            ("phase", "rehearsal.muster"),
            ("phase", "rehearsal.tally"),
            ("combat", "rehearsal.duel")
        ]
    );
}

#[test]
fn a_name_is_taken_only_once() {
    let library = workshop().library("rehearsal", "rehearsal").unwrap();
    let plugin = cupola_plugin::load(&library).unwrap();
    let again = cupola_plugin::load(&library).unwrap();
    let mut registry = Registry::default();
    plugin.register(&mut registry).unwrap();
    let error = again.register(&mut registry).unwrap_err();
    assert!(matches!(error.reason, Reason::Taken(_)));
    let told = error.to_string();
    assert!(
        told.contains("“rehearsal.muster” is registered already"),
        "{told}"
    );
    assert!(
        told.contains("“rehearsal.duel” is registered already"),
        "{told}"
    );

    let mut linked = Registry::default();
    linked.add(&rehearsal::contribution()).unwrap();
    assert!(plugin.register(&mut linked).is_err());
    assert_eq!(linked.names().count(), 3, "nothing was added");
}
