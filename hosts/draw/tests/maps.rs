//! What every map must hold: readable XML, every label once, a key that tells the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cupola_draw::{Heat, Highlight, MapRequest, Overlay, Side, Style, Track, Unit, png, svg};
use cupola_ground::{Battlefield, Board, HexId};
use roxmltree::{Document, Node};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A field small enough to know by heart.
fn millford() -> (Battlefield, Board) {
    let folder = root().join("tests/bad/ground/good");
    let field = Battlefield::read(&folder).expect("the field of Millford");
    let board = Board::open(&folder, &folder, None).expect("the board of Millford");
    (field, board)
}

fn values<'a>(document: &'a Document<'_>, attribute: &str) -> BTreeSet<&'a str> {
    document
        .descendants()
        .filter_map(|node| node.attribute(attribute))
        .collect()
}

/// The checks that hold for every map.
fn check(board: &Board, svg: &str) {
    let document = Document::parse(svg).expect("well-formed XML");
    assert_eq!(
        values(&document, "data-symbol"),
        values(&document, "data-key")
    );
    for entry in document
        .descendants()
        .filter(|node| node.has_attribute("data-key"))
    {
        let samples = entry.children().filter(Node::is_element).count();
        assert!(
            samples > 1,
            "{:?} has words but no sample",
            entry.attribute("data-key")
        );
    }
    let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
    for node in document.descendants() {
        if node.attribute("class") == Some("h") {
            *labels.entry(node.text().unwrap_or_default()).or_default() += 1;
        }
    }
    assert_eq!(labels.len(), board.len());
    for hex in board.hexes() {
        assert_eq!(
            labels.get(board.label(hex)),
            Some(&1),
            "{}",
            board.label(hex)
        );
    }
    for node in document
        .descendants()
        .filter(|node| !node.has_tag_name("image"))
    {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.ends_with("inf"), "{value}");
        }
    }
    references_resolve(&document);
    text_on_page(&document);
}

/// Every pattern, clip and path that is used exists.
fn references_resolve(document: &Document<'_>) {
    let ids = values(document, "id");
    for node in document.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            let target = value
                .strip_prefix('#')
                .filter(|_| attribute.name() == "href");
            let url = value
                .strip_prefix("url(#")
                .and_then(|rest| rest.strip_suffix(')'));
            if let Some(id) = target.or(url) {
                assert!(ids.contains(id), "#{id} is used but not defined");
            }
        }
    }
}

/// No text starts off the page.
fn text_on_page(document: &Document<'_>) {
    let view = document
        .root_element()
        .attribute("viewBox")
        .expect("a view box");
    let size: Vec<f64> = view
        .split(' ')
        .filter_map(|part| part.parse().ok())
        .collect();
    for node in document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
    {
        let number = |name: &str| node.attribute(name).and_then(|v| v.parse::<f64>().ok());
        if let (Some(x), Some(y)) = (number("x"), number("y")) {
            assert!((0.0..=size[2]).contains(&x) && (0.0..=size[3]).contains(&y));
        }
    }
}

#[test]
fn every_style_of_a_small_board_is_whole() {
    let (field, board) = millford();
    for style in Style::ALL {
        let mut request = MapRequest::new(&field, &board);
        request.style = style;
        let map = svg(&request);
        check(&board, &map);
        assert_eq!(map, svg(&request), "the same request, the same bytes");
    }
}

#[test]
fn the_boards_of_gettysburg_are_whole() {
    let data = root().join("data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).expect("the field of Gettysburg");
    for name in ["corps20", "blindswords", "blocks", "gbacw"] {
        let ruleset = data.join("rulesets").join(name);
        let board = Board::open(&ground, &ruleset, None).expect("a board");
        let map = svg(&MapRequest::new(&field, &board));
        check(&board, &map);
        // Once as the title, once in the town.
        assert_eq!(map.matches(">GETTYSBURG</text>").count(), 2, "{name}");
        for road in [
            "Chambersburg Pike",
            "York Pike",
            "Baltimore Pike",
            "Rock Creek",
        ] {
            assert!(
                map.contains(&format!("{road}</textPath>")),
                "{name}: {road}"
            );
        }
        assert!(map.len() < 2_500_000, "{name}: {} bytes", map.len());
    }
}

#[test]
fn what_is_not_wanted_is_not_drawn() {
    let (field, board) = millford();
    let mut request = MapRequest::new(&field, &board);
    request.show.key = false;
    request.show.relief = false;
    request.show.fonts = false;
    let map = svg(&request);
    assert!(!map.contains("data-key") && !map.contains("<image") && !map.contains("@font-face"));
    request.show.labels = false;
    assert!(!svg(&request).contains("class=\"h\""));
}

fn overlay() -> Overlay {
    let unit = |hex, side, label: &str| Unit {
        hex: HexId(hex),
        side,
        label: label.to_owned(),
        strength: "4-3".to_owned(),
    };
    Overlay {
        heat: Some(Heat {
            name: "Losses".to_owned(),
            values: vec![(HexId(0), 1.0), (HexId(1), 2.5), (HexId(2), f64::NAN)],
        }),
        highlights: vec![Highlight {
            name: "Reach & sight".to_owned(),
            hexes: vec![HexId(3), HexId(4), HexId(60_000)],
        }],
        tracks: vec![Track {
            name: "March".to_owned(),
            hexes: vec![HexId(0), HexId(1), HexId(2)],
        }],
        units: vec![
            unit(5, Side::First, "1/I"),
            unit(5, Side::First, "2/I"),
            unit(6, Side::Second, "Heth"),
            unit(60_000, Side::Second, "nowhere"),
        ],
        ..Overlay::default()
    }
}

#[test]
fn overlays_are_drawn_and_told() {
    let (field, board) = millford();
    let mut request = MapRequest::new(&field, &board);
    request.overlay = overlay();
    let map = svg(&request);
    check(&board, &map);
    for text in [
        "Losses, 1 to 2.5",
        "Reach &amp; sight",
        "March",
        "Union",
        "Heth",
        "4-3 (+1)",
    ] {
        assert!(map.contains(text), "{text}");
    }
    assert!(
        !map.contains("nowhere"),
        "a hex off the board is passed over"
    );
}

#[test]
fn pictures_have_the_width_asked_for() {
    let (field, board) = millford();
    let mut request = MapRequest::new(&field, &board);
    request.overlay = overlay();
    let picture = png(&request, 300).expect("a picture");
    let word = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|i| picture[at + i]));
    assert_eq!(word(16), 300);
    assert!(word(20) > 100);
    assert_eq!(picture, png(&request, 300).expect("the same picture"));
    assert!(png(&request, 0).is_err());
}
