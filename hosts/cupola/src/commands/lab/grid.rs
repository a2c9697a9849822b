//! The grid of a comparison: every ruleset by every pair of plans and every player, some games of each.

use super::compare::{Args, play};
use super::queue::Announcer;
use cupola_bots::Skill;
use cupola_lab::grid::{Cell, Grid, PlanPair};
use cupola_lab::{Contest, Played, Setting};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of the scenario's own plans.
const OWN: &str = "own";

/// The players of a grid unless told otherwise: steady, and two that look ahead, one ten times as far.
pub fn default_bots() -> [Skill; 3] {
    [Skill::Steady, Skill::Search(40), Skill::Search(400)]
}

/// One row of the grid: a pair of plans with the contests that are played by it.
struct Row {
    pair: PlanPair,
    contests: Vec<Contest>,
}

/// What is played: pairs of plans, and contests for each and every player.
pub struct Planned {
    rows: Vec<Row>,
    bots: Vec<Skill>,
    games: u32,
}

impl Planned {
    /// Makes the grid of some contests: the plans that the setting has, and the scenario's others.
    ///
    /// # Errors
    /// If a plan cannot be read. The setting keeps the plans it had.
    pub fn new(
        library: &Library,
        setting: &mut Setting,
        contests: &[Contest],
        bots: &[Skill],
        games: u32,
    ) -> anyhow::Result<Planned> {
        let own = (setting.plans.clone(), setting.texts.clone());
        let mut rows = vec![row(setting, OWN, contests)];
        let others: BTreeMap<String, _> = setting.scenario.other_plans.clone();
        for (name, plans) in &others {
            setting.put_plans(library, plans)?;
            rows.push(row(setting, name, contests));
        }
        (setting.plans, setting.texts) = own;
        Ok(Planned {
            rows,
            bots: bots.to_vec(),
            games,
        })
    }

    /// Plays what is missing and measures it; none if interrupted.
    ///
    /// # Errors
    /// If games cannot be kept.
    pub fn play(
        &self,
        args: &Args,
        library: &Library,
        setting: &mut Setting,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<Grid>> {
        let mut cells = vec![];
        self.each_cell(library, setting, |setting, plans, contest, bot| {
            let cell = in_cell(contest, plans, bot);
            let records = play(args, setting, &cell, self.games, stop)?;
            let sides = sides(setting, contest);
            let from = setting.scenario.span.from.minutes();
            let names = (&*contest.name, plans, &*bot.to_string());
            cells.push(Cell::new(names, &cell, &records, sides, from));
            Ok(!stop.load(Ordering::Relaxed))
        })?;
        let ended = !stop.load(Ordering::Relaxed);
        Ok(ended.then(|| self.grid(setting, cells)))
    }

    /// Tells workers of all that will be wanted.
    ///
    /// # Errors
    /// If the queue fails.
    pub fn announce(
        &self,
        queue: &mut Announcer,
        library: &Library,
        setting: &mut Setting,
    ) -> anyhow::Result<()> {
        self.each_cell(library, setting, |setting, plans, contest, bot| {
            queue.tell(setting, &in_cell(contest, plans, bot), self.games)?;
            Ok(true)
        })
    }

    /// Does something with every cell, by pair of plans, contest and player, until told to stop. The setting has the plans of
    /// the cell meanwhile: workers are told the plans by it.
    fn each_cell(
        &self,
        library: &Library,
        setting: &mut Setting,
        mut work: impl FnMut(&Setting, &str, &Contest, Skill) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let own = (setting.plans.clone(), setting.texts.clone());
        for row in &self.rows {
            if let Some(plans) = setting.scenario.other_plans.get(&row.pair.name).cloned() {
                setting.put_plans(library, &plans)?;
            }
            let all = row.contests.iter();
            let mut cells =
                all.flat_map(|contest| self.bots.iter().map(move |bot| (contest, *bot)));
            let done = cells.try_for_each(|(contest, bot)| {
                match work(setting, &row.pair.name, contest, bot) {
                    Ok(true) => ControlFlow::Continue(()),
                    other => ControlFlow::Break(other),
                }
            });
            setting.plans.clone_from(&own.0);
            setting.texts.clone_from(&own.1);
            if let ControlFlow::Break(why) = done {
                return why.map(|_| ());
            }
        }
        Ok(())
    }

    fn grid(&self, setting: &Setting, cells: Vec<Cell>) -> Grid {
        let contests = self.rows.first().map_or(&[][..], |row| &row.contests);
        Grid {
            contests: contests
                .iter()
                .map(|contest| contest.name.clone())
                .collect(),
            plans: self.rows.iter().map(|row| row.pair.clone()).collect(),
            bots: self.bots.iter().map(Skill::to_string).collect(),
            bands: contests
                .iter()
                .map(|contest| setting.bands.of(&contest.ruleset))
                .collect(),
            cells,
            ..Grid::default()
        }
        .judged()
    }
}

/// The contests of a pair of plans, which the setting has.
fn row(setting: &Setting, name: &str, contests: &[Contest]) -> Row {
    let planned = |contest: &Contest| {
        let what = Played {
            title: contest.title.clone(),
            ruleset: contest.ruleset.clone(),
            variant: contest.variant.clone(),
            play: contest.play.clone(),
        };
        setting.contest(&contest.name, what, contest.skills, contest.seed)
    };
    Row {
        pair: setting.plan_pair(name),
        contests: contests.iter().map(planned).collect(),
    }
}

/// The same contest with one player on both sides, under a name of its own.
fn in_cell(contest: &Contest, plans: &str, bot: Skill) -> Contest {
    Contest {
        name: format!("{}-{plans}-{bot}", contest.name).replace(':', "_"),
        skills: [bot; 2],
        ..contest.clone()
    }
}

/// Which side of the game each side of the scenario is.
fn sides(setting: &Setting, contest: &Contest) -> [cupola_kernel::Side; 2] {
    let env = contest.play.env();
    [0, 1].map(|i| {
        let id = setting.scenario.sides.get(i).map_or("", |side| &*side.side);
        env.side(id).unwrap_or(cupola_kernel::Side::BOTH[i])
    })
}
