//! Scripts give the same games as Rust, exact odds, and an end to whatever runs away.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_common as _;
use cupola_conformance::{Check, Finding, Settings};
use cupola_corps20 as _;
use cupola_data::Source;
use cupola_gbacw as _;
use cupola_kernel::{
    About, Dice, Game, Journal, Loose, Play, PositionFile, Registry, Seat, Seed, Session, cases,
};
use cupola_library::{Library, read_variant};
use cupola_script as _;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn library() -> Library {
    Library::new(data(), None, Registry::linked().unwrap())
}

/// classic under a variant with these scripts and changes.
fn classic(scripts: &str, change: &str) -> Result<Play, String> {
    let text = format!(
        "(base: \"classic\", name: \"v\", title: \"V\", scripts: {{{scripts}}}, change: [{change}])"
    );
    let file = Source::new("v.ron", text);
    let play = library().play_with("classic", "wickerby", Some(&file));
    play.map_err(|problems| problems.to_string())
}

/// Plays a random game; `look` sees every position.
fn random(play: &Play, seed: u128, mut look: impl FnMut(&Game)) -> Result<Game, String> {
    let mut game = play.game(Seed(seed)).map_err(|fault| fault.to_string())?;
    let mut dice = Loose::new(Seed(seed + 1863));
    while let Some(decision) = game.decision() {
        let (side, options) = (decision.ask.side, decision.options);
        let act = options[usize::from(dice.roll(options.len() as u16, "choice", About::Game) - 1)];
        game.apply(side, act).map_err(|error| error.to_string())?;
        look(&game);
    }
    Ok(game)
}

/// The combat system of corps20 in Rust, and as a script.
fn both(scenario: &str) -> [Play; 2] {
    let library = library();
    let variant = read_variant(&data().join("variants/scripted-combat.ron")).unwrap();
    [None, Some(&variant)].map(|variant| {
        let play = library.play_with("corps20", scenario, variant);
        play.unwrap_or_else(|problems| panic!("{problems}"))
    })
}

/// The cases of corps20: positions in which there is something to fight about.
fn all_cases() -> Vec<Source> {
    let folder = data().join("../tests/cases/corps20");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| Source::read(file).unwrap())
        .collect()
}

/// What every option that leads to a fight shows.
fn previews(game: &Game) -> Vec<String> {
    let options = game
        .decision()
        .map_or(vec![], |decision| decision.options.to_vec());
    let shown = options
        .into_iter()
        .filter_map(|act| Some((act, game.preview(act)?, game.stakes(act))));
    shown.map(|shown| format!("{shown:?}")).collect()
}

#[test]
fn corps20_by_script_plays_the_same_games_to_the_bit() {
    let [rust, script] = both("gettysburg");
    assert_ne!(rust.resolved(), script.resolved(), "the rules are others");
    let (mut fights, mut shown) = (0, 0);
    for case in all_cases() {
        let file = PositionFile {
            source: case,
            in_case: true,
        };
        let plays = [&rust, &script].map(|play| play.at(&file).unwrap_or_else(|p| panic!("{p}")));
        let [mut one, mut other] = plays.map(|play| play.game(Seed(3)).unwrap());
        let mut dice = Loose::new(Seed(1863));
        for ply in 0..60 {
            assert_eq!(one.hash(), other.hash(), "{}, ply {ply}", file.source.name);
            let Some(decision) = one.decision() else {
                break;
            };
            let (side, options) = (decision.ask.side, decision.options.to_vec());
            let seen = previews(&one);
            assert_eq!(seen, previews(&other), "{}, ply {ply}", file.source.name);
            shown += seen.len();
            let act =
                options[usize::from(dice.roll(options.len() as u16, "choice", About::Game) - 1)];
            one.apply(side, act).unwrap();
            other.apply(side, act).unwrap();
        }
        assert_eq!(one.hash(), other.hash(), "{}", file.source.name);
        fights += one.table().fights().all.iter().map(|(_, n)| n).sum::<u32>();
    }
    assert!(
        fights > 50 && shown > 100,
        "{fights} fights, {shown} previews"
    );
}

#[test]
fn corps20_by_script_proves_every_case() {
    let [_, script] = both("gettysburg");
    let wrong: Vec<String> = all_cases()
        .iter()
        .filter_map(|case| cases::run(&script, case).err())
        .map(|problems| problems.to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SABRES: &str =
    r#"modifier("+1 in assault when attacker.kind is cavalry and target.cover is not woods")"#;

#[test]
fn a_line_counts_and_is_told() {
    let play = classic("", SABRES).unwrap();
    let mut met = 0;
    for seed in 0..6 {
        random(&play, seed, |game| {
            let options = game
                .decision()
                .map_or(vec![], |decision| decision.options.to_vec());
            for (act, fight) in options
                .into_iter()
                .filter_map(|act| Some((act, game.fight(act)?.1)))
            {
                let preview = game.preview(act).unwrap();
                let line = preview
                    .modifiers
                    .0
                    .iter()
                    .any(|m| m.label.contains("cavalry"));
                let t = game.table();
                let horse = t.info(fight.attackers[0]).kind == "cavalry";
                let woods = t
                    .hex(fight.defenders[0])
                    .is_some_and(|hex| t.board().cover(hex).to_string() == "woods");
                let assault = fight.hex.is_some();
                assert_eq!(line, horse && !woods && assault);
                met += u32::from(line);
            }
        })
        .unwrap();
    }
    assert!(met > 0);
}

#[test]
fn mistakes_are_told_before_a_game_begins() {
    let wrong = [
        (
            "",
            r#"modifier("-1 in fires when target.cover is woods")"#,
            "change[0]: nothing fights in the role “fires”; there are assault, fire",
        ),
        (
            "",
            r#"modifier("-1 in fire when targett.cover is woods")"#,
            "change[0]: no \"targett\" in a fight; did you mean \"target\"?",
        ),
        (
            "",
            r#"modifier("-1 in fire when target.strengt > 2")"#,
            "common has no answer to \"strengt\"; did you mean \"strength\"?",
        ),
        (
            "",
            r#"modifier("-1 in fire when target.strength")"#,
            "is neither true nor false",
        ),
        (
            "",
            r#"modifier("minus one in fire")"#,
            "expected a number, the role of a combat system and a condition",
        ),
        (
            "\"a.rhai\": \"fn next() {\\n let x = ; }\"",
            r#"add_phase(phase: "a.rhai", after: "rally")"#,
            "a.rhai:2:",
        ),
        (
            "\"a.rhai\": \"fn nex() {}\"",
            r#"add_phase(phase: "a.rhai", after: "rally")"#,
            "a script of this kind has a function `fn next()`",
        ),
        (
            "\"a.rhai\": \"fn resolve(fight) {}\"",
            r#"swap_combat(role: "assault", was: "odds", to: "a.rhai")"#,
            "`fn modifiers(fight)`",
        ),
        (
            "\"a.rhai\": \"\"",
            r#"add_phase(phase: "b.rhai", after: "rally")"#,
            "no script “b.rhai”",
        ),
    ];
    for (scripts, change, words) in wrong {
        let told = classic(scripts, change).map(|_| ()).unwrap_err();
        assert!(
            told.contains(words),
            "{change}: expected “{words}” in:\n{told}"
        );
    }
}

/// What a phase that does this comes to.
fn runs(body: &str) -> String {
    let script = format!(
        "\"a.rhai\": \"fn next() {{\\n{}\\n}}\"",
        body.replace('"', "\\\"")
    );
    let play = classic(
        &script,
        r#"add_phase(phase: "a.rhai", after: "reinforcements")"#,
    );
    let play = play.unwrap_or_else(|told| panic!("{told}"));
    play.game(Seed(1))
        .map(|_| ())
        .map_or_else(|fault| fault.to_string(), |()| "it ends".into())
}

#[test]
fn what_runs_away_is_stopped_with_its_line() {
    let cases = [
        (
            "loop { }",
            "a.rhai:2:",
            "the script runs away: stopped after 100000 steps",
        ),
        (
            "let n = 0;\n// so {\nlet m = #{a: 1};\nwhile true {\n n += m.a; }",
            "a.rhai:6:",
            "the script runs away: stopped after 100000 steps",
        ),
        (
            "let s = \"x\";\nloop {\n s += s; }",
            "a.rhai:4:",
            "the script makes too much",
        ),
        (
            "let a = [1];\nloop { a.push(a.len()); }",
            "a.rhai:3:",
            "the script makes too much",
        ),
        (
            "let n = 1;\nnext();",
            "a.rhai:3:",
            "the script calls itself more than 24 deep",
        ),
        (
            "loop { d6(\"again\"); }",
            "a.rhai:2:",
            "more than 24 dice in one go",
        ),
        ("let x = 1 / 0;", "a.rhai:2:", "ivision by zero"),
        ("let x = 9223372036854775807 + 1;", "a.rhai:2:", "overflow"),
        ("eval(\"1\");", "a.rhai", "eval"),
        (
            "let x = 1.5;",
            "a.rhai:2:",
            "a number with a point in it, expected whole numbers only",
        ),
        ("unit(\"nobody\");", "a.rhai:2:", "no unit \"nobody\""),
        (
            "set(unit(\"wragge\"), \"morale\", 1);",
            "a.rhai",
            "scripts change \"shaken\", \"lost\" and \"eliminated\", no \"morale\"",
        ),
    ];
    let mut wrong = vec![];
    for (body, place, words) in cases {
        let told = std::panic::catch_unwind(|| runs(body));
        let text = |panic: Box<dyn std::any::Any + Send>| {
            panic.downcast_ref::<String>().cloned().unwrap_or_default()
        };
        let told = told.unwrap_or_else(text);
        if !(told.contains(place) && told.contains(words)) {
            wrong.push(format!("{body}: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(runs("let list = [3, 1, 2]; list.sort(); ()"), "it ends");
}

const VILLAGE: &str = r#""village.rhai": "
    fn whose() { `once` }
    fn rule() { `12` }
    fn next() {
        let holder = ask(`held`, [hex(`0506`)]);
        if holder == () { return; }
        remember(other(holder), 0);
        remember(holder, recall(holder) + 1);
        if recall(holder) >= 3 { win(holder, `the village was held`); }
    }
""#;

#[test]
fn a_victory_condition_can_be_a_script() {
    let play = classic(
        VILLAGE,
        r#"add_phase(phase: "village.rhai", after: "victory")"#,
    )
    .unwrap_or_else(|told| panic!("{told}"));
    let mut held = 0;
    for seed in 0..6 {
        let game = random(&play, seed, |_| {}).unwrap();
        let verdict = game.verdict().unwrap();
        if verdict.how == "the village was held" {
            assert!(verdict.rule.0 == "12" && game.table().turn() >= 2);
            held += 1;
        }
    }
    assert!(held > 0);
}

/// A phase that asks: a shaken unit may be rallied for a step.
const DRILL: &str = r#""drill.rhai": "
    fn whose() { `player` }
    fn rule() { `13` }
    fn verbs() { [`drill`, `done`] }
    fn able() {
        units().filter(|u| u.side == active() && u.on_map && u.shaken && u.steps > 1)
    }
    fn enter() { remember(`over`, 0); }
    fn next() {
        if recall(`over`) == 1 || able().is_empty() { return; }
        #{ side: active(), question: `drill` }
    }
    fn options(question) {
        let list = [`done`];
        for unit in able() { list.push([`drill`, unit]); }
        list
    }
    fn take(question, answer) {
        if answer[0] == `done` { remember(`over`, 1); return; }
        let unit = answer[1];
        set(unit, `lost`, unit.lost + 1);
        set(unit, `shaken`, d6(`drill`, unit) > 3);
        say(unit, `is drilled`);
    }
    fn why_not(question, answer) { `is not shaken, or has one step only` }
""#;

#[test]
fn a_phase_that_is_a_script_passes_the_suite() {
    let change = format!("{SABRES}, add_phase(phase: \"drill.rhai\", after: \"assault\")");
    let make = move || classic(DRILL, &change).unwrap_or_else(|told| panic!("{told}"));
    let checks = [
        Check::Games,
        Check::Options,
        Check::Copies,
        Check::Replay,
        Check::Odds,
        Check::Fights,
    ];
    for check in checks {
        let finding = cupola_conformance::run(check, &make, &Settings::standard());
        assert!(
            matches!(finding, Finding::Holds(_)),
            "{}: {finding}",
            check.name()
        );
    }
}

#[test]
fn a_journal_brings_its_scripts() {
    let library = library();
    let variant = read_variant(&data().join("variants/scripted-combat.ron")).unwrap();
    assert!(
        variant.text.contains("fn supporting_guns"),
        "the text, not the name"
    );
    let play = library
        .play_with("corps20", "july1", Some(&variant))
        .unwrap();
    let mut journal = Journal::new(&play, "corps20", Some(variant.text.clone()), Seed(5), None);
    let mut session = Session::new(&play, journal.clone()).unwrap();
    let mut dice = Loose::new(Seed(9));
    for _ in 0..300 {
        let Some(decision) = session.game().decision() else {
            break;
        };
        let (side, options) = (decision.ask.side, decision.options);
        let act = options[usize::from(dice.roll(options.len() as u16, "choice", About::Game) - 1)];
        session.apply(side, act).unwrap();
    }
    let text = session.journal().write();
    journal = Journal::read(&Source::new("game.cupola", text)).unwrap();
    // Nothing but the journal: the variant's folder is not looked into.
    let again = library.play_of(&journal).unwrap();
    let replayed =
        Session::replay(&again, &journal, "game.cupola").unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(replayed.game().hash(), session.game().hash());
}

/// A script may come to any number; where the rules do not know it, it was read as another one.
#[test]
fn a_result_that_the_rules_do_not_know_ends_the_game_with_its_name() {
    let script = |resolve: &str| {
        format!(
            "\"a.rhai\": \"fn modifiers(fight) {{ [] }} fn resolve(fight) {{ {resolve} }} fn describe(code) {{ `x` }}\""
        )
    };
    for (ruleset, scenario, (role, was), resolve, words) in [
        (
            "blocks",
            "day2",
            ("fire", "volley"),
            "256",
            "a.rhai gives no result 256",
        ),
        (
            "blindswords",
            "main",
            ("assault", "melee"),
            "36",
            "a.rhai gives no result 36",
        ),
        (
            "blindswords",
            "main",
            ("fire", "volley"),
            "0",
            "a.rhai gives 0 results, expected one for each of ",
        ),
        (
            "gbacw",
            "to-stop",
            ("fire", "volley"),
            "4",
            "a.rhai gives no result 4",
        ),
        (
            "corps20",
            "july1",
            ("assault", "differential"),
            "99",
            "a.rhai gives no result 99",
        ),
        (
            "classic",
            "wickerby",
            ("assault", "odds"),
            "99",
            "a.rhai gives no result 99",
        ),
    ] {
        let text = format!(
            "(base: {ruleset:?}, name: \"v\", title: \"V\", scripts: {{{}}}, \
             change: [swap_combat(role: {role:?}, was: {was:?}, to: \"a.rhai\")])",
            script(resolve)
        );
        let file = Source::new("v.ron", text);
        let play = library().play_with(ruleset, scenario, Some(&file));
        let play = play.unwrap_or_else(|problems| panic!("{problems}"));
        let told = (1..65).find_map(|seed| random(&play, seed, |_| ()).err());
        let told = told.unwrap_or_else(|| panic!("{ruleset}: nobody fought"));
        assert!(told.contains(words), "{ruleset}: {told}");
    }
}

/// The scripts of the book are played as they stand there, and what they say is what they do.
#[test]
fn the_scripts_of_the_book_do_what_they_say() {
    let page = data().join("../book/src/authors/without-compiler.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page.split("```rust,ignore\n").skip(1).collect();
    let blocks = blocks.iter().filter_map(|rest| rest.split("```").next());
    let blocks: Vec<&str> = blocks.collect();
    let [duel, village] = blocks[..] else {
        panic!("{} scripts in the book", blocks.len());
    };
    let script = |name: &str, text: &str| format!("{name:?}: r#\"{text}\"#");
    let play = classic(
        &script("duel.rhai", duel),
        r#"swap_combat(role: "assault", was: "odds", to: "duel.rhai")"#,
    );
    let play = play.unwrap_or_else(|told| panic!("{told}"));
    let mut fought = vec![];
    for seed in 1..5 {
        let mut session = Session::begin(&play, Seed(seed)).unwrap();
        let mut dice = Loose::new(Seed(seed));
        while let Some(decision) = session.game().decision() {
            let (side, options) = (decision.ask.side, decision.options);
            let nth = dice.roll(options.len() as u16, "choice", About::Game) - 1;
            let act = options[usize::from(nth)];
            session.apply(side, act).unwrap();
        }
        let events = session.events(Seat::Umpire, 0).map(|(_, event)| event);
        let assaults = events.filter(|event| event.kind == "assault");
        fought.extend(assaults.map(|event| event.text.to_string()));
    }
    let count = |words: &str| fought.iter().filter(|text| text.contains(words)).count();
    let (gone, beaten) = (
        count("DR, the defenders are shaken and fall back"),
        count("AR, the attackers are shaken and fall back"),
    );
    assert!(gone > 0 && beaten > 0, "{fought:?}");
    assert_eq!(gone + beaten, fought.len(), "{fought:?}");
    let play = classic(
        &script("village.rhai", village),
        r#"add_phase(phase: "village.rhai", after: "victory")"#,
    );
    let play = play.unwrap_or_else(|told| panic!("{told}"));
    let ends = (1..9).map(|seed| random(&play, seed, |_| ()).unwrap());
    let held = ends.filter(|game| {
        let verdict = game.verdict();
        verdict.is_some_and(|verdict| verdict.how.contains("the village was held"))
    });
    assert!(held.count() > 0);
}
