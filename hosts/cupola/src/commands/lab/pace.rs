//! How long the games of a grid take, by the seconds of the processor: what the machine does for others while a sample is played is not
//! counted, and not foreseen either.

use cpu_time::ThreadTime;
use cupola_bots::{Player, Skill};
use cupola_kernel::Game;
use cupola_lab::Contest;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a game of a contest asks of those who play it: how many decisions, and how long they take here.
#[derive(Default)]
pub(super) struct Pace {
    /// Decisions in the first game between steady players.
    pub decisions: u32,
    /// Seconds for that game.
    steady: f64,
    /// Seconds that those who look ahead take for a decision: each for himself, since who tries a tenth of the choices takes more than a
    /// tenth of the time.
    ahead: BTreeMap<Skill, f64>,
}

impl Pace {
    pub fn of(contest: &Contest) -> Pace {
        let (kept, steady) = at_work(|_| by(contest, Skill::Steady).play(0).kept);
        let tallies = kept.snapshots.iter().flat_map(|at| &at.tally);
        Pace {
            decisions: tallies.map(|tally| tally.decisions).sum(),
            steady,
            ahead: BTreeMap::new(),
        }
    }

    /// Seconds that a player takes for a decision: the mean of some of the first game between steady players, from its beginning to its
    /// end, since the first decisions, when few are on the field, are the cheapest of all.
    pub fn look_ahead(&self, contest: &Contest, skill: Skill) -> f64 {
        let moments = moments(&by(contest, Skill::Steady), self.decisions);
        let seed = contest.seed_of(0);
        let mut players = [0, 1].map(|i| {
            let (own, other) = (&contest.briefs[i], &contest.guesses[1 - i]);
            Player::new(skill, own, other, seed.nth(i as u64))
        });
        let mut asked = 0_u32;
        let (_, took) = at_work(|start| {
            for at in in_leaps(moments.len()) {
                let Some(decision) = moments[at].decision() else {
                    continue;
                };
                // A ruleset that fails here fails in its games, and is told of there.
                let _ = players[decision.ask.side as usize].choose(&moments[at]);
                asked += 1;
                if start.elapsed() > WATCHED {
                    break;
                }
            }
        });
        took / f64::from(asked.max(1))
    }

    /// Keeps what a player takes for a decision.
    pub fn keep(&mut self, skill: Skill, seconds: f64) {
        self.ahead.insert(skill, seconds);
    }

    /// About how many seconds a game of this player takes.
    pub fn seconds(&self, skill: Skill) -> f64 {
        match skill {
            Skill::Random => self.steady / 10.0,
            Skill::Steady => self.steady,
            Skill::Search(_) => {
                let each = self.ahead.get(&skill).copied().unwrap_or(0.0);
                self.steady + f64::from(self.decisions) * each
            }
        }
    }
}

/// For how long the pace of one who looks ahead is taken, at most.
const WATCHED: Duration = Duration::from_millis(3000);

/// In how many decisions that is done.
const SAMPLES: u32 = 60;

/// How many of them are gone on by each time. It has no divisor in common with their number, so that all are reached; and whoever stops
/// early has seen some of the whole game.
const LEAP: usize = 23;

/// Whether a decision is one of the sample: as many in every part of the game.
fn is_sampled(decision: u32, decisions: u32) -> bool {
    let part = |n: u32| u64::from(n) * u64::from(SAMPLES) / u64::from(decisions.max(1));
    part(decision) != part(decision + 1)
}

/// The order in which a sample is gone through.
fn in_leaps(samples: usize) -> impl Iterator<Item = usize> {
    let leaps = (0..SAMPLES as usize).map(|n| n * LEAP % SAMPLES as usize);
    leaps.filter(move |&at| at < samples)
}

/// The sample of a contest's first game.
fn moments(contest: &Contest, decisions: u32) -> Vec<Game> {
    let (mut found, mut asked) = (vec![], 0);
    // As above: what fails is told of elsewhere.
    let _ = contest.retrace(0, |game, _, _| {
        if game
            .decision()
            .is_some_and(|decision| decision.options.len() > 1)
        {
            if is_sampled(asked, decisions) {
                found.push(game.fork());
            }
            asked += 1;
        }
        false
    });
    found
}

/// The contest with the same player on both sides.
fn by(contest: &Contest, skill: Skill) -> Contest {
    Contest {
        skills: [skill; 2],
        ..contest.clone()
    }
}

/// Does something, and tells how many seconds of the processor it took.
fn at_work<T>(work: impl FnOnce(ThreadTime) -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let done = work(start);
    (done, start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine that does other work while the sample is played is no slower.
    #[test]
    fn time_in_which_others_work_is_not_counted() {
        let (_, slept) = at_work(|_| std::thread::sleep(Duration::from_millis(200)));
        assert!(slept < 0.1, "{slept}");
        let (_, worked) = at_work(|start| while start.elapsed() < Duration::from_millis(50) {});
        assert!((0.05..0.15).contains(&worked), "{worked}");
    }

    #[test]
    fn a_game_takes_as_long_as_its_decisions_and_its_thought() {
        let pace = Pace {
            decisions: 1000,
            steady: 0.5,
            ahead: BTreeMap::from([(Skill::Search(4000), 0.04), (Skill::Search(40), 0.01)]),
        };
        assert_eq!(pace.seconds(Skill::Steady), 0.5);
        let far = pace.seconds(Skill::Search(4000));
        assert!((far - 40.5).abs() < 1e-9, "{far}");
        // A hundredth of the choices is no hundredth of the time.
        let near = pace.seconds(Skill::Search(40));
        assert!((near - 10.5).abs() < 1e-9, "{near}");
    }

    /// A game whose decisions get dearer all the time is not taken for one that stays as it began, not even by who has time for a
    /// part of the sample only.
    #[test]
    fn the_whole_game_is_sampled_and_not_its_beginning() {
        for decisions in [60, 153, 1034, 3207, 14_310] {
            let sample: Vec<u32> = (0..decisions)
                .filter(|&n| is_sampled(n, decisions))
                .collect();
            assert_eq!(sample.len(), SAMPLES as usize, "{decisions}");
            let real = f64::from(decisions - 1) / 2.0;
            for (looked, off) in [(60, 0.05), (20, 0.1), (10, 0.25)] {
                let seen = in_leaps(sample.len()).take(looked);
                let mean = seen.map(|at| f64::from(sample[at])).sum::<f64>() / looked as f64;
                let ratio = mean / real;
                assert!((ratio - 1.0).abs() <= off, "{decisions}, {looked}: {ratio}");
            }
        }
        // A short game is looked at whole, each of its decisions once.
        assert!((0..7).all(|n| is_sampled(n, 7)));
        let mut all: Vec<usize> = in_leaps(7).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6]);
    }
}
