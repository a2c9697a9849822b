//! The example of each format, in the modules' documentation and in the book, is read by its own
//! loader.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::Path;

use common::block_game;
use cupola_data::Source;
use cupola_ground::battlefield::{Battlefield, BattlefieldFiles, Feature, Place};
use cupola_ground::board::Cover;
use cupola_ground::kinds::{PlaceKind, RoadKind, Sure, WaterKind};
use cupola_ground::{Anchors, Board, BoardPlan, Bounds, Grid, Heights, Point, Projection};

/// The first example in this language in the documentation of a module.
fn example(module: &str, language: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(module);
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("//!").unwrap_or("```"));
    let inside = lines.skip_while(|line| line.trim() != format!("```{language}"));
    let example: Vec<&str> = inside
        .skip(1)
        .take_while(|line| line.trim() != "```")
        .collect();
    assert!(example.len() > 2, "no example in {module}");
    Source::new(module, example.join("\n"))
}

/// The examples in this language of a page of the book, in order, but for those that are files of
/// the data and tested as such.
fn page(name: &str, language: &str) -> Vec<Source> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/ground");
    let text = fs::read_to_string(path.join(name)).unwrap();
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    let examples = blocks.filter_map(|block| block.split("```").next());
    let examples = examples.filter(|example| !example.starts_with("{{#include"));
    examples.map(|example| Source::new(name, example)).collect()
}

fn feature<K>(kind: K, name: &str, shape: Vec<Point>) -> Feature<K, Vec<Point>> {
    Feature {
        kind,
        name: Some(name.to_owned()),
        sure: Sure::House,
        source: "made for tests".to_owned(),
        shape,
    }
}

fn ground() -> Battlefield {
    let frame = Projection {
        zone: 18,
        easting: 304_208.02,
        northing: 4_404_534.27,
    };
    let bounds = Bounds {
        low: Point::new(-300_000, -250_000),
        high: Point::new(1_250_000, 1_250_000),
    };
    let mut field = Battlefield::empty("gettysburg", frame, bounds);
    for (id, name, kind, point) in [
        (
            "little-round-top",
            "Little Round Top",
            PlaceKind::Hill,
            (431_500, 252_900),
        ),
        (
            "sherfy-farm",
            "Sherfy farm",
            PlaceKind::Farm,
            (328_000, 376_000),
        ),
    ] {
        field.places.push(Place {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
            sure: Sure::Certain,
            source: "survey".to_owned(),
            point: Point::new(point.0, point.1),
        });
    }
    for name in ["High Street", "Shealer road"] {
        let shape = vec![Point::new(469_000, 657_500), Point::new(523_000, 660_000)];
        field.roads.push(feature(RoadKind::Road, name, shape));
    }
    let shape = vec![Point::new(250_000, 800_000), Point::new(200_000, 600_000)];
    field
        .water
        .push(feature(WaterKind::Run, "Willoughby Run", shape));
    field
}

#[test]
fn grid() {
    let grid = Grid::parse(&example("grid/mod.rs", "ron")).unwrap();
    assert_eq!(
        grid.lattice.centre(grid.hex("C2118").unwrap()),
        Point::new(431_500, 252_900)
    );
}

#[test]
fn recipe_and_corrections() {
    let plan = BoardPlan::parse(example("recipe/mod.rs", "ron")).unwrap();
    let board = Board::compile(&ground(), &block_game(), &plan).unwrap();
    assert_eq!(board.level(board.hex("J6").unwrap()), 3);
}

#[test]
fn anchors() {
    let (grid, field) = (block_game(), ground());
    let anchors = Anchors::parse(&example("anchors.rs", "ron"), &grid, &field).unwrap();
    let fit = anchors.fit(&grid, &field);
    assert_eq!((anchors.0.len(), fit.misses.len()), (2, 1), "one is off");
    assert!(fit.largest <= 100);
}

#[test]
fn heights() {
    let bounds = Bounds {
        low: Point::new(-300_000, 1_240_000),
        high: Point::new(-280_000, 1_250_000),
    };
    let heights = Heights::parse(&example("heights.rs", "ron"), &bounds).unwrap();
    assert_eq!(heights.height(Point::new(-300_000, 1_250_000)), 16_490);
}

#[test]
fn battlefield_and_geojson() {
    let empty = "{\"type\": \"FeatureCollection\", \"features\": []}";
    let none = || Source::new("none.geojson", empty);
    let places = example("battlefield/geojson.rs", "json");
    let flat = "(origin: (x: -3000, y: 13000), step: 1000, columns: 17, lines: 17, rows: [";
    let row = format!("\"{}\",", "1500 ".repeat(17));
    let heights = Source::new("heights.ron", format!("{flat}{}])", row.repeat(17)));
    let files = BattlefieldFiles {
        main: example("battlefield/mod.rs", "ron"),
        parts: [none(), none(), none(), none(), places, none(), heights],
    };
    let field = Battlefield::parse(&files).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(
        field.place("little-round-top").unwrap().name,
        "Little Round Top"
    );
}

fn gettysburg() -> Battlefield {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/battlefields/gettysburg");
    Battlefield::read(&folder).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn the_books_board() {
    let [grid, sheets, plan, anchors] = page("boards.md", "ron").try_into().unwrap();
    let (grid, field) = (Grid::parse(&grid).unwrap(), gettysburg());
    let plan = BoardPlan::parse(plan).unwrap();
    let board =
        Board::compile(&field, &grid, &plan).unwrap_or_else(|problems| panic!("{problems}"));
    let hex = |label: &str| board.hex(label).unwrap();
    let side = |a, b| *board.side(hex(a), board.direction(hex(a), hex(b)).unwrap());
    // What the corrections say.
    assert_eq!(board.level(hex("2021")), 3);
    assert_eq!(board.cover(hex("2014")), Cover::Clear);
    assert!(side("2020", "2021").wall && !side("2022", "2021").crest);
    assert_eq!(side("2022", "2023").road, Some(RoadKind::Trail));
    assert_eq!(board.describe(hex("2021")).notes.len(), 5);
    // What the recipe says by name.
    let run = |hex: &_| board.threads(*hex).any(|name| name == "Willoughby Run");
    let bank = board.hexes().find(run).unwrap();
    let creek = board.neighbours(bank);
    let mut creek = creek.map(|(way, _)| board.side(bank, way).water);
    assert!(creek.any(|water| water == Some(WaterKind::Creek)));
    let street = |hex| board.threads(hex).any(|name| name == "High Street");
    assert!(!board.hexes().any(street));
    // Anchors: two within a hex of the truth, one off.
    let anchors = Anchors::parse(&anchors, &grid, &field).unwrap();
    let fit = anchors.fit(&grid, &field);
    assert_eq!((anchors.0.len(), fit.misses.len()), (3, 2));
    assert!(fit.largest <= 100, "{fit:?}");
    let astray = anchors.astray(&board);
    assert_eq!(astray.len(), 1, "a correction is still needed: {astray:?}");
    // Two sheets with one row in common.
    let sheets = Grid::parse(&sheets).unwrap();
    let shared = sheets.hex("S0105").unwrap();
    assert_eq!(sheets.hex("N1005"), Some(shared));
    assert_eq!(sheets.label(shared), Some("N1005"));
}

#[test]
fn the_books_labels() {
    let near = |board: &Board, label: &str| -> Vec<String> {
        let around = board.neighbours(board.hex(label).unwrap());
        let mut labels: Vec<String> = around.map(|(_, hex)| board.label(hex).to_owned()).collect();
        labels.sort();
        labels
    };
    let plan = BoardPlan::parse(example("recipe/mod.rs", "ron")).unwrap();
    let blocks = Board::compile(&ground(), &block_game(), &plan).unwrap();
    assert_eq!(near(&blocks, "S9"), ["R8", "R9", "S10", "S8", "T10", "T9"]);
}

#[test]
fn the_books_lane_and_heights() {
    let [lane] = page("edit-in-qgis.md", "json").try_into().unwrap();
    let [heights] = page("edit-in-qgis.md", "ron").try_into().unwrap();
    let bounds = Bounds {
        low: Point::new(-300_000, 1_240_000),
        high: Point::new(-280_000, 1_250_000),
    };
    assert_eq!(Heights::parse(&heights, &bounds).unwrap().measured(), 66);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/battlefields/gettysburg");
    let mut files = BattlefieldFiles::read(&folder).unwrap();
    files.parts[0] = lane;
    let field = Battlefield::parse(&files).unwrap_or_else(|problems| panic!("{problems}"));
    let [road] = &field.roads[..] else {
        panic!("one road expected: {:?}", field.roads);
    };
    // As it lies in the real file: from the pike to the farm.
    let farm = field.place("mcpherson-farm").unwrap().point;
    assert!(road.shape[1].distance(farm) < 10_000, "{:?}", road.shape);
}
