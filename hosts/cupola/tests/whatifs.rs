//! What-ifs: scenarios that are another one with something changed, in every ruleset, in ten lines.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{Ran, cupola, root, temporary};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of the user's own.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        Home::at(temporary(name))
    }

    fn at(folder: PathBuf) -> Home {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Home(folder)
    }

    fn command(&self) -> Command {
        let mut command = cupola();
        command
            .env("XDG_CONFIG_HOME", &self.0)
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command().args(args).output().unwrap())
    }

    /// A scenario of the user's own.
    fn scenario(&self, ruleset: &str, name: &str, text: &str) -> PathBuf {
        let folder = self.0.join("cupola/scenarios").join(ruleset);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}.ron"));
        std::fs::write(&file, text).unwrap();
        file
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// A game between two who do not think, saved.
    fn play(&self, what: &str, game: &str, more: &[&str]) -> String {
        let file = self.path(game);
        let sides = if what.starts_with("classic") {
            ["north=random", "south=random"]
        } else {
            ["cs=random", "us=random"]
        };
        let mut args = vec![
            "play", what, "--seat", sides[0], "--seat", sides[1], "--seed", "7", "--quiet",
        ];
        args.extend(["--autosave", &file]);
        args.extend(more);
        self.run(&args).code(0);
        self.run(&["replay", &file, "--verify"]).code(0);
        file
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Ruleset, scenario, what the what-if says, and what of it is told: path and value.
type WhatIf = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const WHAT_IFS: [WhatIf; 5] = [
    (
        "corps20",
        "july1",
        r#"last: "july1-evening",
    stand: {"us-cav-1": "15.10"},
    arrive: {"cs-iii-pender": (turn: "july1-morning", at: "CP")},
    absent: ["us-iii"],"#,
        &[
            ("scenario/last", "\"july1-evening\""),
            ("counters/buford/entry/at", "\"15.10\""),
            ("counters/pender/entry/turn", "\"july1-morning\""),
        ],
    ),
    (
        "blocks",
        "day1",
        r#"last: "day1-1500",
    stand: {"us-cav-1-1": "G6"},
    arrive: {"us-xi": (turn: "day1-0900", at: "emmitsburg")},
    absent: ["us-iii"],"#,
        &[
            ("scenario/last", "\"day1-1500\""),
            ("campaign/starts/us-ames/start", "day1-0900"),
            ("campaign/starts/us-hq-howard/start", "day1-0900"),
            ("campaign/starts/us-ward/start", "off"),
        ],
    ),
    (
        "blindswords",
        "main",
        r#"last: "1200",
    stand: {"us-gamble-1": "2319"},
    arrive: {"cs-iii-pender-perrin": (turn: "1000", at: "1626")},
    victory: hexes(["McPherson Farm", "Lutheran Seminary"]),"#,
        &[
            ("scenario/last", "\"1200\""),
            ("counters/us-gamble-1/entry/at", "2319"),
            ("counters/cs-perrin-2/entry/turn", "\"1000\""),
        ],
    ),
    (
        "gbacw",
        "to-stop",
        r#"stand: {"cs-iii-pender-scales-38nc": "A3502"},
    absent: ["cs-iii-pender-scales-34nc"],"#,
        &[(
            "scenario/setup/unit=cs-iii-pender-scales-38nc/at",
            "\"A3502\"",
        )],
    ),
    (
        "classic",
        "wickerby",
        r#"last: "6",
    stand: {"north-i-2-1": "0406"},
    arrive: {"south-cav": (turn: "2", at: "from-southgate")},
    absent: ["north-i-art-orrin"],"#,
        &[
            ("scenario/start/sable", "\"0406\""),
            ("scenario/arrivals/unit=dorning/turn", "\"2\""),
        ],
    ),
];

#[test]
fn a_what_if_is_ten_lines_in_every_ruleset() {
    let home = Home::new("whatifs");
    let mut wrong = vec![];
    for (ruleset, base, says, values) in WHAT_IFS {
        let battle = if ruleset == "classic" {
            "training"
        } else {
            "gettysburg"
        };
        let text = format!(
            "(\n    title: \"What if\",\n    battle: {battle:?},\n    base: {base:?},\n    {says}\n)\n"
        );
        home.scenario(ruleset, "what-if", &text);
        let what = format!("{ruleset}/what-if");
        for (path, value) in values {
            let told = home.run(&["resolve", &what, path, "--json"]);
            if told.code != 0 {
                wrong.push(format!("{what} {path}: {}", told.err));
                break;
            }
            // A start of several words is several values.
            let all = told.json()["values"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let all: Vec<&str> = all.iter().filter_map(|v| v["value"].as_str()).collect();
            if !all.join(" ").contains(value) {
                wrong.push(format!("{what} {path}: {all:?}, expected {value}"));
            }
        }
        if wrong.is_empty() {
            home.play(&what, "game.cupola", &[]);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Who is not there is not there.
    let told = home
        .run(&["diff", "corps20/july1", "corps20/what-if"])
        .code(1)
        .out;
    assert!(told.contains("III Corps: is not there any more"), "{told}");
}

#[test]
fn slips_of_a_what_if_are_told_at_their_place() {
    let home = Home::new("slips");
    let told = |says: &str| {
        let text = format!(
            "(\n    title: \"x\",\n    battle: \"gettysburg\",\n    base: \"july1\",\n    {says}\n)\n"
        );
        home.scenario("corps20", "slip", &text);
        home.run(&["resolve", "corps20/slip"]).code(2).err
    };
    for (says, words) in [
        (
            "absent: [\"us-xii\", \"us-xj\"],",
            "slip.ron:5:24: absent[1]: no \"us-xj\" in counters",
        ),
        ("stand: {\"us-cav-1\": \"99.99\"},", "slip.ron:5:"),
        (
            "arrive: {\"us-xi\": (turn: \"july9\", at: \"EM\")},",
            "slip.ron:5:",
        ),
        ("lst: \"july1-noon\",", "slip.ron:5:"),
        (
            "stand: {\"us-xi\": \"15.10\"}, absent: [\"us-howard\"],",
            "is put somewhere by another line",
        ),
        (
            "under: [\"no-rian\"],",
            "under[0]: no variant \"no-rian\"; did you mean \"no-rain\"?",
        ),
    ] {
        let err = told(says);
        assert!(err.contains(words), "{says}: expected {words} in\n{err}");
    }
}

#[test]
fn a_scenario_of_a_game_under_variants_names_them() {
    let home = Home::new("under");
    let own = home.path("own.ron");
    let variant = "(base: \"corps20\", name: \"own\", title: \"Own\", change: [set(path: \"counters/heth/strength\", to: 4)])\n";
    std::fs::write(&own, variant).unwrap();
    let more = ["--variant", "no-rain", "--variant", &own];
    let game = home.play("corps20/july1", "game.cupola", &more);
    let to = home.0.join("cupola/scenarios/corps20/midst.ron");
    let from = format!("{game}@5");
    home.run(&[
        "new",
        "scenario",
        "midst",
        "--from",
        &from,
        "--to",
        to.to_str().unwrap(),
    ])
    .code(0);
    let text = std::fs::read_to_string(&to).unwrap();
    assert!(
        text.contains("under: [\"no-rain\", (base: \"corps20\""),
        "{text}"
    );
    let midst = home
        .run(&["replay", &game, "--at", "5", "--json"])
        .code(0)
        .json();
    let again = home.play("corps20/midst", "again.cupola", &[]);
    let start = home
        .run(&["replay", &again, "--at", "0", "--json"])
        .code(0)
        .json();
    assert_eq!(start["view"]["units"], midst["view"]["units"]);
    assert_eq!(start["view"]["decision"], midst["view"]["decision"]);
    let told = home.run(&[
        "resolve",
        "corps20/midst",
        "counters/heth/strength",
        "--json",
    ]);
    let told = told.code(0).json();
    assert_eq!(told["values"][0]["value"], "4");
    assert_eq!(told["values"][0]["changed"]["by"], "own");
    // What the scenario is played under cannot be changed once more by another.
    std::fs::write(
        home.path("other.ron"),
        variant.replace("own", "other").replace("4", "5"),
    )
    .unwrap();
    home.run(&["resolve", "corps20/midst+other.ron"])
        .code(2)
        .complains("is changed by the variant “own” as well");
}

#[test]
fn a_scenario_from_an_empty_folder_is_played_at_once() {
    // Outside the checkout, whose data folder would be found from below.
    let empty = std::env::temp_dir().join(format!("cupola-empty-{}", std::process::id()));
    let home = Home::at(empty);
    let run = |args: &[&str]| {
        let mut command = home.command();
        Ran::of(
            command
                .env_remove("CUPOLA_DATA")
                .args(args)
                .output()
                .unwrap(),
        )
    };
    let made = run(&["new", "scenario", "short", "--of", "corps20/july1"])
        .code(0)
        .out;
    let file = home.0.join("cupola/scenarios/corps20/short.ron");
    assert!(made.contains(file.to_str().unwrap()), "{made}");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("// last: \"…\"", "last: \"july1-noon\""),
    )
    .unwrap();
    run(&[
        "play",
        "corps20/short",
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
    ])
    .code(0);
    assert!(
        run(&["list"]).code(0).out.contains("short"),
        "it is on the list"
    );
    run(&["new", "scenario", "short", "--of", "corps20/july1"])
        .code(2)
        .complains("there already");
}

#[test]
fn troops_are_found_by_the_army_list_wherever_a_path_is_read() {
    let home = Home::new("troops");
    let told = home
        .run(&["resolve", "corps20", "counters/under=us-xi", "--json"])
        .code(0)
        .json();
    assert_eq!(told["values"][0]["path"], "counters/us-howard/id");
    let swept = home.run(&[
        "lab",
        "sweep",
        "corps20/july1",
        "--value",
        "counters/under=us-xi/strength=2,4",
        "--pairs",
        "2",
        "--out",
        &home.path("sweep"),
    ]);
    assert!(
        swept.code(0).out.contains("us-howard"),
        "the counter under the node"
    );
    let position = "(ruleset: \"corps20\", scenario: \"july1\", turn: \"july1-noon\", phase: \"movement\", side: \"us\",\n\
                    change: [set(path: \"counters/under=us-xi/strength\", to: 6)], state: ())\n";
    std::fs::write(home.path("p.ron"), position).unwrap();
    home.run(&["moves", "p.ron"]).code(0);
}

/// Waits until a page says something.
fn until(page: &Path, words: &str) -> bool {
    for _ in 0..600 {
        let text = std::fs::read_to_string(page).unwrap_or_default();
        if text.contains(words) {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    false
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_ground_that_is_edited_is_drawn_in_the_same_loop() {
    let home = Home::new("ground");
    let data = home.0.join("data");
    copy(&root().join("data"), &data);
    let page = home.0.join("watch.html");
    let mut watch = home
        .command()
        .env("CUPOLA_DATA", &data)
        .args(["watch", "classic/wickerby"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let drawn = until(&page, "<svg");
    let cover = data.join("battlefields/training/cover.geojson");
    let text = std::fs::read_to_string(&cover).unwrap();
    // The village burns down, and a wood grows.
    std::fs::write(
        &cover,
        text.replacen("\"kind\":\"town\"", "\"kind\":\"woods\"", 1),
    )
    .unwrap();
    let told = until(&page, "town → woods");
    // Another size of hexes: the same names are other places.
    let grid = data.join("rulesets/classic/battles/training/grid.ron");
    let text = std::fs::read_to_string(&grid).unwrap();
    std::fs::write(&grid, text.replace("x: 2010.0", "x: 2210.0")).unwrap();
    let moved = until(&page, "m from there now");
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert!(
        drawn && told && moved,
        "drawn {drawn}, told {told}, moved {moved}"
    );
}

/// Whatever line or file brings troops, `absent` keeps them away; in gbacw lines for whole brigades and files that scenarios share do.
#[test]
fn who_is_absent_stays_away_whatever_would_bring_him() {
    let home = Home::new("absent");
    for (ruleset, base, who) in [
        ("blocks", "campaign", "us-xi"),
        ("blindswords", "main", "us-xi"),
        ("classic", "first-day", "us-xi"),
        ("gbacw", "to-stop", "cs-iii-pender-perrin"),
        ("gbacw", "face-to-the-enemy", "us-cav-1-1"),
        // Gunners and movers of its lists are among them.
        ("gbacw", "face-to-the-enemy", "us-xi"),
        ("gbacw", "terrible-swift-sword", "us-xi"),
    ] {
        let text = format!(
            "(title: \"Without\", battle: \"gettysburg\", base: {base:?}, absent: [{who:?}])\n"
        );
        home.scenario(ruleset, "without", &text);
        let what = format!("{ruleset}/without");
        home.run(&["moves", &what]).code(0);
        home.run(&["diff", &format!("{ruleset}/{base}"), &what])
            .code(1);
        if base == "to-stop" {
            let game = home.play(&what, "without.cupola", &[]);
            let choices = std::fs::read_to_string(game).unwrap();
            let choices: Vec<&str> = choices
                .lines()
                .filter(|line| line.contains(" cs "))
                .collect();
            assert!(choices.len() > 20, "{choices:?}");
            assert!(
                choices.iter().all(|line| !line.contains("perrin")),
                "{choices:?}"
            );
        }
    }
}

/// A game of a scenario that begins in the middle was made into one that began where its base did, and did not fit.
#[test]
fn a_scenario_from_the_middle_of_one_from_the_middle() {
    let home = Home::new("twice");
    let game = home.play("corps20/july1", "first.cupola", &[]);
    let folder = home.0.join("cupola/scenarios/corps20");
    std::fs::create_dir_all(&folder).unwrap();
    let made = |from: &str, name: &str| {
        let to = folder.join(format!("{name}.ron"));
        let args = ["new", "scenario", name, "--from", from, "--to"];
        home.run(&[&args[..], &[to.to_str().unwrap()]].concat())
            .code(0);
    };
    made(&format!("{game}@9"), "nine");
    let game = home.play("corps20/nine", "second.cupola", &[]);
    made(&format!("{game}@4"), "four-more");
    let view = |what: &[&str]| home.run(what).code(0).json()["view"].clone();
    let later = home.play("corps20/four-more", "third.cupola", &[]);
    let there = view(&["replay", &game, "--at", "4", "--json"]);
    let here = view(&["replay", &later, "--at", "0", "--json"]);
    assert!(!there.is_null());
    assert_eq!(there["units"], here["units"]);
    let told = home
        .run(&["diff", "corps20/july1", "corps20/four-more"])
        .code(1)
        .out;
    assert!(told.contains("after 13 choices"), "{told}");
}

/// Who is named and has no counter was answered with the names of fields.
#[test]
fn whoever_has_no_counter_is_told_so() {
    let home = Home::new("nobody");
    for (who, words) in [
        (
            "cs-cav",
            "\"cs-cav\" stands in the army list, but no counter stands for anybody of it",
        ),
        (
            "nobody",
            "no \"nobody\" in counters; whoever is meant is a counter, or stands in the army list",
        ),
    ] {
        let text =
            format!("(title: \"x\", battle: \"gettysburg\", base: \"main\", absent: [{who:?}])\n");
        home.scenario("blindswords", "slip", &text);
        let told = home.run(&["resolve", "blindswords/slip"]).code(2).err;
        assert!(told.contains(words), "{told}");
    }
}

/// Three rulesets of five let a what-if put troops among the enemy.
#[test]
fn nobody_begins_among_the_enemy() {
    let home = Home::new("among");
    for (ruleset, base, who, hex, words) in [
        (
            "corps20",
            "july1",
            "us-cav-1",
            "19.03",
            "begin in 19.03, and are enemies",
        ),
        (
            "blindswords",
            "main",
            "us-gamble-1",
            "1626",
            "begin in 1626, and are enemies",
        ),
        (
            "gbacw",
            "to-stop",
            "cs-iii-pender-scales-38nc",
            "B3732",
            "begin in B3732, and are enemies",
        ),
    ] {
        let text = format!(
            "(\n    title: \"x\", battle: \"gettysburg\", base: {base:?},\n    stand: {{{who:?}: {hex:?}}},\n)\n"
        );
        home.scenario(ruleset, "among", &text);
        let told = home
            .run(&["moves", &format!("{ruleset}/among")])
            .code(2)
            .err;
        assert!(
            told.contains("among.ron:3:") && told.contains(words),
            "{told}"
        );
    }
}

/// Where troops stand in a what-if was told to be printed.
#[test]
fn what_a_what_if_says_is_its_own() {
    let home = Home::new("own-origin");
    let text = "(title: \"Early\", battle: \"gettysburg\", base: \"july1\", stand: {\"us-cav-1\": \"15.10\"})\n";
    home.scenario("corps20", "early", text);
    let told = home.run(&[
        "resolve",
        "corps20/early",
        "counters/buford/entry/at",
        "--json",
    ]);
    let told = told.code(0).json();
    assert_eq!(told["values"][0]["value"], "\"15.10\"");
    assert_eq!(told["values"][0]["origin"], "house: Early");
}
