//! Tables and map: movement sums, ratings, cones of fire, lines of sight.

mod common;

use cupola_blocks::rules::{Kind, Level, NOWHERE, Rules, Start, terrain};
use cupola_kernel::{Game, HexId, Seed, Side};

fn day2() -> Game {
    common::play("day2").game(Seed(1)).expect("begins")
}

fn rules(game: &Game) -> &Rules {
    game.table().rules()
}

/// §6.4, sidebar: what hexsides cost.
#[test]
fn movement_examples_add_up() {
    let game = day2();
    let cost = |names: &[&str]| {
        let bit = |name: &&str| {
            terrain::NAMES
                .iter()
                .position(|n| n == name)
                .expect("a terrain")
        };
        2 + names
            .iter()
            .map(|name| rules(&game).effects[bit(name)].moves)
            .sum::<u8>()
    };
    for (names, points) in [
        (&[][..], 2),
        (&["woods"], 3),
        (&["stream"], 3),
        (&["river"], 4),
        (&["marsh"], 5),
        (&["ridge"], 3),
        (&["hill"], 5),
        (&["woods", "stream"], 4),
        (&["woods", "river"], 5),
        (&["woods", "ridge"], 4),
        (&["woods", "hill"], 6),
        (&["woods", "river", "hill"], 8),
    ] {
        assert_eq!(cost(names), points, "{names:?}");
    }
}

/// §5.22, §7.3 and the notes of the terrain table: penalties add up.
#[test]
fn combat_penalties_add_up() {
    let game = day2();
    let sum = |bits: u8, melee: bool| -> i8 {
        let present = (0..8).filter(|bit| bits & 1 << bit != 0);
        let effects = &rules(&game).effects;
        present
            .map(|bit| {
                if melee {
                    effects[bit].melee
                } else {
                    effects[bit].fire
                }
            })
            .sum()
    };
    assert_eq!(sum(terrain::WOODS, false), -1, "B2 becomes B1");
    assert_eq!(
        sum(terrain::WOODS | terrain::RIVER, false),
        -2,
        "A3 becomes A1"
    );
    assert_eq!(sum(terrain::STREAM | terrain::RIDGE, false), 0);
    assert_eq!(sum(terrain::HILL, false), -1);
    assert_eq!(
        sum(terrain::WOODS | terrain::RIDGE, true),
        -2,
        "A3 becomes A1"
    );
    assert_eq!(sum(terrain::WOODS | terrain::HILL, true), -3);
    assert_eq!(sum(terrain::STREAM, true), -1);
}

/// Every hexside's numbers are those of its terrain, and lead back.
#[test]
fn hexsides_are_what_their_terrain_says() {
    let game = day2();
    let rules = rules(&game);
    for hex in game.table().board().hexes() {
        for edge in rules.around(hex).iter().filter(|edge| edge.to != NOWHERE) {
            assert!(rules.direction(HexId(edge.to), hex).is_some());
            let bits = (0..8).filter(|bit| edge.terrain & 1 << bit != 0);
            let (mut cost, mut fire, mut melee) = (2, 0, 0);
            for bit in bits {
                cost += rules.effects[bit].moves;
                fire += rules.effects[bit].fire;
                melee += rules.effects[bit].melee;
            }
            assert_eq!((edge.cost, edge.fire, edge.melee), (cost, fire, melee));
            assert!(edge.road <= 2);
        }
    }
}

/// §3.13 and the block table.
#[test]
fn blocks_are_as_the_tables_say() {
    let game = day2();
    let rules = rules(&game);
    for card in &rules.cards {
        let moves = match card.kind {
            Kind::Infantry => 6,
            Kind::Artillery => 8,
            Kind::Cavalry | Kind::HorseArtillery => 10,
            Kind::Hq(_) => card.moves,
        };
        assert_eq!(card.moves, moves);
        assert!((1..=4).contains(&card.max));
    }
    let count = |side: Side, kind: fn(Kind) -> bool| {
        let own = rules.own[side].iter();
        own.filter(|&&unit| kind(rules.card(unit).kind)).count()
    };
    let hq = |kind| matches!(kind, Kind::Hq(_));
    assert_eq!((count(Side::Second, hq), count(Side::First, hq)), (32, 16));
    let divisions = |kind| kind == Kind::Hq(Level::Division);
    // Nine and Trimble; nineteen and the three of the cavalry.
    assert_eq!(
        (
            count(Side::First, divisions),
            count(Side::Second, divisions)
        ),
        (10, 22)
    );
    let riders = rules
        .cards
        .iter()
        .filter(|card| card.is_hq() && card.moves == 10);
    assert_eq!(riders.count(), 5, "Stuart, Pleasanton and three divisions");
}

#[test]
fn set_ups_are_complete() {
    for (scenario, us, cs) in [("day2", 77, 61), ("day3", 89, 66)] {
        let game = common::play(scenario).game(Seed(1)).expect("begins");
        let rules = rules(&game);
        let on_map = |side: Side| {
            let own = rules.own[side].iter();
            own.filter(|unit| matches!(rules.starts[usize::from(unit.0)], Start::At(..)))
                .count()
        };
        assert_eq!(
            (on_map(Side::Second), on_map(Side::First)),
            (us, cs),
            "{scenario}"
        );
    }
}

/// §5.31, §5.33, diagram 1.
#[test]
fn the_cone_and_sight_from_the_peach_orchard() {
    let game = day2();
    let (rules, board) = (rules(&game), game.table().board());
    let hex = |label: &str| board.hex(label).expect("a hex");
    let gun = hex("Q10");
    let direction = rules.direction(gun, hex("R11")).expect("adjacent");
    let cone = rules.cones[usize::from(gun.0)][direction];
    let sight = rules.sight[usize::from(gun.0)][direction];
    let mut labels: Vec<&str> = cone.iter().map(|&hex| board.label(HexId(hex))).collect();
    let seen: Vec<&str> = (0..7)
        .filter(|place| sight & 1 << place != 0)
        .map(|place| labels[place])
        .collect();
    let mut visible = seen.clone();
    visible.sort_unstable();
    assert_eq!(visible, ["R11", "R12", "S11", "S12", "T12"]);
    labels.sort_unstable();
    assert_eq!(labels, ["R11", "R12", "S11", "S12", "S13", "T12", "T13"]);
}

/// §5.33, sidebar: Blocher Knoll is a ridge but for two of its hexsides, and from low ground it hides what is
/// behind it.
#[test]
fn blocher_knoll_is_a_ridge_on_four_sides() {
    let game = day2();
    let (rules, board) = (rules(&game), game.table().board());
    let knoll = board.hex("D5").expect("a hex");
    let up = |from: HexId| {
        let direction = rules.direction(from, knoll).expect("adjacent");
        let seen = rules.sight[usize::from(from.0)][direction];
        assert_eq!(
            seen,
            1,
            "only the knoll itself is seen from {}",
            board.label(from)
        );
        rules.around(from)[direction].terrain & terrain::RIDGE != 0
    };
    let sides = rules.around(knoll).iter().map(|edge| HexId(edge.to));
    let flat: Vec<&str> = sides
        .filter(|&from| !up(from))
        .map(|from| board.label(from))
        .collect();
    assert_eq!(flat, ["E5", "E6"]);
}
