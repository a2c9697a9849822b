//! “A battle from zero in an hour”: the files of the chapter are typed in, and its commands are run.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{Ran, cupola, root};
use std::path::Path;
use std::process::Stdio;

/// A file of the chapter, or a command.
enum Item {
    File(String, String),
    Command(String),
}

/// What the chapter has people type, in order: a path between backquotes, then a block that is the file; or a block of
/// commands.
fn chapter() -> Vec<Item> {
    let page = root().join("book/src/battle-from-zero.md");
    let text = std::fs::read_to_string(page).unwrap();
    let mut items = vec![];
    let mut path = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(named) = line.strip_prefix('`').and_then(|l| l.strip_suffix("`:")) {
            path = Some(named.to_owned());
        }
        let Some(kind) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match (kind, path.take()) {
            ("sh", _) => {
                items.extend(block.iter().map(|line| Item::Command((*line).to_owned())));
            }
            (_, Some(path)) => items.push(Item::File(path, block.join("\n") + "\n")),
            _ => {}
        }
    }
    items
}

fn run(folder: &Path, line: &str) -> Ran {
    let words = line.strip_prefix("cupola ").unwrap().split_whitespace();
    let output = cupola()
        .current_dir(folder)
        .env_remove("CUPOLA_DATA")
        .args(words)
        .stdin(Stdio::null())
        .output();
    Ran::of(output.unwrap())
}

#[test]
fn a_battle_from_zero() {
    let folder = common::temporary("zero");
    std::fs::create_dir_all(&folder).unwrap();
    let (mut files, mut commands) = (0, 0);
    for item in chapter() {
        match item {
            Item::File(path, text) => {
                let path = folder.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
                files += 1;
            }
            Item::Command(line) => {
                let ran = run(&folder, &line);
                assert_eq!(ran.code, 0, "{line}\n{}\n{}", ran.out, ran.err);
                commands += 1;
            }
        }
    }
    assert!(files >= 15 && commands >= 6, "{files} {commands}");
    // Derived again it is the same, to the byte; after a change of the army list it is not.
    let again = run(&folder, "cupola --data my-data derive corps20 hollow");
    assert!(!again.out.contains("written"), "{}", again.out);
    let list = folder.join("my-data/armies/hollow/red.ron");
    let more = std::fs::read_to_string(&list)
        .unwrap()
        .replace("men: 590", "men: 1590");
    std::fs::write(&list, more).unwrap();
    let check = run(
        &folder,
        "cupola --data my-data derive corps20 hollow --check",
    );
    assert_eq!(check.code, 1, "{}", check.out);
    assert!(check.out.contains("derive it again"), "{}", check.out);
    // What somebody made his own is left alone.
    let own = folder.join("my-data/rulesets/corps20/battles/hollow/counters.ron");
    let text = std::fs::read_to_string(&own).unwrap();
    let (_, text) = text.split_once('\n').unwrap();
    std::fs::write(&own, text).unwrap();
    let again = run(&folder, "cupola --data my-data derive corps20 hollow");
    assert!(again.out.contains("left alone"), "{}", again.out);
    std::fs::remove_dir_all(folder).unwrap();
}

/// The rulesets that the chapter only has a line for: their name, the label of the origin, corners of the map, names of the sides.
const OTHERS: [[&str; 6]; 3] = [
    ["gbacw", "2020", "1010", "3233", "cs", "us"],
    ["blindswords", "1515", "1010", "2021", "cs", "us"],
    ["classic", "0404", "0101", "0707", "south", "north"],
];

/// Armies in which both sides have a second brigade and guns, on a map of which no part is cut out to be played on.
#[test]
fn the_other_rulesets_derive_and_play_it_too() {
    let folder = common::temporary("zero-others");
    std::fs::create_dir_all(&folder).unwrap();
    let done = |line: &str| {
        let ran = run(&folder, line);
        assert_eq!(ran.code, 0, "{line}\n{}\n{}", ran.out, ran.err);
    };
    done("cupola data export my-data");
    for item in chapter() {
        if let Item::File(path, text) = item {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    let rulesets = folder.join("my-data/rulesets");
    let page = std::fs::read_to_string(root().join("book/src/battle-from-zero.md")).unwrap();
    for [ruleset, origin, from, to, red, blue] in OTHERS {
        let line = format!(
            "| {ruleset} | `\"{origin}\"` | `odd_west` | `packed` | `(\"{from}\", \"{to}\")` |"
        );
        assert!(page.contains(&line), "{line}");
        let own = rulesets.join(ruleset).join("battles/hollow");
        std::fs::create_dir_all(&own).unwrap();
        let board = rulesets.join("blocks/battles/hollow/board.ron");
        std::fs::copy(board, own.join("board.ron")).unwrap();
        let sides = format!(
            "{{\"{red}\": (id: \"red\", name: \"Red\"), \"{blue}\": (id: \"blue\", name: \"Blue\")}}"
        );
        let battle = format!("(battle: \"hollow\", title: \"Foxglove Hollow\", sides: {sides})\n");
        std::fs::write(own.join("battle.ron"), battle).unwrap();
        let grid = format!(
            "(name: \"{ruleset}\", title: \"Foxglove Hollow\", origin: ((label: \"{origin}\", x: 1450.0, y: 1500.0), house(\"n\")), \
             stagger: (odd_west, house(\"n\")), labels: (packed, house(\"n\")), extent: ([(\"{from}\", \"{to}\")], house(\"n\")))\n"
        );
        std::fs::write(own.join("grid.ron"), grid).unwrap();
        done(&format!("cupola --data my-data derive {ruleset} hollow"));
        let hollow = format!("my-data/rulesets/{ruleset}/battles/hollow/scenarios/hollow.ron");
        done(&format!(
            "cupola --data my-data check {hollow} --ruleset {ruleset}"
        ));
        done(&format!(
            "cupola --data my-data play {ruleset}/hollow --seat red=random --seat blue=random --seed 11 --quiet"
        ));
    }
    let counters = rulesets.join("blindswords/battles/hollow/counters.ron");
    let counters = std::fs::read_to_string(counters).unwrap();
    assert!(counters.contains("(id: \"red-2-red\""), "{counters}");
    assert!(counters.contains("(id: \"blue-2-blue\""), "{counters}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_battle_lacks_is_told_with_what_there_is() {
    let folder = common::temporary("lacks");
    std::fs::create_dir_all(&folder).unwrap();
    let setup = |line: &str| assert_eq!(run(&folder, line).code, 0, "{line}");
    setup("cupola data export my-data");
    let wrong = run(&folder, "cupola --data my-data derive corps20 trainign");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("did you mean \"training\"?"),
        "{}",
        wrong.err
    );
    // A battle that another ruleset has.
    let elsewhere = folder.join("my-data/rulesets/corps20/battles/training");
    let away = elsewhere.with_file_name("away");
    std::fs::rename(&elsewhere, &away).unwrap();
    let wrong = run(&folder, "cupola --data my-data derive corps20 training");
    assert!(
        wrong.err.contains("battle.ron, grid.ron and board.ron in"),
        "{}",
        wrong.err
    );
    std::fs::rename(&away, &elsewhere).unwrap();
    // A side that nobody takes the place of.
    let plan = folder.join("my-data/rulesets/corps20/battles/training/battle.ron");
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replace("\"us\": (", "\"union\": (")).unwrap();
    let wrong = run(
        &folder,
        "cupola --data my-data play corps20/training --seed 1 --quiet",
    );
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("no side \"union\""), "{}", wrong.err);
    assert!(
        wrong.err.contains("nobody takes the place of \"us\""),
        "{}",
        wrong.err
    );
    std::fs::write(&plan, text).unwrap();
    // A road that the map does not have.
    let list = folder.join("my-data/armies/training/vale.ron");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replace("Ridge Road", "Rigde Road")).unwrap();
    let wrong = run(&folder, "cupola --data my-data derive blocks training");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.err.contains("did you mean \"Ridge Road\"?"),
        "{}",
        wrong.err
    );
    std::fs::remove_dir_all(folder).unwrap();
}
