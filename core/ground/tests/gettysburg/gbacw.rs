//! Seed 001: the four sheets.

use std::collections::BTreeSet;

use cupola_ground::board::{Board, Cover, Grade, Mark, Rise};
use cupola_ground::kinds::{Crossing, RoadKind, WaterKind};

use crate::{GBACW, entry, hex, side, threads};

fn cover(label: &str) -> Cover {
    GBACW.cover(hex(&GBACW, label))
}

fn around(label: &str) -> BTreeSet<String> {
    let board: &Board = &GBACW;
    let near = board.neighbours(hex(board, label));
    near.map(|(_, hex)| board.label(hex).to_owned()).collect()
}

/// Combined map: where the sheets join.
#[test]
fn sheets_join_as_told() {
    let orchard = around("C1128");
    assert!(
        orchard.contains("B7033") && orchard.contains("A7001"),
        "{orchard:?}"
    );
    let expected = ["D5307", "D5308", "D5407", "D5409", "D5507", "D5508"];
    assert_eq!(around("D5408"), expected.map(str::to_owned).into());
    for (a, b) in [("B2133", "A2101"), ("B7010", "C1105"), ("D5035", "B5001")] {
        assert!(around(a).contains(b), "{a} and {b}: {:?}", around(a));
    }
}

/// Set-ups: lines that stand in two hexes stand in neighbours.
#[test]
fn extended_lines_stand_in_neighbours() {
    for (a, b) in [("A2107", "A2208"), ("A2308", "A2409"), ("A2509", "A2610")] {
        assert!(around(a).contains(b), "{a}-{b}");
    }
}

/// 5.18: hexes that the rules single out.
#[test]
fn named_hexes() {
    assert_eq!(cover("B5824"), Cover::Clear);
    assert_eq!(cover("B3520"), Cover::Town);
    assert_eq!(cover("C1128"), Cover::Orchard);
    // Facts of the ground that the printed sheets share.
    assert_eq!(cover("B5014"), Cover::Woods, "Culp's Hill");
    for label in ["B4920", "B5020", "B5222", "B5121"] {
        assert_ne!(cover(label), Cover::Woods, "{label} on Cemetery Hill");
    }
    for label in ["C1523", "C1624"] {
        let wheat = GBACW.marks(hex(&GBACW, label)).contains(Mark::Fields);
        assert!(
            wheat || cover(label) == Cover::Clear,
            "{label} in the Wheatfield"
        );
    }
}

/// 5.18: Rock Creek is a creek between two hexsides and a stream elsewhere.
#[test]
fn deep_rock_creek() {
    for (a, b) in [("B5707", "B5708"), ("B6605", "B6606"), ("B6007", "B6008")] {
        assert_eq!(side(&GBACW, a, b).water, Some(WaterKind::Creek), "{a}/{b}");
    }
    let board: &Board = &GBACW;
    let mut creek = BTreeSet::new();
    for here in board.hexes() {
        for (way, there) in board.neighbours(here) {
            if board.side(here, way).water == Some(WaterKind::Creek) {
                for label in [board.label(here), board.label(there)] {
                    let row: u32 = label[1..3].parse().expect("a row");
                    assert!(
                        label.starts_with('B') && (57..=66).contains(&row),
                        "{label}"
                    );
                    creek.insert(row);
                }
            }
        }
    }
    assert_eq!(creek.len(), 10, "without a gap in any row");
    assert_eq!(side(&GBACW, "B5609", "B5610").water, Some(WaterKind::Run));
}

/// 5.18: railroad cuts and the bridge over one of them.
#[test]
fn railroad_cuts() {
    let cut = |label: &str| GBACW.marks(hex(&GBACW, label)).contains(Mark::Cut);
    assert!(cut("A1623"), "Lott's Ridge");
    assert!(!cut("A1522") && !cut("A1723"));
    for (a, b) in [("A1522", "A1623"), ("A1623", "A1723")] {
        assert_eq!(
            side(&GBACW, a, b).crossing,
            Some(Crossing::Bridge),
            "{a}/{b}"
        );
    }
    // The three cuts of the first day, each in two hexes or more, on the unfinished railroad.
    let cuts: Vec<&str> = GBACW
        .hexes()
        .map(|hex| GBACW.label(hex))
        .filter(|l| cut(l))
        .collect();
    let first_day = cuts.iter().filter(|label| !label.starts_with("A1")).count();
    assert!(first_day >= 6, "{cuts:?}");
    for label in cuts.iter().filter(|label| **label != "A1622") {
        assert!(
            threads(&GBACW, label).contains(&"Unfinished railroad"),
            "{label}"
        );
    }
}

/// Objectives and set-ups along roads.
#[test]
fn roads_where_the_rules_put_them() {
    for (label, road) in [
        ("D5408", "Hanover Road"),
        ("D5408", "Low Dutch Road"),
        ("D7017", "Reever lane"),
        ("D7026", "White Run Road"),
        ("D7033", "Hoffman Road"),
    ] {
        assert!(threads(&GBACW, label).contains(&road), "{label}: {road}");
    }
    // By-roads are roads on these sheets, not trails.
    let kinds = |name: &str| -> BTreeSet<RoadKind> {
        let board: &Board = &GBACW;
        let on_it = |hex: &_| board.threads(*hex).any(|thread| thread == name);
        let steps = board.hexes().filter(on_it).flat_map(|hex| {
            let ways = board.neighbours(hex).filter(|(_, there)| on_it(there));
            ways.map(move |(way, _)| board.side(hex, way).road)
        });
        steps.flatten().collect()
    };
    for name in ["Knoxlyn Road", "Blacksmith Shop Road", "Shealer road"] {
        assert!(kinds(name).contains(&RoadKind::Road), "{name}");
    }
    assert!(kinds("Trostle lane").contains(&RoadKind::Trail));
    // Long Lane, B4425 to B5028: the ground's lane passes within a hex of both ends.
    for (label, road) in [
        ("B4425", "Long Lane"),
        ("B5028", "Long Lane"),
        ("A6714", "Willoughby Run Road"),
        ("A7014", "Willoughby Run Road"),
        ("B3629", "Chambersburg Pike"),
    ] {
        let near = std::iter::once(label.to_owned()).chain(around(label));
        assert!(
            near.into_iter()
                .any(|l| threads(&GBACW, &l).contains(&road)),
            "{label}: {road}"
        );
    }
}

/// 5.19: entry hexes of sheet D, and the roads at the edges.
#[test]
fn entry_hexes() {
    for label in ["D7017", "D7026", "D7033", "C1238"] {
        assert_eq!(entry(&GBACW, label), Some(label));
    }
    for (code, sheet) in [
        ("chambersburg-pike", "A"),
        ("fairfield-road", "A"),
        ("mummasburg-road", "A"),
        ("carlisle-road", "B"),
        ("harrisburg-road", "B"),
        ("hunterstown-road", "D"),
        ("york-pike", "D"),
        ("hanover-road", "D"),
        ("low-dutch-road", "D"),
        ("baltimore-pike", "B"),
        ("taneytown-road", "C"),
        ("emmitsburg-road", "C"),
    ] {
        let label = entry(&GBACW, code).unwrap_or_else(|| panic!("{code} does not come in"));
        assert!(label.starts_with(sheet), "{code} enters at {label}");
        assert!(around(label).len() < 6, "{code}: {label} is on the edge");
    }
}

/// The slopes that made the battle.
#[test]
fn steep_faces() {
    let steep = |label: &str| {
        around(label)
            .iter()
            .filter(|other| side(&GBACW, other, label).rise == Rise::Up(Grade::Steep))
            .count()
    };
    for label in ["C2118", "C2219", "B5013"] {
        assert!(steep(label) >= 1, "{label}");
    }
    let pikes = GBACW
        .hexes()
        .flat_map(|hex| GBACW.neighbours(hex).map(move |(way, _)| (hex, way)))
        .filter(|(hex, way)| GBACW.side(*hex, *way).road == Some(RoadKind::Pike))
        .count();
    assert!(pikes > 300, "{pikes}");
}
