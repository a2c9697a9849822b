//! The commands that look at things: list, board, roster, los, completions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{cupola, root, run, temporary};
use std::process::Stdio;

#[test]
fn list_names_rulesets_and_scenarios() {
    let list = run(&["list", "--json"]).code(0).json();
    let rulesets = list["rulesets"].as_array().unwrap();
    let names: Vec<&str> = rulesets
        .iter()
        .map(|r| r["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["blindswords", "blocks", "classic", "corps20", "gbacw"]
    );
    let corps20 = &rulesets[3];
    assert_eq!(corps20["played"], true);
    assert!(
        corps20["scenarios"]
            .as_array()
            .unwrap()
            .iter()
            .any(|s| s["name"] == "gettysburg")
    );
    let text = run(&["list"]).code(0).out;
    assert!(
        text.contains("corps20/gettysburg") && text.contains("gbacw/to-stop"),
        "{text}"
    );
}

#[test]
fn little_round_top_is_the_same_spot_on_every_board() {
    let blocks = run(&["board", "blocks", "--hex", "R7", "--json"])
        .code(0)
        .json();
    for key in [
        "terrain",
        "level",
        "lat",
        "lon",
        "elsewhere",
        "sides",
        "places",
        "height",
    ] {
        assert!(blocks.get(key).is_some(), "{key}");
    }
    assert!(
        blocks["places"]
            .as_array()
            .unwrap()
            .iter()
            .any(|place| place == "Little Round Top")
    );
    assert_eq!(
        blocks["places_elsewhere"]["Little Round Top"]["gbacw"],
        "C2118"
    );
    let (lat, lon) = (
        blocks["lat"].as_f64().unwrap(),
        blocks["lon"].as_f64().unwrap(),
    );
    assert!(
        (lat - 39.792).abs() < 0.005 && (lon + 77.236).abs() < 0.005,
        "{lat} {lon}"
    );
    // And back: the spot that gbacw calls C2118 is in R7 or right beside it.
    let gbacw = run(&["board", "gbacw", "--hex", "C2118", "--json"])
        .code(0)
        .json();
    let back = gbacw["elsewhere"]["blocks"].as_str().unwrap();
    let beside = blocks["sides"]
        .as_array()
        .unwrap()
        .iter()
        .any(|side| side["to"] == back);
    assert!(back == "R7" || beside, "{back}");
    let by_name = run(&["board", "gbacw", "--hex", "Little Round Top", "--json"])
        .code(0)
        .json();
    assert_eq!(by_name["hex"], "C2118");
    assert!(
        run(&["board", "blocks", "--hex", "R7"])
            .code(0)
            .out
            .contains("Little Round Top")
    );
}

#[test]
fn a_hex_tells_its_ridges_and_its_line_of_communications() {
    let seminary = run(&["board", "corps20", "--hex", "15.09"]).code(0).out;
    let side = seminary.lines().find(|line| line.contains(" 15.08 "));
    assert!(
        side.is_some_and(|side| side.contains("ridge")),
        "{seminary}"
    );
    let fairfield = run(&["board", "corps20", "--hex", "10.01"]).code(0).out;
    assert!(
        fairfield.contains("Fairfield Road (LOC-CS-2)"),
        "{fairfield}"
    );
}

#[test]
fn what_is_not_there_is_told_with_a_suggestion() {
    run(&["board", "block", "--hex", "R7"])
        .code(2)
        .complains("did you mean \"blocks\"?");
    run(&["board", "blocks", "--hex", "R77"])
        .code(2)
        .complains("did you mean \"R7\"?");
    run(&["board", "blocks", "--hex", "Litle Round Top"])
        .code(2)
        .complains("did you mean \"Little Round Top\"?");
    run(&["roster", "--kind", "batery"])
        .code(2)
        .complains("did you mean \"battery\"?");
    run(&["roster", "gettisburg"])
        .code(2)
        .complains("did you mean \"gettysburg\"?");
    run(&["play", "corps20/gettysbrug"])
        .code(2)
        .complains("did you mean \"gettysburg\"?");
    run(&["play", "gbacw/whole"])
        .code(2)
        .complains("gbacw has no scenario \"whole\"");
    run(&["list", "--jsn"]).code(2).complains("--json");
    run(&["--data", "/nowhere", "list"])
        .code(2)
        .complains("--data or CUPOLA_DATA");
}

#[test]
fn a_board_is_drawn() {
    let (svg, png) = (temporary("corps20.svg"), temporary("corps20.png"));
    run(&[
        "board",
        "corps20",
        "--svg",
        svg.to_str().unwrap(),
        "--png",
        png.to_str().unwrap(),
        "--width",
        "400",
    ])
    .code(0);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    run(&["board", "corps20", "--svg", "/nowhere/x.svg"])
        .code(2)
        .complains("/nowhere/x.svg: cannot be written");
}

#[test]
fn a_board_answers_in_figures() {
    let summary = run(&["board", "corps20", "--json"]).code(0).json();
    assert_eq!(summary["hexes"], 440);
    assert!(
        run(&["--no-cache", "board", "corps20"])
            .code(0)
            .out
            .contains("440 hexes")
    );
}

#[test]
fn the_roster_is_filtered() {
    let all = run(&["roster", "--json"]).code(0).json();
    assert!(all["rows"].as_array().unwrap().len() > 500);
    let guns = run(&["roster", "--army", "cs", "--kind", "battery", "--json"])
        .code(0)
        .json();
    assert!(
        guns["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["side"] == "cs" && row["kind"] == "battery")
    );
    let early = run(&["roster", "--by", "1863-07-01T09:00", "--json"])
        .code(0)
        .json();
    let (early, all) = (early["men"].as_u64().unwrap(), all["men"].as_u64().unwrap());
    assert!(0 < early && early < all / 2, "{early} of {all}");
    let text = run(&[
        "roster", "--corps", "III", "--army", "cs", "--depth", "division",
    ])
    .code(0)
    .out;
    assert!(
        text.contains("Heth") && !text.contains("Reynolds"),
        "{text}"
    );
    run(&["roster", "--name", "no such unit"]).code(1);
    run(&["roster", "--by", "noon"])
        .code(2)
        .complains("1863-07-01T08:00");
}

#[test]
fn the_roster_goes_through_csv_and_back() {
    let first = temporary("army.csv");
    run(&["roster", "--csv", first.to_str().unwrap()]).code(0);
    let again = run(&["roster", "--from", first.to_str().unwrap(), "--csv", "-"])
        .code(0)
        .out;
    assert_eq!(again, std::fs::read_to_string(&first).unwrap());
    let some = temporary("some.csv");
    run(&[
        "roster",
        "--corps",
        "XI",
        "--army",
        "us",
        "--csv",
        some.to_str().unwrap(),
    ])
    .code(0);
    let back = run(&["roster", "--from", some.to_str().unwrap(), "--json"])
        .code(0)
        .json();
    let straight = run(&["roster", "--corps", "XI", "--army", "us", "--json"])
        .code(0)
        .json();
    assert_eq!(back["men"], straight["men"]);
    let text = std::fs::read_to_string(&first)
        .unwrap()
        .replacen("infantry", "infntry", 1);
    std::fs::write(&first, text).unwrap();
    run(&["roster", "--from", first.to_str().unwrap()])
        .code(2)
        .complains("infntry");
}

#[test]
fn a_line_between_two_hexes() {
    let line = run(&["los", "blocks", "Q10", "S12", "--json"])
        .code(0)
        .json();
    assert_eq!(line["distance"], 2);
    let hexes: Vec<&str> = line["hexes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|h| h["hex"].as_str().unwrap())
        .collect();
    assert_eq!((hexes[0], hexes[hexes.len() - 1]), ("Q10", "S12"));
    assert!(
        run(&["los", "blocks", "Q10", "S12"])
            .code(0)
            .out
            .contains("level")
    );
    run(&["los", "blocks", "Q10", "S122"])
        .code(2)
        .complains("did you mean");
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).code(0).out;
        assert!(script.contains("roster"), "{shell}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = run(&["--help"]).code(0).out;
    for command in [
        "list", "board", "roster", "play", "replay", "moves", "los", "odds", "check", "engine",
        "bench",
    ] {
        assert!(help.contains(command), "{command}");
        let help = run(&[command, "--help"]).code(0).out;
        assert!(
            help.contains("xample") && help.contains(&format!("cupola {command}"))
                || command == "engine",
            "{command}"
        );
    }
}

#[test]
fn a_data_folder_is_checked_whole() {
    let text = run(&["check", "data"]).code(0).out;
    for what in [
        "battlefield",
        "army list",
        "board",
        "counters",
        "turns",
        "scenario",
        "span",
    ] {
        assert!(text.contains(&format!("({what})")), "{what}: {text}");
    }
    assert!(text.contains(" in order, 0 not"), "{text}");
}

/// A folder with no data folder above it, as every folder of the checkout has.
fn elsewhere(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("cupola-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_program_brings_its_data_along() {
    let (folder, cache) = (elsewhere("brings"), common::temporary("cache"));
    let elsewhere = |args: &[&str]| {
        let mut command = common::cupola();
        command
            .current_dir(&folder)
            .env_remove("CUPOLA_DATA")
            .env("XDG_CACHE_HOME", &cache);
        common::Ran::of(command.args(args).output().unwrap())
    };
    let list = elsewhere(&["list"]).code(0).out;
    assert!(
        list.contains("corps20") && list.contains("gettysburg"),
        "{list}"
    );
    let written = std::fs::read_dir(cache.join("cupola")).unwrap();
    let written = written.map(|entry| entry.unwrap().file_name());
    let written: Vec<String> = written.map(|name| name.into_string().unwrap()).collect();
    assert!(
        written.iter().any(|name| name.starts_with("data-")),
        "{written:?}"
    );
    elsewhere(&["data", "export", "mine"]).code(0);
    elsewhere(&["data", "export", "mine"])
        .code(2)
        .complains("nothing was written");
    assert_eq!(
        elsewhere(&["--data", "mine", "board", "blocks", "--hex", "R7"])
            .code(0)
            .out,
        elsewhere(&["board", "blocks", "--hex", "R7"]).code(0).out
    );
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::remove_dir_all(cache).unwrap();
}

/// Without a home the data lies among the temporary files: there, too, nobody edits it; and where nothing can be written at all,
/// that is what is said.
#[test]
fn without_a_home_the_data_is_still_the_programs_own() {
    let folder = elsewhere("homeless");
    let homeless = |temporary: &std::path::Path, args: &[&str]| {
        let mut command = common::cupola();
        command.current_dir(&folder).env("TMPDIR", temporary);
        for name in [
            "CUPOLA_DATA",
            "HOME",
            "XDG_CACHE_HOME",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
        ] {
            command.env_remove(name);
        }
        common::Ran::of(command.args(args).output().unwrap())
    };
    homeless(&folder, &["derive", "corps20", "training"])
        .code(2)
        .complains("which nobody edits");
    let told = homeless(&folder, &["new", "variant", "mine", "--of", "corps20"]).code(0);
    assert!(
        told.out.contains("Play it:       cupola play mine.ron"),
        "{}",
        told.out
    );
    // Somebody else was here first, and keeps his folder to himself.
    let taken = folder.join("taken");
    std::fs::create_dir_all(&taken).unwrap();
    std::fs::write(taken.join("cupola"), "").unwrap();
    homeless(&taken, &["list"]).code(0);
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    let ran = homeless(&file, &["list"]).code(2);
    ran.complains("the one inside the program cannot be written to");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nothing_to_check_is_an_error() {
    run(&["check", "book"])
        .code(2)
        .complains("nothing to check");
    run(&["check", "no/such/path"])
        .code(2)
        .complains("no such file");
    let file = root().join("Cargo.toml");
    let told = run(&["check", file.to_str().unwrap()]).code(1);
    assert!(told.out.contains("this is no case"), "{}", told.out);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut command = cupola();
    let mut child = command
        .arg("roster")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program writes more than a pipe holds, to a reader that is gone.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && complaint.is_empty(),
        "{complaint}"
    );
}

#[test]
fn what_is_no_plugin_is_refused() {
    run(&["--plugin", "Cargo.toml", "list"])
        .code(2)
        .complains("Cargo.toml: not a shared library");
    run(&["--plugin", "nowhere.so", "list"])
        .code(2)
        .complains("nowhere.so: no such file");
}
