//! The movement search finds what walking every way finds, cost and set of hexes, in positions of random games.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_corps20::field::{Field, near_enemy, safe, unit_in};
use cupola_corps20::rules::Rules;
use cupola_kernel::{About, Dice};
use cupola_kernel::{Act, Arg, Game, HexId, Loose, Play, Registry, Seed, Side, Table, UnitId};
use cupola_kit::plain::{Walk, compare, explore};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::path::Path;

fn play() -> Play {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    Library::new(data, None, Registry::linked().unwrap())
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The rules of movement as the chapter has them, from §5.1 to §5.4, §7.12, §8.1 and §9.1.
struct Book<'t> {
    t: &'t Table,
    rules: &'t Rules,
    side: Side,
    leader: bool,
    routed: bool,
    most: u16,
}

impl<'t> Book<'t> {
    fn new(t: &'t Table, unit: UnitId) -> Book<'t> {
        let (rules, field) = (t.rules::<Rules>(), Field::new(t));
        let (card, status) = (rules.card(unit), field.status(unit));
        let printed = if status.cadre {
            rules.cadre[card.side].2
        } else {
            card.movement
        };
        let weary = u8::from(status.weary());
        Book {
            t,
            rules,
            side: card.side,
            leader: rules.is_leader(unit),
            routed: status.routed,
            most: 2 * u16::from(printed.saturating_sub(weary).max(1)),
        }
    }

    /// §5.4, §7.12: an enemy next to the hex that is not routed.
    fn must_stop(&self, hex: HexId) -> bool {
        let field = Field::new(self.t);
        !self.leader && field.pinned(self.side, hex)
    }

    /// Whether one line of communications comes nearer with every step.
    fn leads_home(&self, way: &[usize], to: usize) -> bool {
        let hexes: Vec<HexId> = way
            .iter()
            .chain([&to])
            .map(|&hex| HexId(hex as u16))
            .collect();
        let lines = &self.rules.communications[self.side];
        let board = self.t.board();
        lines.iter().any(|&line| {
            let mut steps = hexes.windows(2);
            steps.all(|step| board.distance(step[1], line) < board.distance(step[0], line))
        })
    }
}

impl Walk for Book<'_> {
    fn around(&self, hex: usize) -> Vec<usize> {
        let next = self.t.board().neighbours(HexId(hex as u16));
        next.map(|(_, hex)| usize::from(hex.0)).collect()
    }

    fn price(&self, way: &[usize], to: usize) -> Option<u16> {
        let here = HexId(*way.last()? as u16);
        let hex = HexId(to as u16);
        let near = near_enemy(self.t, self.side, hex);
        let held = unit_in(self.t, hex);
        let barred = match held {
            Some(unit) if self.leader => self.rules.card(unit).side != self.side,
            held => held.is_some(),
        };
        let shy = !self.leader && (self.routed || self.t.is_night());
        if barred || (shy && near) || (way.len() > 1 && self.must_stop(here)) {
            return None;
        }
        if self.routed && !self.leads_home(way, to) {
            return None;
        }
        let edge = self.rules.edge(here, hex)?;
        let clear = u16::from(self.rules.costs.clear);
        let plain = if self.leader {
            clear
        } else {
            u16::from(edge.cost)
        };
        let road = edge.road && (self.leader || !near);
        let cost = if road {
            u16::from(self.rules.costs.road)
        } else {
            plain
        };
        Some(if way.len() == 1 {
            cost.min(self.most)
        } else {
            cost
        })
    }
}

/// What the game offers a unit that was just picked, with what it says that it costs.
fn offered(game: &Game, unit: UnitId) -> BTreeMap<usize, u16> {
    let decision = game.decision().unwrap();
    let moves = decision.options.iter().filter_map(|&act| match act.args {
        [Arg::Unit(mover), Arg::Hex(hex), ..] if mover == unit => Some((act, hex)),
        _ => None,
    });
    let cost = |act: Act| game.outlook(act).cost.unwrap().spent;
    moves
        .map(|(act, hex)| {
            let points = cost(act);
            (usize::from(hex.0), (points.parts * 2 / points.of) as u16)
        })
        .collect()
}

/// Compares one unit's destinations; true if there was something to compare.
fn check(game: &Game, unit: UnitId) -> bool {
    let t = game.table();
    let Some(from) = t.hex(unit) else {
        return false;
    };
    let book = Book::new(t, unit);
    let mut walked = explore(&book, [(usize::from(from.0), 0)], book.most);
    walked.remove(&usize::from(from.0));
    if book.leader {
        walked.retain(|&hex, _| safe(book.rules, t.stacks(), book.side, HexId(hex as u16)));
    }
    // Cornered units leave by any way: another rule, and a case of its own.
    if book.routed && walked.is_empty() {
        return false;
    }
    let label = |hex: usize| t.board().label(HexId(hex as u16)).to_owned();
    let same = compare(&offered(game, unit), &walked, label);
    let (name, turn) = (&t.info(unit).name, &t.turn_info().id);
    same.unwrap_or_else(|why| panic!("{name} at {} on {turn}: {why}", label(usize::from(from.0))));
    // The way that is told is one that can be gone, for that price.
    for (&hex, &cost) in &walked {
        let act = game.decision().unwrap().options.iter().copied();
        let mut acts = act.filter(|act| act.args[1] == Arg::Hex(HexId(hex as u16)));
        let path = game.outlook(acts.next().unwrap()).path;
        let nodes: Vec<usize> = path.iter().map(|hex| usize::from(hex.0)).collect();
        let prices = (1..nodes.len()).map(|i| book.price(&nodes[..i], nodes[i]).unwrap());
        assert_eq!(prices.sum::<u16>(), cost, "{name} to {}", label(hex));
    }
    true
}

#[test]
fn the_search_finds_what_walking_every_way_finds() {
    let play = play();
    let (mut compared, mut routed) = (0, 0);
    for seed in 0..12 {
        let mut game = play.game(Seed(seed)).unwrap();
        let mut dice = Loose::new(Seed(1863 + seed));
        while let Some(decision) = game.decision() {
            let (ask, options) = (decision.ask, decision.options);
            let pick = dice.roll(options.len() as u16, "choice", About::Game) - 1;
            let act = options[usize::from(pick)];
            game.apply(ask.side, act).unwrap();
            let picked = game
                .decision()
                .is_some_and(|d| d.ask.question == "destination");
            if let (true, "move", [Arg::Unit(unit), ..]) = (picked, ask.question, act.args) {
                // Cavalry and leaders have too many ways to walk them all every time.
                let far = game.table().rules::<Rules>().card(unit).movement > 4;
                if !(far && compared % 20 != 0) && check(&game, unit) {
                    compared += 1;
                    routed += u32::from(Field::new(game.table()).status(unit).routed);
                }
            }
        }
    }
    assert!(
        compared > 500 && routed > 3,
        "{compared} compared, {routed} of them routed"
    );
}
