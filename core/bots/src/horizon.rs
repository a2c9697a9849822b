//! How far one looks ahead.
//!
//! In one world all options are played on to the same moment: the end of a phase, or a draw. If each were given the same number of
//! choices, who passes would come to the next blow sooner than who acts, and look better for it.

use cupola_kernel::Moment;

/// Choices played on from the first, at least, and then to the end of the phase or to the next draw; farther if the budget allows, each
/// time by one of so many shares of it.
const DEPTH: u32 = 24;
const SHARES: u32 = 24;
/// But no farther than so many nodes take one: those who play on are hasty, and the farther they do the less it says about the choice. Who
/// has more nodes hears more worlds instead.
const FARTHEST: u32 = 300;
/// The others are played on to the same moment, unless that takes so many times as much.
const PATIENCE: u32 = 4;
/// How many shares the first may take to come to such a moment.
const STUCK: u32 = 64;
const NEVER: Moment = Moment {
    turn: u16::MAX,
    slot: u16::MAX,
    drawn: u32::MAX,
};
/// How far options are played on in one world.
pub(crate) struct Horizon {
    share: u32,
    /// Nodes and choices of the option that is played on.
    spent: u32,
    plies: u32,
    /// The last turn that is looked at.
    last: u16,
    /// Where the first was when it had gone far enough: it goes on until something is drawn, or a phase ends.
    waits: Option<Moment>,
    /// Where the first stopped, and how many nodes another may take to come there.
    end: Option<(Moment, u32)>,
}

impl Horizon {
    /// Of a world of somebody who may try so many nodes.
    pub fn of(budget: u32) -> Horizon {
        Horizon {
            share: (budget / SHARES).min(FARTHEST),
            spent: 0,
            plies: 0,
            last: 0,
            waits: None,
            end: None,
        }
    }

    /// An option is played on in this turn.
    pub fn begin(&mut self, turn: u16) {
        // To the end of the next turn at the farthest.
        (self.spent, self.plies, self.last) = (1, 0, turn + 1);
    }

    /// Whether that is far enough.
    pub fn is_reached(&mut self, now: Moment) -> bool {
        if now.turn > self.last {
            return true;
        }
        if let Some((end, most)) = self.end {
            return now >= end || self.spent >= most;
        }
        if self.plies < DEPTH || self.spent < self.share {
            return false;
        }
        *self.waits.get_or_insert(now) != now || self.is_stuck()
    }

    /// Whether one looks no farther than this turn, and not to its end.
    pub fn is_short(&self) -> bool {
        self.end.is_some_and(|(end, _)| end.turn < self.last)
    }

    /// Whether nothing was drawn and no phase has ended for too long.
    fn is_stuck(&self) -> bool {
        self.spent >= STUCK * self.share.max(DEPTH)
    }

    /// So many nodes were tried.
    pub fn think(&mut self, nodes: u32) {
        self.spent += nodes;
    }

    /// A choice was made.
    pub fn step(&mut self) {
        self.spent += 1;
        self.plies += 1;
    }

    /// What the option took that was played on last.
    pub fn spent(&self) -> u32 {
        self.spent
    }

    /// An option was played on to this moment, or to the end of the game.
    pub fn end(&mut self, now: Moment, over: bool) {
        // The others are played on to the same moment; where the first has ended the game, or has not come to one, as far as one
        // looks.
        let nowhere = over || self.waits == Some(now);
        let end = if nowhere { NEVER } else { now };
        let most = self.spent * if self.is_stuck() { 1 } else { PATIENCE };
        self.end.get_or_insert((end, most.max(self.share)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(turn: u16, slot: u16, drawn: u32) -> Moment {
        Moment { turn, slot, drawn }
    }

    /// Plays an option on along these moments, a choice and three nodes each; where it stopped.
    fn play(horizon: &mut Horizon, moments: impl IntoIterator<Item = Moment>) -> (Moment, usize) {
        horizon.begin(0);
        let mut last = (at(0, 0, 0), 0);
        for (n, now) in moments.into_iter().enumerate() {
            last = (now, n);
            if horizon.is_reached(now) {
                break;
            }
            horizon.think(3);
            horizon.step();
        }
        horizon.end(last.0, false);
        last
    }

    /// A draw after every so many choices.
    fn draws(every: u32) -> impl Iterator<Item = Moment> {
        (0..1000).map(move |n| at(0, 2, n / every))
    }

    #[test]
    fn all_options_of_a_world_are_played_on_to_the_same_draw() {
        let mut horizon = Horizon::of(240);
        // The first goes on for 24 choices, and then to the next draw.
        assert_eq!(play(&mut horizon, draws(10)), (at(0, 2, 3), 30));
        // Who is quick and who is slow come to the same.
        assert_eq!(play(&mut horizon, draws(2)), (at(0, 2, 3), 6));
        assert_eq!(play(&mut horizon, draws(20)), (at(0, 2, 3), 60));
        assert!(horizon.is_short());
    }

    #[test]
    fn who_goes_round_in_circles_is_left_behind() {
        let mut horizon = Horizon::of(240);
        play(&mut horizon, draws(10));
        let (stopped, choices) = play(&mut horizon, draws(1000));
        assert_eq!(stopped, at(0, 2, 0));
        // Four times what the first took, and the option itself.
        assert_eq!(choices, 4 * 30 + 1);
    }

    #[test]
    fn where_nothing_is_ever_drawn_all_get_the_same_nodes() {
        let mut horizon = Horizon::of(240);
        let (_, first) = play(&mut horizon, draws(1000));
        let (_, second) = play(&mut horizon, draws(1000));
        assert_eq!(first, second);
    }

    #[test]
    fn with_nodes_enough_one_looks_to_the_end_of_the_next_turn() {
        let mut horizon = Horizon::of(1_000_000);
        let hours = || (0..1000).map(|n| at(n / 20, 0, 0));
        assert_eq!(play(&mut horizon, hours()), (at(2, 0, 0), 40));
        assert!(!horizon.is_short());
        // The end of a game is no moment to which others could be brought.
        let mut horizon = Horizon::of(1_000_000);
        horizon.begin(0);
        horizon.end(at(0, 1, 0), true);
        assert!(!horizon.is_short());
        assert_eq!(play(&mut horizon, hours()).0, at(2, 0, 0));
    }

    #[test]
    fn more_nodes_do_not_lead_farther_than_hasty_players_can_be_trusted() {
        let mut horizon = Horizon::of(1_000_000);
        // A choice takes four nodes: 300 are gone after 75, and the next draw is the eightieth.
        assert_eq!(play(&mut horizon, draws(10)), (at(0, 2, 8), 80));
        assert!(horizon.is_short());
    }
}
