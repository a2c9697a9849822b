//! Running the checks: one by one as tests, or all at once for a host.

use crate::conformity::{Check, Conformity, Finding, Tally};
use crate::settings::Settings;
use crate::{
    copies, dice, fights, games, identity, laws, marches, odds, options, parts, process, replay,
    script, seams, views,
};
use cupola_kernel::Play;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs every check on the play that `make` loads.
#[must_use]
pub fn check(make: &(dyn Fn() -> Play + Sync), settings: &Settings) -> Conformity {
    Conformity {
        findings: Check::ALL
            .into_iter()
            .map(|check| (check, run(check, make, settings)))
            .collect(),
    }
}

/// Runs one check. A ruleset that panics fails it.
#[must_use]
pub fn run(check: Check, make: &(dyn Fn() -> Play + Sync), settings: &Settings) -> Finding {
    match check {
        Check::Dice if settings.twin.is_none() => {
            return Finding::Skipped("the ruleset names no variant to compare with");
        }
        Check::Laws if settings.laws.is_empty() => {
            return Finding::Skipped("the ruleset declares no laws");
        }
        Check::Elsewhere if settings.elsewhere.is_none() => {
            return Finding::Skipped("nobody says how to play in another process");
        }
        _ => {}
    }
    let play = match catch_unwind(AssertUnwindSafe(make)) {
        Ok(play) => play,
        Err(panic) => {
            let why = message(&*panic);
            return Finding::Fails(format!("the play cannot be loaded: {why}"));
        }
    };
    let mut tally = Tally::default();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let tally = &mut tally;
        match check {
            Check::Games => games::run(&play, settings, tally),
            Check::Options => options::run(&play, settings, tally),
            Check::Copies => copies::run(&play, settings, tally),
            Check::Replay => replay::run(&play, make, settings, tally),
            Check::Odds => odds::run(&play, settings, tally),
            Check::Dice => dice::run(&play, settings, tally),
            Check::Views => views::run(&play, settings, tally),
            Check::Laws => laws::run(&play, settings, tally),
            Check::Fights => fights::run(&play, settings, tally),
            Check::Seams => seams::run(&play, settings, tally),
            Check::Marches => marches::run(&play, settings, tally),
            Check::Parts => parts::run(&play, settings, tally),
            Check::Identity => identity::run(&play, make, settings, tally),
            Check::Script => script::run(&play, settings, tally),
            Check::Elsewhere => process::run(&play, settings, tally),
        }
    }));
    match done {
        Ok(Ok(())) => match unproved(check, &tally) {
            Some(why) => Finding::Skipped(why),
            None => Finding::Holds(tally.0),
        },
        Ok(Err(why)) => Finding::Fails(why),
        Err(panic) => Finding::Fails(format!("the ruleset panicked: {}", message(&*panic))),
    }
}

/// What was not met in play is not proved: that must not read like a success.
fn unproved(check: Check, tally: &Tally) -> Option<&'static str> {
    match check {
        Check::Games | Check::Options if tally.get("decisions") == 0 => {
            Some("nobody is ever asked anything")
        }
        Check::Odds if tally.get("previews") == 0 => Some("no option showed odds"),
        Check::Odds if tally.get("fights rolled") == 0 => {
            Some("odds add up, but `Phase::fight` names no fight, so nothing was rolled")
        }
        Check::Fights if tally.get("fights fought") == 0 => Some("nobody fought"),
        Check::Marches if tally.get("marches") == 0 => {
            Some("the ruleset tells nothing of movement (`Ruleset::walked`), or nobody moved")
        }
        Check::Seams if tally.get("looks") == 0 => {
            Some("the ruleset declares nothing that lasts for a while")
        }
        Check::Parts if tally.get("played") == 0 => Some("no other composition was accepted"),
        Check::Script if tally.get("dice") == 0 => Some("nobody rolled"),
        Check::Views if tally.get("shuffles") == 0 => Some("the ruleset hides nothing"),
        _ => None,
    }
}

pub(crate) fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a word")
}

/// Runs one check as a test.
///
/// # Panics
/// If it fails.
pub fn hold(check: Check, make: &(dyn Fn() -> Play + Sync), settings: &Settings) {
    let finding = run(check, make, settings);
    assert!(!matches!(finding, Finding::Fails(_)), "{finding}");
    println!("{finding}");
}

/// Makes one test of every check: `suite!(play)`, where `play` is a `fn() -> Play`.
///
/// `settings:` names a `fn() -> Settings` that adds laws and a variant; `golden:` names a folder,
/// seen from the crate, that keeps a playthrough and option counts (`CUPOLA_BLESS=1` writes them).
/// A crate with several scenarios puts each suite into a module of its own.
#[macro_export]
macro_rules! suite {
    ($play:path) => {
        $crate::suite!($play, settings: $crate::Settings::standard);
    };
    ($play:path, golden: $folder:literal) => {
        $crate::suite!($play, settings: $crate::Settings::standard, golden: $folder);
    };
    ($play:path, settings: $settings:path, golden: $folder:literal) => {
        $crate::suite!($play, settings: $settings);

        #[test]
        fn the_playthrough_is_as_stored() {
            let text = $crate::playthrough(&$play(), $settings().seed);
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder);
            $crate::stored(folder, "playthrough.txt", &text);
        }

        #[test]
        fn the_option_counts_are_as_stored() {
            let text = $crate::counts(&$play(), $settings().seed, 3);
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder);
            $crate::stored(folder, "counts.txt", &text);
        }
    };
    ($play:path, settings: $settings:path) => {
        $crate::suite!(@test random_games_end_within_bounds, Games, $play, $settings);
        $crate::suite!(@test options_are_sound, Options, $play, $settings);
        $crate::suite!(@test copies_are_equal_and_stay_so, Copies, $play, $settings);
        $crate::suite!(@test replays_are_equal, Replay, $play, $settings);
        $crate::suite!(@test odds_agree_with_the_dice, Odds, $play, $settings);
        $crate::suite!(@test dice_keep_their_address, Dice, $play, $settings);
        $crate::suite!(@test views_leak_nothing, Views, $play, $settings);
        $crate::suite!(@test laws_hold, Laws, $play, $settings);
        $crate::suite!(@test nobody_fights_his_own_side, Fights, $play, $settings);
        $crate::suite!(@test what_lasts_a_turn_ends_with_it, Seams, $play, $settings);
        $crate::suite!(@test the_search_finds_what_walking_finds, Marches, $play, $settings);
        $crate::suite!(@test what_is_accepted_plays, Parts, $play, $settings);
        $crate::suite!(@test rules_know_who_they_are, Identity, $play, $settings);
        $crate::suite!(@test scripted_dice_are_all_that_is_rolled, Script, $play, $settings);

        #[test]
        fn another_process_plays_the_same() {
            let test = concat!(module_path!(), "::another_process_plays_the_same");
            let settings = $settings().elsewhere(move || $crate::same_test(test));
            if !$crate::tells_digest(&$play, settings.seed) {
                $crate::hold($crate::Check::Elsewhere, &$play, &settings);
            }
        }
    };
    (@test $name:ident, $check:ident, $play:path, $settings:path) => {
        #[test]
        fn $name() {
            $crate::hold($crate::Check::$check, &$play, &$settings());
        }
    };
}
