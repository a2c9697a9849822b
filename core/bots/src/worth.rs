//! What a position is worth to a side that has a plan.
//!
//! Everything is counted in tenths of a man: men and guns of both sides, how far own units are from where
//! they are ordered to be, whether contact with the enemy is wanted, and how far the rules say the side is
//! ahead.

use crate::brief::{Aim, Brief, Posted};
use crate::field::Field;
use crate::plan::Temper;
use cupola_ground::{Board, Cover};
use cupola_kernel::{Game, HexId, Presence, Side, Stakes, Standing, UnitId};

/// A man.
const MAN: i64 = 10;
/// A man one kilometre from where he should be.
const FAR: i64 = 2;
/// A thousandth of a clear win.
const AHEAD: i64 = 60;
/// The whole game.
const GAME: i64 = 100_000_000;

/// Judges positions; keeps its memory between them.
#[derive(Debug, Default)]
pub struct Worth {
    /// Weight of fighting units per hex: ours, theirs.
    force: [Vec<i64>; 2],
    touched: Vec<HexId>,
    /// The way to the nearest enemy, for those who seek.
    hunt: Field,
    hunted: Vec<HexId>,
    /// How every unit stands now.
    standings: Vec<Standing>,
    /// Per unit of ours on the map: where it is, and what it counts for.
    ours: Vec<(UnitId, HexId, i64)>,
}

impl Worth {
    /// The value of a position to the side of the brief.
    pub fn of(&mut self, brief: &Brief, game: &Game) -> i64 {
        let (side, table) = (brief.side(), game.table());
        let ahead = game.margin() as i64 * if side == Side::First { 1 } else { -1 };
        let mut sum = ahead * AHEAD;
        if let Some(verdict) = game.verdict() {
            sum += match verdict.winner {
                Some(winner) if winner == side => GAME,
                Some(_) => -GAME,
                None => 0,
            };
        }
        let now = table.turn_info().start.minutes();
        sum += self.muster(brief, game, now);
        let orders = brief.orders(now);
        for &(unit, hex, weight) in &self.ours {
            let order = &orders[usize::from(unit.0)];
            sum += self.way(brief, order, hex, weight);
            sum += self.contact(brief, order, table.board(), hex, weight);
        }
        sum
    }

    /// Finds out who stands where, and counts heads.
    fn muster(&mut self, brief: &Brief, game: &Game, now: i32) -> i64 {
        let (side, table) = (brief.side(), game.table());
        let board = table.board();
        for hex in self.touched.drain(..) {
            self.force[0][hex.index()] = 0;
            self.force[1][hex.index()] = 0;
        }
        for force in &mut self.force {
            force.resize(board.len(), 0);
        }
        self.ours.clear();
        let (mut sum, mut seekers) = (0, false);
        let mut enemies = std::mem::take(&mut self.hunted);
        let before = enemies.len();
        let mut same = 0;
        let mut found = 0;
        game.standings(&mut self.standings);
        let orders = brief.orders(now);
        for (unit, standing) in table.units().zip(&self.standings) {
            let i = usize::from(unit.0);
            let (own, all) = (brief.sides[i] == side, brief.weights[i]);
            let left = all * i64::from(1000 - standing.lost.min(1000)) / 1000;
            let value = if standing.presence == Presence::Gone {
                // Some of the men of a unit that is out of the game are still there, but not for us.
                left / 4
            } else {
                left
            };
            sum += if own { value * MAN } else { -value * MAN };
            seekers |= own && orders[i].aim == Aim::Seek;
            let Some(hex) = table.hex(unit) else {
                if own && standing.presence == Presence::Awaited {
                    sum -= all * FAR * 12;
                }
                continue;
            };
            if own {
                self.ours.push((unit, hex, left));
            }
            if standing.presence == Presence::Fights {
                self.force[usize::from(!own)][hex.index()] += left;
                self.touched.push(hex);
                if !own {
                    if enemies.get(found) == Some(&hex) {
                        same += 1;
                    } else if found < enemies.len() {
                        enemies[found] = hex;
                    } else {
                        enemies.push(hex);
                    }
                    found += 1;
                }
            }
        }
        enemies.truncate(found);
        if seekers && (same != found || before != found || found == 0) {
            self.hunt.measure(&brief.ways, enemies.iter().copied());
        }
        self.hunted = enemies;
        sum
    }

    /// What the way that is left costs.
    fn way(&self, brief: &Brief, order: &Posted, hex: HexId, weight: i64) -> i64 {
        let far = match order.goal {
            Some(goal) => brief.field(goal).from(hex),
            None if self.hunted.is_empty() => 0,
            None => self.hunt.from(hex),
        };
        let near = match order.aim {
            Aim::Hold => brief.reach,
            Aim::Take | Aim::Seek => 0,
            Aim::March => brief.reach / 2,
        };
        let far = i64::from(far.min(20_000).saturating_sub(near));
        -weight * FAR * far / 1000
    }

    /// Whether contact with the enemy is wanted here, by who is near.
    fn contact(
        &self,
        brief: &Brief,
        order: &Posted,
        board: &Board,
        hex: HexId,
        weight: i64,
    ) -> i64 {
        let (mut ours, mut theirs) = (self.force[0][hex.index()], 0);
        let mut worst_ground = 0;
        for (direction, next) in board.neighbours(hex) {
            let enemy = self.force[1][next.index()];
            ours += self.force[0][next.index()];
            theirs += enemy;
            if enemy > 0 {
                // It is better to be above the enemy, or behind water.
                let rise = i64::from(board.level(hex) - board.level(next)).clamp(-1, 1);
                worst_ground = worst_ground.min(rise);
                if board.side(hex, direction).water.is_some() {
                    worst_ground = worst_ground.max(0);
                }
            }
        }
        let shelter = match board.cover(hex) {
            Cover::Woods | Cover::Town | Cover::Rocks => 1,
            _ => 0,
        };
        if theirs == 0 {
            let keeps = matches!(order.aim, Aim::Hold) && self.at_post(brief, order, hex);
            return if keeps { weight * shelter / 10 } else { 0 };
        }
        let wanted = match order.temper {
            Temper::Cautious => 14,
            Temper::Steady => 10,
            Temper::Bold => 7,
        };
        let ours = ours * (10 + shelter + worst_ground) / 10;
        let balance = (ours * 10 - theirs * wanted) * 10 / (ours * 10 + theirs * wanted).max(1);
        match order.aim {
            Aim::Take | Aim::Seek => weight * balance / 5,
            // Who holds a place does not leave it for the enemy's sake.
            Aim::Hold if self.at_post(brief, order, hex) => weight * balance.min(0) / 10,
            Aim::Hold => weight * balance.min(0) / 5,
            Aim::March => -weight,
        }
    }

    fn at_post(&self, brief: &Brief, order: &Posted, hex: HexId) -> bool {
        order
            .goal
            .is_some_and(|goal| brief.field(goal).from(hex) <= brief.reach)
    }

    /// What the way of a unit to a hex would change, by the board alone; for a quick look. The position
    /// looked at last must be the one it stands in.
    #[must_use]
    pub fn step(&self, brief: &Brief, game: &Game, unit: UnitId, to: HexId) -> i64 {
        let (table, weight) = (game.table(), brief.weights[usize::from(unit.0)]);
        let now = table.turn_info().start.minutes();
        let order = brief.order(unit, now);
        let board = table.board();
        let after =
            self.way(brief, order, to, weight) + self.contact(brief, order, board, to, weight);
        let before = match table.hex(unit) {
            Some(hex) => {
                self.way(brief, order, hex, weight) + self.contact(brief, order, board, hex, weight)
            }
            None => -weight * FAR * 12,
        };
        after - before
    }

    /// What a fight is worth to those who would start it.
    #[must_use]
    pub fn fight(&self, brief: &Brief, game: &Game, stakes: &Stakes, by: Option<UnitId>) -> i64 {
        let now = game.table().turn_info().start.minutes();
        let temper = by.map_or(Temper::Steady, |unit| brief.order(unit, now).temper);
        let (own, ground) = match temper {
            Temper::Cautious => (15, 1),
            Temper::Steady => (10, 2),
            Temper::Bold => (7, 4),
        };
        let gain = i64::from(stakes.defender) * MAN - i64::from(stakes.attacker) * own * MAN / 10;
        gain + i64::from(stakes.yields) * ground + 1
    }
}
