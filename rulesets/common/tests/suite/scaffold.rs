//! A new ruleset plays at once, and passes the suite.

use crate::common::{library, root, with_laws};
use cupola_conformance::{Check, Finding, Settings};
use cupola_library::Library;
use std::path::{Path, PathBuf};

/// The library with a folder of the user's own, in which a new ruleset was written.
fn with_own(own: &Path) -> Library {
    let registry = library().registry().clone();
    Library::new(root().join("data"), None, registry).with_user(Some(own.to_owned()))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cupola-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_new_ruleset_plays_at_once_and_passes_the_suite() {
    let own = folder("scaffold");
    let scaffold = with_own(&own)
        .new_ruleset("my-game", "My game", None)
        .unwrap();
    for (place, text) in &scaffold.files {
        let path = own.join("rulesets/my-game").join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let text = std::fs::read_to_string(own.join("rulesets/my-game/ruleset.ron")).unwrap();
    assert!(
        text.starts_with("// My game: a game that is data alone."),
        "{text}"
    );
    assert!(
        text.contains("Phases to choose from: assault, fire, initiative, movement,"),
        "{text}"
    );
    assert!(!text.contains("classic"), "{text}");
    let library = with_own(&own);
    assert!(library.rulesets().contains(&"my-game".to_owned()) && library.is_played("my-game"));
    let play = library.play("my-game", &scaffold.scenario, None);
    let play = play.unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(play.env().ruleset, "my-game");
    let make = || play.clone();
    for check in [
        Check::Games,
        Check::Options,
        Check::Odds,
        Check::Marches,
        Check::Seams,
        Check::Laws,
    ] {
        let finding = cupola_conformance::run(check, &make, &with_laws(Settings::quick()));
        assert!(
            matches!(finding, Finding::Holds(_)),
            "{}: {finding}",
            check.name()
        );
    }
    let again = library
        .new_ruleset("my-game", "My game", None)
        .map(|_| ())
        .unwrap_err();
    assert!(
        again
            .to_string()
            .contains("there is a ruleset \"my-game\" already"),
        "{again}"
    );
    std::fs::remove_dir_all(&own).unwrap();
}

#[test]
fn a_battle_is_derived_for_a_game_of_data_alone() {
    let own = folder("derived");
    let library = with_own(&own);
    let scaffold = library.new_ruleset("my-game", "My game", None).unwrap();
    let at = own.join("rulesets/my-game");
    let write = |place: &Path, text: &str| {
        let path = at.join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for (place, text) in &scaffold.files {
        // The scenario that was copied names the turns and counters that were.
        if !place.starts_with("battles/training/scenarios") {
            write(place, text);
        }
    }
    let derived = library.derive("my-game", "training");
    for file in derived.unwrap_or_else(|problems| panic!("{problems}")) {
        write(&Path::new("battles/training").join(&file.name), &file.text);
    }
    assert!(library.stale("my-game", "training").unwrap().is_empty());
    let play = library.play("my-game", "training", None);
    let play = play.unwrap_or_else(|problems| panic!("{problems}"));
    let make = || play.clone();
    for check in [Check::Games, Check::Options, Check::Odds, Check::Fights] {
        let finding = cupola_conformance::run(check, &make, &Settings::quick());
        assert!(
            matches!(finding, Finding::Holds(_)),
            "{}: {finding}",
            check.name()
        );
    }
    // A road that the map does not have is told with the troops that come by it.
    let told = library.derive("classic", "gettysburg").unwrap_err();
    let words = "which is no entry of the map of classic";
    assert!(told.to_string().contains(words), "{told}");
    std::fs::remove_dir_all(&own).unwrap();
}
