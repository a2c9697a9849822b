//! What single rules of a recipe and single corrections do, on ground made for each of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use cupola_data::Source;
use cupola_ground::battlefield::{Battlefield, Feature};
use cupola_ground::board::{Board, Grade, Hexside, Rise};
use cupola_ground::kinds::{RoadKind, Sure, WaterKind};
use cupola_ground::point::{Bounds, Point};
use cupola_ground::projection::Projection;
use cupola_ground::recipe::BoardPlan;
use cupola_ground::{Grid, Heights};

const FRAME: Projection = Projection {
    zone: 18,
    easting: 304_208.02,
    northing: 4_404_534.27,
};
const BOUNDS: Bounds = Bounds {
    low: Point::new(0, 0),
    high: Point::new(200_000, 200_000),
};

/// Nine by nine hexes of 200 m about 0505 at 1000, 1000; columns count west.
fn grid() -> Grid {
    common::grid(
        r#"(
        name: "test", title: "", orientation: rows, pitch: (200.0, house("")),
        origin: ((label: "0505", x: 1000.0, y: 1000.0), house("")),
        stagger: (odd_west, house("")), labels: (packed, house("")),
        extent: ([("0101", "0909")], house("")),
    )"#,
    )
}

/// A plan from the rules that are not the usual ones, and corrections.
fn plan(rules: &str, corrections: &str) -> BoardPlan {
    let text = format!(
        r#"(
        recipe: (
            height: centre,
            levels: every(step: (10.0, house("")), from: (0.0, house(""))),
            slopes: none,
            {rules}
        ),
        corrections: [{corrections}],
    )"#
    );
    BoardPlan::parse(Source::new("board.ron", text)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn compile(field: &Battlefield, rules: &str, corrections: &str) -> Board {
    Board::compile(field, &grid(), &plan(rules, corrections)).unwrap()
}

fn side(board: &Board, from: &str, to: &str) -> Hexside {
    let (from, to) = (board.hex(from).unwrap(), board.hex(to).unwrap());
    *board.side(from, board.direction(from, to).unwrap())
}

/// A line on the ground, in metres.
fn line<K>(kind: K, name: &str, points: &[(i32, i32)]) -> Feature<K, Vec<Point>> {
    let metres = |(x, y): &(i32, i32)| Point::new(x * 100, y * 100);
    Feature {
        kind,
        name: Some(name.to_owned()),
        sure: Sure::House,
        source: String::new(),
        shape: points.iter().map(metres).collect(),
    }
}

/// A ridge five metres high along the line x = 1100, half way between 0505 and 0504.
fn ridge() -> Battlefield {
    let row: Vec<&str> = (0..21)
        .map(|x| if x == 11 { "1550" } else { "1500" })
        .collect();
    let rows = format!("\"{}\",", row.join(" ")).repeat(21);
    let text =
        format!("(origin: (x: 0, y: 2000), step: 100, columns: 21, lines: 21, rows: [{rows}])");
    let mut field = Battlefield::empty("x", FRAME, BOUNDS);
    field.heights = Heights::parse(&Source::new("heights.ron", text), &BOUNDS).unwrap();
    field
}

#[test]
fn a_crest_stands_above_both_ends() {
    let board = compile(&ridge(), "crest: (5.0, house(\"\")),", "");
    assert!(side(&board, "0505", "0504").crest && side(&board, "0504", "0505").crest);
    assert!(!side(&board, "0505", "0506").crest, "level ground");
    assert!(
        !side(&board, "0505", "0405").crest,
        "0405 stands on the ridge itself"
    );
    let told = board.describe(board.hex("0505").unwrap());
    assert_eq!(told.sides.iter().filter(|side| side.crest).count(), 1);
    for rules in ["", "crest: (5.1, house(\"\")),"] {
        let board = compile(&ridge(), rules, "");
        assert!(!side(&board, "0505", "0504").crest, "{rules}");
    }
}

#[test]
fn a_crest_can_be_corrected() {
    let corrections = r#"
        (side: ("0505", "0504"), set: crest(false), cite: "x"),
        (side: ("0505", "0506"), set: crest(true), cite: "x"),
    "#;
    let board = compile(&ridge(), "crest: (5.0, house(\"\")),", corrections);
    assert!(!side(&board, "0504", "0505").crest);
    assert!(side(&board, "0506", "0505").crest);
    let notes = board.describe(board.hex("0505").unwrap()).notes;
    assert_eq!(notes, ["0505-0504: no crest (x)", "0505-0506: crest (x)"]);
}

#[test]
fn sides_and_paths_say_the_same_as_single_sides() {
    let field = Battlefield::empty("x", FRAME, BOUNDS);
    let single = r#"
        (side: ("0505", "0506"), set: rise(up(steep)), cite: "x"),
        (side: ("0506", "0507"), set: rise(up(steep)), cite: "x"),
        (side: ("0507", "0607"), set: rise(up(steep)), cite: "x"),
    "#;
    let single = compile(&field, "", single);
    assert_eq!(side(&single, "0607", "0507").rise, Rise::Down(Grade::Steep));
    for short in [
        r#"(sides: [("0505", "0506"), ("0506", "0507"), ("0507", "0607")], set: rise(up(steep)), cite: "x")"#,
        r#"(path: ["0505", "0506", "0507", "0607"], set: rise(up(steep)), cite: "x")"#,
    ] {
        assert_eq!(compile(&field, "", short), single, "{short}");
    }
}

/// Three roads from west to east, through the rows of 0505, 0705 and 0305, and two streams from
/// north to south, east of 0505 and west of it.
fn crossroads() -> Battlefield {
    let mut field = Battlefield::empty("x", FRAME, BOUNDS);
    for (name, y) in [("High Road", 1000), ("Low Road", 654), ("Old Road", 1346)] {
        let road = line(RoadKind::Road, name, &[(100, y), (1900, y)]);
        field.roads.push(road);
    }
    for (name, x) in [("Broad Run", 1090), ("Little Run", 890)] {
        let run = line(WaterKind::Run, name, &[(x, 1900), (x, 100)]);
        field.water.push(run);
    }
    field
}

#[test]
fn the_first_rule_that_fits_a_name_decides() {
    let rules = r#"
        roads: [
            (kind: road, name: "High Road", as: pike),
            (kind: road, names: ["Low Road"], as: None),
            (kind: road, as: lane),
        ],
        water: [(kind: run, name: "Broad Run", as: creek), (kind: run, as: brook)],
    "#;
    let board = compile(&crossroads(), rules, "");
    let road = |from, to| side(&board, from, to).road;
    assert_eq!(road("0505", "0504"), Some(RoadKind::Pike));
    assert_eq!(road("0705", "0704"), None, "not on this board");
    assert_eq!(road("0305", "0304"), Some(RoadKind::Lane));
    let low = board.hex("0705").unwrap();
    assert!(board.threads(low).all(|name| name != "Low Road"));
    assert_eq!(side(&board, "0505", "0504").water, Some(WaterKind::Creek));
    assert_eq!(side(&board, "0505", "0506").water, Some(WaterKind::Brook));
}

/// A road from west to east that cuts a corner of 0405, and a lane that crosses it just there.
fn corner(lane: RoadKind) -> Battlefield {
    let mut field = Battlefield::empty("x", FRAME, BOUNDS);
    let road = [
        (100, 1000),
        (1040, 1000),
        (1100, 1070),
        (1160, 1000),
        (1900, 1000),
    ];
    field.roads.push(line(RoadKind::Road, "Old Road", &road));
    let way = [(1000, 100), (1090, 960), (1100, 1070), (1100, 1900)];
    field.roads.push(line(lane, "Mill Lane", &way));
    field
}

#[test]
fn no_road_is_taken_past_a_junction() {
    let rules = "roads: [(kind: road, as: road), (kind: lane, as: lane)],";
    let road = |board: &Board, from, to| side(board, from, to).road;
    let board = compile(&corner(RoadKind::Lane), rules, "");
    assert_eq!(road(&board, "0505", "0405"), Some(RoadKind::Road));
    assert_eq!(road(&board, "0405", "0504"), Some(RoadKind::Road));
    assert_eq!(road(&board, "0505", "0504"), None);
    // A trail does not count on this board, so there is no junction to keep.
    let board = compile(&corner(RoadKind::Trail), rules, "");
    assert_eq!(road(&board, "0505", "0504"), Some(RoadKind::Road));
    assert_eq!(road(&board, "0505", "0405"), None);
}

/// A hill narrower than a hex in 0505, ten metres high, on level ground.
fn knoll() -> Battlefield {
    let lines: Vec<String> = (0..21)
        .map(|y| {
            let row = (0..21).map(|x| if (x, y) == (10, 9) { "1600" } else { "1500" });
            format!("\"{}\"", row.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let text = format!(
        "(origin: (x: 0, y: 2000), step: 100, columns: 21, lines: 21, rows: [{}])",
        lines.join(",")
    );
    let mut field = Battlefield::empty("x", FRAME, BOUNDS);
    field.heights = Heights::parse(&Source::new("heights.ron", text), &BOUNDS).unwrap();
    field
}

#[test]
fn levels_may_keep_a_hill_that_the_centre_loses() {
    let level = |rules: &str| {
        let board = compile(&knoll(), rules, "");
        (
            board.level(board.hex("0505").unwrap()),
            board.height(board.hex("0505").unwrap()),
        )
    };
    assert_eq!(level(""), (15, 1500), "the centre lies at its foot");
    assert_eq!(level("level_height: highest,").1, 1500);
    let upper = |share: &str| level(&format!("level_height: upper(({share}, house(\"\"))),"));
    assert_eq!(upper("1.0"), (15, 1500), "what all of the hex reaches");
    // The peak of the knoll is just within the hex, and a level begins every five metres here.
    let fine = |rule: &str| {
        let text = format!(
            "(recipe: (height: centre, level_height: {rule}, slopes: none, \
             levels: every(step: (5.0, house(\"\")), from: (0.0, house(\"\")))))"
        );
        let plan = BoardPlan::parse(Source::new("board.ron", text)).unwrap();
        let board = Board::compile(&knoll(), &grid(), &plan).unwrap();
        board.level(board.hex("0505").unwrap())
    };
    assert_eq!(fine("centre"), 30);
    assert!(fine("highest") > 30 && fine("upper((0.05, house(\"\")))") > 30);
    assert_eq!(fine("upper((0.9, house(\"\")))"), 30);
}

#[test]
fn sloping_ground_is_marked() {
    let marks = |rules: &str| {
        let board = compile(&knoll(), rules, "");
        let sloping =
            |hex: &cupola_ground::HexId| board.marks(*hex).contains(cupola_ground::Mark::Sloping);
        board.hexes().filter(sloping).count()
    };
    assert_eq!(marks(""), 0);
    assert!((1..=4).contains(&marks("sloping: (5.0, house(\"\")),")));
    assert_eq!(marks("sloping: (11.0, house(\"\")),"), 0);
}

/// Slopes that follow contour lines: gentle where the level changes and nowhere else, steep by
/// metres even within a level.
#[test]
fn slopes_follow_contours() {
    let plan = |from: &str, steep: &str| {
        let text = format!(
            "(recipe: (height: centre, slopes: contours(steep: ({steep}, house(\"\"))), \
             levels: every(step: (10.0, house(\"\")), from: ({from}, house(\"\")))), corrections: [ \
             (hex: \"0303\", set: level(40), cite: \"x\")])"
        );
        BoardPlan::parse(Source::new("board.ron", text)).unwrap()
    };
    // 0405 stands on the ridge of 155 m, 0505 on the plain at 150.
    let rise = |from: &str, steep: &str, a: &str, b: &str| {
        let board = Board::compile(&ridge(), &grid(), &plan(from, steep)).unwrap();
        side(&board, a, b).rise
    };
    assert_eq!(rise("2.0", "9.0", "0505", "0405"), Rise::Up(Grade::Gentle));
    assert_eq!(rise("0.0", "9.0", "0505", "0405"), Rise::Level, "one level");
    assert_eq!(rise("0.0", "4.0", "0505", "0405"), Rise::Up(Grade::Steep));
    assert_eq!(rise("0.0", "4.0", "0405", "0505"), Rise::Down(Grade::Steep));
    // A corrected level says which way is up, though no metre does.
    assert_eq!(rise("0.0", "9.0", "0304", "0303"), Rise::Up(Grade::Gentle));
}

#[test]
fn a_brook_may_run_through_hexes() {
    let rules = "water: [(kind: run, name: \"Broad Run\", as: brook), (kind: run, as: run)],";
    let through = format!("{rules} in_hex: [brook],");
    let board = compile(&crossroads(), &through, "");
    let brook = |label: &str| {
        let hex = board.hex(label).unwrap();
        board.marks(hex).contains(cupola_ground::Mark::Brook)
            && board.threads(hex).any(|name| name == "Broad Run")
    };
    assert_eq!(side(&board, "0505", "0504").water, None);
    assert!(brook("0505") && brook("0305") && !brook("0504"));
    assert_eq!(side(&board, "0505", "0506").water, Some(WaterKind::Run));
    let along = compile(&crossroads(), rules, "");
    assert_eq!(side(&along, "0505", "0504").water, Some(WaterKind::Brook));
}

#[test]
fn areas_links_and_closed_hexsides() {
    let text = r#"(
        recipe: (height: centre, slopes: none, levels: every(step: (10.0, house("")), from: (0.0, house("")))),
        corrections: [(side: ("0505", "0506"), set: closed(true), cite: "x")],
        areas: [
            (id: "south", name: "The south", kind: extent, hexes: ["0905"], blocks: [("0804", "0906")], cite: "x"),
            (id: "east", name: "East road", kind: entry, hexes: ["0501", "0401"], cite: "x"),
        ],
        links: [(ends: ("0501", "0901"), road: trail, hexes: 5, cite: "x")],
    )"#;
    let plan = BoardPlan::parse(Source::new("board.ron", text)).unwrap();
    let field = Battlefield::empty("x", FRAME, BOUNDS);
    let board = Board::compile(&field, &grid(), &plan).unwrap();
    let hex = |label: &str| board.hex(label).unwrap();
    let south = board.area("south").unwrap();
    assert_eq!(
        (south.hexes[0], south.hexes.len()),
        (hex("0905"), 6),
        "each once"
    );
    let east = board.area("east").unwrap();
    assert_eq!(
        east.hexes,
        [hex("0501"), hex("0401")],
        "in the file's order"
    );
    assert!(board.area("west").is_none());
    assert_eq!(board.links()[0].ends, [hex("0501"), hex("0901")]);
    assert!(side(&board, "0505", "0506").closed && side(&board, "0506", "0505").closed);
    let told = board.describe(hex("0501")).areas;
    assert_eq!(
        told,
        ["East road"],
        "parts of the board are not told of every hex"
    );
}
