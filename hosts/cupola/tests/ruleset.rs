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

/// A ruleset of one's own, in which files are changed one at a time.
struct Workbench {
    own: PathBuf,
}

impl Workbench {
    fn new(name: &str) -> Workbench {
        let own = folder(name);
        with_own(&own, &["new", "ruleset", "my-game"]).code(0);
        Workbench { own }
    }

    /// What the program says of it while a file is changed.
    fn with(&self, file: &str, (was, is): (&str, &str), args: &[&str]) -> Ran {
        let path = self.own.join("cupola/rulesets/my-game").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(was), "{file}: {was}");
        std::fs::write(&path, text.replacen(was, is, 1)).unwrap();
        let ran = with_own(&self.own, args);
        std::fs::write(&path, text).unwrap();
        ran
    }
}

/// What was copied from elsewhere, misspelt or forgotten, told by `check` with the line of the file that says so.
#[test]
fn what_a_ruleset_says_of_itself_is_held_against_what_there_is() {
    let bench = Workbench::new("says-of-itself");
    let ruleset = "ruleset.ron";
    let turns = "battles/training/turns.ron";
    let counters = "battles/training/counters.ron";
    for (file, change, told) in [
        (
            turns,
            ("\"my-game\"", "\"blocks\""),
            "turns.ron:3:14: ruleset: \"blocks\", but the file lies in the folder of \"my-game\"",
        ),
        (
            counters,
            ("battle: \"training\"", "battle: \"gettysburg\""),
            "counters.ron:5:13: battle: \"gettysburg\", but the file lies in the folder of the battle \"training\"",
        ),
        (
            ruleset,
            ("Some(\"training\")", "Some(\"trainin\")"),
            "ruleset.ron:14:13: battle: no folder battles/trainin; did you mean \"training\"?",
        ),
        (
            ruleset,
            ("Some(\"common\")", "Some(\"comon\")"),
            "ruleset.ron:13:15: built_on: no rules \"comon\" are in this program; did you mean \"common\"?",
        ),
        (
            ruleset,
            ("\"terms.ron\"", "\"term.ron\""),
            "ruleset.ron:21:42: files[2]: \"term.ron\": no such file in ",
        ),
        (
            ruleset,
            ("\"terms.ron\"", "\"../terms.ron\""),
            "ruleset.ron:21:42: files[2]: \"../terms.ron\": expected the plain name of a file",
        ),
        (
            ruleset,
            ("\"terms.ron\"", "\"rules.ron\""),
            "ruleset.ron:21:42: files[2]: \"rules.ron\": is listed already",
        ),
        (
            ruleset,
            ("\"rules.ron\", ", ""),
            "ruleset.ron:21:12: files: the rules read \"rules.ron\", which is not listed",
        ),
        (
            ruleset,
            (
                "\"assault\": \"odds\"",
                "\"assault\": \"odds\", \"assault\": \"differential\"",
            ),
            "ruleset.ron:20:33: combat.assault: a second \"assault\"; the first is in line 20",
        ),
        (
            ruleset,
            ("once(\"victory\")", "sides([]), once(\"victory\")"),
            "ruleset.ron:18:9: sequence[1]: no phase is named here",
        ),
        (
            ruleset,
            ("\"rally\"]", "\"blocks.supply\"]"),
            "which ruleset “my-game” does not have",
        ),
    ] {
        let ran = bench.with(file, change, &["check", "--ruleset", "my-game"]);
        assert!(ran.out.contains(told), "{told}\n{}", ran.out);
        assert_eq!(ran.code, 1, "{told}");
    }
    std::fs::remove_dir_all(bench.own).unwrap();
}

/// Whoever looks at the list sees what cannot be played before he tries.
#[test]
fn the_list_tells_what_does_not_fit() {
    let bench = Workbench::new("listed");
    let good = with_own(&bench.own, &["list"]).code(0).out;
    assert!(!good.contains("does not fit"), "{good}");
    for (change, told) in [
        (
            ("\"rally\"]", "\"raly\"]"),
            "no phase “raly” is registered; did you mean \"rally\"?",
        ),
        (
            ("\"rally\"]", "\"blocks.supply\"]"),
            "phase “blocks.supply” needs the state cupola_blocks::state::Block",
        ),
        (
            ("once(\"victory\")", "once(\"movement\")"),
            "and stands here once for both",
        ),
        (
            ("\"assault\": \"odds\"", "\"assault\": \"volley\""),
            "combat system “volley” is made for “fire”, not for “assault”",
        ),
    ] {
        let list = bench.with("ruleset.ron", change, &["list"]).code(0).out;
        let lines: Vec<&str> = list.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("  my-game "));
        let below = lines[at.unwrap() + 1];
        assert!(below.contains("does not fit: "), "{below}");
        assert!(below.contains(told), "{told}\n{below}");
    }
    let variant = bench.own.join("cupola/variants/odd.ron");
    std::fs::create_dir_all(variant.parent().unwrap()).unwrap();
    let text =
        "(base: \"my-game\", name: \"odd\", title: \"Odd\", change: [remove_phase(\"rout\")])";
    std::fs::write(&variant, text).unwrap();
    let list = with_own(&bench.own, &["list"]).code(0).out;
    assert!(list.contains("odd.ron:1:"), "{list}");
    std::fs::remove_dir_all(bench.own).unwrap();
}

/// The two scripts of the chapter, in a ruleset of one's own: what is told to copy passes the suite.
#[test]
fn the_scripts_of_the_book_pass_the_suite() {
    let bench = Workbench::new("scripted");
    let page = common::root().join("book/src/authors/without-compiler.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = |with: &str| {
        let mut blocks = page.split("```rust,ignore\n").skip(1);
        let found = blocks.find(|block| block.starts_with(with)).unwrap();
        found.split("```").next().unwrap().to_owned()
    };
    let game = bench.own.join("cupola/rulesets/my-game");
    std::fs::write(game.join("duel.rhai"), block("fn modifiers(fight)")).unwrap();
    std::fs::write(game.join("village.rhai"), block("fn whose()")).unwrap();
    let file = game.join("ruleset.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    let scripted = text
        .replace(
            "\"terms.ron\"",
            "\"terms.ron\", \"duel.rhai\", \"village.rhai\"",
        )
        .replace("\"assault\": \"odds\"", "\"assault\": \"duel.rhai\"")
        .replace(
            "once(\"victory\")",
            "once(\"victory\"), once(\"village.rhai\")",
        );
    std::fs::write(&file, scripted).unwrap();
    let args = ["check", "--ruleset", "my-game", "--conformance"];
    let suite = with_own(&bench.own, &args).code(0).out;
    assert!(suite.contains("fights rolled"), "{suite}");
    // A word that nobody knows is told before anybody plays, at its line.
    for (file, change, told) in [
        (
            "village.rhai",
            ("recall(holder) > 0", "recal(holder) > 0"),
            "village.rhai:7:19: Function not found: recal",
        ),
        (
            "village.rhai",
            ("\"held\"", "\"hold\""),
            "common has no answer to \"hold\"; did you mean \"held\"?",
        ),
        (
            "duel.rhai",
            ("unit.strength", "unit.strenght"),
            "common has no answer to \"strenght\"; did you mean \"strength\"?",
        ),
    ] {
        let ran = bench.with(file, change, &["check", "--ruleset", "my-game"]);
        assert!(ran.out.contains(told), "{told}\n{}", ran.out);
        assert_eq!(ran.code, 1, "{told}");
    }
    std::fs::remove_dir_all(bench.own).unwrap();
}
