//! Overlays of every kind, in every ruleset.

use super::{folder, in_folder, run, write};

/// What is played, what kind of value is changed, the change, and what is told of it.
type Kind = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    ("classic/wickerby", "counter", r#"add(path: "counters/corran/values", key: "steps", entry: (3, house("picked men")))"#, "() → (steps: (3, house"),
    ("classic/wickerby", "cell", r#"set(path: "rules/assault/odds/#5/rolls/#1", was: "NE", to: "EX")"#, "rolls"),
    ("classic/wickerby", "terrain", r#"set(path: "rules/movement/hexes/woods", was: 4, to: 6)"#, "woods 4 → 6"),
    ("classic/wickerby", "victory", r#"set(path: "scenario/places/wickerby/points", was: 4, to: 6)"#, "points 4 → 6"),
    ("classic/wickerby", "start", r#"set(path: "scenario/start/dorning", was: "0806", to: "0706")"#, "\"0806\" → \"0706\""),
    ("classic/wickerby", "arrival", r#"set(path: "scenario/arrivals/farrow/turn", was: "2", to: "3")"#, "turn \"2\" → \"3\""),
    ("classic/wickerby", "turn", r#"set(path: "turns/2/light", was: day, to: dusk)"#, "light day → dusk"),
    ("classic/wickerby", "board", r#"add(path: "board", key: "corrections", entry: [(hex: "0406", set: cover(woods), cite: "what if")])"#, "hex 0406: clear → woods"),
    ("corps20/july1", "counter", r#"scale(path: "counters/side=us/strength", percent: 150)"#, "I Corps: strength 4 → 6"),
    ("corps20/july1", "cell", r#"set(path: "tables/crt/2/rolls/#3", was: DW, to: DR)"#, "crt 2: rolls"),
    ("corps20/july1", "terrain", r#"set(path: "tables/costs/woods", was: 2, to: 4)"#, "woods 2 → 4"),
    ("corps20/july1", "victory", r#"set(path: "map/prize/14.11", to: "15.10")"#, "15.10 is new"),
    ("corps20/july1", "start", r#"set(path: "counters/us-buford/entry/at", was: "15.09", to: "15.10")"#, "\"15.09\" → \"15.10\""),
    ("corps20/july1", "arrival", r#"set(path: "counters/pender/entry/turn", was: "july1-noon", to: "july1-morning")"#, "→ \"july1-morning\""),
    ("corps20/july1", "card", r#"remove(path: "deck/deck/2")"#, "2 is not there any more"),
    ("corps20/july1", "turn", r#"set(path: "turns/july1-noon/light", was: day, to: dusk)"#, "light day → dusk"),
    ("corps20/july1", "board", r#"add(path: "board/corrections", entry: (hex: "14.11", set: cover(woods), cite: "what if"))"#, "hex 14.11: town → woods"),
    ("blindswords/main", "counter", r#"shift(path: "counters/brigade=gamble/mounted_sp", by: 1)"#, "mounted_sp 6 → 7"),
    ("blindswords/main", "cell", r#"set(path: "tables/crt/rows/11/cells", was: "NE NE NE NE NE NE NE NE NE E R R T", to: "NE NE NE NE NE NE NE NE E E R R T")"#, "11 cells"),
    ("blindswords/main", "terrain", r#"set(path: "tables/costs/woods", was: 4, to: 3)"#, "woods 4 → 3"),
    ("blindswords/main", "victory", r#"scale(path: "map/victory/*/points", percent: 200)"#, "McPherson Farm: points 2 → 4"),
    ("blindswords/main", "start", r#"set(path: "counters/us-gamble-1/entry/at", to: ["2319"])"#, "[\"2420\"] → [\"2319\"]"),
    ("blindswords/main", "arrival", r#"set(path: "counters/cs-perrin-1/entry/turn", was: "1200", to: "1000")"#, "\"1200\" → \"1000\""),
    ("blindswords/main", "card", r#"remove(path: "chits/us-redeployment")"#, "us-redeployment is not there any more"),
    ("blindswords/main", "turn", r#"set(path: "turns/1000/light", was: day, to: dusk)"#, "light day → dusk"),
    ("blindswords/main", "board", r#"set(path: "board/corrections/1611/set", was: level(3), to: level(2))"#, "hex 1611: level 3 → 2"),
    ("blocks/day1", "counter", r#"shift(path: "counters/us-meredith/max", by: -1)"#, "max 4 → 3"),
    ("blocks/day1", "cell", r#"set(path: "tables/stacking/clear/limit", was: 4, to: 3)"#, "limit 4 → 3"),
    ("blocks/day1", "terrain", r#"set(path: "tables/sides/woods/moves", was: 1, to: 2)"#, "moves 1 → 2"),
    ("blocks/day1", "victory", r#"shift(path: "map/victory/*/points", by: 1)"#, "Seminary Ridge: points 1 → 2"),
    ("blocks/day1", "start", r#"set(path: "campaign/us-meredith/start", was: arrives("emmitsburg", "day1-0900"), to: off)"#, "→ off"),
    ("blocks/day1", "arrival", r#"set(path: "campaign/us-cutler/start", to: arrives("emmitsburg", "day1-1000"))"#, "\"day1-1000\""),
    ("blocks/day1", "turn", r#"set(path: "turns/day1-0900/light", was: day, to: dusk)"#, "light day → dusk"),
    ("blocks/day1", "board", r#"add(path: "board/corrections", entry: (hex: "G6", set: cover(woods), cite: "what if"))"#, "hex G6: town → woods"),
    ("gbacw/to-stop", "counter", r#"scale(path: "counters/under=cs-iii-pender/sp", percent: 120)"#, "sp 7 → 8"),
    ("gbacw/to-stop", "cell", r#"set(path: "tables/fire_table/9", was: (9, hit), to: (8, hit))"#, "8 is new"),
    ("gbacw/to-stop", "terrain", r#"shift(path: "tables/terrain/woods/foot", by: 1)"#, "foot 2 → 3"),
    ("gbacw/to-stop", "victory", r#"scale(path: "scenario/victory/prizes/*/worth/us", percent: 200)"#, "10"),
    ("gbacw/to-stop", "start", r#"set(path: "scenario/setup/cs-iii-pender-scales-38nc/at", was: "A3402", to: "A3303")"#, "\"A3402\" → \"A3303\""),
    ("gbacw/to-stop", "turn", r#"set(path: "turns/july1-1600/light", was: day, to: dusk)"#, "light day → dusk"),
    ("gbacw/to-stop", "board", r#"set(path: "board/corrections/B3520/set", to: cover(clear))"#, "B3520"),
    ("gbacw/face-to-the-enemy", "arrival", r#"set(path: "july1-arrivals/commands/'1/Pn/III'/arrives", was: ("july1-1000", "entry-chambersburg-pike"), to: ("july1-1100", "entry-chambersburg-pike"))"#, "july1-1100"),
];

/// `diff` tells of a variant that it could play, so a change that is told was also read, checked and taken in.
#[test]
fn values_of_every_kind_change_in_every_ruleset() {
    let folder = folder("kinds");
    let mut wrong = vec![];
    for (what, kind, change, words) in KINDS {
        let ruleset = what.split('/').next().unwrap();
        let text =
            format!("(base: {ruleset:?}, name: {kind:?}, title: \"Try\", change: [{change}])\n");
        let file = write(&folder.join(format!("{ruleset}-{kind}.ron")), &text);
        let told = run(&["diff", what, &format!("{what}+{file}")]);
        if told.code != 1 || !told.out.contains(words) {
            wrong.push(format!("{what} {kind}: {}{}", told.out, told.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// A value with its path as `resolve` prints it is a change that can be written down, and tells its own line.
#[test]
fn every_path_that_resolve_prints_leads_to_its_value() {
    let folder = folder("paths");
    for what in ["classic/wickerby", "corps20/july1", "blocks/training"] {
        let ruleset = what.split('/').next().unwrap();
        let all = run(&["resolve", what, "--json"]).code(0).json();
        let values = all["values"].as_array().unwrap().iter();
        // Armies are the same for all.
        let values = values.filter(|value| !value["file"].as_str().unwrap().contains("armies"));
        let lines = values.map(|value| {
            let (path, is) = (
                value["path"].as_str().unwrap(),
                value["value"].as_str().unwrap(),
            );
            format!("set(path: {path:?}, was: {is}, to: {is}),\n")
        });
        let lines: Vec<String> = lines.collect();
        assert!(lines.len() > 300, "{} values", lines.len());
        let text = format!(
            "(base: {ruleset:?}, name: \"all\", title: \"All\", change: [\n{}])\n",
            lines.concat()
        );
        let file = write(&folder.join("all.ron"), &text);
        let told = run(&["resolve", &format!("{what}+{file}"), "--changed", "--json"])
            .code(0)
            .json();
        let told = told["values"].as_array().unwrap();
        assert_eq!(told.len(), lines.len(), "{what}");
        let at = |n: usize| told[n]["changed"]["at"].as_str().unwrap().to_owned();
        let last = format!(":{}", lines.len() + 1);
        assert!(
            (0..told.len()).any(|n| at(n).ends_with(&last)),
            "{}",
            at(told.len() - 1)
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What fights back is told in words of the trade, at its place.
#[test]
fn slips_of_a_change_are_told_in_the_designers_words() {
    let folder = folder("slips");
    let slips = [
        (
            "classic",
            r#"set(path: "counters/corran/steps", to: 3)"#,
            r#"a field that is left out is written with add(path: "counters/north-corran/values", key: "steps", entry: …)"#,
        ),
        (
            "classic",
            r#"add(path: "counters/corran/values", key: "stesp", entry: 3)"#,
            r#"unknown field "stesp""#,
        ),
        (
            "classic",
            r#"add(path: "counters/corran/values", key: "steps", entry: 3)"#,
            r#"expected a value with its origin, such as (4, house("why"))"#,
        ),
        (
            "blocks",
            r#"set(path: "campaign/us-meredith/start", to: at("G6"))"#,
            "1 values in the bracket, expected 2",
        ),
        (
            "gbacw",
            r#"set(path: "scenario/victory", to: 3)"#,
            "expected values in round brackets",
        ),
        (
            "corps20",
            r#"set(path: "tables/costs/road", to: 0)"#,
            "0 is not between 1 and 20",
        ),
        (
            "corps20",
            r#"add(path: "deck/deck", entry: (number: 3, sides: {"us": ("Quiet", quiet), "cs": ("Quiet", quiet)}))"#,
            "a second card 3",
        ),
    ];
    for (ruleset, change, words) in slips {
        let text = format!(
            "(base: {ruleset:?}, name: \"slip\", title: \"Slip\", change: [\n    {change},\n])\n"
        );
        write(&folder.join("slip.ron"), &text);
        let scenario = match ruleset {
            "gbacw" => "gbacw/to-stop+slip.ron".to_owned(),
            other => format!("{other}+slip.ron"),
        };
        let told = in_folder(&folder, &["diff", ruleset, &scenario])
            .code(2)
            .err;
        assert!(told.contains(words), "{words} in\n{told}");
        assert!(told.contains("slip.ron:2:"), "{told}");
    }
    // What is wrong in one battle only is told with the battle.
    let text = "(base: \"classic\", name: \"slip\", title: \"Slip\", change: [shift(path: \"counters/corran/kind\", by: 1)])\n";
    write(&folder.join("slip.ron"), text);
    let told = in_folder(&folder, &["check", "slip.ron"]).code(1).out;
    assert!(
        told.contains("so in gettysburg; a variant for one battle says which"),
        "{told}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// A board of another hex size plays, and says who stands elsewhere now.
#[test]
fn other_hexes_say_who_stands_elsewhere() {
    let folder = folder("hexes");
    let change = r#"set(path: "terrain/hex/pitch", was: 400.0, to: 440.0)"#;
    let text = format!(
        "(base: \"classic\", name: \"hexes\", title: \"Larger hexes\", battle: \"training\", change: [{change}])\n"
    );
    write(&folder.join("hexes.ron"), &text);
    let told = in_folder(&folder, &["diff", "classic", "hexes.ron"])
        .code(1)
        .out;
    assert!(
        told.contains("which lies") && told.contains("m from there now"),
        "{told}"
    );
    in_folder(&folder, &["moves", "classic/wickerby+hexes.ron"]).code(0);
    std::fs::remove_dir_all(folder).unwrap();
}
