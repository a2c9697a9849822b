//! Watches a game and keeps what is said of it in common terms.

use crate::record::{At, Kept, Record, Snapshot, Tally, Verdict};
use cupola_bots::Brief;
use cupola_kernel::{Game, HexId, Presence, Seed, Side};
use std::sync::Arc;

/// The watcher of one game.
pub struct Watch<'a> {
    briefs: &'a [Arc<Brief>; 2],
    kept: Kept,
    turn: u16,
    tally: [Tally; 2],
    /// Per unit the most it had lost so far.
    lost: Vec<u16>,
    /// Hexes with fighting units of each side: one bit per side.
    held: Vec<u8>,
}

impl<'a> Watch<'a> {
    /// Begins to watch a game that is about to be played.
    #[must_use]
    pub fn new(briefs: &'a [Arc<Brief>; 2], game: &Game) -> Watch<'a> {
        let table = game.table();
        let mut watch = Watch {
            briefs,
            kept: Kept::default(),
            turn: table.turn(),
            tally: Default::default(),
            lost: vec![0; table.unit_count()],
            held: vec![0; table.board().len()],
        };
        watch.snap(game, table.turn_info().start.minutes());
        watch
    }

    /// Takes note of a choice before it is carried out: how many options there were, and whether it leads to a
    /// fight.
    pub fn chosen(&mut self, side: Side, options: usize) {
        let tally = &mut self.tally[side as usize];
        if options > 1 {
            tally.decisions += 1;
        } else {
            tally.forced += 1;
        }
    }

    /// Takes note of what came of it.
    pub fn done(&mut self, game: &Game, side: Side, fought: bool) {
        if fought {
            self.tally[side as usize].attacks += 1;
            let now = self.now(game);
            self.kept.first_attack.get_or_insert(now);
        }
        let turn = game.table().turn();
        if turn != self.turn || game.verdict().is_some() {
            let ended = &game.table().env().track.turns[usize::from(self.turn)];
            self.snap(game, ended.end.minutes());
            self.turn = turn;
        }
    }

    fn now(&self, game: &Game) -> i32 {
        let turns = &game.table().env().track.turns;
        turns[usize::from(self.turn)].start.minutes()
    }

    fn snap(&mut self, game: &Game, minute: i32) {
        let table = game.table();
        self.held.fill(0);
        let mut standings = vec![];
        game.standings(&mut standings);
        for (unit, standing) in table.units().zip(&standings) {
            if let (Some(hex), Presence::Fights) = (table.hex(unit), standing.presence) {
                self.held[hex.index()] |= 1 << table.info(unit).side as u8;
            }
        }
        let mut units = Vec::with_capacity(standings.len());
        for (unit, standing) in table.units().zip(&standings) {
            let (i, side, hex) = (usize::from(unit.0), table.info(unit).side, table.hex(unit));
            self.lost[i] = self.lost[i].max(standing.lost);
            let contact = standing.presence == Presence::Fights
                && hex.is_some_and(|hex| self.touches(game, hex, side.other()));
            units.push(At::new(hex, *standing, self.lost[i], contact));
        }
        self.follow(game, &units, minute);
        if self.kept.first_contact.is_none() && units.iter().any(|at| at.contact) {
            self.kept.first_contact = Some(self.now(game));
        }
        self.kept.snapshots.push(Snapshot {
            minute,
            units,
            tally: std::mem::take(&mut self.tally),
        });
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
