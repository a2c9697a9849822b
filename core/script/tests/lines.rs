//! One-line modifiers count in every ruleset's fights, with exact odds, and tell nobody what he may not know.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_common as _;
use cupola_conformance::{Check, Finding, Settings};
use cupola_corps20 as _;
use cupola_data::Source;
use cupola_gbacw as _;
use cupola_kernel::{
    About, Dice, Fight, Game, Loose, Play, PositionFile, Preview, Registry, Seed, Table,
};
use cupola_library::Library;
use cupola_script as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn library() -> Library {
    Library::new(data(), None, Registry::linked().unwrap())
}

/// A ruleset with lines added to its fights.
fn with(ruleset: &str, scenario: &str, lines: &[String]) -> Result<Play, String> {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| format!("modifier({line:?})"))
        .collect();
    let text = format!(
        "(base: {ruleset:?}, name: \"v\", title: \"V\", change: [{}])",
        lines.join(", ")
    );
    let file = Source::new("v.ron", text);
    let play = library().play_with(ruleset, scenario, Some(&file));
    play.map_err(|problems| problems.to_string())
}

/// Every ruleset, a scenario, the roles of its combat systems, and a cover in which there is fighting.
const FIGHTS: [(&str, &str, &[&str], &str); 5] = [
    ("corps20", "gettysburg", &["assault"], "woods"),
    ("blocks", "day2", &["fire", "melee"], "woods"),
    ("blindswords", "main", &["fire", "assault"], "woods"),
    ("gbacw", "to-stop", &["fire"], "woods"),
    ("classic", "wickerby", &["assault", "fire"], "clear"),
];

/// The cases of a ruleset that begin in a scenario: positions in which there is something to fight about.
fn cases(ruleset: &str, scenario: &str) -> Vec<PositionFile> {
    let folder = data().join("../tests/cases").join(ruleset);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let files = files.iter().map(|file| PositionFile {
        source: Source::read(file).unwrap(),
        in_case: true,
    });
    files
        .filter(|file| file.header().unwrap().scenario == scenario)
        .collect()
}

/// Whether whoever is attacked stands in this cover: he, or where nobody is named his hex.
fn covered(t: &Table, fight: &Fight, cover: &str) -> bool {
    let target = fight.defenders.first().and_then(|&unit| t.hex(unit));
    let hex = target.or(fight.hex);
    hex.is_some_and(|hex| t.board().cover(hex).to_string() == cover)
}

/// The fights that can be chosen now.
fn fights(game: &Game) -> Vec<(String, Fight, Preview)> {
    let options = game
        .decision()
        .map_or(vec![], |decision| decision.options.to_vec());
    let fights = options.into_iter().filter_map(|act| {
        let (_, fight) = game.fight(act)?;
        Some((game.name(act), fight, game.preview(act)?))
    });
    fights.collect()
}

/// What was met on the way: fights that the line is about and others, and those whose odds it changed.
#[derive(Default)]
struct Met {
    meant: u32,
    others: u32,
    moved: u32,
}

/// Plays the same choices with and without the line, as long as that leads to the same states.
fn walk(plain: &Game, ridden: &Game, cover: &str, met: &mut Met) {
    let (mut plain, mut ridden) = (plain.fork(), ridden.fork());
    let mut dice = Loose::new(Seed(1863));
    for _ in 0..12 {
        let without: BTreeMap<String, (Fight, Preview)> = fights(&plain)
            .into_iter()
            .map(|(id, fight, preview)| (id, (fight, preview)))
            .collect();
        for (id, fight, preview) in fights(&ridden) {
            let meant = covered(ridden.table(), &fight, cover);
            let told = preview
                .modifiers
                .0
                .iter()
                .filter(|m| m.label.contains(cover));
            let told = told.filter(|m| m.rule.0 == "variant").count();
            assert_eq!(told, usize::from(meant), "{id}: {:?}", preview.modifiers);
            if !meant {
                met.others += 1;
            } else if let Some((_, before)) = without.get(&id) {
                met.meant += 1;
                assert_eq!(preview.modifiers.sum(), before.modifiers.sum() - 2, "{id}");
                met.moved += u32::from(before.outcomes != preview.outcomes);
            }
        }
        let Some(decision) = ridden.decision() else {
            return;
        };
        let (side, options) = (decision.ask.side, decision.options.to_vec());
        let act = options[usize::from(dice.roll(options.len() as u16, "choice", About::Game) - 1)];
        if plain.apply(side, act).is_err() || ridden.apply(side, act).is_err() {
            return;
        }
        if plain.hash() != ridden.hash() {
            return;
        }
    }
}

#[test]
fn a_line_counts_in_the_fights_of_every_ruleset() {
    for (ruleset, scenario, roles, cover) in FIGHTS {
        let lines: Vec<String> = roles
            .iter()
            .map(|role| format!("-2 in {role} when target.cover is {cover}"))
            .collect();
        let plain = library().play(ruleset, scenario, None).unwrap();
        let ridden = with(ruleset, scenario, &lines).unwrap_or_else(|told| panic!("{told}"));
        let mut met = Met::default();
        for file in cases(ruleset, scenario) {
            let games = [&plain, &ridden].map(|play| {
                let play = play.at(&file).unwrap_or_else(|told| panic!("{told}"));
                play.game(Seed(3)).unwrap()
            });
            walk(&games[0], &games[1], cover, &mut met);
        }
        assert!(
            met.meant > 0 && met.others > 0 && met.moved > 0,
            "{ruleset}: {} in {cover}, {} elsewhere, {} with other odds",
            met.meant,
            met.others,
            met.moved
        );
    }
}

#[test]
fn odds_with_a_line_agree_with_the_dice() {
    let settings = Settings {
        fights: 8,
        rolls: 4_000,
        plies: 600,
        games: 1,
        ..Settings::quick()
    };
    for (ruleset, scenario, roles, _) in FIGHTS {
        let lines: Vec<String> = roles
            .iter()
            .flat_map(|role| {
                [
                    format!("+1 in {role} when attacker.strength > 1"),
                    format!("-1 in {role} when hex.cover is woods and firer.kind is not cavalry"),
                ]
            })
            .collect();
        let make = || with(ruleset, scenario, &lines).unwrap_or_else(|told| panic!("{told}"));
        for check in [Check::Odds, Check::Fights] {
            let finding = cupola_conformance::run(check, &make, &settings);
            assert!(
                matches!(finding, Finding::Holds(_)),
                "{ruleset} {}: {finding}",
                check.name()
            );
        }
    }
}

#[test]
fn a_line_cannot_ask_who_stands_there_where_nobody_knows() {
    let told = |line: &str| {
        let lines = [line.to_owned()];
        with("blocks", "day2", &lines).map(|_| ()).unwrap_err()
    };
    let hidden = told("-1 in fire when target.kind is cavalry");
    assert!(hidden.contains("who stands there is not known"), "{hidden}");
    let typo = told("-1 in fire when firer.strenght > 2");
    assert!(typo.contains("did you mean \"strength\"?"), "{typo}");
}

#[test]
fn a_line_that_pries_tells_nothing_of_hidden_blocks() {
    // Whoever could see through the blocks would know the weak hexes by the odds.
    let prying = [
        "-1 in fire when hex.units.some(|u| u.strength > 2)".to_owned(),
        "-1 in melee when units().filter(|u| u.kind == \"artillery\" && u.on_map).len() > 20"
            .to_owned(),
        "+1 in fire when unit(\"us-cutler\").on_map".to_owned(),
    ];
    let make = || with("blocks", "day2", &prying).unwrap_or_else(|told| panic!("{told}"));
    let finding = cupola_conformance::run(Check::Views, &make, &Settings::quick());
    assert!(matches!(finding, Finding::Holds(_)), "{finding}");
}

/// What stood behind an `and` that did not hold on the first morning was not tried, and ended the game when it came to it.
#[test]
fn every_word_of_a_line_is_known_before_the_game() {
    for (ruleset, line, words) in [
        (
            "classic",
            "-1 in fire when target.cover is woods and firer.qualty > 3",
            "common has no answer to \"qualty\"; did you mean \"quality\"?",
        ),
        (
            "classic",
            "+1 in assault when turn() > 8 or attackers.some(|u| u.name is not \"x\" and u.shakn)",
            "no answer to \"shakn\"; did you mean \"shaken\"?",
        ),
        (
            "corps20",
            "+1 in assault when night() and attacker.hex.heigth > 1",
            "corps20 has no answer to \"heigth\"",
        ),
    ] {
        let scenario = if ruleset == "classic" {
            "wickerby"
        } else {
            "july1"
        };
        let told = with(ruleset, scenario, &[line.to_owned()]).err();
        let told = told.unwrap_or_else(|| panic!("{line} is taken"));
        assert!(
            told.starts_with("v.ron:1:") && told.contains("change[0]: ") && told.contains(words),
            "{told}"
        );
    }
    let sound = "+1 in assault when attackers.len > 1 and attacker.hex.level > target.hex.level";
    assert!(with("classic", "wickerby", &[sound.to_owned()]).is_ok());
    let point = with(
        "classic",
        "wickerby",
        &["+1 in fire when firer.strength > 2.5".to_owned()],
    );
    let told = point.err().unwrap();
    assert!(
        told.contains("a number with a point in it, expected whole numbers only"),
        "{told}"
    );
    let name = with(
        "classic",
        "wickerby",
        &["+1 in fire when firer.side is north".to_owned()],
    );
    let told = name.err().unwrap();
    assert!(
        told.contains("what is called so stands in quotes: \\\"north\\\""),
        "{told}"
    );
}
