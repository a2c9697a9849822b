//! `cupola lab`: the same battle under every ruleset, measured; and whether a change did anything.

mod compare;
mod grid;
mod ladder;
mod merge;
mod progress;
pub mod queue;
mod shard;
mod test;

use crate::answer::Answer;
use crate::context::Context;
use cupola_bots::Skill;
use cupola_data::Source;
use cupola_lab::{Contest, Played, Progress, Record, Setting, Store};
use shard::Shard;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Arguments of `cupola lab`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Play the same hours under every ruleset and write a page that lays them side by side.
    Compare(compare::Args),
    /// Let bots of different skill play each other, both sides, and count who wins.
    Ladder(ladder::Args),
    /// Put the games of several shards together, for `compare` to go on with.
    Merge(merge::Args),
    /// Play a variant against its base in pairs that share their luck, until it is clear whether they differ.
    Test(test::Args),
}

/// Runs a command of the lab.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &args.what {
        What::Compare(args) => compare::run(args, context, out),
        What::Ladder(args) => ladder::run(args, context, out),
        What::Merge(args) => merge::run(args, out),
        What::Test(args) => test::run(args, context, out),
    }
}

/// What long work of every kind can be told.
#[derive(Debug, clap::Args)]
pub struct Work {
    /// Threads; all of the machine's if left out. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// The seed from which those of all games follow.
    #[arg(long, value_name = "HEX", default_value = "1863", value_parser = crate::context::parse_seed)]
    seed: cupola_kernel::Seed,
}

impl Work {
    /// Plays what is missing of a contest's games, and keeps all of them in a folder.
    fn play(
        &self,
        folder: &Path,
        contest: &Contest,
        games: u32,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<Record>> {
        self.play_shard(folder, contest, games, Shard::default(), stop)
    }

    /// Plays what is missing of a shard's games, and keeps them in a file of the shard's own.
    fn play_shard(
        &self,
        folder: &Path,
        contest: &Contest,
        games: u32,
        shard: Shard,
        stop: &AtomicBool,
    ) -> anyhow::Result<Vec<Record>> {
        let file = folder.join(shard.file(&contest.name));
        let (mut store, records) = Store::open(&file, contest, say)?;
        let mut bar = progress::Bar::new(&*contest.name);
        let show = |progress: Progress| bar.show(progress.done, progress.wanted, progress.bad);
        let threads = self.threads();
        Ok(cupola_lab::run(
            contest,
            shard.of(games),
            threads,
            &mut store,
            records,
            stop,
            show,
        )?)
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}

/// Tells people something besides the answer.
fn say(text: &str) {
    eprintln!("{text}");
}

/// Plans that are put in the place of the scenario's own.
#[derive(Debug, clap::Args)]
pub struct Plans {
    /// A plan for one side instead of the scenario's own: a name or a file; may be given for each side.
    #[arg(long, value_name = "PLAN")]
    plan: Vec<String>,
}

impl Plans {
    fn put_into(&self, setting: &mut Setting, context: &Context) -> anyhow::Result<()> {
        for name in &self.plan {
            let file = PathBuf::from(name);
            let known = cupola_lab::plans(&context.library, &setting.scenario.battle);
            let path = if known.contains(name) {
                cupola_lab::plan_path(&context.library, &setting.scenario.battle, name)
            } else if file.is_file() {
                file
            } else {
                let hint = cupola_data::nearest(name, known.iter().map(String::as_str));
                let hint = hint.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                anyhow::bail!("no plan and no file \"{name}\"{hint}");
            };
            setting.put_plan(&Source::read(&path)?)?;
        }
        Ok(())
    }
}

fn parse_skill(text: &str) -> Result<Skill, String> {
    Skill::parse(text)
}

/// A ruleset, or a variant by its name or file, ready to play the hours of a setting. None if it has no
/// scenario for them.
fn played(context: &mut Context, setting: &Setting, what: &str) -> anyhow::Result<Option<Played>> {
    let (ruleset, variant) = ruleset_of(context, what)?;
    played_by(context, setting, ruleset, variant)
}

/// The same for a ruleset and a variant that were read already.
fn played_by(
    context: &mut Context,
    setting: &Setting,
    ruleset: String,
    variant: Option<Source>,
) -> anyhow::Result<Option<Played>> {
    let Some(scenario) = setting.scenario.played_as.get(&ruleset) else {
        return Ok(None);
    };
    let play = context.play(&ruleset, scenario, variant.as_ref())?;
    Ok(Some(Played {
        title: context.library.title(&ruleset, variant.as_ref())?,
        ruleset,
        variant: variant.map(|file| file.text),
        play,
    }))
}

/// The ruleset that a name or a variant's file stands for, and the variant.
fn ruleset_of(context: &Context, what: &str) -> anyhow::Result<(String, Option<Source>)> {
    let library = &context.library;
    if library.rulesets().iter().any(|name| name == what) {
        context.known_played(what)?;
        return Ok((what.to_owned(), None));
    }
    let named = library.root().join("variants").join(format!("{what}.ron"));
    let path = if named.is_file() {
        named
    } else {
        PathBuf::from(what)
    };
    if !Path::new(&path).is_file() {
        let mut known = library.rulesets();
        known.extend(library.variants());
        let near = cupola_data::nearest(what, known.iter().map(String::as_str));
        let hint = near.map_or_else(
            || format!("there are {}", known.join(", ")),
            |near| format!("did you mean \"{near}\"?"),
        );
        anyhow::bail!("no ruleset, no variant and no file \"{what}\"; {hint}");
    }
    let file = Source::read(&path)?;
    let variant: cupola_kernel::Variant = file.ron()?;
    let known = library.rulesets();
    if !known.contains(&variant.base) {
        let problem = file.problem("base", format!("no ruleset \"{}\"", variant.base));
        let known = known.iter().map(String::as_str);
        return Err(problem.with_nearest(&variant.base, known).into());
    }
    Ok((variant.base, Some(file)))
}
