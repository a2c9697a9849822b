//! The grid of a comparison: every ruleset by every pair of plans and every player, some games of each.

use super::compare::{Args, play};
use super::pace::Pace;
use super::queue::Announcer;
use super::{progress, say};
use cupola_bots::Skill;
use cupola_lab::grid::{Cell, Grid, PlanPair, Seat};
use cupola_lab::{Contest, Played, Setting, each};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The name of the scenario's own plans.
const OWN: &str = "own";

/// The players of a grid unless told otherwise who look ahead, by the choices that each may try for a decision. Who has fewer than the
/// first sees one world in most decisions, and so chooses as steady does and takes his time over it.
const AHEAD: [u32; 2] = [1000, 3000];

/// Choices that each of them may try in a whole game: where that would be more he is left out, since a cell of his would take as long as
/// all the others. It is a number of choices and not of seconds, so that every machine plays the same grid.
const MOST: [u32; 2] = [8_000_000, 12_000_000];

/// One who looks ahead, if a game of so many decisions is not too much for him.
fn affordable(nodes: u32, decisions: u32, most: u32) -> Option<Skill> {
    (nodes.saturating_mul(decisions) <= most).then_some(Skill::Search(nodes))
}

/// Who plays in each contest: names of the players, and by contest and name the bot.
struct Players {
    names: Vec<String>,
    seats: Vec<Vec<Option<Skill>>>,
    /// By contest.
    paces: Vec<Pace>,
}

impl Players {
    /// The same everywhere, as told.
    fn told(bots: &[Skill], paces: Vec<Pace>) -> Players {
        let same = bots.iter().copied().map(Some).collect::<Vec<_>>();
        Players {
            names: bots.iter().map(Skill::to_string).collect(),
            seats: vec![same; paces.len()],
            paces,
        }
    }

    /// Steady, and two who look ahead, where games are not too long for that.
    fn usual(paces: Vec<Pace>) -> Players {
        let seats = paces.iter().map(|pace| {
            let ahead = AHEAD.iter().zip(MOST);
            let ahead = ahead.map(|(&nodes, most)| affordable(nodes, pace.decisions, most));
            [Some(Skill::Steady)].into_iter().chain(ahead).collect()
        });
        let names = AHEAD.map(|nodes| format!("search:{nodes}"));
        Players {
            names: ["steady".to_owned()].into_iter().chain(names).collect(),
            seats: seats.collect(),
            paces,
        }
    }

    /// With the pace of those who look ahead.
    fn timed(mut self, contests: &[Contest], threads: usize) -> Players {
        let mut ahead: Vec<(usize, Skill)> = vec![];
        for (at, seats) in self.seats.iter().enumerate() {
            let bots = seats.iter().flatten().copied();
            let bots = bots.filter(|bot| matches!(bot, Skill::Search(_)));
            ahead.extend(bots.map(|bot| (at, bot)));
        }
        let paces = &self.paces;
        let took = each(&ahead, threads, |&(at, bot)| {
            paces[at].look_ahead(&contests[at], bot)
        });
        for ((at, bot), took) in ahead.into_iter().zip(took) {
            self.paces[at].keep(bot, took);
        }
        self
    }

    /// Who sits where, as the page tells it.
    fn told_apart(&self) -> Vec<Vec<Seat>> {
        // By the name that the page has for him, who may have another for people who play.
        let seat = |(skill, name): (&Option<Skill>, &String)| {
            skill.map_or(Seat::TooDear, |_| Seat::Plays(name.clone()))
        };
        let contests = self.seats.iter();
        contests
            .map(|seats| seats.iter().zip(&self.names).map(seat).collect())
            .collect()
    }
}

/// How long the grid takes: told before the first cell and after every one.
struct Outlook {
    /// Cells that are to be played, and the seconds that they should take.
    all: (usize, f64),
    done: (usize, f64),
    /// Seconds that cells took which were not there already, and those that they should have taken.
    took: (f64, f64),
    last: Instant,
}

/// A cell that takes less than this part of its time was there already, or most of it.
const FRESH: f64 = 0.25;

/// Cells that make up less than this part of all tell nothing of the others: a short one is mostly other work.
const TOLD: f64 = 0.02;

impl Outlook {
    fn new(all: impl Iterator<Item = f64>) -> Outlook {
        let (mut count, mut seconds) = (0, 0.0);
        all.for_each(|cell| (count, seconds) = (count + 1, seconds + cell));
        Outlook {
            all: (count, seconds),
            done: (0, 0.0),
            took: (0.0, 0.0),
            last: Instant::now(),
        }
    }

    /// Another cell is done, which should have taken so long.
    fn done(&mut self, seconds: f64, took: f64) {
        self.done = (self.done.0 + 1, self.done.1 + seconds);
        if took > FRESH * seconds {
            self.took = (self.took.0 + took, self.took.1 + seconds);
        }
    }

    /// Seconds that are left, by what the cells before took.
    fn left(&self) -> f64 {
        let left = (self.all.1 - self.done.1).max(0.0);
        if self.took.1 > TOLD * self.all.1 {
            left * self.took.0 / self.took.1
        } else {
            left
        }
    }

    /// One more cell is done; says what is left.
    fn tell(&mut self, seconds: f64) {
        let took = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.done(seconds, took);
        say(&format!(
            "grid: {} of {} cells, {} left",
            self.done.0,
            self.all.0,
            progress::time(self.left())
        ));
    }
}

/// One row of the grid: a pair of plans with the contests that are played by it.
struct Row {
    pair: PlanPair,
    contests: Vec<Contest>,
}

/// What is played: pairs of plans, and contests for each and every player.
pub struct Planned {
    rows: Vec<Row>,
    players: Players,
    games: u32,
}

impl Planned {
    /// Makes the grid of some contests: the plans that the setting has, and the scenario's others; the bots that are named, or the
    /// usual ones.
    ///
    /// # Errors
    /// If a plan cannot be read. The setting keeps the plans it had.
    pub fn new(
        library: &Library,
        setting: &mut Setting,
        contests: &[Contest],
        (bots, threads): (&[Skill], usize),
        games: u32,
    ) -> anyhow::Result<Planned> {
        let paces = each(contests, threads, Pace::of);
        let players = if bots.is_empty() {
            Players::usual(paces)
        } else {
            Players::told(bots, paces)
        };
        let players = players.timed(contests, threads);
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
            players,
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
        let rounds = args.rounds(self.games) as f64;
        let mut outlook = Outlook::new(self.seconds().map(|seconds| seconds * rounds));
        self.each_cell(library, setting, |setting, plans, contest, (name, bot)| {
            let cell = in_cell(contest, plans, bot);
            let records = play(args, setting, &cell, self.games, stop)?;
            let sides = sides(setting, contest);
            let from = setting.scenario.span.from.minutes();
            let names = (&*contest.name, plans, name);
            cells.push(Cell::new(names, &cell, &records, sides, from));
            outlook.tell(self.seconds_of(&contest.name, bot) * rounds);
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
        self.each_cell(library, setting, |setting, plans, contest, (_, bot)| {
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
        mut work: impl FnMut(&Setting, &str, &Contest, (&str, Skill)) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let own = (setting.plans.clone(), setting.texts.clone());
        for row in &self.rows {
            if let Some(plans) = setting.scenario.other_plans.get(&row.pair.name).cloned() {
                setting.put_plans(library, &plans)?;
            }
            let mut cells = self.cells(row);
            let done = cells.try_for_each(|(contest, player)| {
                match work(setting, &row.pair.name, contest, player) {
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

    /// The cells of a row: each contest with each of its players.
    fn cells<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a Contest, (&'a str, Skill))> {
        let contests = row.contests.iter().zip(&self.players.seats);
        contests.flat_map(|(contest, seats)| {
            let named = self.players.names.iter().zip(seats);
            named.filter_map(move |(name, bot)| Some((contest, (name.as_str(), (*bot)?))))
        })
    }

    /// Seconds for a game of every cell.
    fn seconds(&self) -> impl Iterator<Item = f64> {
        let cells = self.rows.iter().flat_map(|row| self.cells(row));
        cells.map(|(contest, (_, bot))| self.seconds_of(&contest.name, bot))
    }

    fn seconds_of(&self, contest: &str, bot: Skill) -> f64 {
        let first = self.rows.first().map_or(&[][..], |row| &row.contests);
        let mut paces = first.iter().zip(&self.players.paces);
        let pace = paces.find(|(one, _)| one.name == contest);
        pace.map_or(0.0, |(_, pace)| pace.seconds(bot))
    }

    /// What will be played, and about how long that takes if a thread plays so many games of a cell.
    pub fn beforehand(&self, rounds: usize) -> String {
        let seconds: f64 = self.seconds().sum();
        format!(
            "The grid has {} cells of {} games: about {} if none of it is played yet and the machine has nothing else to do. --grid 0 leaves it out; Ctrl-C keeps what is done.",
            self.seconds().count(),
            self.games,
            progress::time(seconds * rounds as f64)
        )
    }

    fn grid(&self, setting: &Setting, cells: Vec<Cell>) -> Grid {
        let contests = self.rows.first().map_or(&[][..], |row| &row.contests);
        Grid {
            contests: contests
                .iter()
                .map(|contest| contest.name.clone())
                .collect(),
            plans: self.rows.iter().map(|row| row.pair.clone()).collect(),
            bots: self.players.names.clone(),
            players: self.players.told_apart(),
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
pub(super) fn sides(setting: &Setting, contest: &Contest) -> [cupola_kernel::Side; 2] {
    let env = contest.play.env();
    [0, 1].map(|i| {
        let id = setting.scenario.sides.get(i).map_or("", |side| &*side.side);
        env.side(id).unwrap_or(cupola_kernel::Side::BOTH[i])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_what_was_played_and_not_what_was_there() {
        let mut outlook = Outlook::new([10.0, 10.0, 40.0, 40.0].into_iter());
        assert_eq!((outlook.all, outlook.left()), ((4, 100.0), 100.0));
        // The first was there already: it says nothing of this machine.
        outlook.done(10.0, 0.1);
        assert_eq!(outlook.left(), 90.0);
        // This one took twice its time, and so will the others.
        outlook.done(10.0, 20.0);
        assert_eq!(outlook.left(), 160.0);
    }

    #[test]
    fn a_player_has_one_name_on_the_page() {
        let players = Players::usual(vec![Pace::default()]);
        let seats = players.told_apart().concat();
        let names = players.names.iter().cloned().map(Seat::Plays);
        assert_eq!(seats, names.collect::<Vec<Seat>>());
    }

    #[test]
    fn who_looks_ahead_is_left_out_where_games_are_too_long() {
        // corps20, blocks and blindswords of the first day, and gbacw.
        for decisions in [136, 1034, 3207] {
            for (nodes, most) in AHEAD.into_iter().zip(MOST) {
                let bot = affordable(nodes, decisions, most);
                assert_eq!(bot, Some(Skill::Search(nodes)), "{decisions}");
            }
        }
        assert_eq!(affordable(1000, 11_245, MOST[0]), None);
        assert_eq!(affordable(u32::MAX, u32::MAX, MOST[1]), None);
    }
}
