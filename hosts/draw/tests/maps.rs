//! What every map must hold: readable XML, every label once, a key that tells the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cupola_draw::{
    Atlas, Heat, Highlight, MapRequest, Overlay, Side, Style, Track, Unit, png, svg,
};
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

/// The number behind a word of the text, such as `font-size:`.
fn number_after(text: &str, word: &str) -> f64 {
    let rest = text.split(word).nth(1).unwrap_or_default();
    let digits = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.');
    digits.collect::<String>().parse().unwrap_or(0.0)
}

/// Parts of the regimental board: only their hexes, and labels of five points and more when the
/// page is printed on the usual sheet of 22 by 34 inches.
#[test]
fn parts_have_labels_that_can_be_read() {
    let data = root().join("data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).expect("the field of Gettysburg");
    let board = Board::open(&ground, &data.join("rulesets/gbacw"), None).expect("a board");
    for id in ["sheet-a", "sheet-b", "sheet-c", "map-d", "culps-hill"] {
        let area = board.area(id).expect("an area");
        let mut request = MapRequest::new(&field, &board);
        request.part = Some(area.hexes.clone());
        let map = svg(&request);
        let document = Document::parse(&map).expect("well-formed XML");
        let label = |node: &Node<'_, '_>| node.attribute("class") == Some("h");
        let labels = document.descendants().filter(label);
        assert_eq!(labels.count(), area.hexes.len(), "{id}");
        let group = document
            .descendants()
            .find(label)
            .and_then(|node| node.parent());
        let style = group.and_then(|group| group.attribute("style"));
        let size = number_after(style.expect("a size"), "font-size:");
        let view = document
            .root_element()
            .attribute("viewBox")
            .unwrap_or_default();
        let page: Vec<f64> = view
            .split(' ')
            .filter_map(|part| part.parse().ok())
            .collect();
        let (short, long) = (page[2].min(page[3]), page[2].max(page[3]));
        let points = size * 72.0 * (22.0 / short).min(34.0 / long);
        assert!(points >= 5.0, "{id}: {points} points");
        // Levels are told: by number in every hex, and by a line where they change.
        let level = |node: &Node<'_, '_>| node.attribute("class") == Some("v");
        let levels = document.descendants().filter(level).count();
        assert_eq!(levels, area.hexes.len() + 1, "{id}: one more in the key");
        assert!(map.contains("level-line"), "{id}");
    }
}

/// Where troops come in there are letters, and the key tells what they stand for; a map of one
/// day says which.
#[test]
fn arrows_have_letters_and_maps_their_day() {
    let data = root().join("data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).expect("the field of Gettysburg");
    for name in ["corps20", "blindswords", "blocks", "gbacw"] {
        let ruleset = data.join("rulesets").join(name);
        let board = Board::open(&ground, &ruleset, None).expect("a board");
        let map = svg(&MapRequest::new(&field, &board));
        let document = Document::parse(&map).expect("well-formed XML");
        let gate = |node: &Node<'_, '_>| {
            let symbol = node.attribute("data-symbol");
            symbol.is_some_and(|symbol| symbol.starts_with("gate-"))
        };
        let hexes: BTreeSet<_> = board.entries().iter().filter_map(|e| e.hex).collect();
        let gates: Vec<_> = document.descendants().filter(gate).collect();
        assert!(gates.len() >= hexes.len(), "{name}");
        let mut letters = BTreeSet::new();
        for gate in gates {
            let text = gate.descendants().find_map(|node| {
                node.has_tag_name("text")
                    .then(|| node.text().unwrap_or_default())
            });
            assert!(
                letters.insert(text.expect("letters")),
                "{name}: {text:?} twice"
            );
        }
        assert!(map.contains("OpenStreetMap"), "{name}: whose data it is");
        assert_eq!(
            map.contains("1 to 3 July 1863"),
            name != "blindswords",
            "{name}"
        );
    }
}

/// Tiles have the size of their share of the map, tell their edges, and hold no words.
#[test]
fn tiles_join_to_the_whole_map() {
    let data = root().join("data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).expect("the field of Gettysburg");
    let board = Board::open(&ground, &data.join("rulesets/gbacw"), None).expect("a board");
    let atlas = Atlas::new(&field, &board);
    let overview = atlas.overview().expect("a picture");
    assert!(overview.len() < 1_000_000, "{} bytes", overview.len());
    let zooms = atlas.zooms();
    assert!(zooms.windows(2).all(|pair| pair[1].hex > pair[0].hex));
    assert!(zooms[zooms.len() - 1].hex >= 64.0);
    for (zoom, set) in zooms.iter().enumerate() {
        assert_eq!(set.columns, set.width.div_ceil(512));
        assert!(atlas.tile(zoom, set.columns, 0).is_err());
    }
    assert!(atlas.tile(zooms.len(), 0, 0).is_err());
    // A corner tile is as large as what is left of the map, and every hex lies on it somewhere.
    let last = zooms[0];
    let tile = atlas
        .tile(0, last.columns - 1, last.rows - 1)
        .expect("a tile");
    let word = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|i| tile[at + i]));
    assert_eq!(word(16), last.width - (last.columns - 1) * 512);
    for hex in board.hexes() {
        let (x, y) = atlas.point(hex);
        assert!(x > 0.0 && x < f64::from(last.width) && y > 0.0 && y < f64::from(last.height));
    }
    let names = atlas.names();
    assert!(
        names
            .iter()
            .any(|name| name.text == "Gettysburg" && name.zoom == 0)
    );
    assert!(
        names
            .iter()
            .any(|name| name.kind == "farm" && name.zoom > 0)
    );
    assert!(
        atlas
            .attribution()
            .is_some_and(|text| text.contains("OpenStreetMap"))
    );
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
        sides: ["Union".to_owned(), "Confederate".to_owned()],
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

#[test]
fn sheets_are_at_true_scale_and_nothing_is_left_out() {
    use cupola_draw::{Paper, Printer, Turn};
    use cupola_kernel::{Chart, Term};
    let mut printer = Printer::new(Paper::A4, "A ruleset");
    let turn = |n: usize| Turn {
        label: format!("Turn {n}"),
        hours: "8:00\u{2013}9:00".into(),
        light: "day".into(),
    };
    printer.turns(&(1..=90).map(turn).collect::<Vec<_>>());
    let chart = Chart::new("Odds & ends", "7.1", ["die", "result"]);
    let chart = (1..=200).fold(chart, |chart, die| {
        chart.row([die.to_string(), format!("result {die}")])
    });
    printer.charts(&[chart.note("A note.")]);
    let card = Term {
        name: "Rebel Yell".into(),
        kind: "card".into(),
        text: "Long words. ".repeat(60),
        rule: "4".into(),
    };
    printer.cards("Cards", &[&card]);
    let sheets = printer.finish();
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    assert!(
        names.starts_with(&["turn-track-1", "turn-track-2"]),
        "{names:?}"
    );
    let all: String = sheets.iter().map(|sheet| sheet.svg.as_str()).collect();
    for n in 1..=90 {
        assert!(all.contains(&format!(">Turn {n}<")), "turn {n}");
    }
    for die in 1..=200 {
        assert!(all.contains(&format!(">result {die}<")), "row {die}");
    }
    for sheet in &sheets {
        let tree = roxmltree::Document::parse(&sheet.svg).expect("well-formed");
        let root = tree.root_element();
        assert_eq!(root.attribute("width"), Some("210mm"));
        assert_eq!(root.attribute("viewBox"), Some("0 0 2100 2970"));
        // Everything that is written stands on the paper.
        for text in tree.descendants().filter(|node| node.has_tag_name("text")) {
            let y: f64 = text
                .attribute("y")
                .and_then(|y| y.parse().ok())
                .unwrap_or(0.0);
            assert!(y > 0.0 && y < 2900.0, "{}: {y}", sheet.name);
        }
    }
}
