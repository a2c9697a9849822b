//! What a designer does: change values, see what that did, try it, keep it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod checks;
#[path = "../common/mod.rs"]
mod common;
mod kinds;
mod pages;
use common::{Ran, cupola, root, run, temporary};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(path: &Path, text: &str) -> String {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn variant(folder: &Path, name: &str, change: &str) -> String {
    let text =
        format!("(base: \"corps20\", name: \"{name}\", title: \"{name}\", change: [{change}])\n");
    write(&folder.join(format!("{name}.ron")), &text)
}

fn in_folder(folder: &Path, args: &[&str]) -> Ran {
    let output = cupola()
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::null())
        .output();
    Ran::of(output.unwrap())
}

fn value(what: &str, path: &str) -> Value {
    let all = run(&["resolve", what, path, "--json"]).code(0).json();
    all["values"][0].clone()
}

#[test]
fn a_value_is_changed_told_and_played() {
    let folder = folder("value");
    let strong = variant(
        &folder,
        "strong",
        r#"set(path: "counters/heth/strength", was: 2, to: 4)"#,
    );
    let told = run(&["diff", "corps20", &strong]).code(1).out;
    assert!(
        told.contains(
            "Heth’s Division: strength 2 → 4 (printed: 002 7.14 example → house: strong)"
        ),
        "{told}"
    );
    assert_eq!(
        run(&["diff", "corps20", "corps20"]).code(0).out,
        "They are the same rules.\n"
    );
    let is = value(&strong, "counters/heth/strength");
    assert_eq!(
        (&is["value"], &is["path"]),
        (&"4".into(), &"counters/cs-heth/strength".into())
    );
    assert_eq!(
        (&is["changed"]["was"], &is["changed"]["by"]),
        (&"2".into(), &"strong".into())
    );
    let game = folder.join("game.cupola");
    let game = game.to_str().unwrap();
    let play = [
        "play",
        "corps20/july1",
        "--variant",
        &strong,
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--seed",
        "7",
        "--quiet",
        "--autosave",
        game,
    ];
    run(&play).code(0);
    // The journal brings the change along: the file is not needed.
    std::fs::remove_file(&strong).unwrap();
    run(&["replay", game, "--verify"]).code(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn board_turns_and_army_can_be_changed_too_and_the_journal_knows() {
    let folder = folder("parts");
    let parts = variant(
        &folder,
        "parts",
        r#"add(path: "board/corrections", entry: (hex: "14.11", set: cover(woods), cite: "what if")),
           set(path: "turns/july1-dawn/label", to: "Sunrise"),
           set(path: "army/cs-iii-heth/name", to: "Pettigrew's Division"),
           set(path: "scenario/last", to: "july1-noon")"#,
    );
    let told = run(&["diff", "corps20/july1", &format!("corps20/july1+{parts}")])
        .code(1)
        .out;
    for words in [
        "label \"July 1 Dawn\" → \"Sunrise\"",
        "last \"july1-dusk\" → \"july1-noon\"",
        "is new: (hex: \"14.11\"",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let game = folder.join("game.cupola");
    let game = game.to_str().unwrap();
    run(&[
        "play",
        "corps20/july1",
        "--variant",
        &parts,
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--seed",
        "7",
        "--quiet",
        "--autosave",
        game,
    ])
    .code(0);
    run(&["replay", game, "--verify"]).code(0);
    let view = run(&["replay", game, "--at", "0", "--json"]).code(0).json();
    assert_eq!(view["view"]["turn"]["label"], "Sunrise");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn variants_stack_in_order_and_conflicts_name_both() {
    let folder = folder("stack");
    let a = variant(
        &folder,
        "a",
        r#"set(path: "counters/heth/strength", to: 4)"#,
    );
    let b = variant(
        &folder,
        "b",
        r#"set(path: "counters/hood/strength", to: 4)"#,
    );
    let c = variant(
        &folder,
        "c",
        r#"scale(path: "counters/side=cs/strength", percent: 200)"#,
    );
    let told = run(&["diff", "corps20", &format!("corps20+{a}+{b}+no-rain")])
        .code(1)
        .out;
    for words in [
        "Heth’s Division: strength 2 → 4",
        "Hood’s Division: strength 3 → 4",
        "a turn: ",
    ] {
        assert!(told.contains(words), "{words} in\n{told}");
    }
    let refused = run(&["resolve", &format!("{a}+{c}")]).code(2).err;
    assert!(
        refused.contains("c.ron:1:")
            && refused.contains("counters/cs-heth/strength is changed by the variant “a” as well"),
        "{refused}"
    );
    let game = folder.join("game.cupola");
    let game = game.to_str().unwrap();
    run(&[
        "play",
        "corps20/july1",
        "--variant",
        &a,
        "--variant",
        &b,
        "--variant",
        "no-rain",
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--seed",
        "7",
        "--quiet",
        "--autosave",
        game,
    ])
    .code(0);
    run(&["replay", game, "--verify"]).code(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_owners_numbers_apply_when_asked_and_come_first() {
    let folder = folder("owner");
    let own = r#"(base: "corps20", name: "mine", title: "Mine", owner: true, change: [set(path: "counters/hood/quality", to: 6)])"#;
    write(&folder.join("cupola/owner/corps20.ron"), own);
    let ask = |args: &[&str]| {
        let output = cupola().env("XDG_CONFIG_HOME", &folder).args(args).output();
        Ran::of(output.unwrap())
    };
    let quality = |args: &[&str]| ask(args).code(0).json()["values"][0].clone();
    assert_eq!(
        quality(&["resolve", "corps20", "counters/hood/quality", "--json"])["value"],
        "5"
    );
    let printed = quality(&[
        "--owner",
        "resolve",
        "corps20",
        "counters/hood/quality",
        "--json",
    ]);
    assert_eq!(
        (&printed["value"], &printed["origin"]),
        (&"6".into(), &"printed: by the owner".into())
    );
    // A variant stands on top of them.
    let more = variant(
        &folder,
        "more",
        r#"set(path: "counters/hood/quality", was: 6, to: 4)"#,
    );
    assert_eq!(
        quality(&[
            "--owner",
            "resolve",
            &more,
            "counters/hood/quality",
            "--json"
        ])["value"],
        "4"
    );
    ask(&["--owner", "resolve", "blocks"])
        .code(2)
        .complains("no printed numbers of blocks");
    // And are begun with one command.
    ask(&["new", "variant", "printed", "--of", "blocks", "--owner"]).code(0);
    ask(&["--owner", "resolve", "blocks"]).code(0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_what_ifs_play() {
    for (what, words) in [
        ("stuart-early", "turn \"july2-evening\" → \"july1-noon\""),
        ("xi-corps-absent", "is not there any more"),
        ("reynolds-lives", "first_casualties true → false"),
    ] {
        let ruleset = run(&["resolve", what, "--json"]).code(0).json()["ruleset"]
            .as_str()
            .unwrap()
            .to_owned();
        let told = run(&["diff", &ruleset, what]).code(1).out;
        assert!(told.contains(words), "{words} in\n{told}");
        run(&[
            "play",
            what,
            "--seat",
            "cs=random",
            "--seat",
            "us=random",
            "--seed",
            "1863",
            "--quiet",
        ])
        .code(0);
        run(&["check", &format!("data/variants/{what}.ron")]).code(0);
    }
}

/// A data folder of this test's own: what lies beside it is the checkout's.
fn data(name: &str) -> PathBuf {
    let to = folder(name).join("data");
    copy(&root().join("data"), &to);
    to
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The words that play a game of two random players into a file.
fn random_game<'a>(scenario: &'a str, seed: &'a str, file: &'a str) -> [&'a str; 11] {
    let [cs, us] = ["cs=random", "us=random"];
    [
        "play",
        scenario,
        "--seat",
        cs,
        "--seat",
        us,
        "--seed",
        seed,
        "--quiet",
        "--autosave",
        file,
    ]
}

#[test]
fn a_scenario_can_be_another_one_with_something_changed() {
    let data = data("scenario");
    let at = data.to_str().unwrap();
    let run = |args: &[&str]| Ran::of(cupola().env("CUPOLA_DATA", at).args(args).output().unwrap());
    run(&["new", "scenario", "short-day", "--of", "corps20/july1"]).code(0);
    let file = data.join("rulesets/corps20/battles/gettysburg/scenarios/short-day.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace(
        "change: [",
        "change: [set(path: \"scenario/last\", to: \"july1-noon\"),",
    );
    std::fs::write(&file, &text).unwrap();
    let told = run(&["diff", "corps20/july1", "corps20/short-day"])
        .code(1)
        .out;
    assert!(
        told.contains("last \"july1-dusk\" → \"july1-noon\""),
        "{told}"
    );
    let game = data.join("game.cupola");
    let game = game.to_str().unwrap();
    run(&random_game("corps20/short-day", "3", game)).code(0);
    run(&["replay", game, "--verify"]).code(0);
    // One made of the middle of a game begins there.
    let from = format!("{game}@5");
    run(&["new", "scenario", "in-the-midst", "--from", &from]).code(0);
    let midst = run(&["replay", game, "--at", "5", "--json"]).code(0).json();
    let again = data.join("again.cupola");
    let again = again.to_str().unwrap();
    run(&random_game("corps20/in-the-midst", "9", again)).code(0);
    run(&["replay", again, "--verify"]).code(0);
    let start = run(&["replay", again, "--at", "0", "--json"])
        .code(0)
        .json();
    assert_eq!(start["view"]["units"], midst["view"]["units"]);
    assert_eq!(start["view"]["decision"], midst["view"]["decision"]);
    // What is wrong with one is told in it.
    let bad = |text: &str, words: &str| {
        std::fs::write(&file, text).unwrap();
        run(&["resolve", "corps20/short-day"])
            .code(2)
            .complains(words);
    };
    bad(
        &text.replace("base: \"july1\"", "base: \"july11\""),
        "short-day.ron:6:11: base: corps20 has no scenario \"july11\"; did you mean \"july1\"?",
    );
    bad(
        &text.replace("base: \"july1\"", "base: \"short-day\""),
        "is based on this scenario in turn",
    );
    bad(
        &text.replace("change: [", "change: [remove_phase(\"recovery\"),"),
        "a scenario changes values only",
    );
    bad(
        &text.replace("july1-noon", "july1-nonn"),
        "change[0].to: scenario/last: ",
    );
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

#[test]
fn a_refused_journal_is_told_what_changed_since() {
    let data = data("since");
    let run = |args: &[&str]| {
        Ran::of(
            cupola()
                .env("CUPOLA_DATA", &data)
                .args(args)
                .output()
                .unwrap(),
        )
    };
    let game = data.join("game.cupola");
    let game = game.to_str().unwrap();
    run(&random_game("corps20/july1", "3", game)).code(0);
    let file = data.join("rulesets/corps20/battles/gettysburg/counters.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replacen(
            "strength: (2, printed(\"002 7.14 example\"))",
            "strength: (3, printed(\"002 7.14 example\"))",
            1,
        ),
    )
    .unwrap();
    let told = run(&["replay", game, "--verify"]).code(1).out;
    assert!(told.contains("Heth’s Division: strength 2 → 3"), "{told}");
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

#[test]
fn scaffolds_run_as_they_are() {
    let folder = folder("new");
    for ruleset in ["corps20", "blocks", "blindswords", "gbacw", "classic"] {
        let name = format!("my-{ruleset}");
        in_folder(&folder, &["new", "variant", &name, "--of", ruleset]).code(0);
        let file = format!("{name}.ron");
        in_folder(&folder, &["check", &file]).code(0);
        in_folder(&folder, &["diff", ruleset, &file]).code(1);
        // What stands there to be copied can be played, too.
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        // Fifteen scenarios would take their time, and nobody has a player turn there.
        let changes = ["remove_phase", "move_phase"].iter();
        for change in changes.filter(|_| ruleset != "gbacw") {
            let line = format!("// {change}");
            assert!(text.contains(&line), "{text}");
            std::fs::write(folder.join(&file), text.replace(&line, change)).unwrap();
            in_folder(&folder, &["check", &file]).code(0);
        }
    }
    // What is begun from a variant stands on top of it; it was compared without it.
    let begun = ["new", "variant", "later", "--of", "stuart-early"];
    let told = in_folder(&folder, &begun).code(0).out;
    assert!(
        told.contains(" diff stuart-early stuart-early+later.ron\n"),
        "{told}"
    );
    let both = ["diff", "stuart-early", "stuart-early+later.ron"];
    let told = in_folder(&folder, &both).code(1).out;
    assert_eq!(told.lines().count(), 2, "{told}");
    in_folder(&folder, &["new", "variant", "my-blocks", "--of", "blocks"])
        .code(2)
        .complains("there already");
    in_folder(&folder, &["new", "variant", "My Variant", "--of", "blocks"])
        .code(2)
        .complains("small letters");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_empty_variant_is_the_same_rules() {
    let folder = folder("empty");
    let file = variant(&folder, "empty", "");
    let out = folder.join("lab");
    let told = run(&[
        "lab",
        "test",
        "corps20",
        &file,
        "--out",
        out.to_str().unwrap(),
    ])
    .code(0)
    .out;
    assert!(told.contains("both are the same rules"), "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_battle_can_be_begun_from_another() {
    let data = data("battle");
    let run = |args: &[&str]| {
        Ran::of(
            cupola()
                .env("CUPOLA_DATA", &data)
                .args(args)
                .output()
                .unwrap(),
        )
    };
    let told = run(&["new", "battle", "wheatfield"]).code(0).out;
    assert!(
        told.contains("cupola play classic/wheatfield-wickerby"),
        "{told}"
    );
    assert!(told.contains("cupola play blocks/wheatfield\n"), "{told}");
    // What was derived is as `derive` would write it for the new battle.
    for ruleset in ["corps20", "blindswords"] {
        let told = run(&["derive", ruleset, "wheatfield", "--check"]).code(0);
        assert!(!told.out.contains("derive it again"), "{}", told.out);
        run(&["check", "--ruleset", ruleset]).code(0);
    }
    run(&["new", "battle", "wheatfield"])
        .code(2)
        .complains("there already");
    run(&["new", "battle", "other", "--of", "trainig"])
        .code(2)
        .complains("did you mean \"training\"?");
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

#[test]
fn a_file_that_is_not_there_is_told_as_a_file() {
    let here = folder("missing-file");
    variant(&here, "my-variant", "");
    for missing in ["/nowhere/mine.ron", "./mine.ron", "mine.ron"] {
        let told = in_folder(&here, &["resolve", missing]).code(2);
        assert!(told.err.contains(missing), "{}", told.err);
        assert!(!told.err.contains("no ruleset"), "{}", told.err);
    }
    in_folder(&here, &["resolve", "my-varant.ron"])
        .code(2)
        .complains("my-variant.ron");
}
