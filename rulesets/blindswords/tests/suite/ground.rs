//! §I-2 and §J on the board: every line-of-sight example, and the cost of each hex of the movement example.

use crate::common::with_units;
use cupola_blindswords::field::{Field, rules};
use cupola_blindswords::march::under;
use cupola_blindswords::reach::{Leg, Mover, reach};
use cupola_blindswords::rules::Order;
use cupola_blindswords::sight::between;
use cupola_kernel::{Game, HexId, Side};

fn hex(game: &Game, label: &str) -> HexId {
    game.table().board().hex(label).expect("a hex")
}

fn looks(units: &str, from: &str, to: &str) -> (Option<String>, bool, bool) {
    let game = with_units(units, "None");
    let t = game.table();
    let found = between(t, rules(t), hex(&game, from), hex(&game, to));
    (
        found.blocked.map(|hex| t.board().label(hex).to_owned()),
        found.cover,
        found.units,
    )
}

#[test]
fn blocked_lines() {
    let unit = r#""cutler-1": (at: "1717")"#;
    for (units, from, to, by) in [
        ("", "1309", "1311", "1310"),
        (unit, "1617", "1818", "1717"),
        ("", "2118", "2120", "2119"),
        ("", "1714", "1717", "1716"),
        ("", "1711", "1510", "1611"),
    ] {
        assert_eq!(
            looks(units, from, to).0.as_deref(),
            Some(by),
            "{from} to {to}"
        );
    }
    for (from, to) in [("2420", "1724"), ("1618", "1514"), ("1317", "1913")] {
        assert!(looks("", from, to).0.is_some(), "{from} to {to}");
    }
    assert_eq!(looks("", "1617", "1818").0, None, "only the unit blocks");
}

#[test]
fn obscured_lines() {
    let open = |units: &str, from: &str, to: &str| {
        let (blocked, cover, over) = looks(units, from, to);
        assert_eq!(blocked, None, "{from} to {to}");
        (cover, over)
    };
    assert!(open("", "2420", "1925").0);
    assert!(open(r#""cutler-1": (at: "2623")"#, "2621", "2624").1);
    assert!(open("", "1209", "1611").0);
    assert!(open(r#""cutler-1": (at: "1412")"#, "1213", "1611").1);
    assert!(open("", "1611", "2309").0);
    assert_eq!(
        open(r#""cutler-1": (at: "2210")"#, "1611", "2309"),
        (true, true)
    );
    assert!(open("", "1417", "2017").0);
}

/// What a hex costs from its neighbour, in half points.
fn step(units: &str, from: &str, to: &str) -> u8 {
    let units = format!(r#""lane-1": (at: "{from}"){units}"#);
    let game = with_units(&units, "None");
    let t = game.table();
    let unit = t.env().unit("lane-1").expect("lane-1");
    let field = Field::new(t);
    let mover = Mover::new(field, unit, under(Side::Second, Order::Maneuver, 0));
    let leg = Leg {
        at: Some(hex(&game, from)),
        entries: &[],
        spent: 0,
        steps: (0, true),
    };
    reach(field, &mover, leg, |found| found.cost(hex(&game, to)))
}

#[test]
fn movement_example_hex_by_hex() {
    let full = r#", "brockenbrough": (at: "1724")"#;
    for (units, from, to, cost) in [
        ("", "1626", "1725", 1),
        (full, "1725", "1724", 4),
        ("", "1725", "1724", 1),
        ("", "1724", "1824", 1),
        ("", "1824", "1823", 1),
        ("", "1823", "1922", 1),
        ("", "1922", "2022", 2),
        ("", "2022", "2122", 4),
        ("", "2122", "2223", 2),
    ] {
        assert_eq!(step(units, from, to), cost, "{from} to {to}");
    }
}

/// §J-3-c: a hex next to the enemy costs two points more to leave.
#[test]
fn leaving_the_enemy_costs_two() {
    let free = step("", "1815", "1714");
    let enemy = r#", "cutler-1": (at: "1816")"#;
    assert_eq!(step(enemy, "1815", "1714"), free + 4);
}

#[test]
fn woods_up_a_steep_slope_cost_four() {
    let game = with_units("", "None");
    let edge = rules(game.table()).edge(hex(&game, "2022"), hex(&game, "2121"));
    assert_eq!(edge.map(|edge| edge.cost), Some(8));
}

#[test]
fn the_field_of_the_tutorial_has_its_hexes() {
    let game = crate::common::play("tutorial")
        .game(cupola_kernel::Seed(1))
        .expect("a game");
    let (rules, board) = (rules(game.table()), game.table().board());
    let inside = |hex: HexId| rules.around(hex).next().is_some();
    for label in [
        "1006", "1611", "1815", "1910", "2011", "2014", "2214", "2211", "2216", "2315", "2412",
        "1115", "1413", "2310", "2410",
    ] {
        assert!(inside(hex(&game, label)), "{label}");
    }
    for label in [
        "2106", "2309", "1504", "2510", "1017", "2417", "2308", "2408",
    ] {
        assert!(!inside(hex(&game, label)), "{label}");
    }
    // Units may not move onto the roads of the eastern border.
    let border = |hex: &HexId| {
        let (row, column) = board.label(*hex).split_at(2);
        board.threads(*hex).any(|name| {
            name == "Hunterstown Road" || (name == "York Pike" && row <= "23" && column <= "09")
        })
    };
    let trodden: Vec<&str> = board
        .hexes()
        .filter(border)
        .filter(|&hex| inside(hex))
        .map(|hex| board.label(hex))
        .collect();
    assert!(trodden.is_empty(), "{trodden:?}");
}

/// The terrain chart, by its own sample hexes: half points off the road.
#[test]
fn terrain_chart_costs() {
    let game = with_units("", "None");
    let rules = rules(game.table());
    let edge = |from: &str, to: &str| {
        let found = rules.edge(hex(&game, from), hex(&game, to));
        *found.unwrap_or_else(|| panic!("{from} and {to} are not neighbours"))
    };
    for (from, to, cost, shift, what) in [
        ("1619", "1620", 2, 0, "down a slope"),
        ("1620", "1619", 4, -1, "up a slope"),
        ("2910", "2911", 6, -2, "up a steep slope"),
        ("2911", "2910", 2, 0, "down a steep slope"),
        (
            "2823",
            "2824",
            6,
            -2,
            "over a flowing stream and up a slope",
        ),
        ("2824", "2823", 4, -1, "over a flowing stream"),
        ("2307", "2308", 6, -2, "over Rock Creek"),
        ("2308", "2307", 6, -2, "over Rock Creek, back"),
        ("1506", "1507", 2, 0, "over a contour"),
    ] {
        let edge = edge(from, to);
        assert_eq!(
            (edge.cost, edge.assault),
            (cost, shift),
            "{what}: {from} to {to}"
        );
    }
    let least = |to: &str| {
        let to = hex(&game, to);
        let ways = rules.around(to).filter_map(|from| rules.edge(from, to));
        ways.map(|edge| edge.cost).min()
    };
    for (to, cost) in [
        ("1718", 2),
        ("2216", 2),
        ("2718", 2),
        ("2602", 2),
        ("2806", 2),
        ("2810", 4),
        ("2713", 2),
    ] {
        assert_eq!(least(to), Some(cost), "{to}");
    }
    let road = |to: &str| {
        let to = hex(&game, to);
        let ways = rules.around(to).filter_map(|from| rules.edge(from, to));
        ways.map(|edge| edge.road).filter(|&road| road > 0).min()
    };
    for (to, cost) in [("1504", 1), ("2102", 2), ("1602", 2), ("2713", 2)] {
        assert_eq!(road(to), Some(cost), "by road to {to}");
    }
}

/// §J-1-b: guns and horses go into woods and no farther, unless a road leads through.
#[test]
fn guns_and_horses_stop_in_woods() {
    let goes_on = |unit: &str, from: &str, woods: &str| {
        let saddle = if unit == "gamble-1" {
            ", mounted: true"
        } else {
            ""
        };
        let game = with_units(&format!(r#""{unit}": (at: "{from}"{saddle})"#), "None");
        let field = Field::new(game.table());
        let number = game.table().env().unit(unit).expect("a unit");
        let side = field.card(number).side;
        let mover = Mover::new(field, number, under(side, Order::Maneuver, 0));
        let leg = Leg {
            at: Some(hex(&game, from)),
            entries: &[],
            spent: 0,
            steps: (0, true),
        };
        reach(field, &mover, leg, |found| {
            found.goes_on(hex(&game, woods), mover.allowance)
        })
    };
    for unit in ["gamble-1", "wainwright-1"] {
        assert!(!goes_on(unit, "2110", "2109"), "{unit} stops");
        assert!(
            goes_on(unit, "1710", "1610"),
            "{unit} on the Harrisburg Road"
        );
    }
    assert!(goes_on("cutler-1", "2110", "2109"), "infantry goes on");
}

/// What a move costs and which way it goes is told before it is made: Lane's march past Brockenbrough.
#[test]
fn the_cost_of_a_move_is_told() {
    let mut game = with_units(
        r#""lane-1": (at: "1725"), "brockenbrough": (at: "1724")"#,
        r#"march(formation: "brigade-lane", order: "maneuver")"#,
    );
    let unit = game.parse("unit lane-1").expect("an act");
    game.apply(Side::Second, unit).expect("a choice");
    let told = |act: &str| {
        let outlook = game.outlook(game.parse(act).expect("an act"));
        let cost = outlook.cost.expect("a cost");
        let path: Vec<&str> = outlook
            .path
            .iter()
            .map(|&hex| game.table().board().label(hex))
            .collect();
        (
            cost.spent.to_string(),
            cost.left.to_string(),
            path.join(" "),
        )
    };
    let say = |spent: &str, left: &str, path: &str| (spent.into(), left.into(), path.into());
    assert_eq!(told("to 1823"), say("2½", "5½", "1725 1825 1824 1823"));
    assert_eq!(told("to 1626"), say("½", "7½", "1725 1626"));
}

/// The unfinished railroad is a lane, or open ground by the switch.
#[test]
fn the_unfinished_railroad_is_a_lane() {
    let roads = |on: bool| {
        let play = crate::common::switched(&[("unfinished_railroad", on)]);
        let game = play.game(cupola_kernel::Seed(1)).expect("a game");
        let edges = rules(game.table()).ground.edges.iter().flatten();
        edges.filter(|edge| edge.road > 0).count()
    };
    assert!(roads(true) > roads(false));
}
