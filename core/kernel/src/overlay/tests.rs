use super::*;
use crate::variant::Variant;
use cupola_data::Origin;

const COUNTERS: &str = r#"(
    // Who fights.
    counters: [
        (id: "cs-heth", side: "cs", name: "Heth", nodes: ["cs-iii-heth"], values: (strength: (3, derived("men / 2800, rounded")), turn: "t1")),
        (id: "us-ames", side: "us", name: "Ames", nodes: ["us-xi-1"], values: (strength: (2, house("x")), turn: "t2")),
        (id: "us-barlow", side: "us", name: "Barlow", nodes: ["us-xi-2"], values: (strength: (1, house("x")), turn: "t2")),
    ],
    left_out: [],
)"#;
const TABLES: &str = r#"(
    crt: [(at: 1, rolls: (AR, DR), origin: printed("9")), (at: 2, rolls: (DR, DE), origin: house("y"))],
    deck: ["a", "b"],
    seven: 7,
)"#;
const ARMY: &str = r#"(nodes: [(id: "us"), (id: "us-xi", of: "us"), (id: "us-xi-1", of: "us-xi"), (id: "us-xi-2", of: "us-xi"), (id: "us-xi-2-1", of: "us-xi-2")])"#;

fn shelf() -> Shelf {
    let mut shelf = Shelf::default();
    shelf.put("counters", None, Source::new("counters.ron", COUNTERS));
    shelf.put("tables", None, Source::new("tables.ron", TABLES));
    shelf.put("union", Some("army"), Source::new("union.ron", ARMY));
    shelf
}

/// A shelf after variants that are called a, b, …
fn changed(variants: &[&str]) -> Result<Shelf, String> {
    let names = ["a", "b", "c"];
    let read = variants.iter().zip(names).map(|(change, name)| {
        let head = format!(r#"base: "toy", name: "{name}", title: "Variant {name}""#);
        let file = Source::new(
            format!("{name}.ron"),
            format!("({head}, change: [\n{change}\n])"),
        );
        let variant: Variant = file.ron().unwrap();
        (file, variant)
    });
    let read: Vec<(Source, Variant)> = read.collect();
    let layer: Vec<Overlay> = read
        .iter()
        .map(|(file, variant)| Overlay {
            by: &variant.name,
            title: &variant.title,
            file,
            field: "change",
            changes: &variant.change,
            fields: None,
            owner: variant.owner,
        })
        .collect();
    let mut shelf = shelf();
    shelf
        .apply(&layer)
        .map_err(|problems| problems.to_string())?;
    Ok(shelf)
}

fn text(change: &str, file: &str) -> String {
    changed(&[change])
        .unwrap()
        .get(file)
        .unwrap()
        .source
        .text
        .clone()
}

#[test]
fn a_value_is_set_with_its_origin_and_nothing_else_changes() {
    let set = r#"set(path: "counters/heth/strength", to: 4, was: 3, origin: printed("box"))"#;
    let expected = COUNTERS.replace(
        r#"(3, derived("men / 2800, rounded"))"#,
        r#"(4, printed("box"))"#,
    );
    assert_eq!(text(set, "counters"), expected);
    let own = text(r#"set(path: "counters/heth/strength", to: 4)"#, "counters");
    assert!(own.contains(r#"(4, house("Variant a"))"#), "{own}");
    // A row's origin is that of all its cells; two changes may mean it.
    let row =
        r#"set(path: "tables/crt/1/rolls/#1", to: AE), set(path: "tables/crt/1/rolls/#2", to: EX)"#;
    let row = text(row, "tables");
    assert!(
        row.contains(r#"(at: 1, rolls: (AE, EX), origin: house("Variant a"))"#),
        "{row}"
    );
    assert!(row.contains(r#"origin: house("y")"#), "{row}");
}

#[test]
fn numbers_are_scaled_and_shifted() {
    let scaled = text(
        r#"scale(path: "counters/side=us/strength", percent: 150, most: 2)"#,
        "counters",
    );
    assert!(
        scaled.contains("(2, house(\"Variant a\")), turn: \"t2\")),\n        (id: \"us-barlow\""),
        "{scaled}"
    );
    assert!(scaled.contains("(3, derived"), "{scaled}");
    let shifted = text(r#"shift(path: "tables/seven", by: -9)"#, "tables");
    assert!(shifted.contains("seven: -2"), "{shifted}");
}

/// Where a unit comes was told to be printed, though a variant had changed it.
#[test]
fn what_stands_in_a_pair_changes_the_origin_of_the_pair() {
    let mut shelf = Shelf::default();
    let file = r#"(units: [(id: "a", entry: ((turn: "1", at: "x"), printed("12")), ma: (4, printed("7")))])"#;
    shelf.put("units", None, Source::new("units.ron", file));
    let variant = Source::new(
        "v.ron",
        r#"(base: "toy", name: "v", title: "Early", change: [set(path: "units/a/entry/turn", to: "2"), set(path: "units/a/entry/at", to: "y")])"#,
    );
    let read: Variant = variant.ron().unwrap();
    shelf
        .apply(&[Overlay {
            by: "v",
            title: "Early",
            file: &variant,
            field: "change",
            changes: &read.change,
            fields: None,
            owner: false,
        }])
        .unwrap();
    assert_eq!(
        shelf.get("units").unwrap().source.text,
        r#"(units: [(id: "a", entry: ((turn: "2", at: "y"), house("Early")), ma: (4, printed("7")))])"#
    );
}

#[test]
fn entries_are_added_and_removed() {
    let added = text(
        r#"add(path: "tables/deck", entry: "c"), add(path: "tables", key: "eight", entry: 8)"#,
        "tables",
    );
    assert!(
        added.contains(r#"["a", "b", "c", ]"#) && added.contains("seven: 7,\neight: 8, )"),
        "{added}"
    );
    let removed = text(
        r#"remove(path: "counters/counters/under=us-xi")"#,
        "counters",
    );
    assert!(
        !removed.contains("Ames") && !removed.contains("Barlow"),
        "{removed}"
    );
    assert!(removed.contains(r#"left_out: [(node: "us-xi-1", why: "Variant a"), (node: "us-xi-2", why: "Variant a"), ]"#), "{removed}");
    assert_eq!(removed.lines().count(), COUNTERS.lines().count());
    let removed = text(
        r#"remove(path: "tables/deck/a"), remove(path: "tables/deck/b"), remove(path: "tables/seven")"#,
        "tables",
    );
    assert!(removed.contains("deck: [ ],"), "{removed}");
    assert!(Node::parse(&removed).is_some(), "{removed}");
    assert_eq!(
        text(r#"set(path: "army/us-xi-1/of", to: "us")"#, "union")
            .matches(r#"of: "us""#)
            .count(),
        2
    );
}

#[test]
fn what_is_wrong_is_told_where_it_is_written() {
    for (change, words) in [
        (
            r#"set(path: "counters/hteh/strength", to: 4)"#,
            "a.ron:2:11: change[0].path: no \"hteh\" in counters; did you mean \"heth\"?",
        ),
        (
            r#"set(path: "counter/heth", to: 4)"#,
            "no file \"counter\" in this ruleset; did you mean \"counters\"?",
        ),
        (
            r#"set(path: "counters/heth/strength", to: 4, was: 6)"#,
            "change[0].was: counters/cs-heth/strength is 3, not 6; the file has changed",
        ),
        (
            r#"shift(path: "counters/heth/turn", by: 1)"#,
            "counters/cs-heth/turn is \"t1\", not a whole number",
        ),
        (
            r#"add(path: "tables/seven", entry: 1)"#,
            "tables/seven is 7, which holds nothing",
        ),
        (
            r#"add(path: "tables/crt/1", entry: 1)"#,
            "tables/crt/1 has fields: say in `key` which this is",
        ),
        (
            r#"add(path: "tables", key: "seven", entry: 1)"#,
            "change[0].key: tables has \"seven\" already; change it with `set`",
        ),
        (
            r#"add(path: "tables/deck", key: "x", entry: "c")"#,
            "tables/deck is a list: its entries have no names",
        ),
        (
            r#"add(path: "counters/counters", entry: (id: "us-ames"))"#,
            "counters/counters has an entry \"us-ames\" already",
        ),
        (
            r#"remove(path: "tables")"#,
            "a whole file cannot be taken away",
        ),
        (
            r#"remove(path: "counters/under=us-xii")"#,
            "nothing in counters has under=us-xii",
        ),
        (
            r#"set(path: "", to: 1)"#,
            "change[0].path: a step with nothing in it",
        ),
        (
            r#"scale(path: "tables/seven", percent: 100, least: 5, most: 3)"#,
            "change[0].least: at least 5 and at most 3: nothing is both",
        ),
    ] {
        let told = changed(&[change]).map(|_| ()).unwrap_err();
        assert!(told.contains(words), "expected “{words}” in:\n{told}");
    }
}

#[test]
fn two_changes_of_one_value_are_a_conflict_that_names_both() {
    let strength = r#"set(path: "counters/heth/strength", to: 4)"#;
    let told = changed(&[
        strength,
        r#"scale(path: "counters/*/strength", percent: 200)"#,
    ]);
    let told = told.map(|_| ()).unwrap_err();
    assert!(
        told.contains("b.ron:2:13: change[0].path: counters/cs-heth/strength is changed by the variant “a” as well: a.ron:2; keep one: there “counters/cs-heth/strength” becomes 4"),
        "{told}"
    );
    assert!(told.ends_with("1 problem"), "{told}");
    let within = changed(&[&format!("{strength},\nremove(path: \"counters/heth\")")]);
    let told = within.map(|_| ()).unwrap_err();
    assert!(
        told.contains("counters/cs-heth is changed by another change as well: a.ron:2"),
        "{told}"
    );
    assert!(changed(&[strength, r#"set(path: "counters/ames/strength", to: 4)"#]).is_ok());
}

#[test]
fn readers_blame_the_change_and_not_the_file() {
    let shelf = changed(&[
        r#"set(path: "counters/heth/strength", to: 99), set(path: "counters/ames/turn", to: "t9")"#,
    ])
    .unwrap();
    let source = &shelf.get("counters").unwrap().source;
    let far = source.problem("counters[0].values.strength[0]", "too strong");
    let other = source.problem("counters[2].values.turn", "no such turn");
    let turn = source.problem("counters[1].values.turn", "no such turn");
    let told = shelf
        .blame([far, turn, other].into_iter().collect())
        .to_string();
    assert!(
        told.contains("a.ron:2:41: change[0].to: counters/cs-heth/strength: too strong"),
        "{told}"
    );
    assert!(
        told.contains("change[1].to: counters/us-ames/turn: no such turn"),
        "{told}"
    );
    assert!(told.contains("counters.ron:6:"), "{told}");
    let ranges = BTreeMap::from([(
        "counters/*/strength".to_owned(),
        Sourced((0, 9), Origin::House("one digit".into())),
    )]);
    let told = shelf.blame(shelf.out_of_range(&ranges, source)).to_string();
    assert!(told.contains("change[0].to: counters/cs-heth/strength: 99 is out of range, expected 0 to 9 (house: one digit)\n1 problem"), "{told}");
}

#[test]
fn a_second_layer_finds_what_the_first_made() {
    let mut shelf = changed(&[r#"add(path: "counters/counters", entry: (id: "us-new", values: (strength: (1, house("n"))))), set(path: "counters/heth/strength", to: 14)"#]).unwrap();
    let file = Source::new(
        "z.ron",
        r#"(base: "toy", name: "z", title: "Z", change: [set(path: "counters/new/strength", to: 2), set(path: "counters/ames/turn", to: "t11")])"#,
    );
    let variant: Variant = file.ron().unwrap();
    shelf
        .apply(&[Overlay {
            by: "z",
            title: "Z",
            file: &file,
            field: "change",
            changes: &variant.change,
            fields: None,
            owner: true,
        }])
        .unwrap();
    let volume = shelf.get("counters").unwrap();
    assert!(
        volume
            .source
            .text
            .contains("(2, printed(\"by the owner\"))"),
        "{}",
        volume.source.text
    );
    let spans: Vec<&str> = volume
        .touched
        .iter()
        .map(|touch| &volume.source.text[touch.span.clone()])
        .collect();
    assert_eq!(spans[1..], ["14", "2", "\"t11\""]);
    assert!(spans[0].starts_with("(id: \"us-new\""), "{spans:?}");
}

/// Two entries in an empty list stood there without a comma, and who took the last one of a list away could add none.
#[test]
fn a_list_takes_several_entries_whatever_else_becomes_of_it() {
    for (change, words) in [
        (
            r#"add(path: "counters/left_out", entry: 1), add(path: "counters/left_out", entry: 2)"#,
            "left_out: [1, 2, ]",
        ),
        (
            r#"add(path: "counters/left_out", entry: 1), remove(path: "counters/ames")"#,
            r#"left_out: [1, (node: "us-xi-1", why: "Variant a"), ]"#,
        ),
    ] {
        let told = text(change, "counters");
        assert!(
            told.contains(words) && Node::parse(&told).is_some(),
            "{told}"
        );
    }
    for (change, words) in [
        (
            r#"add(path: "tables/deck", entry: "c"), add(path: "tables/deck", entry: "d")"#,
            r#"["a", "b", "c", "d", ]"#,
        ),
        (
            r#"remove(path: "tables/deck/b"), add(path: "tables/deck", entry: "c")"#,
            r#"["a", "c", ]"#,
        ),
        (
            r#"remove(path: "tables/deck/a"), remove(path: "tables/deck/b"), add(path: "tables/deck", entry: "c")"#,
            r#"[ "c", ]"#,
        ),
        (
            r#"remove(path: "tables/seven"), add(path: "tables", key: "eight", entry: 8)"#,
            "eight: 8, )",
        ),
    ] {
        let told = text(change, "tables");
        assert!(
            told.contains(words) && Node::parse(&told).is_some(),
            "{told}"
        );
    }
}

/// A reader told of a value out of its range where the pair of it and its origin stands: in a file that nobody had touched.
#[test]
fn what_stands_closely_around_a_change_is_told_of_it() {
    let blamed = |change: &str, file: &str, field: &str| {
        let shelf = changed(&[change]).unwrap();
        let problem = shelf.get(file).unwrap().source.problem(field, "wrong");
        shelf.blame(problem.into()).to_string()
    };
    let strength = r#"set(path: "counters/heth/strength", to: 99)"#;
    let told = blamed(strength, "counters", "counters[0].values.strength");
    assert!(
        told.starts_with("a.ron:2:41: change[0].to: counters/cs-heth/strength: wrong"),
        "{told}"
    );
    let told = blamed(
        r#"remove(path: "tables/crt/1/rolls/#1")"#,
        "tables",
        "crt[0].rolls",
    );
    assert!(
        told.starts_with("a.ron:2:14: change[0].path: tables/crt/1/rolls/#1: wrong"),
        "{told}"
    );
    let told = blamed(
        r#"remove(path: "counters/ames/turn")"#,
        "counters",
        "counters[1].values",
    );
    assert!(
        told.starts_with("a.ron:2:14: change[0].path: counters/us-ames/turn: wrong"),
        "{told}"
    );
    // Farther off, or of two changes, nobody can say.
    let told = blamed(strength, "counters", "counters");
    assert!(told.starts_with("counters.ron:3:"), "{told}");
    let two =
        r#"set(path: "counters/heth/strength", to: 9), set(path: "counters/heth/turn", to: "t9")"#;
    let told = blamed(two, "counters", "counters[0].values");
    assert!(told.starts_with("counters.ron:4:"), "{told}");
    // Of several that are added each is told of its own.
    let three = "add(path: \"tables/deck\", entry: 1),\nadd(path: \"tables/deck\", entry: 2),\nadd(path: \"tables/deck\", entry: 3)";
    for (i, line) in [(2, 2), (3, 3), (4, 4)] {
        let told = blamed(three, "tables", &format!("deck[{i}]"));
        assert!(told.starts_with(&format!("a.ron:{line}:")), "{told}");
    }
}
