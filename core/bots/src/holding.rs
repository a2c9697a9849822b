//! An army at rest: everybody stays where he is, and fights whoever comes.

use crate::brief::{Aim, Brief};

impl Brief {
    /// The same army without a plan, at rest. Who is not on the field yet still comes.
    #[must_use]
    pub(crate) fn holding(&self) -> Brief {
        let mut brief = self.clone();
        for order in brief.eras.iter_mut().flat_map(|(_, orders)| orders) {
            (order.aim, order.goal, order.screens) = (Aim::Hold, None, false);
        }
        brief
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use crate::brief::Brief;
    use crate::steady::Steady;
    use crate::worth::Worth;
    use cupola_corps20 as _;
    use cupola_ground::Cover;
    use cupola_kernel::{Fault, Game, Play, Registry, Seed, Side, UnitId};
    use cupola_library::Library;
    use std::sync::Arc;

    fn play() -> Play {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let library = Library::new(root, None, Registry::linked().unwrap());
        library.play("corps20", "training", None).unwrap()
    }

    /// A game in which everybody seeks the enemy, at the beginning of its second turn.
    fn second_turn(play: &Play, seeks: &[Arc<Brief>; 2], seed: u128) -> Result<Game, Fault> {
        let mut players = [0, 1].map(|i| Steady::hasty(seeks[i].clone()));
        let mut game = play.game(Seed(seed))?;
        while let Some(decision) = game.decision().filter(|_| game.table().turn() == 0) {
            let mover = &mut players[decision.ask.side as usize];
            mover.rank_in(&game)?;
            game.apply_unchecked(mover.best().unwrap())?;
        }
        Ok(game)
    }

    /// How many of the side are on the field and not beside an enemy, and how many of those would go to a hex beside them that is no shelter.
    fn drawn(brief: &Brief, game: &Game) -> (usize, usize) {
        let (table, mut worth) = (game.table(), Worth::default());
        let board = table.board();
        worth.of(brief, game);
        let own = |unit: &UnitId| table.info(*unit).side == brief.side();
        let fights = |unit: &UnitId| table.info(*unit).men > 0 && !worth.meets(game, *unit);
        let units = table.units().filter(|unit| own(unit) && fights(unit));
        let there = units.filter_map(|unit| Some((unit, table.hex(unit)?)));
        let there: Vec<_> = there.collect();
        let goes = there.iter().filter(|&&(unit, hex)| {
            let around = board.neighbours(hex).map(|(_, next)| next);
            let mut open = around.filter(|next| {
                !matches!(
                    board.cover(*next),
                    Cover::Woods | Cover::Town | Cover::Rocks
                )
            });
            open.any(|next| worth.step(brief, game, unit, next) > 0)
        });
        (there.len(), goes.count())
    }

    #[test]
    fn who_rests_is_drawn_nowhere_and_who_seeks_is() {
        let play = play();
        let seeks = Side::BOTH.map(|side| Arc::new(Brief::free(&play, side)));
        let (mut all, mut seekers) = (0, 0);
        for seed in 0..4 {
            let game = second_turn(&play, &seeks, seed).unwrap();
            for brief in &seeks {
                let (there, goes) = drawn(brief, &game);
                (all, seekers) = (all + there, seekers + goes);
                assert_eq!(drawn(&brief.holding(), &game), (there, 0), "game {seed}");
            }
        }
        assert!(seekers > 0, "none of {all} goes up to the enemy");
    }
}
