//! A scenario or a position that is a file somewhere can be named wherever one of the data folder can.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{Ran, cupola, root, temporary};
use std::path::PathBuf;
use std::process::Stdio;

/// A folder of this test's own, gone when the test is over.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Desk {
        let folder = temporary(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Desk(folder)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = cupola();
        command.current_dir(&self.0).env("XDG_CONFIG_HOME", &self.0);
        Ran::of(command.args(args).stdin(Stdio::null()).output().unwrap())
    }

    /// A game between two who do not think.
    fn play(&self, what: &[&str], game: &str) -> Ran {
        let seats = ["--seat", "cs=random", "--seat", "us=random", "--seed", "7"];
        let kept = ["--quiet", "--autosave", game];
        self.run(&[&["play"], what, &seats, &kept].concat())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const NOON: &str = r#"(
    title: "Until noon",
    battle: "gettysburg",
    base: "july1",
    last: "july1-noon",
)
"#;

#[test]
fn a_scenarios_file_is_played_and_its_journal_brings_it_along() {
    let desk = Desk::new("scenario");
    desk.write("until-noon.ron", NOON);
    // With its ruleset, as one word or as two, and without: only one ruleset has what it changes.
    desk.play(&["corps20", "until-noon.ron"], "two.cupola")
        .code(0);
    desk.play(&["corps20/./until-noon.ron"], "one.cupola")
        .code(0);
    desk.play(&["until-noon.ron"], "none.cupola").code(0);
    let read = |game: &str| std::fs::read_to_string(desk.0.join(game)).unwrap();
    let game = read("two.cupola");
    assert_eq!(game, read("one.cupola"));
    assert_eq!(game, read("none.cupola"));
    assert!(game.contains("scenario until-noon\ntext 6\n"), "{game}");
    assert!(game.contains("\n    last: \"july1-noon\",\n"), "{game}");
    // The file is gone; the game is whole.
    std::fs::remove_file(desk.0.join("until-noon.ron")).unwrap();
    desk.run(&["replay", "two.cupola", "--verify"]).code(0);
    desk.run(&["check", "two.cupola"]).code(0);
    desk.run(&["play", "--load", "two.cupola", "--quiet"])
        .code(0);
    // And is refused if the scenario in it was changed.
    desk.write("bent.cupola", &game.replace("july1-noon", "july1-night"));
    desk.run(&["replay", "bent.cupola", "--verify"]).code(2);
    // A game of the data folder's own has no need of it.
    desk.play(&["corps20/july1"], "plain.cupola").code(0);
    assert!(!read("plain.cupola").contains("\ntext "));
}

#[test]
fn a_scenarios_file_can_be_named_by_every_command() {
    let desk = Desk::new("commands");
    desk.write("until-noon.ron", NOON);
    desk.write(
        "plans/until-noon.ron",
        &NOON.replace("july1-noon", "july1-evening"),
    );
    let told = desk.run(&["check", "until-noon.ron"]).code(0).out;
    assert!(told.contains("(scenario): corps20, gettysburg"), "{told}");
    let told = desk
        .run(&["diff", "corps20/july1", "until-noon.ron"])
        .code(1)
        .out;
    assert!(
        told.contains("last \"july1-dusk\" → \"july1-noon\""),
        "{told}"
    );
    // Two files of one name are two scenarios.
    let told = desk
        .run(&["diff", "until-noon.ron", "plans/until-noon.ron"])
        .code(1)
        .out;
    assert!(told.contains("last"), "{told}");
    let told = desk
        .run(&["resolve", "corps20/until-noon.ron", "scenario/last"])
        .code(0)
        .out;
    assert!(told.contains("july1-noon"), "{told}");
    desk.run(&["draw", "until-noon.ron", "--svg", "noon.svg"])
        .code(0);
    desk.run(&["draw", "corps20/july1", "--svg", "july1.svg"])
        .code(0);
    desk.run(&["moves", "corps20/until-noon.ron+no-rain"])
        .code(0);
    desk.run(&["watch", "corps20/until-noon.ron", "--once"])
        .code(0);
    let page = std::fs::read_to_string(desk.0.join("watch.html")).unwrap();
    assert!(page.contains("choices"), "{page}");
    let lab = [
        "lab",
        "test",
        "corps20/july1",
        "until-noon.ron",
        "--metric",
        "length",
    ];
    let lab = desk.run(&[&lab[..], &["--max-pairs", "16", "--out", "lab"]].concat());
    assert!(lab.code < 2, "{}\n{}", lab.out, lab.err);
    // The hours of a battle, too.
    let hours = root().join("data/scenarios/gettysburg-july1.ron");
    let hours = std::fs::read_to_string(hours).unwrap();
    desk.write("hours.ron", &hours);
    let lab = [
        "lab",
        "test",
        "corps20",
        "corps20+no-rain",
        "--metric",
        "length",
    ];
    let more = [
        "--scenario",
        "hours.ron",
        "--max-pairs",
        "16",
        "--out",
        "hours",
    ];
    let lab = desk.run(&[&lab[..], &more].concat());
    assert!(lab.code < 2, "{}\n{}", lab.out, lab.err);
    desk.run(&["new", "variant", "slow", "--of", "until-noon.ron"])
        .code(0);
    desk.run(&["check", "slow.ron"]).code(0);
    // What is made in a file says how it is played.
    let made = ["new", "scenario", "late", "--of", "corps20/july1"];
    let told = desk
        .run(&[&made[..], &["--to", "late.ron"]].concat())
        .code(0)
        .out;
    assert!(told.contains("cupola play corps20/late.ron"), "{told}");
    // A scenario of the middle of a game can only be based on what others find.
    desk.play(&["until-noon.ron"], "noon.cupola").code(0);
    let middle = [
        "new",
        "scenario",
        "middle",
        "--from",
        "noon.cupola@5",
        "--to",
        "middle.ron",
    ];
    desk.run(&middle).code(2).complains("lay its file into");
    desk.write("cupola/scenarios/corps20/until-noon.ron", NOON);
    desk.run(&middle).code(0);
}

#[test]
fn a_whole_scenario_is_known_by_the_ruleset_that_understands_it() {
    let desk = Desk::new("whole");
    let own = root().join("data/rulesets/blocks/battles/gettysburg/scenarios/day1.ron");
    let text = std::fs::read_to_string(&own).unwrap();
    desk.write("short-day.ron", &text.replace("day1-2000", "day1-1000"));
    let told = desk.run(&["check", "short-day.ron"]).code(0).out;
    assert!(told.contains("(scenario): blocks, gettysburg"), "{told}");
    // In the place where it lies it is the one that it is.
    let told = desk
        .run(&["diff", "blocks/day1", own.to_str().unwrap()])
        .code(0)
        .out;
    assert_eq!(told, "They are the same rules.\n");
    // A file of the name of a scenario that it is based on is not that one.
    desk.write("july1.ron", NOON);
    desk.play(&["corps20", "./july1.ron"], "july1.cupola")
        .code(0);
    desk.run(&["replay", "july1.cupola", "--verify"]).code(0);
}

#[test]
fn what_a_file_is_not_is_told() {
    let desk = Desk::new("wrong");
    desk.write("until-noon.ron", NOON);
    desk.write("elsewhere.ron", &NOON.replace("gettysburg", "gettysbug"));
    desk.write("baseless.ron", &NOON.replace("\"july1\"", "\"july9\""));
    desk.write("late.ron", &NOON.replace("july1-noon", "july1-nun"));
    desk.write(
        "hours.ron",
        "(id: \"x\", title: \"x\", battle: \"x\", sides: [])",
    );
    let complains = |args: &[&str], about: &[&str]| {
        let ran = desk.run(args).code(2);
        for text in about {
            assert!(
                ran.err.contains(text),
                "expected \"{text}\" in:\n{}",
                ran.err
            );
        }
    };
    let play = |what: &'static str| ["play", what, "--quiet"];
    complains(
        &["play", "corps20", "nothing.ron"],
        &["nothing.ron: no such file"],
    );
    complains(&play("nothing.ron"), &["nothing.ron"]);
    complains(
        &["play", "corps21", "until-noon.ron"],
        &["no ruleset \"corps21\"", "\"corps20\""],
    );
    complains(
        &["play", "corps20", "elsewhere.ron"],
        &[
            "elsewhere.ron:3:",
            "no battle \"gettysbug\"",
            "\"gettysburg\"",
        ],
    );
    complains(
        &["play", "corps20", "baseless.ron"],
        &["baseless.ron:4:", "no scenario \"july9\"", "\"july1\""],
    );
    complains(
        &play("late.ron"),
        &["late.ron:5:", "july1-nun", "\"july1-noon\""],
    );
    complains(
        &play("hours.ron"),
        &["hours.ron: this is no scenario, variant, position or case"],
    );
    // A scenario that several rulesets could play, or none can, wants its ruleset said.
    desk.write(
        "any.ron",
        "(title: \"x\", battle: \"gettysburg\", first: \"1\", last: \"2\")",
    );
    complains(
        &play("any.ron"),
        &["a scenario of which ruleset?", "corps20/any.ron"],
    );
    complains(
        &["play", "corps20", "any.ron"],
        &["any.ron:1:", "no turn \"1\""],
    );
    // Where a bracket is wrong nobody can tell what it is, but where the bracket is.
    desk.write("bracket.ron", &NOON.replacen('(', "((", 1));
    complains(&play("bracket.ron"), &["bracket.ron:"]);
    let told = desk.run(&["check", "bracket.ron"]).code(1).out;
    assert!(!told.contains("this is no"), "{told}");
    // What `play` says, `check` says.
    for file in ["elsewhere.ron", "baseless.ron", "late.ron"] {
        let told = desk.run(&["check", file]).code(1).out;
        assert!(told.contains(file), "{told}");
    }
}

#[test]
fn a_position_can_be_named_behind_its_ruleset() {
    let desk = Desk::new("position");
    let shelf = root().join("hosts/cupola/tests/shelf/river.ron");
    let river = std::fs::read_to_string(shelf).unwrap();
    desk.write("river.ron", &river);
    desk.play(&["corps20", "river.ron"], "river.cupola").code(0);
    desk.run(&["replay", "river.cupola", "--verify"]).code(0);
    desk.run(&["draw", "corps20/river.ron", "--svg", "river.svg"])
        .code(0);
    desk.run(&["play", "blocks", "river.ron"])
        .code(2)
        .complains("this is of corps20, and not of blocks");
    // What is missing in it is told as of a position.
    desk.write("phaseless.ron", &river.replace("phase:", "phas:"));
    desk.run(&["moves", "phaseless.ron"])
        .code(2)
        .complains("phas");
}

/// A plan lies where whoever made it keeps it, and names its battle itself.
#[test]
fn a_plan_is_checked_wherever_it_lies() {
    let desk = Desk::new("plan");
    let plan = std::fs::read_to_string(root().join("data/plans/training/weald.ron")).unwrap();
    desk.write("weald.ron", &plan);
    let told = desk.run(&["check", "weald.ron"]).code(0).out;
    assert!(told.contains("(plan): Wickerby and the ford"), "{told}");
    for (was, is, expected) in [
        ("otter-ford", "otter-frd", "did you mean \"otter-ford\"?"),
        (
            "\"training\"",
            "\"trainng\"",
            "weald.ron:4:11: battle: no battle",
        ),
    ] {
        desk.write("weald.ron", &plan.replacen(was, is, 1));
        let told = desk.run(&["check", "weald.ron"]).code(1).out;
        assert!(told.contains(expected), "{told}");
    }
}

/// A case or a position that names what is not there is told at the line where it does.
#[test]
fn a_name_in_a_case_is_told_at_its_line() {
    let desk = Desk::new("named");
    let case = root().join("tests/cases/corps20/card-ends-corps.ron");
    let case = std::fs::read_to_string(case).unwrap();
    let scenario = case.split("scenario: \"").nth(1).unwrap();
    let scenario = scenario.split('"').next().unwrap();
    let bent = case.replacen(
        &format!("scenario: \"{scenario}\""),
        "scenario: \"jly1\"",
        1,
    );
    desk.write("case.ron", &bent);
    let told = desk.run(&["check", "case.ron"]).code(1).out;
    let line = bent.lines().position(|line| line.contains("jly1")).unwrap() + 1;
    assert!(told.contains(&format!("case.ron:{line}:")), "{told}");
    assert!(
        told.contains("position.scenario: corps20 has no scenario \"jly1\""),
        "{told}"
    );
}
