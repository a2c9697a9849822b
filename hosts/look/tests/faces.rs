//! Every ruleset's declaration is in order and fits its counters.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_data::Source;
use cupola_kernel::view::{At, UnitView};
use cupola_look::{Faces, Outline, Symbol};
use std::path::{Path, PathBuf};

fn rulesets() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/rulesets");
    let mut all: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("faces.ron").is_file())
        .collect();
    all.sort();
    all
}

fn unit(kind: &str, state: Vec<(&'static str, String)>) -> UnitView {
    UnitView {
        id: Some("x".into()),
        name: "Heth".into(),
        side: "cs".into(),
        kind: kind.into(),
        at: At::Hex("1".into()),
        ratings: "2-3-4".into(),
        state,
    }
}

#[test]
fn every_ruleset_says_what_it_is_like_and_its_citations_open_a_chapter() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
    for folder in rulesets() {
        let faces = Faces::of(&folder).unwrap();
        let name = folder.display();
        assert!(
            !faces.about.is_empty(),
            "{name} does not say what it is like"
        );
        for page in [&faces.chapter, &faces.sections] {
            let page = page.as_ref();
            let page = page.unwrap_or_else(|| panic!("{name}: a citation opens nothing"));
            assert!(book.join(page).is_file(), "{name}: the book has no {page}");
        }
    }
}

#[test]
fn ways_to_face_are_those_that_counters_show() {
    let file = Source::new(
        "faces.ron",
        r#"(faces: [(kinds: ["horse"], facing: Some("facing"))])"#,
    );
    let ways = Faces::read(&file).unwrap().ways();
    assert_eq!((ways["N"], ways["SE"], ways.len()), (0, 135, 16));
    let own = r#"(faces: [(facing: Some("facing"), degrees: {"up": 30})])"#;
    let ways = Faces::read(&Source::new("faces.ron", own)).unwrap().ways();
    assert_eq!(
        ways.into_iter().collect::<Vec<_>>(),
        [("up".to_owned(), 30)]
    );
    assert!(Faces::default().ways().is_empty());
}

#[test]
fn every_declaration_can_be_read_and_tells_the_sides_apart() {
    assert!(rulesets().len() >= 3);
    for folder in rulesets() {
        let faces = Faces::of(&folder).unwrap_or_else(|problems| panic!("{problems}"));
        let [us, cs] = ["us", "cs"].map(|side| faces.livery(side));
        assert_ne!(us.colour, cs.colour, "{}", folder.display());
        assert_ne!(us.corners, cs.corners, "colour alone tells the sides apart");
    }
}

#[test]
fn every_kind_of_counter_has_a_symbol() {
    for folder in rulesets() {
        let faces = Faces::of(&folder).unwrap();
        let text = std::fs::read_to_string(folder.join("battles/gettysburg/counters.ron")).unwrap();
        for kind in text.split("kind: ").skip(1) {
            let kind: String = kind
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect();
            let counter = faces.counter(&unit(&kind, vec![]));
            assert_ne!(counter.symbol, Symbol::None, "{} {kind}", folder.display());
        }
    }
}

#[test]
fn a_hidden_unit_shows_its_back_and_nothing_else() {
    for folder in rulesets() {
        let faces = Faces::of(&folder).unwrap();
        let hidden = UnitView {
            id: None,
            ratings: String::new(),
            name: "block".into(),
            ..unit("block", vec![])
        };
        let counter = faces.counter(&hidden);
        assert!(counter.back && counter.slots.is_empty() && counter.pips.is_none());
    }
}

#[test]
fn states_become_signs_and_pips() {
    let source = Source::new(
        "faces.ron",
        r#"(faces: [(outline: block, symbol: infantry, pips: Some(("steps", "max")), facing: Some("facing"),
            badges: [(when: ("fired", "yes"), sign: "F", means: "has fired")])])"#,
    );
    let faces = Faces::read(&source).unwrap();
    let state = vec![
        ("steps", "2".to_owned()),
        ("max", "4".to_owned()),
        ("fired", "yes".to_owned()),
        ("facing", "SE".to_owned()),
    ];
    let counter = faces.counter(&unit("infantry", state));
    assert_eq!(counter.outline, Outline::Block);
    let pips = counter.pips.unwrap();
    assert_eq!((pips.now, pips.of), (2, 4));
    assert_eq!(counter.badges.len(), 1);
    assert_eq!(counter.facing, Some(135));
}

#[test]
fn mistakes_are_named_with_their_line() {
    let bad = |text: &str| {
        Faces::read(&Source::new("faces.ron", text))
            .unwrap_err()
            .to_string()
    };
    let open = bad("(faces: [(slots: [(text: \"{steps\")])])");
    assert!(
        open.contains("faces.ron:1") && open.contains("never closed"),
        "{open}"
    );
    let unknown =
        bad("(tracks: [(name: \"a\", title: \"A\")], boards: [(title: \"B\", tracks: [\"b\"])])");
    assert!(unknown.contains("nothing is called \"b\""), "{unknown}");
    let field = bad("(facse: [])");
    assert!(field.contains("facse"), "{field}");
}
