//! What a position is worth to a side that has a plan.
//!
//! Everything is counted in tenths of a man: men and guns of both sides, how far own units are from where
//! they are ordered to be, whether contact with the enemy is wanted, whether leaders are with their men, and how far the
//! rules say the side is ahead.
//!
//! A player looks at hundreds of positions that differ from one by a single move. So one position is judged as a
//! whole ([`Worth::of`]) and the others by what is different in them ([`Worth::change`]): who stands elsewhere or
//! otherwise, and whose neighbours do.

mod near;

use crate::brief::{Aim, Brief, Posted};
use crate::distances::Distances;
use crate::leader::Lead;
use crate::nerve;
use crate::plan::Temper;
use crate::spent::Spent;
use cupola_ground::Board;
use cupola_kernel::{
    Act, Fight, Game, HexId, Presence, Prize, Promise, Reckoned, Side, Stakes, Standing, UnitId,
};
use std::cell::RefCell;

/// A man.
pub(crate) const MAN: i64 = 10;
/// A man one kilometre from where he should be.
const FAR: i64 = 2;
/// A thousandth of a clear win.
pub(crate) const AHEAD: i64 = 60;
/// The whole game.
const GAME: i64 = 100_000_000;
/// A unit that has not come yet is so many kilometres from where it should be.
const AWAY: i64 = 12;

/// Metres from a hex to the next on a coarse map.
pub(crate) const WIDE: u32 = 400;

/// Metres that those who seek go farther for a hex that counts than for an enemy.
const DETOUR: u32 = 2000;

/// Metres that a formation keeps off the enemy that is spent and has nowhere to go but to him (house).
const CLEAR: u32 = 1500;

/// Judges positions; keeps its memory between them.
#[derive(Debug, Default)]
pub struct Worth {
    /// Weight of fighting units per hex: ours, theirs.
    force: [Vec<i64>; 2],
    touched: Vec<HexId>,
    /// Whether an enemy who fights stands in a hex or next to it.
    near: Vec<bool>,
    /// The way to the nearest enemy, for those who seek, measured as far as somebody asks; the hexes it leads to, in order, and how much farther they are than they look.
    hunt: RefCell<Distances>,
    hunted: Vec<(HexId, u32)>,
    goals: Vec<(HexId, u32)>,
    /// The hexes that count for victory; those that are not ours, with what they are worth.
    prizes: Vec<Prize>,
    wanted: Vec<(HexId, i64)>,
    /// Those that are ours, and what it costs that some of them are open.
    kept: Vec<(HexId, i64)>,
    guard: i64,
    /// How every unit stands, and where.
    standings: Vec<Standing>,
    places: Vec<Option<HexId>>,
    /// What every unit of ours counts for where it is.
    lives: Vec<i64>,
    /// What every leader of ours counts for where he is.
    leads: Vec<Lead>,
    /// How far ahead we are.
    ahead: i64,
    /// The minute whose orders count, and whether the day is too far gone to begin something.
    now: i32,
    late: bool,
    /// Whether two hexes are so far that an enemy there counts.
    wide: bool,
    /// Hexes from which friends come up to a fight on a fine map: no farther than the next hex of a coarse one.
    come_up: u32,
    spent: Spent,
    /// For positions that are compared with the one looked at.
    then: Vec<Standing>,
    changed: Vec<usize>,
    /// The hexes in which something of that is felt, and which those are.
    stirred: Vec<HexId>,
    mark: Vec<u32>,
    marks: u32,
    /// Fights that were looked at before.
    reckoned: RefCell<Reckoned>,
}

impl Worth {
    /// The value of a position to the side of the brief. Others are compared with the position looked at last.
    pub fn of(&mut self, brief: &Brief, game: &Game) -> i64 {
        let table = game.table();
        let turn = table.turn_info();
        // An order counts in the turns most of which it covers: one for a quarter past two in that of two o'clock.
        self.now = (turn.start.minutes() + turn.end.minutes()) / 2;
        self.late = brief.is_late(turn.start.minutes());
        self.ahead = ahead(brief, game);
        self.wide = brief.pitch >= WIDE;
        self.come_up = WIDE / brief.pitch.max(1);
        let mut sum = self.ahead + self.muster(brief, game);
        let board = table.board();
        self.lives.clear();
        self.lives.resize(table.unit_count(), 0);
        self.spent.muster(brief, &self.standings);
        for i in 0..table.unit_count() {
            let order = &self.order(brief, i);
            if let Some(hex) = self.places[i].filter(|_| brief.sides[i] == brief.side()) {
                let weight = left(brief, i, self.standings[i]);
                self.lives[i] = self.life(brief, order, board, hex, weight);
                sum += self.lives[i];
            }
        }
        self.leads.clear();
        for n in 0..brief.leads.len() {
            let worth = self.lead(brief, board, n, |i| (self.places[i], self.standings[i]));
            self.leads.push(worth);
            sum += worth.all();
        }
        self.guard = self.guards(board);
        sum + self.guard
    }

    /// What a unit is to do, as things stand with its formation.
    fn order(&self, brief: &Brief, unit: usize) -> Posted {
        self.spent.order(brief, self.now, unit)
    }

    /// What it costs that hexes that count and are ours have nobody in them or beside them.
    fn guards(&self, board: &Board) -> i64 {
        let open = self.kept.iter().filter(|(hex, _)| {
            let mut around = board.neighbours(*hex).map(|(_, next)| next).chain([*hex]);
            !around.any(|hex| self.force[0][hex.index()] > 0)
        });
        -open.map(|(_, worth)| worth / 2).sum::<i64>()
    }

    /// Finds out who stands where, and counts heads.
    fn muster(&mut self, brief: &Brief, game: &Game) -> i64 {
        let table = game.table();
        let board = table.board();
        for hex in self.touched.drain(..) {
            self.force[0][hex.index()] = 0;
            self.force[1][hex.index()] = 0;
        }
        for force in &mut self.force {
            force.resize(board.len(), 0);
        }
        self.mark.resize(board.len(), 0);
        self.near.clear();
        self.near.resize(board.len(), false);
        self.places.clear();
        game.standings(&mut self.standings);
        let mut sum = 0;
        self.goals.clear();
        for (unit, &standing) in table.units().zip(&self.standings) {
            let (i, hex) = (usize::from(unit.0), table.hex(unit));
            self.places.push(hex);
            sum += heads(brief, i, standing, hex);
            let Some(hex) = hex.filter(|_| standing.presence == Presence::Fights) else {
                continue;
            };
            let own = brief.sides[i] == brief.side();
            self.force[usize::from(!own)][hex.index()] += brief.punch(i, left(brief, i, standing));
            self.touched.push(hex);
            if own {
                continue;
            }
            self.near[hex.index()] = true;
            for (_, next) in board.neighbours(hex) {
                self.near[next.index()] = true;
            }
            self.goals.push((hex, DETOUR));
        }
        // What counts and is not ours yet is sought like the enemy.
        self.look_for_prizes(brief, game);
        self.look_for_goals(brief);
        sum
    }

    /// Finds the way to whatever is sought, if that has changed. Who stands in which hex does not matter.
    fn look_for_goals(&mut self, brief: &Brief) {
        let wanted = self.wanted.iter().map(|(hex, _)| (*hex, 0));
        self.goals.extend(wanted);
        self.goals.sort_unstable();
        self.goals.dedup();
        if brief.seeks(self.now) && self.goals != self.hunted {
            let hunt = self.hunt.get_mut();
            hunt.begin(&brief.ways, self.goals.iter().copied());
            std::mem::swap(&mut self.goals, &mut self.hunted);
        }
    }

    /// The hexes that count for victory and are not ours, with what they are worth.
    fn look_for_prizes(&mut self, brief: &Brief, game: &Game) {
        game.prizes(&mut self.prizes);
        self.wanted.clear();
        self.kept.clear();
        for prize in self.prizes.iter().filter(|prize| prize.worth > 0) {
            let worth = i64::from(prize.worth) * AHEAD;
            if prize.held == Some(brief.side()) || self.force[0][prize.hex.index()] > 0 {
                self.kept.push((prize.hex, worth));
            } else {
                self.wanted.push((prize.hex, worth));
            }
        }
    }

    /// What a hex is worth for victory if it is not ours yet.
    fn prize(&self, hex: HexId) -> i64 {
        let wanted = self.wanted.iter().find(|(prize, _)| *prize == hex);
        wanted.map_or(0, |(_, worth)| *worth)
    }

    /// By how much another position is better than the one looked at last. The same orders count for both, and those who
    /// seek the enemy seek him where he was.
    pub fn change(&mut self, brief: &Brief, game: &Game) -> i64 {
        let table = game.table();
        let mut sum = ahead(brief, game) - self.ahead;
        let mut then = std::mem::take(&mut self.then);
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        game.standings(&mut then);
        for (i, (now, before)) in then.iter().zip(&self.standings).enumerate() {
            if now != before || table.hex(UnitId(i as u16)) != self.places[i] {
                changed.push(i);
            }
        }
        if !changed.is_empty() {
            sum += self.changes(brief, game, &then, &changed);
        }
        (self.then, self.changed) = (then, changed);
        sum
    }

    fn changes(&mut self, brief: &Brief, game: &Game, then: &[Standing], changed: &[usize]) -> i64 {
        let table = game.table();
        let board = table.board();
        let place = |i: usize| table.hex(UnitId(i as u16));
        let mut sum = 0;
        self.marks += 1;
        self.stirred.clear();
        for &i in changed {
            sum += heads(brief, i, then[i], place(i));
            sum -= heads(brief, i, self.standings[i], self.places[i]);
            self.shift(brief, board, i, (self.places[i], self.standings[i]), -1);
            self.shift(brief, board, i, (place(i), then[i]), 1);
        }
        let lives = |i: usize| {
            let (weight, order) = (left(brief, i, then[i]), self.order(brief, i));
            let life = |hex| self.life(brief, &order, board, hex, weight);
            place(i).map_or(0, life) - self.lives[i]
        };
        let own = |i: &usize| brief.sides[*i] == brief.side();
        sum += changed.iter().copied().filter(own).map(lives).sum::<i64>();
        for &hex in &self.stirred {
            let there = table.stacks().units(hex).map(|unit| usize::from(unit.0));
            let beside = there.filter(|i| own(i) && !changed.contains(i));
            sum += beside.map(lives).sum::<i64>();
        }
        for (n, lead) in brief.leads.iter().enumerate() {
            let near = |hex: HexId| self.mark[hex.index()] == self.marks;
            if lead.touches(changed) || place(lead.leader).is_some_and(near) {
                let lead_then = self.lead(brief, board, n, |i| (place(i), then[i]));
                let by = lead_then.reach - self.leads[n].reach;
                // Men do not wait for a leader: he goes when they have gone. But they do not leave him to the enemy.
                let follows = !changed.contains(&lead.leader);
                sum += if follows { by.max(0) } else { by };
                sum += lead_then.safety - self.leads[n].safety;
            }
        }
        sum += self.guards(board) - self.guard;
        for &i in changed {
            self.shift(brief, board, i, (self.places[i], self.standings[i]), 1);
            self.shift(brief, board, i, (place(i), then[i]), -1);
        }
        sum
    }

    /// Adds a unit to the force of its hex, or takes it away, and marks the hexes that this is felt in.
    fn shift(
        &mut self,
        brief: &Brief,
        board: &Board,
        i: usize,
        (hex, standing): (Option<HexId>, Standing),
        by: i64,
    ) {
        let Some(hex) = hex.filter(|_| standing.presence == Presence::Fights) else {
            return;
        };
        let enemy = usize::from(brief.sides[i] != brief.side());
        self.force[enemy][hex.index()] += by * brief.punch(i, left(brief, i, standing));
        let around = board.neighbours(hex).map(|(_, next)| next);
        for hex in around.chain([hex]) {
            if self.mark[hex.index()] != self.marks {
                self.mark[hex.index()] = self.marks;
                self.stirred.push(hex);
            }
        }
    }

    /// What a unit of ours counts for where it stands.
    fn life(&self, brief: &Brief, order: &Posted, board: &Board, hex: HexId, weight: i64) -> i64 {
        if weight == 0 {
            return 0;
        }
        let odds = self.odds(board, hex, (0, 0));
        self.way(brief, order, hex, weight) + self.contact(brief, order, (board, hex), weight, odds)
    }

    /// What the way that is left costs.
    fn way(&self, brief: &Brief, order: &Posted, hex: HexId, weight: i64) -> i64 {
        if order.stays() {
            return 0;
        }
        let far = match order.goal {
            Some(goal) => brief.distances(goal).from(hex),
            None if self.hunted.is_empty() => return 0,
            None => self.hunt.borrow_mut().reach(&brief.ways, hex),
        };
        let near = match order.aim {
            Aim::Hold => brief.reach,
            // The careful look for the enemy, and not for a fight.
            Aim::Seek if order.temper == Temper::Cautious => brief.reach,
            Aim::Take | Aim::Seek => 0,
            Aim::March => brief.reach / 2,
        };
        let far = match (order.aim, order.goal) {
            // Who marches nowhere marches off.
            (Aim::March, None) => (DETOUR + CLEAR).saturating_sub(far),
            _ => far.min(20_000).saturating_sub(near),
        };
        -weight * FAR * i64::from(far) / 1000
    }

    /// What a leader counts for where he is.
    fn lead(
        &self,
        brief: &Brief,
        board: &Board,
        n: usize,
        at: impl Fn(usize) -> (Option<HexId>, Standing),
    ) -> Lead {
        let danger = |hex: HexId| self.force[0][hex.index()] == 0 && self.exposed(board, hex);
        Lead::of(brief, board, &brief.leads[n], at, danger)
    }

    /// What the way of a unit to a hex would change, by the board alone; for a quick look at the position looked at
    /// last.
    #[must_use]
    pub fn step(&self, brief: &Brief, game: &Game, unit: UnitId, to: HexId) -> i64 {
        let i = usize::from(unit.0);
        let board = game.table().board();
        if let Some(n) = brief.lead_of(i) {
            let there = |other: usize| {
                let place = if other == i {
                    Some(to)
                } else {
                    self.places[other]
                };
                (place, self.standings[other])
            };
            return self.lead(brief, board, n, there).all() - self.leads[n].all();
        }
        let Some(from) = self.places[i] else {
            let weight = brief.weights[i];
            let order = &self.order(brief, i);
            let odds = self.odds(board, to, (brief.punch(i, weight), 0));
            let there = self.way(brief, order, to, weight)
                + self.contact(brief, order, (board, to), weight, odds);
            return there + self.prize(to) + weight * FAR * AWAY;
        };
        let weight = left(brief, i, self.standings[i]);
        let order = &self.order(brief, i);
        // Of those beside the new place it is not one.
        let beside = from == to || board.distance(from, to) <= 1;
        let more = if beside { 0 } else { brief.punch(i, weight) };
        let odds = self.odds(board, to, (more, 0));
        let there = self.way(brief, order, to, weight)
            + self.contact(brief, order, (board, to), weight, odds);
        there + self.prize(to) - self.lives[i]
    }

    /// How much a unit would like to be elsewhere: the best of the hexes around it, by the board alone.
    #[must_use]
    pub fn urge(&self, brief: &Brief, game: &Game, unit: UnitId) -> i64 {
        let i = usize::from(unit.0);
        let board = game.table().board();
        let Some(from) = self.places[i] else {
            let missed = brief.lead_of(i).map_or(0, |n| -self.leads[n].all());
            return brief.weights[i] * FAR * AWAY + missed.max(2);
        };
        let around = board.neighbours(from).map(|(_, next)| next);
        let best = around.map(|next| self.step(brief, game, unit, next)).max();
        let best = best.unwrap_or(0);
        // A leader who is far away sees no gain in a single step: he looks where his men are.
        let Some(n) = brief.lead_of(i) else {
            return best;
        };
        let men = brief.leads[n].units.iter();
        let there = men.filter_map(|&other| self.places[other]);
        let there = there.map(|hex| self.step(brief, game, unit, hex));
        best.max(there.max().unwrap_or(0))
    }

    /// Whether a unit stands beside an enemy of the position looked at last.
    #[must_use]
    pub fn meets(&self, game: &Game, unit: UnitId) -> bool {
        let hex = game.table().hex(unit);
        hex.is_some_and(|hex| self.near[hex.index()])
    }

    /// Whether a unit is told to be careful.
    #[must_use]
    pub fn is_careful(&self, brief: &Brief, unit: UnitId) -> bool {
        self.order(brief, usize::from(unit.0)).temper == Temper::Cautious
    }

    /// What a fight is worth to our side, whether ours would start it or are attacked.
    #[must_use]
    pub fn fight(&self, brief: &Brief, stakes: &Stakes, fight: &Fight) -> i64 {
        let ours = |units: &[UnitId]| {
            let first = units.first();
            first.is_some_and(|unit| brief.sides[usize::from(unit.0)] == brief.side())
        };
        let stands = ours(&fight.defenders) && !ours(&fight.attackers);
        let own = if stands {
            &fight.defenders
        } else {
            &fight.attackers
        };
        let order = own
            .first()
            .map(|unit| self.order(brief, usize::from(unit.0)));
        let weights = own.iter().map(|unit| brief.weights[usize::from(unit.0)]);
        let worth = if stands { nerve::stand } else { nerve::fight };
        worth(stakes, order.as_ref(), self.late, weights.sum())
    }

    /// The same of the fight that an option leads to, if it does.
    #[must_use]
    pub fn of_fight(&self, brief: &Brief, game: &Game, act: Act) -> Option<i64> {
        let (combat, fight) = game.prospect(act)?;
        let mut reckoned = self.reckoned.borrow_mut();
        let stakes = reckoned.stakes(&*combat, game.table(), &fight).ok()?;
        Some(self.fight(brief, &stakes, &fight))
    }
}

impl Worth {
    /// What an option opens, to those whose orders count.
    #[must_use]
    pub fn promise(&self, brief: &Brief, game: &Game, promise: &Promise) -> i64 {
        let order = promise
            .by
            .map(|unit| self.order(brief, usize::from(unit.0)));
        let lost = match promise.by {
            Some(unit) if promise.theirs > 0 => self.lost_beside(brief, game, unit),
            _ => 0,
        };
        let stride = match promise.by {
            Some(unit) if promise.stride != 0 => self.stride(brief, unit, promise.stride),
            _ => 0,
        };
        nerve::promise(promise, order.as_ref(), lost, self.late) + stride
    }

    /// What the best of the hexes is worth that count, are not ours, and are as near to a unit as its post.
    fn lost_beside(&self, brief: &Brief, game: &Game, unit: UnitId) -> i64 {
        let Some(place) = self.places[usize::from(unit.0)] else {
            return 0;
        };
        let board = game.table().board();
        let near = |hex: HexId| board.distance(place, hex) * brief.pitch <= brief.reach;
        let lost = self.wanted.iter().filter(|(hex, _)| near(*hex));
        lost.map(|(_, worth)| *worth).max().unwrap_or(0)
    }

    /// What it is worth to a unit to go so many metres farther in a turn: no more than the way that it has to go.
    fn stride(&self, brief: &Brief, unit: UnitId, metres: i32) -> i64 {
        let i = usize::from(unit.0);
        let order = self.order(brief, i);
        let left = match (self.places[i], order.goal) {
            (None, _) => u32::MAX,
            _ if order.stays() => 0,
            (Some(hex), Some(goal)) => brief.distances(goal).from(hex).saturating_sub(brief.reach),
            (Some(hex), None) => {
                let far = self.hunt.borrow_mut().reach(&brief.ways, hex);
                far.saturating_sub(DETOUR)
            }
        };
        let left = i64::from(left.min(20_000));
        brief.weights[i] * FAR * i64::from(metres).clamp(-left, left) / 1000
    }
}

/// How far the side is ahead by the rules, and by a verdict.
fn ahead(brief: &Brief, game: &Game) -> i64 {
    let side = brief.side();
    let ahead = i64::from(game.margin()) * if side == Side::First { 1 } else { -1 };
    let verdict = game.verdict().map_or(0, |verdict| match verdict.winner {
        Some(winner) if winner == side => GAME,
        Some(_) => -GAME,
        None => 0,
    });
    ahead * AHEAD + verdict
}

/// What is left of a unit.
pub(crate) fn left(brief: &Brief, i: usize, standing: Standing) -> i64 {
    brief.weights[i] * i64::from(1000 - standing.lost.min(1000)) / 1000
}

/// What a unit counts for by its men alone, wherever it is.
fn heads(brief: &Brief, i: usize, standing: Standing, hex: Option<HexId>) -> i64 {
    let left = left(brief, i, standing);
    let own = brief.sides[i] == brief.side();
    if own && standing.presence == Presence::Gone && standing.lost >= 1000 {
        // However far from its post a unit is, it is better off alive.
        return brief.weights[i] * (MAN - FAR * AWAY);
    }
    // Some of the men of a unit that is out of the game are still there, but not for us.
    let value = if standing.presence == Presence::Gone {
        left / 4
    } else {
        left
    };
    let awaited = own && hex.is_none() && standing.presence == Presence::Awaited;
    let away = if awaited {
        brief.weights[i] * FAR * AWAY
    } else {
        0
    };
    (if own { value * MAN } else { -value * MAN }) - away
}
