//! The reader of our types reads what the `ron` crate reads, and refuses what it refuses.

use cupola_data::Source;
use ron::extensions::Extensions;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct All {
    number: i8,
    #[serde(default)]
    share: Option<f64>,
    words: Vec<String>,
    pair: (u16, bool),
    map: BTreeMap<u16, Kind>,
    by_kind: BTreeMap<Kind, Wrapped>,
    #[serde(default)]
    deep: Option<Box<Deep>>,
    letter: char,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Deep {
    kinds: [Kind; 2],
    nothing: (),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Wrapped(u8);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Foot,
    Horse(u8),
    Gun(u8, String),
    Staff { name: String },
}

const GOOD: &str = r##"(number: -3, words: ["a \"b\"\n", r#"c"d"#, "é"], pair: (0x10, true),
    map: {1: foot, 2: horse(4), 3: gun(5, "x",), 4: staff(name: "y")},
    by_kind: {foot: (1), horse(2): Wrapped(3)}, deep: Some((kinds: (foot, horse(9)), nothing: ())), letter: 'q',)"##;

fn by_ron(text: &str) -> Option<All> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).ok()
}

fn by_us(text: &str) -> Option<All> {
    Source::new("x.ron", text).ron().ok()
}

#[test]
fn what_is_well_written_is_read_alike() {
    let bare = GOOD
        .replace("Some((kinds", "(kinds")
        .replace("())),", "()),");
    let mut texts = vec![GOOD.to_owned(), bare];
    for (was, is) in [
        ("number: -3", "number: +1_0"),
        ("number: -3", "number: 0b11, share: 2"),
        ("number: -3", "share: None, number: 7"),
        ("(number", "All(number"),
        ("pair: (0x10, true)", "pair: (16, /* yes */ true,)"),
    ] {
        texts.push(GOOD.replacen(was, is, 1));
    }
    for text in texts {
        assert!(by_ron(&text).is_some(), "{text}");
        assert_eq!(by_us(&text), by_ron(&text), "{text}");
    }
}

#[test]
fn what_is_badly_written_is_refused_alike() {
    for (was, is) in [
        ("number: -3", "number: 300"),
        ("number: -3", "number: \"3\""),
        ("number: -3", "number: 3.5"),
        ("number: -3", "number: -3, number: 4"),
        ("number: -3", "numbr: -3"),
        ("number: -3, ", ""),
        ("pair: (0x10, true)", "pair: (1)"),
        ("pair: (0x10, true)", "pair: (1, true, 2)"),
        ("pair: (0x10, true)", "pair: [1, true]"),
        ("words: [", "words: {"),
        ("1: foot", "one: foot"),
        ("1: foot", "1: foot()"),
        ("1: foot", "1: fot"),
        ("horse(4)", "horse"),
        ("horse(4)", "horse(a: 4)"),
        ("gun(5, \"x\",)", "gun(5)"),
        ("staff(name: \"y\")", "staff(\"y\")"),
        ("staff(name: \"y\")", "staff(nmae: \"y\")"),
        ("Wrapped(3)", "Wraped(3)"),
        ("Wrapped(3)", "3"),
        ("(number", "Other(number"),
        ("'q'", "q"),
        ("nothing: ()", "nothing: 1"),
    ] {
        let text = GOOD.replacen(was, is, 1);
        assert_ne!(text, GOOD, "{was}");
        assert_eq!(by_ron(&text), None, "{text}");
        assert_eq!(by_us(&text), None, "{text}");
    }
    // Whatever is cut off, nothing panics, and both agree.
    for end in (0..GOOD.len()).filter(|&end| GOOD.is_char_boundary(end)) {
        assert_eq!(by_us(&GOOD[..end]), by_ron(&GOOD[..end]), "{end}");
    }
}

#[test]
fn a_single_field_is_read_alone() {
    let file = Source::new("x.ron", "(a: (b: (1, 300)), c: None)");
    let wrong = file.ron_field::<(u8, u8)>("a.b").unwrap_err().to_string();
    let told = "a.b[1]: 300 is out of range, expected a whole number from 0 to 255";
    assert_eq!(wrong, format!("x.ron:1:13: {told}"));
    assert_eq!(file.ron_field::<u8>("a.d").unwrap(), None);
    assert_eq!(file.ron_field::<u8>("c").unwrap(), None);
}

#[test]
fn what_is_one_too_many_is_pointed_at() {
    let file = Source::new("x.ron", "(a: (1, 2, 3), b: [(4, 5, 6)])");
    let place = |wrong: String| wrong.split(' ').next().map(str::to_owned);
    let pair = file.ron_field::<(u8, u8)>("a").unwrap_err().to_string();
    assert_eq!(place(pair).as_deref(), Some("x.ron:1:12:"));
    let pairs = file.ron_field::<Vec<(u8, u8)>>("b").unwrap_err();
    assert_eq!(place(pairs.to_string()).as_deref(), Some("x.ron:1:27:"));
}

/// The `ron` crate takes the last and says nothing of the first.
#[test]
fn a_key_that_stands_in_a_map_twice_is_told() {
    let told = |text: &str| {
        let read = Source::new("x.ron", text).ron::<BTreeMap<String, BTreeMap<Kind, u8>>>();
        read.map_err(|problem| problem.to_string())
    };
    assert_eq!(
        told("{\n\"a\": {},\n\"b\": {},\n\"a\": {},\n}"),
        Err("x.ron:4:1: a: a second \"a\"; the first is in line 2".to_owned())
    );
    assert_eq!(
        told("{\"a\": {foot: 1, foot: 2}}"),
        Err("x.ron:1:17: a.foot: a second \"foot\"; the first is in line 1".to_owned())
    );
    assert!(told("{\"a\": {horse(1): 1, horse(2): 2}}").is_ok());
}
