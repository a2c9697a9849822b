//! How the dice fell, as far as a seat saw them, against what was to be expected.

use crate::sitting::Sitting;
use crate::tape::forward;
use crate::wrong::Wrong;
use cupola_kernel::{Entry, Event, Play, Seat, Seed, Side, StateHash};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// By the side whose choice let them fall: how many dice, their sum, twice what was to be expected, and twelve times the
/// variance of that. Whole numbers: it does not matter in which order they are added up.
type Sums = BTreeMap<String, [u64; 4]>;

/// How many dice, their sum, what was to be expected, and the variance of that.
fn told(sums: &Sums) -> Value {
    let told = sums.iter().map(|(side, [count, sum, twice, twelve])| {
        let [expected, variance] = [*twice as f64 / 2.0, *twelve as f64 / 12.0];
        (side.clone(), json!([count, sum, expected, variance]))
    });
    told.collect::<serde_json::Map<_, _>>().into()
}

/// Everybody who may look.
const SEATS: [Seat; 4] = [
    Seat::Player(Side::First),
    Seat::Player(Side::Second),
    Seat::Observer,
    Seat::Umpire,
];

/// The dice of the steps before the game was taken up, for every seat; and the hash up to which they were counted.
pub(crate) struct Before {
    until: StateHash,
    sums: [Sums; 4],
}

fn count(sums: &mut Sums, side: &str, event: &Event) {
    if event.dice.is_empty() {
        return;
    }
    let sum = sums.entry(side.to_owned()).or_default();
    for die in &event.dice {
        let sides = u64::from(die.sides);
        sum[0] += 1;
        sum[1] += u64::from(die.value);
        sum[2] += sides + 1;
        sum[3] += (sides * sides).saturating_sub(1);
    }
}

/// Plays steps again to see what fell.
fn play_again(play: &Play, seed: Seed, steps: &[Entry]) -> Result<[Sums; 4], String> {
    let mut sums: [Sums; 4] = Default::default();
    let mut game = play.game(seed).map_err(|fault| fault.to_string())?;
    game.listen(true);
    for step in steps {
        forward(&mut game, step)?;
        let (events, _) = game.take_events();
        game.take_fought();
        for event in &events {
            for (sums, seat) in sums.iter_mut().zip(SEATS) {
                if event.known_to(seat) {
                    count(sums, &step.side, event);
                }
            }
        }
    }
    Ok(sums)
}

impl Sitting {
    /// The dice that a seat saw fall since the first choice. Those before the game was taken up are counted once, while
    /// others play on.
    ///
    /// # Errors
    /// If the choices do not fit the rules, which their hashes exclude.
    pub fn luck(&self, seat: Seat) -> Result<Value, Wrong> {
        let (mut sums, seed, before) = {
            let state = self.lock();
            let journal = state.session.journal();
            let mut sums = Sums::new();
            for (step, event) in state.session.events(seat, 0) {
                if let Some(entry) = step.checked_sub(1).and_then(|at| journal.steps.get(at)) {
                    count(&mut sums, &entry.side, event);
                }
            }
            let granted = state.session.taken_for_granted();
            (sums, journal.seed, journal.steps[..granted].to_vec())
        };
        let Some(last) = before.last() else {
            return Ok(told(&sums));
        };
        let mut known = self.fell_before();
        let earlier = match &*known {
            Some(earlier) if earlier.until == last.hash => earlier,
            _ => {
                let sums = play_again(&self.scenery.play, seed, &before).map_err(Wrong::broken)?;
                let until = last.hash;
                known.insert(Before { until, sums })
            }
        };
        let at = SEATS.iter().position(|one| *one == seat);
        for (side, more) in at.into_iter().flat_map(|at| &earlier.sums[at]) {
            let sum = sums.entry(side.clone()).or_default();
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum += more;
            }
        }
        Ok(told(&sums))
    }
}
