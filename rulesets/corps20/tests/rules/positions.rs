//! What a position may say.

use super::*;

/// What is wrong with a position that has this state, in the Confederate combat phase of a day.
fn wrong_with(phase: &str, state: &str) -> String {
    let text = format!(
        "(proves: [], about: \"\", position: (ruleset: \"corps20\", scenario: \"gettysburg\", turn: \"july1-evening\", \
         phase: \"{phase}\", side: \"cs\", state: (clear: true, {state})), script: [])"
    );
    let found = cases::run(&PLAY, &Source::new("inline", text));
    found.map_or_else(|problems| problems.to_string(), |_| String::new())
}

#[test]
fn a_position_refuses_what_cannot_be() {
    let bad = [
        (
            "combat",
            r#"morale: {"cs": 40}"#,
            "40 is not between 1 and 10",
        ),
        (
            "combat",
            r#"morale: {"cs": 0}"#,
            "0 is not between 1 and 10",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10"), "rodes": (at: "18.10")}"#,
            "18.10 already holds heth",
        ),
        ("combat", r#"morale: {"csa": 4}"#, "did you mean \"cs\"?"),
        (
            "combat",
            r#"units: {"heth": (at: "18.10"), "reynolds": (at: "18.10")}"#,
            "18.10 holds heth of the other side as well",
        ),
        (
            "combat",
            r#"units: {"hill": (at: "18.10"), "reynolds": (at: "18.10")}"#,
            "18.10 holds hill of the other side as well",
        ),
        (
            "movement",
            "event: [commander_shot]",
            "belongs to the phase event",
        ),
        (
            "event",
            "event: [commander_shot]",
            "no enemy unit is next to",
        ),
        (
            "combat",
            "event: [double_time]",
            "belongs to the phase movement",
        ),
        (
            "morale",
            "event: [free_reserves]",
            "belongs to the phase combat",
        ),
        ("combat", "discard: [17]", "no card 17, expected 1 to 16"),
        ("combat", "next_card: 0", "no card 0"),
        ("combat", "next_card: 3, discard: [3]", "is in the discard"),
        (
            "combat",
            r#"units: {"hill": (at: "18.10", routed: true)}"#,
            "neither tires nor routs",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", face_down: true)}"#,
            "only leaders",
        ),
        (
            "combat",
            r#"units: {"1-cav": (at: "18.10", cadre: true)}"#,
            "only infantry",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "broken", cadre: true)}"#,
            "is eliminated",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "broken", fatigue: weary)}"#,
            "has no condition",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", due: "july1-dusk")}"#,
            "waits on the turn track",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "18.10", by: "CP")}"#,
            "but not when",
        ),
        (
            "combat",
            r#"units: {"heth": (at: "turn track")}"#,
            "is due in some round",
        ),
        (
            "combat",
            r#"units: {"heth": (due: "july1-dsk", by: "CP")}"#,
            "did you mean \"july1-dusk\"?",
        ),
        (
            "combat",
            r#"units: {"hath": (at: "18.10")}"#,
            "did you mean",
        ),
        (
            "movement",
            r#"units: {"reynolds": (at: "18.10", halted: true)}"#,
            "the side whose player turn it is",
        ),
        (
            "movement",
            r#"units: {"reynolds": (at: "18.10", well_led: true)}"#,
            "the side whose player turn it is",
        ),
    ];
    for (phase, state, expected) in bad {
        let found = wrong_with(phase, state);
        assert!(
            found.contains(expected),
            "{state}: expected “{expected}”, found “{found}”"
        );
    }
    assert_eq!(
        wrong_with("movement", r#"units: {"heth": (at: "18.10")}"#),
        ""
    );
}

#[test]
fn the_book_names_every_key_of_a_position() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let book = std::fs::read_to_string(root.join("book/src/cases.md")).unwrap();
    // The reader lists its keys when it is given one that it does not know.
    let keys = |state: &str| {
        let found = wrong_with("combat", state);
        let (_, keys) = found.split_once("expected one of ").unwrap();
        let keys: Vec<String> = keys
            .split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        assert!(keys.len() > 8, "{found}");
        keys
    };
    let all = keys("nonsense: 1")
        .into_iter()
        .chain(keys(r#"units: {"heth": (nonsense: 1)}"#));
    for key in all {
        assert!(
            book.contains(&format!("{key}:")) || book.contains(&format!("`{key}`")),
            "{key}"
        );
    }
}

#[test]
fn a_position_refuses_rules_that_cannot_be() {
    let bad = [
        (
            r#"units: {"heth": (at: "18.10", strength: 40)}"#,
            "40 is not between 0 and 20",
        ),
        (
            r#"units: {"heth": (at: "18.10", movement: 0)}"#,
            "0 is not between 1 and 24",
        ),
        (
            r#"units: {"heth": (at: "18.10", range: 2)}"#,
            "only leaders have a range",
        ),
        (
            r#"units: {"hill": (at: "18.10", strength: 2)}"#,
            "a leader has a range",
        ),
        (
            r#"units: {"heth": (at: "18.10", cadre: true, strength: 2)}"#,
            "all cadres",
        ),
        (
            r#"switches: {"routed_enemy_pins": true}"#,
            "did you mean \"routed_enemies_pin\"?",
        ),
        (
            "results: {9: (EX, EX, EX, EX, EX, EX)}",
            "9 is not between -3 and 4",
        ),
        (r#"woods: {"99.10": true}"#, "no hex \"99.10\""),
        (
            r#"hexsides: [(between: ("18.10", "18.12"), is: [creek])]"#,
            "not next to each other",
        ),
    ];
    for (state, expected) in bad {
        let found = wrong_with("combat", state);
        assert!(
            found.contains(expected),
            "{state}: expected “{expected}”, found “{found}”"
        );
    }
}
