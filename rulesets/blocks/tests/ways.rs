//! Where blocks can go: what is offered, and what it is said to cost, equals what a plain walk over every way
//! finds, in positions of random games.

mod common;

use cupola_blocks::rules::{Kind, NOWHERE, Rules};
use cupola_blocks::state::Hexes;
use cupola_kernel::{Arg, Dice, Game, HexId, Loose, Seed, Side, Table, UnitId};
use cupola_kit::plain::{Walk, compare, explore};
use std::collections::BTreeMap;

/// The rules of movement as the book has them (§2.2, §3.24, §6.4 to §6.7, §9.72), for a block on the map.
struct Book<'a> {
    rules: &'a Rules,
    field: &'a Hexes,
    side: Side,
    guns: bool,
    night: bool,
    most: u16,
}

impl Book<'_> {
    fn near(&self, hex: usize) -> bool {
        self.field.near[self.side.other() as usize][hex] > 0
    }

    /// Two blocks have crossed, and a frontline hex that is not on the map's edge limits it.
    fn shut(&self, from: usize, direction: usize, to: usize) -> bool {
        let front = |hex: usize| self.near(hex) && !self.rules.rim[hex];
        let crossed = self.field.crossed[from] >> (2 * direction) & 3;
        crossed >= 2 && (front(from) || front(to))
    }

    /// What a step costs across country and by road.
    fn prices(&self, from: usize, to: usize) -> Option<(usize, u16, Option<u16>)> {
        let edges = &self.rules.edges[from];
        let direction = edges.iter().position(|edge| usize::from(edge.to) == to)?;
        let edge = &edges[direction];
        let across = u16::from(edge.cost) * if self.guns { 2 } else { 1 };
        Some((
            direction,
            across,
            (edge.road > 0).then_some(u16::from(edge.road)),
        ))
    }

    /// What the road out of Cemetery Hill costs more than its points after this way: nothing if the block came
    /// by the same road or across country, and coming across country may have cost it more.
    fn turn(&self, way: &[usize], direction: usize) -> u16 {
        let junction = &self.rules.junction;
        let [.., before, here] = way[..] else {
            return 0;
        };
        if here != usize::from(junction.hex.0) {
            return 0;
        }
        let back = self
            .prices(here, before)
            .map_or(0, |(direction, ..)| direction);
        let on = |road: usize, direction: usize| junction.roads[road] & 1 << direction != 0;
        let came = |road: usize| on(road, back) && !on(1 - road, back);
        let changes =
            (0..2).any(|road| came(road) && on(1 - road, direction) && !on(road, direction));
        let Some((_, across, Some(by_road))) = self.prices(before, here) else {
            return 0;
        };
        let first = way.len() == 2;
        let (across, by_road) = if first {
            (across.min(self.most), by_road.min(self.most))
        } else {
            (across, by_road)
        };
        if changes && by_road <= across {
            1.min(across - by_road)
        } else {
            0
        }
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let edges = self.rules.edges[hex].iter();
        edges
            .map(|edge| edge.to)
            .filter(|&to| to != NOWHERE)
            .map(usize::from)
            .collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let here = *way.last()?;
        let (direction, across, by_road) = self.prices(here, to)?;
        let held = self.field.count[self.side.other() as usize][to] > 0;
        let stops = way.len() > 1 && self.near(here);
        if held || stops || self.night && self.near(to) || self.shut(here, direction, to) {
            return None;
        }
        let by_road = by_road.map(|cost| cost + self.turn(way, direction));
        let cost = by_road.map_or(across, |by_road| by_road.min(across));
        // A block can always move one hex.
        Some(if way.len() == 1 {
            cost.min(self.most)
        } else {
            cost
        })
    }
}

/// What is offered to the block that was picked, with what each move is said to cost.
fn offered(game: &Game, unit: UnitId) -> BTreeMap<usize, u16> {
    let decision = game.decision().expect("open");
    let moves = decision
        .options
        .iter()
        .copied()
        .filter(|&act| act.args[0] == Arg::Unit(unit) && game.name(act).starts_with("move "));
    let cost = |act| match (act, game.outlook(act).cost) {
        (cupola_kernel::Act { args, .. }, Some(cost)) => match args[1] {
            Arg::Hex(HexId(hex)) => Some((usize::from(hex), cost.spent.parts as u16)),
            _ => None,
        },
        _ => None,
    };
    moves.filter_map(cost).collect()
}

fn walked(t: &Table, unit: UnitId, from: HexId) -> BTreeMap<usize, u16> {
    let rules: &Rules = t.rules();
    let card = rules.card(unit);
    let book = Book {
        rules,
        field: t.res::<Hexes>(),
        side: card.side,
        guns: matches!(card.kind, Kind::Artillery | Kind::HorseArtillery),
        night: t.is_night(),
        most: u16::from(card.moves),
    };
    let start = usize::from(from.0);
    let mut found = explore(&book, [(start, 0)], book.most);
    found.remove(&start);
    found
}

#[test]
fn moves_are_those_of_a_plain_walk() {
    let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
    let wanted = if full { 20_000 } else { 400 };
    let (mut looked, mut number) = (0, 0);
    while looked < wanted {
        let scenario = ["day1", "day2", "day3", "campaign"][number as usize % 4];
        let mut game = common::play(scenario)
            .game(Seed(31).nth(number))
            .expect("begins");
        let mut dice = Loose::new(Seed(32).nth(number));
        number += 1;
        let until = looked + 100;
        while let Some(decision) = game.decision() {
            let t = game.table();
            if decision.ask.question == "destination"
                && let Some(unit) = t.res::<cupola_blocks::state::Chosen>().unit
                && let Some(from) = t.hex(unit)
            {
                let (fast, plain) = (offered(&game, unit), walked(t, unit, from));
                let label = |hex: usize| t.board().label(HexId(hex as u16)).to_owned();
                compare(&fast, &plain, label).unwrap_or_else(|why| {
                    panic!(
                        "{} from {}: {why}",
                        t.info(unit).id,
                        label(usize::from(from.0))
                    )
                });
                looked += 1;
            }
            let count = decision.options.len() as u16;
            let act =
                decision.options[usize::from(dice.roll(count, "act", Side::First.into())) - 1];
            game.apply_unchecked(act).expect("goes on");
            if looked >= until {
                break;
            }
        }
    }
}
