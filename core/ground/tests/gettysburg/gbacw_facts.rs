//! Every statement of the battle book about a hex, held against the compiled board.

use cupola_data::Source;
use cupola_ground::board::{Board, Cover, Grade, HexId, Hexside, Mark, Rise};
use cupola_ground::grid::Direction;
use cupola_ground::kinds::{Crossing, RoadKind, WaterKind};
use serde::Deserialize;

use crate::{GBACW, loaded, threads};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    facts: Vec<Fact>,
}

/// One statement about each of these hexes and hexsides, or about the board as a whole.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    #[serde(default)]
    hexes: Vec<String>,
    #[serde(default)]
    sides: Vec<(String, String)>,
    are: Vec<Claim>,
    #[serde(default)]
    reason: Option<String>,
    cite: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Claim {
    /// The hex is there; the two hexes are neighbours.
    Exists,
    Cover(Cover),
    NotCover(Cover),
    Mark(Mark),
    NoMark(Mark),
    Place(String),
    Area(String),
    Thread(String),
    /// A road of this kind, or any, comes through a side of the hex.
    Road(RoadKind),
    RoadHere,
    Above(String),
    Below(String),
    AsHigh(String),
    Beside(String),
    Within(u32, String),
    Edge,
    /// A way outside the board begins here.
    Linked,
    /// No wall stands between the hex and the east.
    BehindWall,
    // Of hexsides.
    Water(WaterKind),
    Crossing(Crossing),
    NoCrossing,
    Through(RoadKind),
    NoRoad,
    Along(Cover),
    // Of the board.
    Board(Whole),
}

/// Statements about the board as a whole.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Whole {
    #[serde(rename = "creek_only_between_B57_and_B66")]
    DeepCreek,
    BrooksRunThroughHexes,
    SlopingGroundIsMarked,
    SlopesFollowLevels,
    RoadsLeaveSheetC,
    CressRunBoundsTheWest,
    PikesAndRoadsAsTold,
}

fn all_sides(board: &Board) -> impl Iterator<Item = (HexId, HexId, &Hexside)> {
    board.hexes().flat_map(move |hex| {
        let around = board.neighbours(hex);
        around.map(move |(way, to)| (hex, to, board.side(hex, way)))
    })
}

fn whole(board: &Board, what: Whole) -> bool {
    match what {
        Whole::DeepCreek => {
            let deep = all_sides(board).filter(|(_, _, side)| side.water == Some(WaterKind::Creek));
            deep.map(|(hex, ..)| board.label(hex).to_owned())
                .all(|label| ("B5700".."B6699").contains(&label.as_str()))
        }
        Whole::BrooksRunThroughHexes => {
            let brook = |hex: &HexId| board.marks(*hex).contains(Mark::Brook);
            let along = all_sides(board).any(|(_, _, side)| side.water == Some(WaterKind::Brook));
            !along && board.hexes().filter(brook).count() > 150
        }
        Whole::SlopingGroundIsMarked => {
            let sloping = |hex: &HexId| board.marks(*hex).contains(Mark::Sloping);
            let count = board.hexes().filter(sloping).count();
            (200..600).contains(&count)
        }
        Whole::SlopesFollowLevels => {
            all_sides(board).all(
                |(from, to, side)| match board.level(to).cmp(&board.level(from)) {
                    std::cmp::Ordering::Greater => matches!(side.rise, Rise::Up(_)),
                    std::cmp::Ordering::Less => matches!(side.rise, Rise::Down(_)),
                    std::cmp::Ordering::Equal => !matches!(
                        side.rise,
                        Rise::Up(Grade::Gentle) | Rise::Down(Grade::Gentle)
                    ),
                },
            )
        }
        Whole::RoadsLeaveSheetC => {
            let south = |label: &str| label.starts_with('C');
            let exits = board.exits().iter();
            let count = exits.filter(|exit| south(board.label(exit.hex))).count();
            let joined = board.links().iter();
            count >= 2 && joined.clone().any(|link| south(board.label(link.ends[0])))
        }
        Whole::CressRunBoundsTheWest => {
            let inside = board.area("gregg-defends").map(|area| area.hexes.len());
            let row = |label: &str| {
                board
                    .area("gregg-defends")
                    .is_some_and(|area| board.hex(label).is_ok_and(|hex| area.hexes.contains(&hex)))
            };
            inside.is_some_and(|count| count > 1500) && row("D4120") && !row("D4135")
        }
        Whole::PikesAndRoadsAsTold => {
            let kinds = |name: &str, kind: RoadKind| {
                let on = |hex: &HexId| board.threads(*hex).any(|thread| thread == name);
                let steps = all_sides(board).filter(|(from, to, _)| on(from) && on(to));
                steps
                    .into_iter()
                    .any(|(_, _, side)| side.road == Some(kind))
            };
            let roads = [
                "Taneytown Road",
                "Carlisle Road",
                "Mummasburg Road",
                "Hanover Road",
            ];
            let pikes = ["Chambersburg Pike", "York Pike", "Baltimore Pike"];
            roads.iter().all(|name| kinds(name, RoadKind::Road))
                && pikes.iter().all(|name| kinds(name, RoadKind::Pike))
        }
    }
}

fn of_hex(board: &Board, hex: HexId, claim: &Claim) -> bool {
    let other = |label: &str| board.hex(label).unwrap_or_else(|none| panic!("{none}"));
    let level = |label: &str| board.level(other(label));
    let roads = || {
        Direction::ALL
            .iter()
            .filter_map(|way| board.side(hex, *way).road)
    };
    match claim {
        Claim::Exists => true,
        Claim::Cover(cover) => board.cover(hex) == *cover,
        Claim::NotCover(cover) => board.cover(hex) != *cover,
        Claim::Mark(mark) => board.marks(hex).contains(*mark),
        Claim::NoMark(mark) => !board.marks(hex).contains(*mark),
        Claim::Place(id) => board.places_in(hex).any(|place| place.id == *id),
        Claim::Area(id) => board.area(id).is_some_and(|area| area.hexes.contains(&hex)),
        Claim::Thread(name) => threads(board, board.label(hex)).contains(&name.as_str()),
        Claim::Road(kind) => roads().any(|road| road == *kind),
        Claim::RoadHere => roads().next().is_some(),
        Claim::Above(label) => board.level(hex) > level(label),
        Claim::Below(label) => board.level(hex) < level(label),
        Claim::AsHigh(label) => board.level(hex) == level(label),
        Claim::Beside(label) => board.direction(hex, other(label)).is_some(),
        Claim::Within(most, label) => board.distance(hex, other(label)) <= *most,
        Claim::Edge => board.is_edge(hex),
        Claim::Linked => board.links().iter().any(|link| link.ends.contains(&hex)),
        // East, south-east and north-east.
        Claim::BehindWall => ![0, 1, 5]
            .iter()
            .any(|way| board.side(hex, Direction::new(*way)).wall),
        claim => panic!("{claim:?} is no claim about a hex"),
    }
}

fn of_side(side: &Hexside, claim: &Claim) -> bool {
    match claim {
        Claim::Exists => true,
        Claim::Water(kind) => side.water == Some(*kind),
        Claim::Crossing(kind) => side.crossing == Some(*kind),
        Claim::NoCrossing => side.crossing.is_none(),
        Claim::Through(kind) => side.road == Some(*kind),
        Claim::NoRoad => side.road.is_none(),
        Claim::Along(cover) => side.cover == Some(*cover),
        claim => panic!("{claim:?} is no claim about a hexside"),
    }
}

#[test]
fn the_battle_book_is_right_about_every_hex_or_the_reason_is_written() {
    let text = include_str!("gbacw-facts.ron");
    let file: File = loaded(
        Source::new("gbacw-facts.ron", text)
            .ron()
            .map_err(Into::into),
    );
    let board: &Board = &GBACW;
    let (mut statements, mut wrong) = (0, Vec::new());
    for fact in &file.facts {
        assert!(
            !fact.cite.is_empty() && fact.reason.as_deref() != Some(""),
            "{fact:?}"
        );
        for label in &fact.hexes {
            statements += 1;
            let Ok(hex) = board.hex(label) else {
                wrong.push(format!("{label} does not exist ({})", fact.cite));
                continue;
            };
            let no = fact.are.iter().filter(|claim| !of_hex(board, hex, claim));
            wrong.extend(no.map(|claim| format!("{label}: {claim:?} ({})", fact.cite)));
        }
        for (from, to) in &fact.sides {
            statements += 1;
            let (Ok(a), Ok(b)) = (board.hex(from), board.hex(to)) else {
                wrong.push(format!("{from}/{to} does not exist ({})", fact.cite));
                continue;
            };
            let Some(way) = board.direction(a, b) else {
                wrong.push(format!(
                    "{from} and {to} are not neighbours ({})",
                    fact.cite
                ));
                continue;
            };
            let no = fact
                .are
                .iter()
                .filter(|claim| !of_side(board.side(a, way), claim));
            wrong.extend(no.map(|claim| format!("{from}/{to}: {claim:?} ({})", fact.cite)));
        }
        for claim in &fact.are {
            if let Claim::Board(what) = claim {
                statements += 1;
                if !whole(board, *what) {
                    wrong.push(format!("{what:?} ({})", fact.cite));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(statements >= 697, "{statements} statements");
}

/// 6.24: from B4920 the hexes behind the rise are hidden and those beyond them are seen. On bare
/// ground the lower end is hidden by a higher hex right before it.
#[test]
fn the_sight_example() {
    let board: &Board = &GBACW;
    let hex = |label: &str| board.hex(label).unwrap_or_else(|none| panic!("{none}"));
    let gun = hex("B4920");
    for (label, seen) in [
        ("B4826", false),
        ("B4926", false),
        ("B4827", true),
        ("B4927", true),
    ] {
        let target = hex(label);
        let line = board.line(gun, target);
        let before = line.iter().filter(|h| board.distance(**h, target) == 1);
        let hidden = before
            .into_iter()
            .all(|h| board.level(*h) > board.level(target));
        assert_eq!(!hidden, seen, "{label}");
        let above = line.iter().any(|h| board.level(*h) > board.level(gun));
        assert!(!above && board.level(gun) > board.level(target), "{label}");
    }
}
