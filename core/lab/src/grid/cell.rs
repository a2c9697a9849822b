//! One cell of the grid: some games of a ruleset, and what they come to.

use crate::contest::Contest;
use crate::measure::{bounds, stays};
use crate::record::{Hours, Record, Snapshot, Tally};
use crate::stats::{Blur, Estimate, mean};
use cupola_kernel::Side;
use serde::{Deserialize, Serialize};

/// One number of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// 1 if the first side won, ½ in a draw.
    Wins,
    /// Men lost by the first side.
    MenFirst,
    /// Men lost by the second side.
    MenSecond,
    /// The first side's share of all men lost, a half if nobody is lost.
    LossShare,
    /// Attacks of both sides in an hour of battle.
    Attacks,
    /// Minutes from the scenario's beginning to the first attack.
    FirstAttack,
    /// Minutes that a unit stays in contact, as the mean of a game.
    Contact,
    /// The share of marching orders that moved nobody.
    Idle,
    /// Choices in a game that were choices.
    Decisions,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 9] = [
        Measure::Wins,
        Measure::MenFirst,
        Measure::MenSecond,
        Measure::LossShare,
        Measure::Attacks,
        Measure::FirstAttack,
        Measure::Contact,
        Measure::Idle,
        Measure::Decisions,
    ];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Measure::Wins => "wins",
            Measure::MenFirst => "men_first",
            Measure::MenSecond => "men_second",
            Measure::LossShare => "loss_share",
            Measure::Attacks => "attacks",
            Measure::FirstAttack => "first_attack",
            Measure::Contact => "contact",
            Measure::Idle => "idle",
            Measure::Decisions => "decisions",
        }
    }

    /// Whether it is counted in men, so that the scale of losses moves it.
    #[must_use]
    pub fn scales(self) -> bool {
        matches!(self, Measure::MenFirst | Measure::MenSecond)
    }

    /// The most that a game can come to, where there is such a number. The least is nothing.
    #[must_use]
    pub fn most(self) -> Option<f64> {
        let share = matches!(self, Measure::Wins | Measure::LossShare | Measure::Idle);
        share.then_some(1.0)
    }

    /// The number of a game; none if it has none.
    fn of(self, contest: &Contest, record: &Record, sides: [Side; 2], from: i32) -> Option<f64> {
        let snapshots = &record.kept.snapshots;
        let (first, last) = (snapshots.first()?, snapshots.last()?);
        Some(match self {
            Measure::Wins => match record.kept.verdict.as_ref()?.winner {
                Some(side) => f64::from(u8::from(side == sides[0])),
                None => 0.5,
            },
            Measure::MenFirst => men_lost(contest, last, sides[0]),
            Measure::MenSecond => men_lost(contest, last, sides[1]),
            Measure::LossShare => {
                let [own, other] = sides.map(|side| men_lost(contest, last, side));
                if own + other > 0.0 {
                    own / (own + other)
                } else {
                    0.5
                }
            }
            Measure::Attacks => {
                let hours = f64::from((last.minute - first.minute).max(1)) / 60.0;
                counted(record, |tally| tally.attacks) / hours
            }
            Measure::FirstAttack => record.kept.first_attack?.middle() - f64::from(from),
            Measure::Contact => Some(stays(record))
                .filter(|s| !s.is_empty())
                .map(|s| mean(&s))?,
            Measure::Idle => {
                let ordered = counted(record, |tally| tally.ordered);
                let idle = counted(record, |tally| tally.idle);
                (ordered > 0.0).then(|| idle / ordered)?
            }
            Measure::Decisions => counted(record, |tally| tally.decisions),
        })
    }
}

impl Measure {
    /// How far the number of a game may be off because the game knows no time within its turns: something that comes in a turn comes
    /// anywhere in it, and who is in contact in a turn may be so for a moment.
    fn blur(self, record: &Record) -> Option<Blur> {
        let half = |turn: Hours| f64::from(turn.to - turn.from) / 2.0;
        Some(match self {
            Measure::FirstAttack => {
                let half = half(record.kept.first_attack?);
                Blur {
                    below: half,
                    above: half,
                }
            }
            Measure::Contact => {
                let stays = bounds(record).into_iter();
                let open: Vec<f64> = stays.map(|(least, most)| most - least).collect();
                Blur {
                    below: (!open.is_empty()).then(|| mean(&open))?,
                    above: 0.0,
                }
            }
            _ => Blur::default(),
        })
    }
}

/// What both sides did in a game, by one count.
fn counted(record: &Record, of: fn(&Tally) -> u32) -> f64 {
    let tallies = record
        .kept
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.tally);
    f64::from(tallies.map(of).sum::<u32>())
}

fn men_lost(contest: &Contest, at: &Snapshot, side: Side) -> f64 {
    let units = at.units.iter().zip(&contest.play.env().units);
    let own = units.filter(|(_, info)| info.side == side);
    own.map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
        .sum()
}

/// One ruleset with one pair of plans and one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The ruleset or variant.
    pub contest: String,
    /// The pair of plans, by its name.
    pub plans: String,
    /// The player of both sides.
    pub bot: String,
    /// By measure, in the order of [`Measure::ALL`].
    pub values: Vec<Estimate>,
    /// By measure, how far the means may be off because games know no time within their turns.
    #[serde(default)]
    pub blurs: Vec<Blur>,
    /// When its games begin, in minutes from the scenario's beginning.
    #[serde(default)]
    pub begins: f64,
    /// How long its games last, in minutes of the battle.
    #[serde(default)]
    pub lasts: f64,
    /// The numbers of every game, in the same order.
    #[serde(skip)]
    pub games: Vec<(u32, Vec<Option<f64>>)>,
}

impl Cell {
    /// Measures the games of a cell. `sides` are those of the game in the scenario's order, `from` its first minute.
    #[must_use]
    pub fn new(
        names: (&str, &str, &str),
        contest: &Contest,
        records: &[Record],
        sides: [Side; 2],
        from: i32,
    ) -> Cell {
        let good = || records.iter().filter(|r| r.fault.is_none());
        let blur = |measure: Measure| {
            let all: Vec<Blur> = good().filter_map(|record| measure.blur(record)).collect();
            let of = |end: fn(&Blur) -> f64| mean(&all.iter().map(end).collect::<Vec<f64>>());
            Blur {
                below: of(|blur| blur.below),
                above: of(|blur| blur.above),
            }
        };
        let starts = good().filter_map(|record| record.kept.snapshots.first());
        let starts = starts.map(|first| f64::from(first.minute - from));
        let ends = good().filter_map(|record| record.kept.snapshots.last());
        let ends = ends.map(|last| f64::from(last.minute - from));
        let begins = mean(&starts.collect::<Vec<f64>>());
        let lasts = mean(&ends.collect::<Vec<f64>>()) - begins;
        let games = good().map(|record| {
            let of = |measure: Measure| measure.of(contest, record, sides, from);
            (record.number, Measure::ALL.into_iter().map(of).collect())
        });
        let games: Vec<(u32, Vec<Option<f64>>)> = games.collect();
        let value = |(at, measure): (usize, Measure)| {
            let values: Vec<f64> = games.iter().filter_map(|(_, of)| of[at]).collect();
            let most = measure.most().unwrap_or(f64::INFINITY);
            Estimate::of(&values, measure == Measure::Wins).within(0.0, most)
        };
        Cell {
            contest: names.0.to_owned(),
            plans: names.1.to_owned(),
            bot: names.2.to_owned(),
            values: Measure::ALL.into_iter().enumerate().map(value).collect(),
            blurs: Measure::ALL.into_iter().map(blur).collect(),
            begins,
            lasts,
            games,
        }
    }

    /// What it comes to by a measure.
    #[must_use]
    pub fn value(&self, measure: Measure) -> Estimate {
        Cell::of(&self.values, measure)
    }

    /// How far that may be off because games know no time within their turns.
    #[must_use]
    pub fn blur(&self, measure: Measure) -> Blur {
        Cell::of(&self.blurs, measure)
    }

    fn of<T: Copy + Default>(all: &[T], measure: Measure) -> T {
        let at = Measure::ALL.iter().position(|other| *other == measure);
        let found = at.and_then(|at| all.get(at));
        found.copied().unwrap_or_default()
    }
}
