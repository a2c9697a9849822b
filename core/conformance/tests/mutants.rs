//! The suite catches every mistake, and says by which check.

mod broken;
mod toy;

use broken::Bug;
use cupola_conformance::{Check, Finding, check, run};

#[test]
fn every_mutant_is_caught_by_the_check_that_is_for_it() {
    let mut missed = vec![];
    for (bug, by, words) in Bug::ALL {
        match run(by, &|| bug.play(false), &bug.settings()) {
            Finding::Fails(why) if why.contains(words) => {
                println!("{:<14} {:<8} {why}", bug.name(), by.name())
            }
            other => missed.push(format!("{} by {}: {other}", bug.name(), by.name())),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

/// What a child process plays of a mutant; nothing where it is no child.
fn elsewhere(bug: Bug) {
    cupola_conformance::tells_digest(&|| bug.play(false), bug.settings().seed);
}

#[test]
fn moody_elsewhere() {
    elsewhere(Bug::Moody);
}

#[test]
fn diarist_elsewhere() {
    elsewhere(Bug::Diarist);
}

#[test]
fn sound_elsewhere() {
    cupola_conformance::tells_digest(&toy::toy, toy::settings().seed);
}

#[test]
fn the_sound_toy_passes_where_the_mutants_do_not() {
    let report = check(
        &toy::toy,
        &toy::settings().elsewhere(|| cupola_conformance::same_test("mutants::sound_elsewhere")),
    );
    println!("{report}");
    assert!(report.holds(), "{report}");
    assert_eq!(report.findings.len(), Check::ALL.len());
    let skipped = |(_, finding): &(Check, Finding)| matches!(finding, Finding::Skipped(_));
    assert!(!report.findings.iter().any(skipped), "{report}");
}

#[test]
fn what_a_ruleset_does_not_offer_is_skipped_and_not_passed() {
    let settings = cupola_conformance::Settings::quick();
    for missing in [Check::Dice, Check::Laws, Check::Elsewhere] {
        let finding = run(missing, &toy::toy, &settings);
        assert!(matches!(finding, Finding::Skipped(_)), "{finding}");
    }
}
