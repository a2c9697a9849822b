//! Compositions that do not fit are refused, with both names.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod toy;

use bevy_ecs::prelude::Resource;
use cupola_kernel::{Contribution, Fault, Needs, Phase, Seed, Session, Step, Table};
use rehearsal::Service;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use toy::{Parts, compose, compose_text, text_of};

/// A phase of some other ruleset: it reads tables and state that the toy has not.
struct Supply;

/// Tables of another ruleset.
struct Depots;

/// State of another ruleset.
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Wagons;

impl Phase for Supply {
    fn name(&self) -> &'static str {
        "supply"
    }

    fn needs(&self) -> Needs {
        Needs::nothing()
            .rules::<Depots>()
            .resource::<Wagons>()
            .combat("raid")
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        let _ = table.res::<Wagons>();
        Ok(Step::Done)
    }
}

/// A phase that needs a resource, registers it, and forgets to put it on the table.
struct Forgetful;

impl Phase for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn needs(&self) -> Needs {
        Needs::nothing().resource::<Wagons>()
    }

    fn register(&self, schema: &mut cupola_kernel::Schema) {
        schema.resource::<Wagons>();
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}

/// State that can be written until a ledger is lost.
#[derive(Resource, Clone, Serialize, Deserialize)]
enum Ledger {
    Kept,
    #[serde(skip)]
    Lost,
}

/// A phase that loses its ledger.
struct Careless;

impl Phase for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn register(&self, schema: &mut cupola_kernel::Schema) {
        schema.resource::<Ledger>();
    }

    fn prepare(&self, table: &mut cupola_kernel::Setup) {
        table.insert(Ledger::Kept);
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        *table.res_mut::<Ledger>() = Ledger::Lost;
        Ok(Step::Done)
    }
}

fn others() -> Contribution {
    Contribution {
        space: "other",
        rulesets: Vec::new,
        phases: || vec![Arc::new(Supply), Arc::new(Forgetful), Arc::new(Careless)],
        combats: Vec::new,
        code: &[],
    }
}

/// The problems of the toy's composition after one change of its text.
fn problems(was: &str, to: &str) -> String {
    let text = text_of(&Parts::sound());
    assert!(text.contains(was), "{was}");
    match compose_text(&text.replacen(was, to, 1), "toy", &[others()]) {
        Ok(_) => panic!("“{to}” is accepted"),
        Err(problems) => problems.to_string(),
    }
}

#[track_caller]
fn refused(was: &str, to: &str, words: &str) {
    let told = problems(was, to);
    assert!(told.contains(words), "expected “{words}” in:\n{told}");
}

#[test]
fn a_phase_of_another_ruleset_is_refused_with_what_it_needs() {
    let told = problems("toy.rest", "other.supply");
    for words in [
        "ruleset.ron:4:",
        "phase “other.supply” needs the rules compose::Depots, which ruleset “toy” does not have",
        "needs the state compose::Wagons, which ruleset “toy” does not have",
        "needs a combat system for “raid”, which ruleset “toy” does not have",
    ] {
        assert!(told.contains(words), "expected “{words}” in:\n{told}");
    }
}

#[test]
fn a_phase_of_another_ruleset_by_its_short_name_is_told_by_its_full_one() {
    refused(
        "toy.rest",
        "supply",
        "no phase “supply” is registered; did you mean \"other.supply\"?",
    );
}

#[test]
fn state_that_is_registered_but_not_put_on_the_table_is_missed() {
    refused(
        "toy.rest",
        "other.forgetful",
        "phase “other.forgetful” needs the state compose::Wagons on the table",
    );
}

#[test]
fn a_phase_of_player_turns_does_not_stand_once_for_both() {
    refused(
        r#"sides(["toy.march", "toy.fire"])"#,
        r#"once("toy.march"), sides(["toy.fire"])"#,
        "phase “toy.march” is played by each side in its player turn, and stands here once for both",
    );
    refused(
        r#"sides(["toy.march", "toy.fire"]), once("toy.rest")"#,
        r#"sides(["toy.march", "toy.fire", "rest"])"#,
        "phase “rest” is played once for both sides, and stands here in the player turns",
    );
}

#[test]
fn a_phase_is_played_once_in_a_turn() {
    let twice = "is played twice in a turn";
    refused(r#"["toy.march", "#, r#"["toy.march", "march", "#, twice);
    refused(
        r#"once("toy.rest")"#,
        r#"once("toy.rest"), once("rest")"#,
        twice,
    );
}

#[test]
fn switches_are_those_of_the_ruleset() {
    let told = problems(r#"{"gusts": false}"#, r#"{"gusts": false, "gust": true}"#);
    let words = "switches.gust: ruleset “toy” has no switch “gust”; did you mean \"gusts\"?";
    assert!(told.contains(words), "{told}");
    refused(
        r#"{"gusts": false}"#,
        "{}",
        "the switch “gusts” of ruleset “toy” is not set",
    );
}

#[test]
fn sides_stand_in_the_order_that_the_ruleset_knows() {
    let (blue, red) = (
        r#"(id: "blue", name: "Blue")"#,
        r#"(id: "red", name: "Red")"#,
    );
    let (was, swapped) = (format!("{blue}, {red}"), format!("{red}, {blue}"));
    refused(
        &was,
        &swapped,
        "ruleset “toy” knows “blue” as its first side and “red” as its second",
    );
    refused(
        &was,
        &format!("{blue}, {blue}"),
        "both sides are called “blue”",
    );
}

#[test]
fn a_plugin_puts_state_of_its_own_on_units_that_it_did_not_define() {
    let parts = Parts {
        rest: r#"toy.rest"), once("rehearsal.tally"#.to_owned(),
        ..Parts::sound()
    };
    let play = compose(&parts, &[rehearsal::contribution()]);
    let mut game = play.game(Seed(3)).unwrap();
    let (fresh, start) = (play.game(Seed(3)).unwrap(), game.hash());
    while let Some(decision) = game.decision() {
        let (side, act) = (decision.ask.side, decision.options[0]);
        game.apply(side, act).unwrap();
    }
    let services = game.table().column::<Service>();
    assert!(
        matches!(services, Cow::Borrowed(_)),
        "units still lie side by side"
    );
    assert!(services.iter().all(|service| service.tallies == 4));
    assert!(services.iter().any(|service| service.marched > 0));
    // Forked, saved and hashed with the rest.
    assert_eq!(game.fork().table().column::<Service>(), services);
    let mut restored = play.game(Seed(3)).unwrap();
    restored.restore(&game.snapshot().unwrap()).unwrap();
    assert_eq!(restored.table().column::<Service>(), services);
    assert_eq!(restored.hash(), game.hash());
    assert_eq!(fresh.hash(), start);
    let without = toy::toy().game(Seed(3)).unwrap();
    assert_ne!(
        without.hash(),
        start,
        "the plugin's state is part of the hash"
    );
}

#[test]
fn state_that_cannot_be_written_is_an_error_and_the_step_never_happened() {
    let parts = Parts {
        rest: "other.careless".to_owned(),
        ..Parts::sound()
    };
    let play = compose(&parts, &[others()]);
    let mut session = Session::begin(&play, Seed(3)).unwrap();
    let (told, before) = loop {
        let decision = session.game().decision().unwrap();
        let (side, act) = (decision.ask.side, decision.options[0]);
        let before = (session.game().hash(), session.journal().steps.len());
        if let Err(error) = session.apply(side, act) {
            break (error.to_string(), before);
        }
    };
    assert!(told.contains("Ledger: cannot be written"), "{told}");
    let after = (session.game().hash(), session.journal().steps.len());
    assert_eq!(before, after);
    assert!(session.game().try_hash().is_ok());
}
