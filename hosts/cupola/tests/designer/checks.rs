//! What is written is held against its rules, and told with its place.

use super::*;

/// The readers themselves say what files may hold: every file of every ruleset, and fields of choices that are not the first.
#[test]
fn every_field_of_every_file_is_told() {
    for (what, file, key) in [
        ("blindswords/main", "main.ron", "first_casualties"),
        ("blocks/campaign", "campaign.ron", "starts.start = arrives"),
        ("corps20", "counters.ron", "counters.values.rounds_away"),
        ("gbacw", "counters.ron", "counters.values"),
    ] {
        let all = run(&["resolve", what, "--fields", "--json"]).code(0).json();
        let all = all.as_object().unwrap();
        let own = all.iter().find(|(name, _)| name.ends_with(file)).unwrap().1;
        let own: Vec<&str> = own
            .as_array()
            .unwrap()
            .iter()
            .map(|key| key.as_str().unwrap())
            .collect();
        assert!(own.contains(&key), "{what} {file} {key}: {own:?}");
        for file in ["turns.ron", "grid.ron", "board.ron", "ruleset.ron"] {
            assert!(
                all.keys().any(|name| name.ends_with(file)),
                "{what} {file}: {:?}",
                all.keys()
            );
        }
    }
}

#[test]
fn check_holds_what_is_written_against_its_rule_and_tells_each_error_once() {
    let data = data("once");
    let run = |args: &[&str]| {
        Ran::of(
            cupola()
                .env("CUPOLA_DATA", &data)
                .args(args)
                .output()
                .unwrap(),
        )
    };
    let file = data.join("rulesets/corps20/battles/gettysburg/counters.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    let hood = text
        .lines()
        .find(|line| line.contains("\"cs-hood\""))
        .unwrap();
    let other = hood
        .replace("strength: (3, derived", "strength: (4, derived")
        .replace("quality: (5,", "quality: (9,");
    std::fs::write(&file, text.replace(hood, &other)).unwrap();
    let told = run(&[
        "check",
        "-q",
        "--ruleset",
        "corps20",
        data.to_str().unwrap(),
    ])
    .code(1)
    .out;
    for words in [
        "4, but \"men / 2800, rounded\" comes to 3",
        "9 is out of range, expected 1 to 6",
    ] {
        assert_eq!(told.matches(words).count(), 1, "{words} in\n{told}");
    }
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

#[test]
fn the_scenario_that_beginners_are_shown_is_one_that_there_is() {
    let data = data("begin");
    let file = data.join("rulesets/classic/faces.ron");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"wickerby\"", "\"wickerbee\"")).unwrap();
    let path = data.to_str().unwrap();
    let told = run(&["check", "-q", "--ruleset", "classic", path]).code(1);
    let words = "begin: \"wickerbee\" is no scenario of classic; did you mean \"wickerby\"?";
    assert!(told.out.contains(words), "{}", told.out);
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

/// Every ruleset derives Gettysburg. Whoever came by a road for which its map has no entry comes by the nearest, and the
/// scenario says so; a road that the battlefield does not have is told once.
#[test]
fn every_battle_is_derived_in_every_ruleset() {
    let folder = folder("derived");
    let derive = |ruleset: &str, battle: &str, to: &str| {
        in_folder(&folder, &["derive", ruleset, battle, "--out", to])
    };
    for ruleset in ["classic", "corps20", "blindswords", "blocks", "gbacw"] {
        for battle in ["gettysburg", "training"] {
            derive(ruleset, battle, &format!("{ruleset}-{battle}")).code(0);
        }
    }
    let scenario = folder.join("blocks-gettysburg/scenarios/gettysburg.ron");
    let told = std::fs::read_to_string(scenario).unwrap();
    let words = "no entry for the Hunterstown Road: who came by it comes by the nearest, the";
    assert_eq!(told.matches(words).count(), 1, "{told}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Derived files play where nobody has made others; where somebody has, they are not mixed with his.
#[test]
fn a_derived_gettysburg_plays() {
    let data = data("derived-plays");
    let home = data.join("rulesets/blocks/battles/gettysburg");
    let here = |args: &[&str]| {
        let all = [&["--data", data.to_str().unwrap()], args].concat();
        run(&all)
    };
    let told = here(&["derive", "blocks", "gettysburg"]).code(0).out;
    assert!(!told.contains("written"), "{told}");
    assert!(told.contains("left out:   "), "{told}");
    for file in [
        "counters.ron",
        "turns.ron",
        "map.ron",
        "campaign.ron",
        "cavalry.ron",
    ] {
        std::fs::remove_file(home.join(file)).unwrap();
    }
    std::fs::remove_dir_all(home.join("scenarios")).unwrap();
    let plan = home.join("battle.ron");
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, text.replace(", \"cavalry.ron\"", "")).unwrap();
    here(&["derive", "blocks", "gettysburg"]).code(0);
    let told = here(&["moves", "blocks/gettysburg", "--json"])
        .code(0)
        .json();
    assert!(!told["options"].as_array().unwrap().is_empty(), "{told}");
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

/// Two armies had a Smith: orders would not say which.
#[test]
fn two_units_of_one_name_are_told() {
    let data = data("namesakes");
    let counters = data.join("rulesets/corps20/battles/training/counters.ron");
    let text = std::fs::read_to_string(&counters).unwrap();
    let first = |side: &str| {
        let behind = text.split(&format!("id: \"{side}-")).nth(1).unwrap();
        behind.split('"').next().unwrap().to_owned()
    };
    let (ours, theirs) = (first("north"), first("south"));
    let bent = text.replace(&format!("\"south-{theirs}\""), &format!("\"south-{ours}\""));
    std::fs::write(&counters, bent).unwrap();
    let data_flag = data.to_str().unwrap();
    run(&["--data", data_flag, "play", "corps20/training", "--quiet"])
        .code(2)
        .complains(&format!("two units are called \"{ours}\""));
    std::fs::remove_dir_all(data).unwrap();
}

/// A ruleset of the user's own is checked with those of the data folder; one that nobody has is no good news.
#[test]
fn a_ruleset_of_ones_own_is_checked() {
    let folder = folder("own-ruleset");
    let here = |args: &[&str]| {
        let mut command = cupola();
        command.current_dir(&folder).env("XDG_CONFIG_HOME", &folder);
        Ran::of(command.args(args).stdin(Stdio::null()).output().unwrap())
    };
    here(&["new", "ruleset", "my-game"]).code(0);
    let told = here(&["check", "--ruleset", "my-game"]).code(0).out;
    assert!(
        told.contains("my-game/battles/training/scenarios/wickerby (scenario)"),
        "{told}"
    );
    assert!(
        !told.contains("(plan)") && !told.contains("no-rain"),
        "{told}"
    );
    let rules = folder.join("cupola/rulesets/my-game/rules.ron");
    let text = std::fs::read_to_string(&rules).unwrap();
    std::fs::write(&rules, text.replacen("movement:", "movemet:", 1)).unwrap();
    let told = here(&["check", "--ruleset", "my-game"]).code(1).out;
    assert!(told.contains("did you mean \"movement\"?"), "{told}");
    // A range that is one of nothing guards nothing.
    std::fs::write(&rules, text).unwrap();
    let ruleset = folder.join("cupola/rulesets/my-game/ruleset.ron");
    let text = std::fs::read_to_string(&ruleset).unwrap();
    let range = "ranges: {\"rules/kinds/*/movment\": ((1, 9), house(\"one digit\"))},\n    combat:";
    std::fs::write(&ruleset, text.replacen("combat:", range, 1)).unwrap();
    let told = here(&["check", "--ruleset", "my-game"]).code(1).out;
    assert!(
        told.contains("my-game/ruleset.ron:") && told.contains("did you mean \"movement\"?"),
        "{told}"
    );
    here(&["check", "--ruleset", "my-gam"])
        .code(2)
        .complains("did you mean \"my-game\"?");
    std::fs::remove_dir_all(folder).unwrap();
}
