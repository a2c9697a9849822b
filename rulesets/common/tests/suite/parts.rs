//! Parts whose numbers are missing or make no sense are refused, with the place and what was expected.

use crate::common::{library, root};

/// What is wrong with classic once a text of a file is another.
fn told(file: &str, was: &str, to: &str) -> String {
    let folder = std::env::temp_dir().join(format!(
        "cupola-classic-{}-{}",
        std::process::id(),
        file.len() + was.len() * 131 + to.len() * 17
    ));
    let data = root().join("data");
    for name in [
        "battlefields/training",
        "armies/training",
        "rulesets/classic",
        "rulesets/classic/battles/training",
        "rulesets/classic/battles/training/scenarios",
    ] {
        let to = folder.join(name);
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(data.join(name)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let path = folder.join("rulesets/classic").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(was), "{file} has no {was}");
    std::fs::write(&path, text.replacen(was, to, 1)).unwrap();
    let library = cupola_library::Library::new(folder.clone(), None, library().registry().clone());
    let result = library.play("classic", "wickerby", None);
    std::fs::remove_dir_all(&folder).unwrap();
    result.err().map_or_else(
        || "nothing is wrong".to_owned(),
        |problems| problems.to_string(),
    )
}

#[test]
fn numbers_that_make_no_sense_are_told_with_their_place() {
    let rules = "rules.ron";
    let wrong = [
        (
            rules,
            "most_dice: (3,",
            "most_dice: (9,",
            "fire.most_dice: 9 dice, expected 1 to 5",
        ),
        (
            rules,
            "\"AX\", \"AX\", \"AR\"",
            "\"AX\", \"AY\", \"AR\"",
            "assault.odds[0].rolls[1]: no result \"AY\"",
        ),
        (
            rules,
            "(at: -2,",
            "(at: -1,",
            "expected the column -2, found -1",
        ),
        (
            rules,
            "(odds: (1, 1)",
            "(odds: (1, 3)",
            "the columns go from the worst odds to the best",
        ),
        (
            "ruleset.ron",
            "\"rally\"]",
            "\"rest\"]",
            "no phase “rest” is registered",
        ),
        (
            "battles/training/scenarios/wickerby.ron",
            "\"wickerby\", \"thorne\"",
            "\"wickerbi\", \"thorne\"",
            "did you mean \"wickerby\"?",
        ),
        (
            "battles/training/scenarios/wickerby.ron",
            "\"thorne\": \"0106\"",
            "\"thorn\": \"0106\"",
            "no unit \"thorn\"; did you mean \"thorne\"?",
        ),
        (
            "battles/training/scenarios/wickerby.ron",
            "\"wragge\": \"1007\"",
            "\"wragge\": \"0106\"",
            "both sides begin in 0106",
        ),
    ];
    for (file, was, to, words) in wrong {
        let told = told(file, was, to);
        assert!(
            told.contains(words),
            "{was} → {to}: expected “{words}” in:\n{told}"
        );
    }
}

#[test]
fn a_part_that_is_played_must_have_its_numbers() {
    let text = std::fs::read_to_string(root().join("data/rulesets/classic/rules.ron")).unwrap();
    let start = text.find("    rally: Some((").unwrap();
    let end = start + text[start..].find("    )),\n").unwrap() + "    )),\n".len();
    let told = told("rules.ron", &text[start..end], "");
    assert!(
        told.contains("the phase “rally” is played and needs `rally: Some((…))` here"),
        "{told}"
    );
}
