//! Watches a game and keeps what is said of it in common terms.

use crate::record::{At, Hours, Kept, Record, Snapshot, Tally, Verdict};
use cupola_bots::Brief;
use cupola_kernel::{Fights, Game, HexId, Presence, Seed, Side, Standing};
use std::sync::Arc;

/// The watcher of one game.
pub struct Watch<'a> {
    briefs: &'a [Arc<Brief>; 2],
    kept: Kept,
    turn: u16,
    tally: [Tally; 2],
    /// Fights fought so far.
    fights: Fights,
    /// Per unit what it had lost before the game began: the third day begins with the losses of two others, which are not its own.
    before: Vec<u16>,
    /// Per unit the most it had lost so far, since the game began.
    lost: Vec<u16>,
    /// Per unit where it stood after the last choice.
    places: Vec<Option<HexId>>,
    /// Per unit whether an enemy stands next to it, and whether one did at any time in this turn.
    contact: Vec<bool>,
    engaged: Vec<bool>,
    /// How all units stand; kept for its memory.
    standings: Vec<Standing>,
    /// Hexes with fighting units of each side: one bit per side.
    held: Vec<u8>,
}

impl<'a> Watch<'a> {
    /// Begins to watch a game that is about to be played.
    #[must_use]
    pub fn new(briefs: &'a [Arc<Brief>; 2], game: &Game) -> Watch<'a> {
        let table = game.table();
        let units = table.unit_count();
        let mut watch = Watch {
            briefs,
            kept: Kept::default(),
            turn: table.turn(),
            tally: Default::default(),
            fights: table.fights(),
            before: vec![],
            lost: vec![0; units],
            places: vec![None; units],
            contact: vec![false; units],
            engaged: vec![false; units],
            standings: vec![],
            held: vec![0; table.board().len()],
        };
        watch.look(game);
        watch.snap(game, table.turn_info().start.minutes());
        watch
    }

    /// Takes note of a choice before it is carried out: how many options there were.
    pub fn chosen(&mut self, side: Side, options: usize) {
        let tally = &mut self.tally[side as usize];
        if options > 1 {
            tally.decisions += 1;
        } else {
            tally.forced += 1;
        }
    }

    /// Takes note of what came of it.
    pub fn done(&mut self, game: &Game) {
        let table = game.table();
        let fights = table.fights();
        let fought = fights != self.fights;
        if fought {
            let now = hours(game, self.turn);
            for (side, count) in fights.all.iter() {
                self.tally[side as usize].attacks += count - self.fights.all[side];
            }
            if fights.close > self.fights.close {
                self.kept.first_close.get_or_insert(now);
            }
            self.fights = fights;
            self.kept.first_attack.get_or_insert(now);
            // Guns reach farther than the next hex: who fights is in contact.
            self.kept.first_contact.get_or_insert(now);
        }
        let moved = table
            .units()
            .zip(&self.places)
            .any(|(unit, &hex)| table.hex(unit) != hex);
        if moved || fought {
            self.look(game);
        }
        let turn = table.turn();
        if turn != self.turn || game.verdict().is_some() {
            let ended = hours(game, self.turn).to;
            self.snap(game, ended);
            self.turn = turn;
        }
    }

    /// Looks who stands next to an enemy.
    fn look(&mut self, game: &Game) {
        let table = game.table();
        self.held.fill(0);
        game.standings(&mut self.standings);
        for (unit, standing) in table.units().zip(&self.standings) {
            let hex = table.hex(unit);
            self.places[usize::from(unit.0)] = hex;
            if let (Some(hex), Presence::Fights) = (hex, standing.presence) {
                self.held[hex.index()] |= 1 << table.info(unit).side as u8;
            }
        }
        for (unit, standing) in table.units().zip(&self.standings) {
            let (i, side) = (usize::from(unit.0), table.info(unit).side);
            let contact = standing.presence == Presence::Fights
                && self.places[i].is_some_and(|hex| self.touches(game, hex, side.other()));
            self.contact[i] = contact;
            self.engaged[i] |= contact;
        }
        if self.kept.first_contact.is_none() && self.contact.contains(&true) {
            self.kept.first_contact = Some(hours(game, table.turn()));
        }
    }

    fn snap(&mut self, game: &Game, minute: i32) {
        let table = game.table();
        game.standings(&mut self.standings);
        if self.before.is_empty() {
            self.before.extend(self.standings.iter().map(|s| s.lost));
        }
        let mut units = Vec::with_capacity(self.lost.len());
        for (unit, &standing) in table.units().zip(&self.standings) {
            let i = usize::from(unit.0);
            let since = standing.lost.saturating_sub(self.before[i]);
            self.lost[i] = self.lost[i].max(since);
            let at = At::new(table.hex(unit), standing, self.lost[i]);
            let at = at.taken(game.captured(unit));
            units.push(at.facing(self.contact[i], self.engaged[i]));
        }
        self.follow(game, &units, minute);
        self.kept.snapshots.push(Snapshot {
            minute,
            units,
            tally: std::mem::take(&mut self.tally),
        });
        // Who is in contact when a turn begins is so in that turn, too.
        self.engaged.clone_from(&self.contact);
    }

    /// Whether a unit of a side stands in or next to a hex.
    fn touches(&self, game: &Game, hex: HexId, side: Side) -> bool {
        let bit = 1 << side as u8;
        let board = game.table().board();
        let mut near = board.neighbours(hex).map(|(_, next)| next).chain([hex]);
        near.any(|hex| self.held[hex.index()] & bit != 0)
    }

    /// What came of marching orders since the last snapshot.
    fn follow(&mut self, game: &Game, units: &[At], minute: i32) {
        let Some(last) = self.kept.snapshots.last() else {
            return;
        };
        let table = game.table();
        let board = table.board();
        for ((unit, before), after) in table.units().zip(&last.units).zip(units) {
            let side = table.info(unit).side;
            let (Some(from), Some(to)) = (before.hex, after.hex) else {
                continue;
            };
            let tally = &mut self.tally[side as usize];
            if from != to {
                let (a, b) = (board.centre(from), board.centre(to));
                let (x, y) = (i64::from(a.x - b.x), i64::from(a.y - b.y));
                tally.marched += ((x * x + y * y).isqrt() / 100) as u32;
                tally.marchers += 1;
            }
            let brief = &self.briefs[side as usize];
            let way = brief.way_left(unit, from, minute - 1);
            if before.presence() == Presence::Fights
                && !before.contact
                && way.is_some_and(|way| way > 0)
            {
                tally.ordered += 1;
                tally.idle += u32::from(from == to);
            }
        }
    }

    /// Ends the watch.
    #[must_use]
    pub fn end(mut self, game: &Game, number: u32, seed: Seed, fault: Option<String>) -> Record {
        self.kept.margin = game.margin();
        self.kept.verdict = game.verdict().map(|verdict| Verdict {
            winner: verdict.winner,
            how: verdict.how.to_string(),
        });
        Record {
            number,
            seed,
            kept: self.kept,
            fault,
        }
    }
}

/// The time that a turn of the game stands for.
fn hours(game: &Game, turn: u16) -> Hours {
    let turns = &game.table().env().track.turns;
    let turn = &turns[usize::from(turn).min(turns.len() - 1)];
    Hours {
        from: turn.start.minutes(),
        to: turn.end.minutes(),
    }
}
