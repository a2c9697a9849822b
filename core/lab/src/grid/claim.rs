//! What could be said of the rules, and what became of it.

use super::{Cell, Grid, Measure, SCALES, square};
use crate::sequential::tails::{normal_point, student_point};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It holds in every cell.
    Holds,
    /// Some cells say so and some the contrary.
    Flips,
    /// The games are too few to tell.
    Unknown,
}

impl Fate {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fate::Holds => "holds",
            Fate::Flips => "flips",
            Fate::Unknown => "unknown",
        }
    }
}

/// Something that could be said of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// By which measure.
    pub measure: Measure,
    /// The ruleset that has more of it, in most cells; or the one that is above the middle.
    pub more: String,
    /// The ruleset that has less; none where a ruleset is held against the middle.
    pub less: Option<String>,
    /// For claims against the middle: whether it lies above.
    pub above: bool,
    /// What became of it.
    pub standing: Fate,
    /// Cells that say so, that are clear against it, and all.
    pub agree: u32,
    /// Cells that are clear against it.
    pub against: u32,
    /// All of them.
    pub of: u32,
    /// The cells that speak against it most clearly: plans, bot and scale.
    pub where_not: Vec<String>,
}

impl Grid {
    /// Everything that could be said, and what becomes of it.
    pub(super) fn claims_of(&self) -> Vec<Claim> {
        let mut heard: Vec<Heard> = vec![];
        for (i, one) in self.contests.iter().enumerate() {
            heard.extend(self.against_the_middle(one));
            for other in &self.contests[i + 1..] {
                heard.extend(Measure::ALL.map(|measure| self.between(measure, one, other)));
            }
        }
        heard.retain(|heard| !heard.said.is_empty());
        // Who says many things is wrong sooner or later: each has its share of one chance in twenty.
        let chance = 0.025 / heard.len().max(1) as f64;
        heard.iter().map(|heard| heard.judge(chance)).collect()
    }

    /// Who wins, and who loses more men, in a ruleset.
    fn against_the_middle<'a>(&'a self, contest: &'a str) -> [Heard<'a>; 2] {
        let middle = 0.5;
        [Measure::Wins, Measure::LossShare].map(|measure| {
            let cells = self.cells.iter().filter(|cell| cell.contest == contest);
            let values = cells.map(|cell| (cell, cell.value(measure)));
            let said = values.filter(|(_, value)| value.games > 1);
            Heard {
                measure,
                one: contest,
                other: None,
                said: said
                    .map(|(cell, value)| Said {
                        apart: value.mean - middle,
                        gap: value.mean - middle,
                        error: match measure {
                            // If nobody wins more often, a score is off by no more than a coin is.
                            Measure::Wins => 0.5 / f64::from(value.games).sqrt(),
                            _ => value.error,
                        },
                        loose: match measure {
                            Measure::Wins => 0.0,
                            _ => loose(value.error, value.games),
                        },
                        clear: value.clear_of(middle),
                        scale: 0,
                        plans: &cell.plans,
                        // Each of so many games falls on this side or on that.
                        alone: 0.5f64.powi(value.games.min(1000) as i32),
                        name: format!("{}, {}", cell.plans, cell.bot),
                    })
                    .collect(),
            }
        })
    }

    /// Which of two rulesets has more of something.
    fn between<'a>(&'a self, measure: Measure, one: &'a str, other: &'a str) -> Heard<'a> {
        let mut said = vec![];
        for cell in self.cells.iter().filter(|cell| cell.contest == one) {
            let Some(rival) = self.cell(other, &cell.plans, &cell.bot) else {
                continue;
            };
            let duel = Duel {
                measure,
                cell,
                rival,
            };
            if !duel.is_played() {
                continue;
            }
            let mut scale = 0;
            for (i, x) in self.factors(one, measure).into_iter().enumerate() {
                for (j, y) in self.factors(other, measure).into_iter().enumerate() {
                    let counted = if measure.scales() {
                        let (i, j) = (SCALES[i], SCALES[j]);
                        format!(", losses of {one} {i} and of {other} {j}")
                    } else {
                        String::new()
                    };
                    said.push(Said {
                        scale,
                        ..duel.at((x, y), &counted)
                    });
                    scale += 1;
                }
            }
        }
        Heard {
            measure,
            one,
            other: Some(other),
            said,
        }
    }
}

/// The cells of two rulesets with the same plans and the same player, held against each other by one measure.
struct Duel<'a> {
    measure: Measure,
    cell: &'a Cell,
    rival: &'a Cell,
}

impl<'a> Duel<'a> {
    /// Whether both have games enough for a spread.
    fn is_played(&self) -> bool {
        let games = |cell: &Cell| cell.value(self.measure).games;
        games(self.cell) > 1 && games(self.rival) > 1
    }

    /// What they say with the losses of each counted so many times; `counted` names that.
    fn at(&self, (x, y): (f64, f64), counted: &str) -> Said<'a> {
        let Duel {
            measure,
            cell,
            rival,
        } = *self;
        let (a, b) = (cell.value(measure), rival.value(measure));
        let (p, q) = (cell.blur(measure), rival.blur(measure));
        let apart = a.mean * x - b.mean * y;
        let (late, early, open) = if apart > 0.0 {
            (cell, rival, p.below + q.above)
        } else {
            (rival, cell, p.above + q.below)
        };
        let why = forced(measure, late, early);
        let forced = why.is_some();
        // What whole turns leave open is no difference.
        let gap = apart.signum() * (apart.abs() - open).max(0.0);
        let gap = if forced { 0.0 } else { gap };
        let mut name = format!("{}, {}{counted}", cell.plans, cell.bot);
        if let Some(why) = why {
            name += &why;
        } else if gap == 0.0 && open > 0.0 {
            name += ": turns are too long to tell";
        }
        let clear = a.blurred(p).times(x).apart(&b.blurred(q).times(y));
        Said {
            apart,
            gap,
            error: (square(a.error * x) + square(b.error * y)).sqrt(),
            loose: match measure {
                Measure::Wins => 0.0,
                _ => loose(a.error * x, a.games) + loose(b.error * y, b.games),
            },
            clear: clear.filter(|_| !forced),
            scale: 0,
            plans: &cell.plans,
            alone: parted(a.games, b.games),
            name,
        }
    }
}

/// Why one of two cells has more of a measure whatever the rules, because of the hours that their scenarios play: who begins when others
/// have attacked already cannot attack before them, and no fight lasts longer than its game.
fn forced(measure: Measure, more: &Cell, less: &Cell) -> Option<String> {
    match measure {
        Measure::FirstAttack if more.begins > less.value(measure).mean => {
            Some(format!(": {} begins later", more.contest))
        }
        Measure::Contact if less.lasts < more.value(measure).mean => {
            Some(format!(": a game of {} is over before", less.contest))
        }
        _ => None,
    }
}

/// What one cell says of a claim.
struct Said<'a> {
    /// By how much the mean is more.
    apart: f64,
    /// By how much there is more, whatever happens within a turn.
    gap: f64,
    /// Its standard error, from the games of the cell.
    error: f64,
    /// How little is known of that error, which comes from few games (Welch and Satterthwaite); nothing for shares of games won, whose
    /// error follows from their number.
    loose: f64,
    /// Whether that is clear, and which way.
    clear: Option<bool>,
    /// Which of the scales of losses it is counted by: the same games are counted by each.
    scale: usize,
    /// The pair of plans: its players play the same seeds, and often the same games.
    plans: &'a str,
    /// The chance that so many games lie all on one side and all others on the other, if they do not differ.
    alone: f64,
    name: String,
}

/// The square of what an error from so many games contributes to the variance, by its degrees of freedom.
fn loose(error: f64, games: u32) -> f64 {
    square(square(error)) / f64::from(games.saturating_sub(1).max(1))
}

/// The chance that of games of two kinds that do not differ all of the one come before all of the other.
fn parted(one: u32, other: u32) -> f64 {
    let ways = (1..=one).map(|i| f64::from(i) / f64::from(other + i));
    ways.product()
}

/// What all cells say of one claim.
struct Heard<'a> {
    measure: Measure,
    one: &'a str,
    other: Option<&'a str>,
    said: Vec<Said<'a>>,
}

impl Heard<'_> {
    /// Whether the mean of all cells is so far from nothing, this way, as it is by such a chance only, at every scale: by Student's
    /// distribution, since games may be few. Cells of one scale have games of their own; those of two scales are the same games counted
    /// twice, and prove nothing together.
    fn is_sure(&self, more: bool, chance: f64) -> bool {
        let scales = self.said.iter().map(|said| said.scale).max().unwrap_or(0);
        (0..=scales).all(|scale| {
            let cells = || self.said.iter().filter(|said| said.scale == scale);
            let sum: f64 = cells().map(|said| said.gap).sum();
            // Players of one pair of plans play the same seeds: at worst what one of them says the other says again.
            let mut errors: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
            for said in cells() {
                let of = errors.entry(said.plans).or_insert([0.0, 0.0, 1.0]);
                let loose = said.loose.sqrt().sqrt();
                *of = [of[0] + said.error, of[1] + loose, of[2].min(said.alone)];
            }
            let variance: f64 = errors.values().map(|of| square(of[0])).sum();
            let loose: f64 = errors.values().map(|of| square(square(of[1]))).sum();
            // However far apart they lie, and whatever the shape of their spread, games say no more than their number does: so many may lie
            // all on one side by chance.
            if errors.values().map(|of| of[2]).product::<f64>() > chance {
                return false;
            }
            let sure = if loose > 0.0 {
                let freedom = square(variance) / loose;
                student_point(chance, (freedom as u32).max(1))
            } else {
                normal_point(chance)
            };
            (sum > 0.0) == more && sum.abs() > sure * variance.sqrt()
        })
    }

    /// What becomes of the claim.
    fn judge(&self, chance: f64) -> Claim {
        let said = &self.said;
        // Which way most cells point; those in which both are the same point nowhere.
        let ways = |way: fn(&f64) -> bool| said.iter().filter(|said| way(&said.apart)).count();
        let more = ways(|apart| *apart > 0.0) >= ways(|apart| *apart < 0.0);
        let agrees = |said: &&Said| (said.gap > 0.0) == more && said.gap != 0.0;
        let clear = |way: bool| said.iter().filter(|said| said.clear == Some(way)).count();
        let (agree, against) = (said.iter().filter(agrees).count(), clear(!more));
        let standing = if agree == said.len() && self.is_sure(more, chance) {
            Fate::Holds
        } else if against > 0 && clear(more) > 0 {
            Fate::Flips
        } else {
            Fate::Unknown
        };
        let mut contrary: Vec<&Said> = said.iter().filter(|said| !agrees(said)).collect();
        contrary.sort_by(|a, b| b.gap.abs().total_cmp(&a.gap.abs()));
        let (more_of, less) = match self.other {
            Some(other) if more => (self.one, Some(other)),
            Some(other) => (other, Some(self.one)),
            None => (self.one, None),
        };
        Claim {
            measure: self.measure,
            more: more_of.to_owned(),
            less: less.map(str::to_owned),
            above: more,
            standing,
            agree: agree as u32,
            against: against as u32,
            of: said.len() as u32,
            where_not: contrary
                .iter()
                .take(3)
                .map(|said| said.name.clone())
                .collect(),
        }
    }
}
