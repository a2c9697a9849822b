//! What a position may say, and what is refused: every mistake with its field.

mod common;

use cupola_data::Source;
use cupola_kernel::PositionFile;

fn refusal(phase: &str, state: &str) -> String {
    let text = format!(
        "(ruleset: \"blocks\", scenario: \"day2\", turn: \"day2-1600\", phase: \"{phase}\", side: \"cs\", \
         state: ({state}))"
    );
    let file = PositionFile {
        source: Source::new("position", text),
        in_case: false,
    };
    match common::play("day2").at(&file) {
        Ok(_) => "accepted".into(),
        Err(problems) => problems.to_string(),
    }
}

#[track_caller]
fn refused(phase: &str, state: &str, field: &str, why: &str) {
    let told = refusal(phase, state);
    assert!(
        told.contains(field) && told.contains(why),
        "{state}: {told}"
    );
}

#[test]
fn impossible_blocks_are_refused() {
    let unit = |id: &str, state: &str, field: &str, why: &str| {
        let line = format!("units: {{\"{id}\": ({state})}}");
        refused("move", &line, &format!("units.{id}.{field}"), why);
    };
    unit("cs-law", "steps: 5", "steps", "4 at most");
    unit(
        "cs-law",
        "at: \"U12\", steps: 0",
        "steps",
        "only a headquarters",
    );
    unit("cs-law", "at: \"U99\"", "at", "and no box");
    unit(
        "cs-law",
        "at: \"shaterd\"",
        "at",
        "did you mean \"shattered\"?",
    );
    unit(
        "cs-law",
        "at: \"U12\", due: \"day2-1700\", by: \"H14\"",
        "at",
        "one of the two",
    );
    unit(
        "cs-law",
        "due: \"day2-1701\", by: \"H14\"",
        "due",
        "no turn",
    );
    unit(
        "cs-law",
        "due: \"day2-1700\", by: \"H15\"",
        "by",
        "no entry",
    );
    unit("cs-law", "active: true", "active", "commands nobody");
    unit("us-hq-birney", "active: true", "active", "active side");
    unit("cs-hq-hood", "fired: true", "fired", "does not fire");
    unit("cs-law", "column: true", "column", "column_and_line");
    unit(
        "cs-law",
        "at: \"fallen\"",
        "at",
        "only headquarters of divisions",
    );
    unit(
        "cs-law",
        "at: \"off-board\", left: \"O9\"",
        "left",
        "map's edge",
    );
    unit("cs-law", "left: \"W14\"", "left", "off-board");
    let near = "did you mean \"cs-law\"?";
    refused("move", "units: {\"cs-lawe\": ()}", "units.cs-lawe", near);
}

#[test]
fn impossible_situations_are_refused() {
    refused(
        "move",
        "units: {\"cs-law\": (at: \"Q10\")}",
        "units.",
        "holds cs-law of the other side",
    );
    refused(
        "move",
        "lost: {\"us\": 109}",
        "lost.us",
        "109 is not between 0 and 108",
    );
    refused("move", "lost: {\"usa\": 1}", "lost.usa", "no side");
    refused(
        "move",
        "control: {\"Q10\": \"uss\"}",
        "control.Q10",
        "did you mean",
    );
    let many = "units: {\"cs-law\": (at: \"R12\"), \"cs-benning\": (at: \"R12\")}";
    refused("move", many, "state", "R12 holds");
    refused(
        "move",
        "roads: {\"us-hq-wright\": \"L2\"}",
        "roads.us-hq-wright",
        "no entry",
    );
    refused(
        "move",
        "sent_for: \"us-hq-gibbon\"",
        "sent_for",
        "no corps commander",
    );
}

#[test]
fn impossible_attacks_are_refused() {
    let attack = |line: &str, field: &str, why: &str| {
        let state = format!("attacks: [{line}]");
        refused("melee", &state, &format!("attacks[0].{field}"), why);
    };
    attack(
        "(unit: \"us-webb\", from: \"Q11\", hex: \"Q10\")",
        "unit",
        "active side",
    );
    attack(
        "(unit: \"cs-art-cabell\", from: \"Q11\", hex: \"Q10\")",
        "unit",
        "do not attack",
    );
    attack(
        "(unit: \"cs-law\", from: \"Q12\", hex: \"Q10\")",
        "from",
        "not beside",
    );
    attack(
        "(unit: \"cs-law\", from: \"Q11\", hex: \"R11\")",
        "hex",
        "no enemy",
    );
    // Between player turns nobody attacks, and nothing breaks.
    let told = refusal(
        "initiative",
        "attacks: [(unit: \"cs-law\", from: \"Q11\", hex: \"Q10\")]",
    );
    assert!(told.contains("active side"), "{told}");
}

#[test]
fn everything_is_told_at_once() {
    let told = refusal(
        "move",
        "units: {\"cs-law\": (steps: 9), \"cs-kershaw\": (at: \"Z9\")}, lost: {\"x\": 1}",
    );
    assert!(told.contains("3 problems"), "{told}");
}

/// The chapter names every key that a position may have: the reader tells them when one is misspelt.
#[test]
fn the_chapter_names_every_key() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../book/src/rulesets/blocks.md"
    );
    let text = std::fs::read_to_string(page).expect("the chapter");
    let chapter = text
        .split("## Positions")
        .nth(1)
        .expect("a section on positions");
    let chapter = chapter.split("## Rulings").next().unwrap_or_default();
    let keys = |state: &str| {
        let told = refusal("move", state);
        let list = told
            .split("expected one of")
            .nth(1)
            .expect(&told)
            .to_owned();
        let words = list.split(|c: char| !(c.is_ascii_lowercase() || c == '_'));
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        words
            .take_while(|word| word != "problem")
            .collect::<Vec<_>>()
    };
    let attack = "attacks: [(unit: \"cs-law\", hex: \"Q10\", nothing: 1)]";
    let all = [
        keys("nothing: 1"),
        keys("units: {\"cs-law\": (nothing: 1)}"),
        keys(attack),
    ];
    assert!(all.iter().all(|keys| keys.len() > 3), "{all:?}");
    for key in all.iter().flatten() {
        let named = chapter.contains(&format!("{key}:")) || chapter.contains(&format!("`{key}`"));
        assert!(named, "the chapter does not name `{key}`");
    }
}
