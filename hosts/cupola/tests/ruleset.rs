//! A ruleset that is data alone, from nothing to a game.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{Ran, cupola, temporary};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The program, with a folder for what is the user's own.
fn with_own(folder: &Path, args: &[&str]) -> Ran {
    let mut command = cupola();
    command.env("XDG_CONFIG_HOME", folder).args(args);
    Ran::of(command.stdin(Stdio::null()).output().unwrap())
}

fn folder(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_new_ruleset_plays_at_once_and_passes_the_suite() {
    let own = folder("new-ruleset");
    let told = with_own(&own, &["new", "ruleset", "my-game"]).code(0).out;
    assert!(
        told.contains("play it:   cupola play my-game/wickerby"),
        "{told}"
    );
    let file = own.join("cupola/rulesets/my-game/ruleset.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with("// My game: a game that is data alone."),
        "{text}"
    );
    assert!(
        text.contains("Phases to choose from: assault, fire, initiative, movement,"),
        "{text}"
    );
    assert!(!text.contains("classic"), "{text}");
    let list = with_own(&own, &["list"]).code(0).out;
    assert!(list.contains("my-game"), "{list}");
    let bots = [
        "play",
        "my-game/wickerby",
        "--seat",
        "south=random",
        "--seat",
        "north=random",
        "--seed",
        "1863",
    ];
    let game = with_own(&own, &bots).code(0).out;
    assert!(
        game.contains("victory") || game.contains("draw") || game.contains("destroyed"),
        "{game}"
    );
    let suite = with_own(&own, &["check", "--ruleset", "my-game", "--conformance"])
        .code(0)
        .out;
    assert!(suite.contains(" 0 not"), "{suite}");
    // In the lab: against a variant of it, and beside others over the same hours.
    let (lab, woods) = (own.join("lab"), own.join("woods.ron"));
    let change = r#"set(path: "rules/movement/hexes/woods", was: 4, to: 8)"#;
    let text =
        format!("(base: \"my-game\", name: \"woods\", title: \"Woods\", change: [{change}])\n");
    std::fs::write(&woods, text).unwrap();
    let (lab, woods) = (lab.to_str().unwrap(), woods.to_str().unwrap());
    let pairs = [
        "lab",
        "test",
        "my-game",
        woods,
        "--bot",
        "random",
        "--max-pairs",
        "16",
        "--out",
        lab,
    ];
    let told = with_own(&own, &pairs);
    assert!(told.out.contains("16 pairs"), "{}{}", told.out, told.err);
    let page = own.join("page");
    let compare = [
        "lab",
        "compare",
        "training",
        "--ruleset",
        "classic",
        "--ruleset",
        "my-game",
        "--bot",
        "random",
        "--games",
        "2",
        "--luck",
        "0",
        "--floor",
        "0",
        "--out",
    ];
    with_own(&own, &[&compare[..], &[page.to_str().unwrap()]].concat()).code(0);
    // What is there stays as it is.
    let again = with_own(&own, &["new", "ruleset", "my-game"]).code(2).err;
    assert!(
        again.contains("there is a ruleset \"my-game\" already"),
        "{again}"
    );
    // A changed number is another game; a wrong one is told with its place.
    let rules = own.join("cupola/rulesets/my-game/rules.ron");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(
        &rules,
        text.replacen("most_dice: (3,", "most_dice: (30,", 1),
    )
    .unwrap();
    let told = with_own(&own, &bots).code(2).err;
    assert!(
        told.contains("rules.ron") && told.contains("fire.most_dice: 30 dice, expected 1 to 5"),
        "{told}"
    );
}

#[test]
fn only_data_is_copied() {
    let own = folder("new-ruleset-of");
    let told = with_own(&own, &["new", "ruleset", "mine", "--like", "corps20"])
        .code(2)
        .err;
    assert!(told.contains("has code of its own"), "{told}");
    let told = with_own(&own, &["new", "ruleset", "My Game"]).code(2).err;
    assert!(told.contains("expected a name of small letters"), "{told}");
    let told = with_own(&own, &["new", "ruleset", "1game"]).code(2).err;
    assert!(told.contains("that begins with a letter"), "{told}");
    let long = "a".repeat(300);
    let told = with_own(&own, &["new", "ruleset", &long]).code(2).err;
    assert!(told.contains("300 letters, expected 60 at most"), "{told}");
}

/// `play` said that it had no rules yet, and `check` passed it by.
#[test]
fn a_mistake_in_what_a_ruleset_is_made_of_is_told_at_its_line() {
    let own = folder("new-ruleset-broken");
    with_own(&own, &["new", "ruleset", "mine"]).code(0);
    let file = own.join("cupola/rulesets/mine/ruleset.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("sequence:", "sequenz:", 1)).unwrap();
    let folder = file.parent().unwrap().to_str().unwrap();
    let commands: [(&[&str], i32); 5] = [
        (&["play", "mine/wickerby"], 2),
        (&["bench", "mine"], 2),
        (&["resolve", "mine"], 2),
        (&["check", "--ruleset", "mine"], 1),
        (&["check", folder], 1),
    ];
    for (command, code) in commands {
        let ran = with_own(&own, command).code(code);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("ruleset.ron:"), "{command:?}: {told}");
        assert!(
            told.contains("did you mean \"sequence\"?"),
            "{command:?}: {told}"
        );
    }
}

/// A folder that was copied by hand keeps the name of the game that it was: journals would call its games another's.
#[test]
fn a_ruleset_is_called_as_its_folder() {
    let own = folder("copied-ruleset");
    with_own(&own, &["new", "ruleset", "my-game"]).code(0);
    let rulesets = own.join("cupola/rulesets");
    std::fs::rename(rulesets.join("my-game"), rulesets.join("his-game")).unwrap();
    for (args, code) in [
        (&["play", "his-game/wickerby"][..], 2),
        (&["bench", "his-game"], 2),
        (&["check", "--ruleset", "his-game"], 1),
    ] {
        let ran = with_own(&own, args).code(code);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("ruleset.ron:"), "{args:?}: {told}");
        let expected = "name: \"my-game\" lies in the folder his-game";
        assert!(told.contains(expected), "{args:?}: {told}");
    }
}
