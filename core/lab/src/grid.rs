//! Whether a finding is about the rules: the same figures by other plans, by other players, and with a loss counted
//! otherwise.
//!
//! A cell of the grid is one ruleset with one pair of plans and one player, some games of it. What a loss by the rules
//! stands for in men is a house figure with a band; it needs no games of its own, each cell is counted at the low end,
//! in the middle and at the high end. A claim **holds** if the middle of every cell says the same and their mean is clear of
//! equality; it **flips** if cells that are clear of it say both; otherwise it is **not known**.

use crate::contest::Contest;
use crate::record::{Record, Snapshot};
use crate::stats::{Z95, mean, variance, wilson};
use cupola_data::{Problems, Source};
use cupola_kernel::Side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What one loss by the rules may stand for, in thousandths of what the ruleset's own translation says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// At least so much.
    pub low: u32,
    /// At most so much.
    pub high: u32,
    /// Why.
    pub why: String,
}

impl Band {
    /// Low, middle and high, as factors.
    #[must_use]
    pub fn factors(&self) -> [f64; 3] {
        [
            f64::from(self.low) / 1000.0,
            1.0,
            f64::from(self.high) / 1000.0,
        ]
    }
}

/// The bands of a battle's rulesets, by ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bands(BTreeMap<String, Band>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BandsFile {
    scales: BTreeMap<String, Band>,
}

impl Bands {
    /// Reads `scales.ron` in the folder of a battle's record; without one there are no bands.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn read(folder: &Path) -> Result<Bands, Problems> {
        let path = folder.join("scales.ron");
        if !path.is_file() {
            return Ok(Bands::default());
        }
        let source = Source::read(&path)?;
        let file: BandsFile = source.ron()?;
        let mut problems = Problems::new();
        for (ruleset, band) in &file.scales {
            if !(1..=1000).contains(&band.low) || !(1000..=5000).contains(&band.high) {
                let message = "low is 1 to 1000 and high 1000 to 5000: the middle is 1000";
                problems.push(source.problem(&format!("scales.{ruleset}"), message));
            }
        }
        problems.check(Bands(file.scales))
    }

    /// The band of a ruleset; a wide one of the house for one that has none.
    #[must_use]
    pub fn of(&self, ruleset: &str) -> Band {
        let known = self.0.get(ruleset).cloned();
        known.unwrap_or_else(|| Band {
            low: 500,
            high: 1500,
            why: "no band is given for this ruleset: half and half again".into(),
        })
    }
}

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
    /// Men lost by the first side for each lost by the second.
    Exchange,
    /// Attacks of both sides in an hour of battle.
    Attacks,
    /// Minutes from the scenario's beginning to the first attack.
    FirstAttack,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 6] = [
        Measure::Wins,
        Measure::MenFirst,
        Measure::MenSecond,
        Measure::Exchange,
        Measure::Attacks,
        Measure::FirstAttack,
    ];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Measure::Wins => "wins",
            Measure::MenFirst => "men_first",
            Measure::MenSecond => "men_second",
            Measure::Exchange => "exchange",
            Measure::Attacks => "attacks",
            Measure::FirstAttack => "first_attack",
        }
    }

    /// Whether it is counted in men, so that the scale of losses moves it.
    #[must_use]
    pub fn scales(self) -> bool {
        matches!(self, Measure::MenFirst | Measure::MenSecond)
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
            Measure::Exchange => {
                let lost = sides.map(|side| men_lost(contest, last, side));
                // Half a man more on both sides, so that nobody divides by nothing.
                libm::log((lost[0] + 0.5) / (lost[1] + 0.5))
            }
            Measure::Attacks => {
                let tallies = snapshots.iter().flat_map(|snapshot| &snapshot.tally);
                let attacks: u32 = tallies.map(|tally| tally.attacks).sum();
                f64::from(attacks) * 60.0 / f64::from((last.minute - first.minute).max(1))
            }
            Measure::FirstAttack => record.kept.first_attack?.middle() - f64::from(from),
        })
    }
}

fn men_lost(contest: &Contest, at: &Snapshot, side: Side) -> f64 {
    let units = at.units.iter().zip(&contest.play.env().units);
    let own = units.filter(|(_, info)| info.side == side);
    own.map(|(at, info)| f64::from(info.men) * f64::from(at.lost) / 1000.0)
        .sum()
}

/// A mean and the interval in which it lies nineteen times in twenty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Games that had the number.
    pub games: u32,
}

impl Estimate {
    /// From the numbers of some games; shares have Wilson's interval.
    #[must_use]
    pub fn of(values: &[f64], share: bool) -> Estimate {
        let games = values.len() as u32;
        if values.is_empty() {
            return Estimate::default();
        }
        let middle = mean(values);
        let (low, high) = if share {
            wilson(middle, f64::from(games))
        } else {
            let half = Z95 * (variance(values) / f64::from(games)).sqrt();
            (middle - half, middle + half)
        };
        Estimate {
            mean: middle,
            low,
            high,
            games,
        }
    }

    /// On which side of a number it lies, if the whole interval does.
    fn clear_of(&self, number: f64) -> Option<bool> {
        if self.low > number {
            Some(true)
        } else if self.high < number {
            Some(false)
        } else {
            None
        }
    }
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
        let good: Vec<&Record> = records.iter().filter(|r| r.fault.is_none()).collect();
        let value = |measure: Measure| {
            let of = |record: &&Record| measure.of(contest, record, sides, from);
            let values: Vec<f64> = good.iter().filter_map(of).collect();
            Estimate::of(&values, measure == Measure::Wins)
        };
        Cell {
            contest: names.0.to_owned(),
            plans: names.1.to_owned(),
            bot: names.2.to_owned(),
            values: Measure::ALL.into_iter().map(value).collect(),
        }
    }

    /// What it comes to by a measure.
    #[must_use]
    pub fn value(&self, measure: Measure) -> Estimate {
        let at = Measure::ALL.iter().position(|other| *other == measure);
        at.and_then(|at| self.values.get(at))
            .copied()
            .unwrap_or_default()
    }
}

/// A pair of plans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPair {
    /// Its name in the scenario.
    pub name: String,
    /// What the plans are called, by side.
    pub titles: Vec<String>,
    /// Whether they were made from the record that play is scored by.
    pub from_record: bool,
}

/// How much of what differs between cells goes with each choice, as shares of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// The rules.
    pub rulesets: f64,
    /// The plans.
    pub plans: f64,
    /// The players.
    pub bots: f64,
    /// What a loss stands for in men.
    pub scale: f64,
    /// What two of them do together, and the dice.
    pub rest: f64,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It holds in every cell.
    Holds,
    /// Some cells say so and some the contrary.
    Flips,
    /// The games are too few to tell.
    Unknown,
}

impl Standing {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Flips => "flips",
            Standing::Unknown => "unknown",
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
    pub standing: Standing,
    /// Cells that say so, that are clear against it, and all.
    pub agree: u32,
    /// Cells that are clear against it.
    pub against: u32,
    /// All of them.
    pub of: u32,
    /// The cells that speak against it most clearly: plans, bot and scale.
    pub where_not: Vec<String>,
}

/// How far a measure moves with one choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// The choice.
    pub choice: &'static str,
    /// Where it is least: its name and the mean there.
    pub low: (String, f64),
    /// Where it is most.
    pub high: (String, f64),
}

impl Swing {
    fn of(choice: &'static str, levels: impl Iterator<Item = (String, f64)>) -> Option<Swing> {
        let mut levels: Vec<(String, f64)> = levels.collect();
        levels.sort_by(|a, b| a.1.total_cmp(&b.1));
        Some(Swing {
            choice,
            low: levels.first()?.clone(),
            high: levels.last()?.clone(),
        })
    }
}

/// The grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Rulesets and variants, in the order of the page.
    pub contests: Vec<String>,
    /// The pairs of plans.
    pub plans: Vec<PlanPair>,
    /// The players.
    pub bots: Vec<String>,
    /// By contest, what a loss may stand for.
    pub bands: Vec<Band>,
    /// All cells.
    pub cells: Vec<Cell>,
    /// By measure, in the order of [`Measure::ALL`]: what goes with what.
    pub shares: Vec<Shares>,
    /// What could be said, and what became of it.
    pub claims: Vec<Claim>,
}

/// The names of the ends of a band.
const SCALES: [&str; 3] = ["low", "middle", "high"];

impl Grid {
    /// Works out what goes with what, and what holds.
    #[must_use]
    pub fn judged(mut self) -> Grid {
        self.shares = Measure::ALL
            .into_iter()
            .map(|m| self.shares_of(m))
            .collect();
        self.claims = self.against_the_middle();
        for (i, one) in self.contests.iter().enumerate() {
            for other in &self.contests[i + 1..] {
                let compared = [
                    Measure::MenFirst,
                    Measure::MenSecond,
                    Measure::Wins,
                    Measure::Exchange,
                    Measure::Attacks,
                    Measure::FirstAttack,
                ];
                let claims = compared.map(|measure| self.between(measure, one, other));
                self.claims.extend(claims.into_iter().flatten());
            }
        }
        self
    }

    /// The cell of a contest, a pair of plans and a player.
    #[must_use]
    pub fn cell(&self, contest: &str, plans: &str, bot: &str) -> Option<&Cell> {
        let wanted = (contest, plans, bot);
        let mut cells = self.cells.iter();
        cells.find(|cell| (&*cell.contest, &*cell.plans, &*cell.bot) == wanted)
    }

    /// The factors of a contest's band; none but the middle for what is not counted in men.
    fn factors(&self, contest: &str, measure: Measure) -> Vec<f64> {
        if !measure.scales() {
            return vec![1.0];
        }
        let at = self.contests.iter().position(|name| name == contest);
        let band = at.and_then(|at| self.bands.get(at));
        band.map_or(vec![1.0], |band| band.factors().to_vec())
    }

    /// How far a measure of a contest moves with each choice, the others averaged: plans, players, scale of losses.
    #[must_use]
    pub fn tornado(&self, contest: &str, measure: Measure) -> Vec<Swing> {
        let cells: Vec<&Cell> = self
            .cells
            .iter()
            .filter(|cell| cell.contest == contest && cell.value(measure).games > 0)
            .collect();
        let mean_of = |fits: &dyn Fn(&Cell) -> bool| {
            let fitting = cells.iter().filter(|cell| fits(cell));
            let values: Vec<f64> = fitting.map(|cell| cell.value(measure).mean).collect();
            (!values.is_empty()).then(|| mean(&values))
        };
        let plans = self.plans.iter().filter_map(|pair| {
            let value = mean_of(&|cell| cell.plans == pair.name)?;
            Some((pair.name.clone(), value))
        });
        let bots = self.bots.iter().filter_map(|bot| {
            let value = mean_of(&|cell| cell.bot == *bot)?;
            Some((bot.clone(), value))
        });
        let whole = mean_of(&|_| true);
        let factors = self.factors(contest, measure);
        let scale = SCALES
            .iter()
            .zip(factors)
            .filter_map(|(name, factor)| Some(((*name).to_owned(), whole? * factor)));
        let swings = [
            Swing::of("plans", plans),
            Swing::of("players", bots),
            Swing::of("scale of losses", scale),
        ];
        let mut swings: Vec<Swing> = swings.into_iter().flatten().collect();
        swings.sort_by(|a, b| (b.high.1 - b.low.1).total_cmp(&(a.high.1 - a.low.1)));
        swings
    }

    fn shares_of(&self, measure: Measure) -> Shares {
        let mut table = vec![];
        for (r, contest) in self.contests.iter().enumerate() {
            for (p, plans) in self.plans.iter().enumerate() {
                for (b, bot) in self.bots.iter().enumerate() {
                    let Some(cell) = self.cell(contest, &plans.name, bot) else {
                        continue;
                    };
                    for (s, factor) in self.factors(contest, measure).into_iter().enumerate() {
                        table.push(([r, p, b, s], cell.value(measure).mean * factor));
                    }
                }
            }
        }
        let all: Vec<f64> = table.iter().map(|(_, value)| *value).collect();
        let whole: f64 = all.iter().map(|value| square(value - mean(&all))).sum();
        if whole <= 0.0 {
            return Shares::default();
        }
        let share = |factor: usize| {
            let mut levels: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for (at, value) in &table {
                levels.entry(at[factor]).or_default().push(*value);
            }
            let between = levels
                .values()
                .map(|level| level.len() as f64 * square(mean(level) - mean(&all)));
            between.sum::<f64>() / whole
        };
        let [rulesets, plans, bots, scale] = [0, 1, 2, 3].map(share);
        Shares {
            rulesets,
            plans,
            bots,
            scale,
            rest: (1.0 - rulesets - plans - bots - scale).max(0.0),
        }
    }

    /// Who wins, and who loses more men, in each ruleset.
    fn against_the_middle(&self) -> Vec<Claim> {
        let mut claims = vec![];
        for contest in &self.contests {
            for (measure, middle) in [(Measure::Wins, 0.5), (Measure::Exchange, 0.0)] {
                let cells = self.cells.iter().filter(|cell| cell.contest == *contest);
                let said: Vec<Said> = cells
                    .filter(|cell| cell.value(measure).games > 0)
                    .map(|cell| {
                        let value = cell.value(measure);
                        Said {
                            gap: value.mean - middle,
                            clear: value.clear_of(middle),
                            name: format!("{}, {}", cell.plans, cell.bot),
                        }
                    })
                    .collect();
                claims.extend(judge(measure, contest, None, &said));
            }
        }
        claims
    }

    /// Which of two rulesets has more of something.
    fn between(&self, measure: Measure, one: &str, other: &str) -> Option<Claim> {
        let mut said = vec![];
        for cell in self.cells.iter().filter(|cell| cell.contest == one) {
            let Some(rival) = self.cell(other, &cell.plans, &cell.bot) else {
                continue;
            };
            let (a, b) = (cell.value(measure), rival.value(measure));
            if a.games == 0 || b.games == 0 {
                continue;
            }
            for (i, x) in self.factors(one, measure).into_iter().enumerate() {
                for (j, y) in self.factors(other, measure).into_iter().enumerate() {
                    let scales = if measure.scales() {
                        format!(
                            ", losses of {one} {} and of {other} {}",
                            SCALES[i], SCALES[j]
                        )
                    } else {
                        String::new()
                    };
                    let clear = if a.low * x > b.high * y {
                        Some(true)
                    } else if a.high * x < b.low * y {
                        Some(false)
                    } else {
                        None
                    };
                    said.push(Said {
                        gap: a.mean * x - b.mean * y,
                        clear,
                        name: format!("{}, {}{scales}", cell.plans, cell.bot),
                    });
                }
            }
        }
        judge(measure, one, Some(other), &said)
    }
}

fn square(x: f64) -> f64 {
    x * x
}

/// What one cell says of a claim.
struct Said {
    /// By how much there is more.
    gap: f64,
    /// Whether that is clear, and which way.
    clear: Option<bool>,
    name: String,
}

/// What becomes of a claim.
fn judge(measure: Measure, one: &str, other: Option<&str>, said: &[Said]) -> Option<Claim> {
    if said.is_empty() {
        return None;
    }
    let more = said.iter().filter(|said| said.gap > 0.0).count() * 2 >= said.len();
    let agrees = |said: &&Said| (said.gap > 0.0) == more && said.gap != 0.0;
    let clear = |way: bool| {
        said.iter()
            .filter(move |said| said.clear == Some(way))
            .count()
    };
    let (agree, against) = (said.iter().filter(agrees).count(), clear(!more));
    let gaps: Vec<f64> = said.iter().map(|said| said.gap).collect();
    let pooled = Estimate::of(&gaps, false).clear_of(0.0) == Some(more);
    let standing = if agree == said.len() && (pooled || clear(more) == said.len()) {
        Standing::Holds
    } else if against > 0 && clear(more) > 0 {
        Standing::Flips
    } else {
        Standing::Unknown
    };
    let mut contrary: Vec<&Said> = said.iter().filter(|said| !agrees(said)).collect();
    contrary.sort_by(|a, b| b.gap.abs().total_cmp(&a.gap.abs()));
    let (more_of, less) = match other {
        Some(other) if more => (one, Some(other)),
        Some(other) => (other, Some(one)),
        None => (one, None),
    };
    Some(Claim {
        measure,
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(contest: &str, plans: &str, bot: &str, men: f64) -> Cell {
        let sure = |mean: f64| Estimate {
            mean,
            low: mean * 0.95,
            high: mean * 1.05,
            games: 40,
        };
        let values = Measure::ALL.map(|measure| match measure {
            Measure::MenFirst => sure(men),
            _ => sure(0.7),
        });
        Cell {
            contest: contest.into(),
            plans: plans.into(),
            bot: bot.into(),
            values: values.to_vec(),
        }
    }

    fn grid(cells: Vec<Cell>, bands: [(u32, u32); 2]) -> Grid {
        let plans = ["history", "free"].map(|name| PlanPair {
            name: name.into(),
            titles: vec![],
            from_record: name == "history",
        });
        Grid {
            contests: vec!["blocks".into(), "corps20".into()],
            plans: plans.to_vec(),
            bots: vec!["steady".into(), "search".into()],
            bands: bands
                .map(|(low, high)| Band {
                    low,
                    high,
                    why: String::new(),
                })
                .to_vec(),
            cells,
            ..Grid::default()
        }
        .judged()
    }

    fn cells(blocks: [f64; 4], corps20: [f64; 4]) -> Vec<Cell> {
        let mut cells = vec![];
        for (contest, men) in [("blocks", blocks), ("corps20", corps20)] {
            let at = [
                ("history", "steady"),
                ("history", "search"),
                ("free", "steady"),
                ("free", "search"),
            ];
            for ((plans, bot), men) in at.into_iter().zip(men) {
                cells.push(cell(contest, plans, bot, men));
            }
        }
        cells
    }

    fn men(grid: &Grid) -> &Claim {
        let mut claims = grid.claims.iter();
        let wanted = |claim: &&Claim| claim.measure == Measure::MenFirst;
        claims.find(wanted).expect("a claim about men")
    }

    #[test]
    fn what_every_cell_says_holds() {
        let grid = grid(
            cells([6000.0, 6500.0, 9000.0, 7000.0], [1700.0; 4]),
            [(900, 1100); 2],
        );
        let claim = men(&grid);
        assert_eq!((claim.standing, &*claim.more), (Standing::Holds, "blocks"));
        assert_eq!(claim.less.as_deref(), Some("corps20"));
        assert_eq!((claim.agree, claim.of), (36, 36));
        assert!(claim.where_not.is_empty());
        assert!(grid.shares[1].rulesets > 0.8, "{:?}", grid.shares[1]);
    }

    #[test]
    fn what_a_plan_or_a_scale_turns_round_is_not_said() {
        let plan = grid(
            cells([6000.0, 6000.0, 1000.0, 1000.0], [1700.0; 4]),
            [(990, 1010); 2],
        );
        assert_eq!(men(&plan).standing, Standing::Flips);
        assert!(men(&plan).where_not[0].starts_with("free"));
        assert!(plan.shares[1].plans > plan.shares[1].bots);
        // The middles agree in every cell, the ends of the bands do not.
        let scale = grid(cells([3000.0; 4], [1700.0; 4]), [(500, 1500), (500, 2500)]);
        assert_eq!(men(&scale).standing, Standing::Flips);
        assert!(scale.shares[1].scale > 0.5);
    }

    #[test]
    fn a_tornado_has_the_widest_swing_first() {
        let grid = grid(
            cells([6000.0, 6000.0, 1000.0, 1000.0], [1700.0; 4]),
            [(900, 1100); 2],
        );
        let swings = grid.tornado("blocks", Measure::MenFirst);
        let names: Vec<&str> = swings.iter().map(|swing| swing.choice).collect();
        assert_eq!(names, ["plans", "scale of losses", "players"]);
        assert_eq!(swings[0].low, ("free".to_owned(), 1000.0));
        assert_eq!(swings[0].high, ("history".to_owned(), 6000.0));
        assert_eq!(swings[2].low.1, swings[2].high.1);
    }

    #[test]
    fn shares_of_a_grid_add_up() {
        let grid = grid(
            cells([1.0, 2.0, 3.0, 4.0], [5.0, 7.0, 11.0, 13.0]),
            [(500, 1500); 2],
        );
        for shares in &grid.shares[1..2] {
            let sum = shares.rulesets + shares.plans + shares.bots + shares.scale + shares.rest;
            assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        }
    }
}
