//! classic passes the conformance suite, and so does every way in which its parts can be put together.

use crate::common::{play, wickerby, with_laws};
use cupola_conformance::{Check, Finding, Settings, Twin};
use cupola_kernel::Play;

/// Nobody rallies: every other die falls as before.
const NO_RALLY: &str = r#"(
    base: "classic", name: "no-rally", title: "No rally", change: [remove_phase("rally")],
)"#;

/// By difference instead of odds, and who wins the initiative says who plays first.
const OTHER: &str = r#"(
    base: "classic", name: "other", title: "Difference and initiative",
    change: [
        swap_combat(role: "assault", was: "odds", to: "differential"),
        add_phase(phase: "supply", after: "reinforcements"),
        add_phase(phase: "initiative", after: "victory"),
    ],
)"#;

fn settings() -> Settings {
    let twin = Twin::new(
        || play("wickerby", Some(NO_RALLY)),
        |purpose| purpose == "rally",
    );
    with_laws(Settings::standard()).twin(twin)
}

cupola_conformance::suite!(wickerby, settings: settings);

fn other() -> Play {
    play("wickerby", Some(OTHER))
}

/// The parts that classic does not play hold as well.
#[test]
fn the_other_parts_hold_too() {
    for check in [
        Check::Games,
        Check::Options,
        Check::Odds,
        Check::Seams,
        Check::Fights,
        Check::Copies,
    ] {
        let finding = cupola_conformance::run(check, &other, &with_laws(Settings::standard()));
        assert!(
            !matches!(finding, Finding::Fails(_)),
            "{}: {finding}",
            check.name()
        );
    }
}

fn first_day() -> Play {
    play("first-day", None)
}

/// The same rules at Gettysburg: other sides, other ground, larger counters.
#[test]
fn gettysburg_holds_too() {
    for check in [
        Check::Games,
        Check::Options,
        Check::Odds,
        Check::Marches,
        Check::Laws,
    ] {
        let finding = cupola_conformance::run(check, &first_day, &with_laws(Settings::quick()));
        assert!(
            matches!(finding, Finding::Holds(_)),
            "{}: {finding}",
            check.name()
        );
    }
}
