//! `cupola lab compare`: every ruleset over the same hours.

use super::club::{self, ClubGames};
use super::grid::{Planned, sides};
use super::progress::interrupted;
use super::shard::Shard;
use super::{Plans, Work, parse_skill, played, queue};
use crate::answer::Answer;
use crate::context::Context;
use crate::keep::write_file;
use anyhow::{Context as _, bail};
use cupola_bots::Skill;
use cupola_lab::grid::Grid;
use cupola_lab::measure::{self, Measured, Past};
use cupola_lab::model::{Comparison, Findings};
use cupola_lab::{Contest, Record, Setting, each};
use cupola_report::tables::{self, Held};
use cupola_report::{Ground, page};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `cupola lab compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola lab compare gettysburg-july1 --games 20 --out report
  cupola lab compare gettysburg-july1 --ruleset blocks --ruleset no-rain --games 400 --out report
  cupola lab compare gettysburg-july1 --games 100 --club --out report

Writes DIR/index.html (one page, nothing else needed); games, luck-games, game-hours, game-figures, game-ground,
game-places, grid-games, hours, places, positions, grid and claims, each as .csv and .parquet; comparison.json;
headlines.ipynb, which computes the page's figures again; and under games/ the journals of the games that the page
cites. Ctrl-C keeps what is done; the same command goes on.")]
pub struct Args {
    /// The hours of the battle: a scenario of data/scenarios, or a file.
    scenario: String,
    /// A ruleset or variant; may be given several times. All that cover these hours if left out.
    #[arg(long = "ruleset", value_name = "NAME|FILE")]
    rulesets: Vec<String>,
    /// Games of each.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The folder for the page and the tables.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Who plays both sides.
    #[arg(long, value_name = "BOT", default_value = "steady", value_parser = parse_skill)]
    bot: Skill,
    /// Who plays the Union, or whichever side the scenario names first.
    #[arg(long, value_name = "BOT", value_parser = parse_skill)]
    first: Option<Skill>,
    /// Who plays the other side.
    #[arg(long, value_name = "BOT", value_parser = parse_skill)]
    second: Option<Skill>,
    /// Games for the luck index on either side, better against weaker; 0 to leave it out. A fifth of the
    /// games if left out.
    #[arg(long, value_name = "N")]
    luck: Option<u32>,
    /// Games of each cell of the grid: every ruleset by the scenario's plans and its other pairs of plans, with every
    /// --grid-bot. Four of a run of 50 games if left out, two more of one with twice as many, and so on; none of fewer
    /// than 50. 0 to leave it out.
    #[arg(long, value_name = "N", value_parser = parse_cell)]
    grid: Option<u32>,
    /// A player of the grid; may be given several times. steady, search:1000 and search:3000 if left out, the last two
    /// where games are not too long for them.
    #[arg(long = "grid-bot", value_name = "BOT", value_parser = parse_skill)]
    grid_bots: Vec<Skill>,
    /// Random games of each ruleset, as the floor beside every distance from the record; 0 to leave it out. As
    /// many as the grid has in a cell if left out.
    #[arg(long, value_name = "N")]
    floor: Option<u32>,
    /// Let workers play the games: the address of a PostgreSQL server, postgres://user@host/database, or a file
    /// that holds it; without one, CUPOLA_QUEUE. Start them with `cupola worker`.
    #[arg(long, value_name = "URL|@FILE", num_args = 0..=1)]
    queue: Option<Option<String>>,
    /// Play part K of N of the games only, and write no page: `lab merge` puts the parts together.
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, conflicts_with = "queue")]
    shard: Option<Shard>,
    /// Set the club's own finished games beside those of the bots: its file, the address of its database, or a folder
    /// of journals; the file of `cupola serve` if none is named.
    #[arg(long, value_name = "FILE|URL|DIR", num_args = 0..=1, conflicts_with = "shard")]
    club: Option<Option<String>>,
    #[command(flatten)]
    plans: Plans,
    #[command(flatten)]
    work: Work,
}

impl Args {
    /// How many games a thread plays one after the other, of so many games.
    pub(super) fn rounds(&self, games: u32) -> usize {
        let own = self.shard.unwrap_or_default().of(games).count();
        own.div_ceil(self.work.threads())
    }
}

/// Plays, measures, and writes the report.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut setting = Setting::read(&context.library, &args.scenario)?;
    args.plans.put_into(&mut setting, context)?;
    let (contests, mut notes) = contests(args, context, &setting)?;
    let (club, told) = match &args.club {
        Some(named) => club::read(named.as_deref(), &contests)?,
        None => (vec![], vec![]),
    };
    notes.extend(told);
    std::fs::create_dir_all(args.out.join("games"))
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let stop = interrupted()?;
    let planned = planned(args, context, &mut setting, &contests)?;
    if let Some(planned) = planned.as_ref().filter(|_| args.queue.is_none()) {
        super::say(&planned.beforehand(args.rounds(grid_games(args))));
    }
    if args.shard.is_some() {
        return play_shard(
            args,
            context,
            &mut setting,
            (&contests, planned.as_ref()),
            &stop,
            out,
        );
    }
    announce(args, context, &mut setting, &contests, planned.as_ref())?;
    let mut all = play_all(args, &setting, &contests, &stop)?;
    all.extend(club.iter().map(|club| Played::by_people(&setting, club)));
    let grid = match &planned {
        Some(planned) if !stop.load(Ordering::Relaxed) => {
            planned.play(args, &context.library, &mut setting, &stop)?
        }
        _ => None,
    };
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "Stopped; the same command goes on where it was.")?;
        return Ok(Answer::No);
    }
    let (comparison, held) = compared(args, &setting, &all, notes, grid)?;
    // The page cites games of the contests, and of those between better and weaker players.
    let lucky = all.iter().flat_map(|played| &played.lucky);
    let cited: Vec<&Contest> = contests.iter().chain(lucky.map(|of| &of.0)).collect();
    write(args, &setting, &all, &comparison, &held)?;
    write_games(args, &cited, &comparison)?;
    club::write_games(&args.out.join("games"), &club, &comparison)?;
    let page = args.out.join("index.html");
    writeln!(out, "The page lies at {}", page.display())?;
    Ok(Answer::Yes)
}

/// Plays the games of every contest, those for the luck index and the random ones; what there is of them if interrupted.
fn play_all<'a>(
    args: &Args,
    setting: &Setting,
    contests: &'a [Contest],
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Played<'a>>> {
    let mut all = vec![];
    for contest in contests {
        let records = play(args, setting, contest, args.games, stop)?;
        let lucky = play_for_luck(args, setting, contest, stop)?;
        let random = play(args, setting, &at_random(contest), floor_games(args), stop)?;
        all.push(Played {
            contest,
            records,
            lucky,
            random,
            people: None,
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(all)
}

/// Measures everything: the comparison, and who held which place when.
fn compared(
    args: &Args,
    setting: &Setting,
    all: &[Played],
    notes: Vec<String>,
    grid: Option<Grid>,
) -> anyhow::Result<(Comparison, Vec<Held>)> {
    let hours = measure::hours(&setting.scenario);
    let minutes: Vec<i32> = hours.iter().map(|(minute, _)| *minute).collect();
    let past = Past {
        army: &setting.battle.army,
        history: &setting.history,
        projection: &setting.ground.frame,
        scenario: &setting.scenario,
        bands: &setting.bands,
    };
    let boards = all.iter().map(|played| &*played.contest.play.env().board);
    let frame = measure::frame(boards);
    let pair = setting.plan_pair("own");
    let found = each(all, args.work.threads(), |played| {
        let measured = Measured::new(played.contest, &played.records, &minutes, &past);
        let mut found = played.with_luck(measured.findings(&played.records, &frame));
        match &played.people {
            Some(people) => found.players.clone_from(people),
            None => found.plans = pair.clone(),
        }
        if !played.random.is_empty() {
            let random = Measured::new(played.contest, &played.random, &minutes, &past);
            found.distance.random = Some(random.floor());
        }
        let name = &played.contest.name;
        let held = measured.held().into_iter();
        let held = held.map(|(game, place, hour, side)| (name.clone(), game, place, hour, side));
        (found, held.collect::<Vec<Held>>())
    });
    let (found, held): (Vec<Findings>, Vec<Vec<Held>>) = found.into_iter().unzip();
    let Some(first) = all.first() else {
        bail!("no ruleset covers {}", args.scenario);
    };
    let mut history = measure::recorded(&past, &first.contest.play.env().board, &minutes);
    measure::recorded_fronts(&mut history, &past, &frame, &minutes);
    let mut comparison = measure::compare(&setting.scenario, hours, frame, found, history, notes);
    comparison.grid = grid;
    Ok((comparison, held.concat()))
}

/// What was played of a contest.
struct Played<'a> {
    contest: &'a Contest,
    records: Vec<Record>,
    /// The better player on the first side, and on the second.
    lucky: Vec<(Contest, Vec<Record>)>,
    /// Games of random players, as the floor of every distance.
    random: Vec<Record>,
    /// The people who played them, by side of the scenario, if any: nobody knows their plans.
    people: Option<[String; 2]>,
}

impl<'a> Played<'a> {
    /// What a club has played.
    fn by_people(setting: &Setting, club: &'a ClubGames) -> Played<'a> {
        let sides = sides(setting, &club.contest);
        Played {
            contest: &club.contest,
            records: club.records.clone(),
            lucky: vec![],
            random: vec![],
            people: Some(club.players(sides)),
        }
    }

    /// Adds what the games between better and weaker players show.
    fn with_luck(&self, mut findings: Findings) -> Findings {
        if let [(first, of_first), (second, of_second)] = &self.lucky[..] {
            findings.luck = measure::luck(of_first, of_second);
            let played = [(first, &of_first[..]), (second, &of_second[..])];
            findings.witnesses.extend(measure::luck_witnesses(played));
        }
        findings
    }
}

/// What is played, and what is not and why.
fn contests(
    args: &Args,
    context: &mut Context,
    setting: &Setting,
) -> anyhow::Result<(Vec<Contest>, Vec<String>)> {
    let all = if args.rulesets.is_empty() {
        setting.scenario.played_as.keys().cloned().collect()
    } else {
        args.rulesets.clone()
    };
    let skills = [
        args.first.unwrap_or(args.bot),
        args.second.unwrap_or(args.bot),
    ];
    let (mut contests, mut notes): (Vec<Contest>, _) = (vec![], vec![]);
    for what in &all {
        match played(context, setting, what)? {
            Some(played) => {
                let name = super::short_name(what);
                if contests.iter().any(|contest| contest.name == name) {
                    bail!("{name} is named twice: a page has one column of each");
                }
                contests.push(setting.contest(&name, played, skills, args.work.seed));
                notes.extend(super::changes(context, what)?);
            }
            None if args.rulesets.is_empty() => {}
            None => bail!("{what} has no scenario that covers {}", setting.scenario.id),
        }
    }
    for ruleset in context.library.rulesets() {
        if !setting.scenario.played_as.contains_key(&ruleset) {
            notes.push(format!(
                "{ruleset} has no scenario for these hours and is left out."
            ));
        }
    }
    Ok((contests, notes))
}

/// Plays what is missing of a contest's games, here or through a queue.
pub(super) fn play(
    args: &Args,
    setting: &Setting,
    contest: &Contest,
    games: u32,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Record>> {
    let folder = args.out.join("games");
    match &args.queue {
        None => {
            let shard = args.shard.unwrap_or_default();
            args.work.play_shard(&folder, contest, games, shard, stop)
        }
        Some(named) => {
            let database = cupola_queue::address(named.as_deref())?;
            queue::gather(&database, &folder, setting, contest, games, stop)
        }
    }
}

/// Tells the workers of a queue of everything that will be wanted.
fn announce(
    args: &Args,
    context: &Context,
    setting: &mut Setting,
    contests: &[Contest],
    planned: Option<&Planned>,
) -> anyhow::Result<()> {
    let Some(named) = &args.queue else {
        return Ok(());
    };
    let mut queue = queue::Announcer::new(&cupola_queue::address(named.as_deref())?)?;
    for contest in contests {
        queue.tell(setting, contest, args.games)?;
        for seats in better_and_weaker(args, contest).into_iter().flatten() {
            queue.tell(setting, &seats, luck_games(args))?;
        }
        queue.tell(setting, &at_random(contest), floor_games(args))?;
    }
    planned.map_or(Ok(()), |planned| {
        planned.announce(&mut queue, &context.library, setting)
    })
}

/// The grid that is to be played; none if it is left out.
fn planned(
    args: &Args,
    context: &Context,
    setting: &mut Setting,
    contests: &[Contest],
) -> anyhow::Result<Option<Planned>> {
    let games = grid_games(args);
    if games == 0 {
        return Ok(None);
    }
    let bots = (&args.grid_bots[..], args.work.threads());
    Planned::new(&context.library, setting, contests, bots, games).map(Some)
}

/// Reads how many games a cell of the grid has: none, or as many as have an interval.
fn parse_cell(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(1) => Err("one game has no interval, so its grid tells nothing: 0 leaves it out".into()),
        Ok(games) if games <= 100_000 => Ok(games),
        _ => Err("expected 0, or 2 to 100000".into()),
    }
}

/// Games of a cell in a run of as many as make a grid worth its time, and how many more with twice as many: players who look ahead take
/// their time, and a grid has as many cells in a large run as in a small one. An even number: with an odd one, two threads would have
/// one of them idle at the end of every cell.
const CELL: u32 = 4;
const MORE: u32 = 2;
const WORTH: u32 = 50;

fn grid_games(args: &Args) -> u32 {
    args.grid.unwrap_or_else(|| cell_games(args.games))
}

/// Games of a cell in a run of so many games, unless told otherwise.
fn cell_games(games: u32) -> u32 {
    let doubled = (games / WORTH).checked_ilog2();
    doubled.map_or(0, |doubled| CELL + MORE * doubled)
}

fn floor_games(args: &Args) -> u32 {
    args.floor.unwrap_or_else(|| grid_games(args))
}

/// The same contest between players who choose at random.
fn at_random(contest: &Contest) -> Contest {
    Contest {
        name: format!("{}-random", contest.name),
        skills: [Skill::Random; 2],
        ..contest.clone()
    }
}

/// Plays a part of all games and writes no page.
fn play_shard(
    args: &Args,
    context: &Context,
    setting: &mut Setting,
    (contests, planned): (&[Contest], Option<&Planned>),
    stop: &AtomicBool,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    let mut games = 0;
    if let Some(planned) = planned {
        planned.play(args, &context.library, setting, stop)?;
    }
    let setting = &*setting;
    for contest in contests {
        games += play(args, setting, &at_random(contest), floor_games(args), stop)?.len();
        games += play(args, setting, contest, args.games, stop)?.len();
        let lucky = play_for_luck(args, setting, contest, stop)?;
        games += lucky
            .iter()
            .map(|(_, records)| records.len())
            .sum::<usize>();
        if stop.load(Ordering::Relaxed) {
            writeln!(out, "Stopped; the same command goes on where it was.")?;
            return Ok(Answer::No);
        }
    }
    writeln!(
        out,
        "{games} games of this part are in {}",
        args.out.display()
    )?;
    Ok(Answer::Yes)
}

fn luck_games(args: &Args) -> u32 {
    args.luck.unwrap_or(args.games.div_ceil(5))
}

/// Plays the better against the weaker on both sides; nothing if the luck index is left out.
fn play_for_luck(
    args: &Args,
    setting: &Setting,
    contest: &Contest,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<(Contest, Vec<Record>)>> {
    let mut played = vec![];
    for seats in better_and_weaker(args, contest).into_iter().flatten() {
        let records = play(args, setting, &seats, luck_games(args), stop)?;
        played.push((seats, records));
    }
    Ok(played)
}

/// The contests for the luck index: the better player on the first side, and on the second. None if it is left out.
fn better_and_weaker(args: &Args, contest: &Contest) -> Option<[Contest; 2]> {
    let [first, second] = contest.skills;
    let better = first.max(second);
    // The weaker player is one step down the ladder.
    let weaker = if better > Skill::Steady {
        Skill::Steady
    } else {
        Skill::Random
    };
    if luck_games(args) < 2 || better == weaker {
        return None;
    }
    let seats = [("first", [better, weaker]), ("second", [weaker, better])];
    Some(seats.map(|(name, skills)| Contest {
        name: format!("{}-luck-{name}", contest.name),
        skills,
        ..contest.clone()
    }))
}

/// Writes the page and the tables.
fn write(
    args: &Args,
    setting: &Setting,
    all: &[Played],
    comparison: &Comparison,
    held: &[Held],
) -> anyhow::Result<()> {
    let sides = [0, 1].map(|i| comparison.sides[i].0.as_str());
    let army = &setting.battle.army;
    let until = comparison.hours.last().map_or(i32::MAX, |hour| hour.0);
    let games = all.iter();
    let games = games.map(|p| {
        let mut games = tables::Games::new(p.contest, army, (sides, until), &p.records);
        if let Some(people) = &p.people {
            games.players.clone_from(people);
        }
        games
    });
    let games: Vec<tables::Games> = games.collect();
    let lucky = all.iter().flat_map(|played| &played.lucky);
    let lucky = lucky.map(|(contest, of)| tables::Games::new(contest, army, (sides, until), of));
    let lucky: Vec<tables::Games> = lucky.collect();
    let first = all.first().context("nothing was played")?;
    let board = first.contest.play.env().board.clone();
    let ground = Ground::draw(&setting.ground, &board, comparison)?;
    let all = [
        ("games", tables::games(sides, &games)),
        ("luck-games", tables::games(sides, &lucky)),
        ("game-hours", tables::game_hours(comparison, &games)),
        ("game-figures", tables::game_figures(comparison)),
        ("game-ground", tables::game_ground(comparison)),
        ("game-places", tables::game_places(sides, held)),
        ("grid-games", tables::grid_games(comparison)),
        ("hours", tables::hours(comparison)),
        ("places", tables::places(comparison)),
        ("positions", tables::positions(comparison)),
        ("grid", tables::grid(comparison)),
        ("claims", tables::claims(comparison)),
    ];
    for (name, table) in all {
        write_file(
            &args.out.join(format!("{name}.csv")),
            table.csv().as_bytes(),
        )?;
        write_file(&args.out.join(format!("{name}.parquet")), &table.parquet()?)?;
    }
    let files = [
        ("index.html", page(comparison, &ground)),
        ("comparison.json", serde_json::to_string_pretty(comparison)?),
        ("headlines.ipynb", cupola_report::NOTEBOOK.to_owned()),
    ];
    for (name, text) in files {
        write_file(&args.out.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// Writes the journals of the games that are cited. They are played again for it, which takes as long as it
/// did: on all threads.
fn write_games(args: &Args, contests: &[&Contest], comparison: &Comparison) -> anyhow::Result<()> {
    let witnesses = comparison
        .contests
        .iter()
        .flat_map(|found| &found.witnesses);
    let wanted: BTreeSet<(&str, u32)> = witnesses
        .map(|witness| (witness.contest.as_str(), witness.game))
        .collect();
    let wanted: Vec<(&str, u32)> = wanted.into_iter().collect();
    let written = each(&wanted, args.work.threads(), |&(name, game)| {
        let Some(contest) = contests.iter().find(|contest| contest.name == name) else {
            return Ok(());
        };
        let file = format!("{name}-{game}.journal");
        let journal = contest.journal(game).map_err(anyhow::Error::msg)?;
        write_file(
            &args.out.join("games").join(file),
            journal.write().as_bytes(),
        )
    });
    written.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_grows_more_slowly_than_a_run() {
        let games = [49, 50, 99, 100, 200, 400, 1_000_000];
        assert_eq!(games.map(cell_games), [0, 4, 4, 6, 8, 10, 32]);
    }
}
