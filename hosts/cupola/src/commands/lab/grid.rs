//! The grid of a comparison: every ruleset by every pair of plans and every player, some games of each.

use super::compare::{Args, play};
use super::queue::Announcer;
use super::{progress, say};
use cpu_time::ThreadTime;
use cupola_bots::Skill;
use cupola_lab::grid::{Cell, Grid, PlanPair, Seat};
use cupola_lab::{Contest, Played, Setting, each};
use cupola_library::Library;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The name of the scenario's own plans.
const OWN: &str = "own";

/// The players of a grid unless told otherwise: steady, and two who look ahead, the second four times as far.
const LEVELS: [&str; 3] = ["steady", "search, short", "search, long"];

/// Choices that the two who look ahead may try in a whole game. Rulesets ask for a hundred or for ten thousand decisions in a game: what
/// is the same for all is how much thought a game gets, a few seconds' and a quarter of a minute's.
const NODES: [u32; 2] = [1_000_000, 4_000_000];

/// Who may try fewer for one decision sees no second world and chooses as steady does, and that takes time too: such a player is left out.
const LEAST: u32 = 300;

/// How many choices may be tried for each of so many decisions, in a round number; none if that is too few.
fn budget(nodes: u32, decisions: u32) -> Option<Skill> {
    let each = nodes / decisions.max(1);
    let round = 10_u32.pow(each.checked_ilog10().unwrap_or(0));
    (each >= LEAST).then(|| Skill::Search(each / round * round))
}

/// What a game of a contest asks of those who play it: how many decisions, and how long they take here. Seconds are those of the
/// processor: what the machine does for others while the sample is played is not counted, and not foreseen either.
struct Pace {
    /// Decisions in the first game between steady players.
    decisions: u32,
    /// Seconds for that game.
    steady: f64,
    /// Seconds that those who look ahead take for a decision: each for himself, since who tries a tenth of the choices takes more than a
    /// tenth of the time.
    ahead: BTreeMap<Skill, f64>,
}

/// Does something, and tells how many seconds of the processor it took.
fn at_work<T>(work: impl FnOnce(ThreadTime) -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let done = work(start);
    (done, start.elapsed().as_secs_f64())
}

/// For how long the pace of one who looks ahead is taken.
const WATCHED: Duration = Duration::from_millis(800);

/// The contest with the same player on both sides.
fn by(contest: &Contest, skill: Skill) -> Contest {
    Contest {
        skills: [skill; 2],
        ..contest.clone()
    }
}

/// Seconds that a player takes for a decision at the beginning of a game.
fn decides(contest: &Contest, skill: Skill) -> f64 {
    let mut asked = 0_u32;
    // A ruleset that fails here fails in its games, and is told of there.
    let (_, took) = at_work(|start| {
        by(contest, skill).retrace(0, |game, _, _| {
            let options = game.decision().map_or(0, |decision| decision.options.len());
            asked += u32::from(options > 1);
            start.elapsed() > WATCHED
        })
    });
    took / f64::from(asked.max(1))
}

impl Pace {
    fn of(contest: &Contest) -> Pace {
        let (kept, steady) = at_work(|_| by(contest, Skill::Steady).play(0).kept);
        let tallies = kept.snapshots.iter().flat_map(|at| &at.tally);
        Pace {
            decisions: tallies.map(|tally| tally.decisions).sum(),
            steady,
            ahead: BTreeMap::new(),
        }
    }

    /// About how many seconds a game of this player takes.
    fn seconds(&self, skill: Skill) -> f64 {
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

    /// Steady, and two who look ahead as far as the ruleset lets them in reasonable time.
    fn usual(paces: Vec<Pace>) -> Players {
        let seats = paces.iter().map(|pace| {
            let ahead = NODES.map(|nodes| budget(nodes, pace.decisions));
            [Some(Skill::Steady)].into_iter().chain(ahead).collect()
        });
        Players {
            names: LEVELS.map(str::to_owned).to_vec(),
            seats: seats.collect(),
            paces,
        }
    }

    /// With the pace of those who look ahead.
    fn timed(mut self, contests: &[Contest], threads: usize) -> Players {
        let seats = contests.iter().zip(&self.seats);
        let ahead = seats.flat_map(|(contest, seats)| {
            let bots = seats.iter().flatten().copied();
            let ahead = bots.filter(|bot| matches!(bot, Skill::Search(_)));
            ahead.map(move |bot| (contest, bot))
        });
        let ahead: Vec<(&Contest, Skill)> = ahead.collect();
        let took = each(&ahead, threads, |(contest, bot)| decides(contest, *bot));
        for ((contest, bot), took) in ahead.into_iter().zip(took) {
            let at = contests.iter().position(|one| one.name == contest.name);
            if let Some(pace) = at.and_then(|at| self.paces.get_mut(at)) {
                pace.ahead.insert(bot, took);
            }
        }
        self
    }

    /// Who sits where, as the page tells it.
    fn told_apart(&self) -> Vec<Vec<Seat>> {
        let seat = |skill: &Option<Skill>| {
            skill.map_or(Seat::TooDear, |skill| Seat::Plays(skill.to_string()))
        };
        let contests = self.seats.iter();
        contests
            .map(|seats| seats.iter().map(seat).collect())
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

    /// A machine that does other work while the sample is played is no slower.
    #[test]
    fn time_in_which_others_work_is_not_counted() {
        let (_, slept) = at_work(|_| std::thread::sleep(Duration::from_millis(200)));
        assert!(slept < 0.1, "{slept}");
        let (_, worked) = at_work(|start| while start.elapsed() < Duration::from_millis(50) {});
        assert!((0.05..0.15).contains(&worked), "{worked}");
    }

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

    #[test]
    fn a_game_gets_the_same_thought_under_every_ruleset_or_none() {
        assert_eq!(budget(1_000_000, 153), Some(Skill::Search(6000)));
        assert_eq!(budget(1_000_000, 3207), Some(Skill::Search(300)));
        assert_eq!(budget(4_000_000, 1582), Some(Skill::Search(2000)));
        assert_eq!(budget(4_000_000, 14_310), None);
        assert_eq!(budget(1_000_000, 0), Some(Skill::Search(1_000_000)));
    }
}
