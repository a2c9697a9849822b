//! A variant against its base, in pairs that share seed, start and plan.
//!
//! Game number n of the base and game number n of the variant have the same seed, and dice have addresses: the two
//! games share their luck wherever they do the same thing. Each seed is one observation, the difference of the two.
//!
//! If the two sides are played by bots of different skill, each seed is played twice, with the bots exchanged, and
//! the observation is the mean of both halves: what favours the better player on one side favours him on the other.
//! If the bots are equals, exchanging them changes nothing but what they imagine, and another seed tells more
//! than the same dice again; so each seed is played once.

use crate::contest::Contest;
use crate::metric::Metric;
use crate::parting::Parting;
use crate::record::Record;
use crate::saving::Saving;
use crate::sequential::{Finding, Look, Pair, Test};
use crate::stats::mean;
use serde::Serialize;
use std::collections::BTreeMap;

/// A variant and its base.
pub struct Pairs {
    /// The base: once, or once with either way to seat the bots.
    base: Vec<Contest>,
    /// The variant, seated alike.
    variant: Vec<Contest>,
    /// Files that say the same in both, but for where it comes from.
    alike: Vec<String>,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairTest {
    /// The base's name.
    pub base: String,
    /// The variant's name.
    pub variant: String,
    /// The scenario's name in the ruleset.
    pub scenario: String,
    /// The metric's name.
    pub metric: String,
    /// What it is.
    pub sentence: String,
    /// The chance of a false "differs" that was allowed.
    pub alpha: f64,
    /// The chance of a false "equivalent" that was allowed.
    pub beta: f64,
    /// The difference that matters.
    pub margin: f64,
    /// The verdict.
    pub verdict: Finding,
    /// Whether they differ by less than the margin for all that is known.
    pub within_margin: bool,
    /// Whether both are the same rules, so that nothing had to be played.
    pub same_rules: bool,
    /// The metric's mean under the base.
    pub base_mean: f64,
    /// The metric's mean under the variant.
    pub variant_mean: f64,
    /// The mean difference, variant less base.
    pub effect: f64,
    /// The interval around it that holds over all looks with chance 1 − alpha.
    pub interval: (f64, f64),
    /// The narrower one by which equivalence is judged; each of its ends holds with chance 1 − beta.
    pub inner: (f64, f64),
    /// Pairs that were looked at.
    pub pairs: usize,
    /// Games that were played for them.
    pub games: usize,
    /// Pairs in which both games came to exactly the same.
    pub alike: usize,
    /// The looks: pairs at each, as far as it went.
    pub looks: Vec<usize>,
    /// What shared dice saved.
    pub saving: Option<Saving>,
    /// Games that independent dice would have needed for an interval as narrow.
    pub independent_games: Option<u64>,
    /// Games that went wrong; their pairs do not count.
    pub bad: Vec<Bad>,
    /// The pair that tells most.
    pub telling: Option<Telling>,
}

/// A game that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bad {
    /// Which contest.
    pub contest: String,
    /// The game's number.
    pub game: u32,
    /// Its seed.
    pub seed: String,
    /// What happened.
    pub fault: String,
}

/// The pair with the largest difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Telling {
    /// The number of both games.
    pub game: u32,
    /// The seed of both.
    pub seed: String,
    /// The metric under the base.
    pub base: f64,
    /// The metric under the variant.
    pub variant: f64,
    /// The first decision that was made otherwise; none if every choice is the same.
    pub parting: Option<Parting>,
    /// Which way the bots are seated: an index into the halves.
    #[serde(skip)]
    pub half: usize,
}

impl Pairs {
    /// Pairs a variant with its base. Both must have the same seed and the same players.
    #[must_use]
    pub fn new(base: Contest, variant: Contest) -> Pairs {
        let seatings = |contest: Contest| {
            let [first, second] = contest.skills;
            if first == second {
                return vec![contest];
            }
            let exchanged = Contest {
                name: format!("{}-exchanged", contest.name),
                skills: [second, first],
                ..contest.clone()
            };
            vec![contest, exchanged]
        };
        Pairs {
            base: seatings(base),
            variant: seatings(variant),
            alike: vec![],
        }
    }

    /// The same where some files have all values of both, and differ in their origins alone: no game sees these.
    #[must_use]
    pub fn but_for_origins(self, files: Vec<String>) -> Pairs {
        Pairs {
            alike: files,
            ..self
        }
    }

    /// Base and variant as they are seated in a half.
    #[must_use]
    pub fn half(&self, half: usize) -> (&Contest, &Contest) {
        let half = half.min(self.base.len() - 1);
        (&self.base[half], &self.variant[half])
    }

    /// Whether both are the same rules on the same plans: then every game is the same.
    #[must_use]
    pub fn same(&self) -> bool {
        let (base, variant) = self.half(0);
        let renamed = Contest {
            name: base.name.clone(),
            ..variant.clone()
        };
        let (here, there) = (base.play.identity(), renamed.play.identity());
        here.plays_like_but(there, &self.alike) && base.terms() == renamed.terms()
    }

    /// Plays pairs until the test is decided. `play` plays the first so many games of a contest, or says that it was
    /// told to stop; then there is no report.
    ///
    /// # Errors
    /// What `play` says.
    pub fn test<E>(
        &self,
        metric: &Metric,
        test: &Test,
        mut play: impl FnMut(&Contest, u32) -> Result<Option<Vec<Record>>, E>,
    ) -> Result<Option<PairTest>, E> {
        if self.same() {
            return Ok(Some(self.report(metric, test, &[], None)));
        }
        let mut looks = vec![];
        for (nth, &wanted) in test.looks().iter().enumerate() {
            let mut halves = vec![];
            for (base, variant) in self.base.iter().zip(&self.variant) {
                let (Some(base), Some(variant)) = (play(base, wanted)?, play(variant, wanted)?)
                else {
                    return Ok(None);
                };
                halves.push((base, variant));
            }
            let seen = self.observe(metric, &halves);
            let pairs: Vec<Pair> = seen.values().map(|halves| average(halves)).collect();
            let look = test.look(nth, &pairs);
            looks.push(look);
            if look.finding.is_some() {
                let report = self.report(metric, test, &looks, Some((&halves, &seen)));
                return Ok(Some(report));
            }
        }
        Ok(None)
    }

    /// The metric of every pair that went well, by number, one for each half.
    fn observe(&self, metric: &Metric, halves: &[Half]) -> Seen {
        let mut seen: Seen = BTreeMap::new();
        for (half, (base, variant)) in halves.iter().enumerate() {
            let contests = self.half(half);
            let others: BTreeMap<u32, &Record> = variant.iter().map(|r| (r.number, r)).collect();
            for record in base {
                let other = others.get(&record.number);
                let other = other.and_then(|record| metric.of(contests.1, record));
                if let (Some(base), Some(variant)) = (metric.of(contests.0, record), other) {
                    seen.entry(record.number).or_default().push((base, variant));
                }
            }
        }
        // A seed counts if it went well in every half.
        seen.retain(|_, values| values.len() == halves.len());
        seen
    }

    fn report(&self, metric: &Metric, test: &Test, looks: &[Look], played: Played) -> PairTest {
        let (base, variant) = self.half(0);
        let design = test.design();
        // Nothing had to be looked at if both are the same.
        let last = looks.last().copied().unwrap_or(Look {
            pairs: 0,
            effect: 0.0,
            outer: (0.0, 0.0),
            inner: (0.0, 0.0),
            finding: Some(Finding::Equivalent),
        });
        let pairs: Vec<Pair> = played.map_or_else(Vec::new, |(_, seen)| {
            seen.values().map(|halves| average(halves)).collect()
        });
        let (ones, others): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let games = played.map_or(0, |(halves, _)| {
            let of = |(base, variant): &Half| base.len() + variant.len();
            halves.iter().map(of).sum()
        });
        let saving = Saving::of(&pairs);
        let needed = saving.and_then(|saving| saving.ratio);
        PairTest {
            base: base.name.clone(),
            variant: variant.name.clone(),
            scenario: base.play.scenario().to_owned(),
            metric: metric.name().to_owned(),
            sentence: metric.sentence(),
            alpha: design.alpha,
            beta: design.beta,
            margin: design.margin,
            verdict: last.finding.unwrap_or(Finding::Undecided),
            within_margin: -design.margin < last.inner.0 && last.inner.1 < design.margin,
            same_rules: played.is_none(),
            base_mean: mean(&ones),
            variant_mean: mean(&others),
            effect: last.effect,
            interval: last.outer,
            inner: last.inner,
            pairs: last.pairs,
            games,
            alike: pairs
                .iter()
                .filter(|(base, variant)| base == variant)
                .count(),
            looks: looks.iter().map(|look| look.pairs).collect(),
            saving,
            independent_games: needed.map(|ratio| (games as f64 * ratio).ceil() as u64),
            bad: played.map_or_else(Vec::new, |(halves, _)| self.bad(halves)),
            telling: played.and_then(|(_, seen)| self.telling(seen)),
        }
    }

    fn bad(&self, halves: &[Half]) -> Vec<Bad> {
        let mut bad = vec![];
        for (half, (base, variant)) in halves.iter().enumerate() {
            let contests = self.half(half);
            for (contest, records) in [(contests.0, base), (contests.1, variant)] {
                bad.extend(records.iter().filter_map(|record| {
                    Some(Bad {
                        contest: contest.name.clone(),
                        game: record.number,
                        seed: record.seed.to_string(),
                        fault: record.fault.clone()?,
                    })
                }));
            }
        }
        bad
    }

    /// The pair with the largest difference, and where it parts ways; none if all pairs are alike.
    fn telling(&self, seen: &Seen) -> Option<Telling> {
        let each = seen.iter().flat_map(|(&game, halves)| {
            let halves = halves.iter().enumerate();
            halves.map(move |(half, &(base, variant))| (game, half, base, variant))
        });
        let differ = each.filter(|(_, _, base, variant)| base != variant);
        // Of equals the first: the reduction keeps what it has unless the next is larger.
        let (game, half, base, variant) = differ.reduce(|far, next| {
            let apart = |pair: &(u32, usize, f64, f64)| (pair.3 - pair.2).abs();
            if apart(&next) > apart(&far) {
                next
            } else {
                far
            }
        })?;
        let contests = self.half(half);
        Some(Telling {
            game,
            seed: contests.0.seed_of(game).to_string(),
            base,
            variant,
            // Both were played to their end before.
            parting: Parting::of(contests.0, contests.1, game).ok().flatten(),
            half,
        })
    }
}

/// The records of base and variant in one seating of the bots.
type Half = (Vec<Record>, Vec<Record>);
/// By number the pairs of all halves.
type Seen = BTreeMap<u32, Vec<Pair>>;
/// What was played, and what was seen of it.
type Played<'a> = Option<(&'a [Half], &'a Seen)>;

/// A seed's observation: the mean of its halves.
fn average(halves: &[Pair]) -> Pair {
    let n = halves.len().max(1) as f64;
    let sum = halves
        .iter()
        .fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (sum.0 / n, sum.1 / n)
}
