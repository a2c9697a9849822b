//! `cupola bench`: random play on one thread, measured.

use crate::answer::Answer;
use crate::columns::thousands;
use crate::context::{Context, parse_seed};
use crate::tell::json_out;
use anyhow::{Context as _, bail};
use cpu_time::ThreadTime;
use cupola_kernel::{Game, Play, Seed};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `cupola bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola bench corps20
  cupola bench corps20 --scenario july1 --seconds 10 --json

  valgrind --tool=callgrind cupola bench corps20 --games 20

Random against random on one thread; time is the CPU time of that thread. Measure a release build.

JSON keys: ruleset, scenario, seconds, games, decisions, decisions_per_cpu_second, decisions_per_game,
options_mean, options_max, microseconds_per_fork, microseconds_per_new_game")]
pub struct Args {
    /// The ruleset.
    ruleset: String,
    /// The scenario; the ruleset's first if left out.
    #[arg(long)]
    scenario: Option<String>,
    /// Play under a variant: a name of data/variants, or a file; may be given several times.
    #[arg(long, value_name = "FILE")]
    variant: Vec<PathBuf>,
    /// How many seconds of CPU time to play.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Play exactly so many games instead: the same work every time, for those who count instructions.
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The seed of the first game.
    #[arg(long, value_name = "HEX", default_value = "1863", value_parser = parse_seed)]
    seed: Seed,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured {
    ruleset: String,
    scenario: String,
    seconds: f64,
    games: u64,
    decisions: u64,
    decisions_per_cpu_second: u64,
    decisions_per_game: f64,
    options_mean: f64,
    options_max: usize,
    microseconds_per_fork: f64,
    microseconds_per_new_game: f64,
    /// By verdict: how many games.
    ends: BTreeMap<String, u64>,
}

/// Measures.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    context.known_played(&args.ruleset)?;
    let first = context
        .library
        .scenarios(&args.ruleset)
        .into_iter()
        .next()
        .map(|scenario| scenario.name);
    let Some(scenario) = args.scenario.clone().or(first) else {
        bail!("{} has no scenario to play", args.ruleset);
    };
    let variant = context.variants(&args.ruleset, args.variant.as_slice())?;
    let play = context.play(&args.ruleset, &scenario, variant.as_ref())?;
    let report = measure(args, &play, scenario)?;
    if args.json {
        json_out(out, &report)?
    } else {
        print(&report, out)?
    }
    Ok(Answer::Yes)
}

/// A small fast generator for choices: what is measured is the kernel, not the bot.
struct Choices(u64);

impl Choices {
    fn new(seed: Seed) -> Choices {
        Choices(0x9e37_79b9_7f4a_7c15 ^ seed.0 as u64 | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * bound as u128) >> 64) as usize
    }
}

fn measure(args: &Args, play: &Play, scenario: String) -> anyhow::Result<Measured> {
    let mut choices = Choices::new(args.seed);
    let (mut games, mut decisions, mut options, mut most) = (0_u64, 0_u64, 0_u64, 0);
    let mut ends = BTreeMap::new();
    let limit = Duration::from_secs(args.seconds);
    let start = ThreadTime::now();
    let mut spent = Duration::ZERO;
    // Whole games only, so that early and late decisions weigh as they do in play.
    while args.games.map_or(spent < limit, |wanted| games < wanted) {
        let seed = args.seed.nth(games);
        let mut game = play
            .game(seed)
            .with_context(|| format!("game {games} cannot begin"))?;
        while let Some(decision) = game.decision() {
            let count = decision.options.len();
            let act = decision.options[choices.below(count)];
            decisions += 1;
            options += count as u64;
            most = most.max(count);
            game.apply_unchecked(act)
                .with_context(|| format!("game {games}, seed {seed}: the ruleset failed"))?;
        }
        let end = end_of(&game).with_context(|| {
            format!("game {games}, seed {seed}: nobody is asked, and it is not over")
        })?;
        *ends.entry(end).or_default() += 1;
        games += 1;
        spent = start.elapsed();
    }
    let seconds = spent.as_secs_f64();
    Ok(Measured {
        ruleset: play.env().ruleset.clone(),
        scenario,
        seconds,
        games,
        decisions,
        decisions_per_cpu_second: (decisions as f64 / seconds) as u64,
        decisions_per_game: decisions as f64 / games as f64,
        options_mean: options as f64 / decisions.max(1) as f64,
        options_max: most,
        microseconds_per_fork: forks(&half_way(play, args.seed)?),
        microseconds_per_new_game: each(200, || drop(play.game(args.seed))),
        ends,
    })
}

/// How a game ended, in words.
fn end_of(game: &Game) -> Option<String> {
    let verdict = game.verdict()?;
    let sides = &game.table().env().sides;
    let winner = verdict
        .winner
        .map_or("nobody", |side| sides[side].name.as_str());
    Some(format!("{winner}: {}", verdict.how))
}

/// A game that has come to life: most units are on the map. The same one however many games were played before, so that
/// the difference of two runs is what those games cost.
fn half_way(play: &Play, seed: Seed) -> anyhow::Result<Game> {
    let mut choices = Choices::new(seed);
    let mut game = play.game(seed)?;
    for _ in 0..100 {
        let Some(decision) = game.decision() else {
            break;
        };
        let act = decision.options[choices.below(decision.options.len())];
        game.apply_unchecked(act)?;
    }
    Ok(game)
}

/// The cost of copying a game into one that is at hand already.
fn forks(game: &Game) -> f64 {
    let mut pooled = game.fork();
    each(100_000, || {
        pooled.copy_from(game);
    })
}

/// Microseconds for one of many.
fn each(times: u32, mut what: impl FnMut()) -> f64 {
    let start = ThreadTime::now();
    (0..times).for_each(|_| what());
    start.elapsed().as_secs_f64() * 1e6 / f64::from(times)
}

fn print(report: &Measured, out: &mut dyn Write) -> anyhow::Result<()> {
    let Measured {
        ruleset,
        scenario,
        games,
        seconds,
        ..
    } = report;
    writeln!(
        out,
        "{ruleset}/{scenario}: {games} games, random against random, {seconds:.2} s of CPU time"
    )?;
    writeln!(
        out,
        "  {:>12} decisions per CPU second",
        thousands(report.decisions_per_cpu_second)
    )?;
    writeln!(
        out,
        "  {:>12.0} decisions per game",
        report.decisions_per_game
    )?;
    writeln!(
        out,
        "  {:>12.1} options per decision, {} at most",
        report.options_mean, report.options_max
    )?;
    writeln!(
        out,
        "  {:>12.2} \u{b5}s per fork into a pooled copy",
        report.microseconds_per_fork
    )?;
    writeln!(
        out,
        "  {:>12.1} \u{b5}s per new game",
        report.microseconds_per_new_game
    )?;
    for (end, games) in &report.ends {
        writeln!(out, "  {:>12} won by {end}", thousands(*games))?;
    }
    if cfg!(debug_assertions) {
        writeln!(
            out,
            "This is a debug build; measure a release build: cargo run --release -- bench {ruleset}"
        )?;
    }
    Ok(())
}
