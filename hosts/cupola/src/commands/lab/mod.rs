//! `cupola lab`: the same battle under every ruleset, measured; and whether a change did anything.

mod club;
mod compare;
mod grid;
mod ladder;
mod merge;
mod pace;
mod progress;
pub mod queue;
mod shard;
mod sweep;
mod terms;
mod test;

use crate::answer::Answer;
use crate::commands::diff::between;
use crate::context::Context;
use crate::situation;
use crate::thing::Thing;
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
    /// Move values one at a time and see which of them matter.
    Sweep(sweep::Args),
    /// Play a variant against its base in pairs that share their luck, until it is clear whether they differ.
    Test(test::Args),
}

/// Runs a command of the lab.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &args.what {
        What::Compare(args) => compare::run(args, context, out),
        What::Ladder(args) => ladder::run(args, context, out),
        What::Merge(args) => merge::run(args, out),
        What::Sweep(args) => sweep::run(args, context, out),
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

/// Anything that can be resolved, ready to play the hours of a setting. None if it has no scenario for them.
fn played(context: &mut Context, setting: &Setting, what: &str) -> anyhow::Result<Option<Played>> {
    let thing = Thing::of(context, what)?;
    played_thing(context, setting, &thing)
}

fn played_thing(
    context: &mut Context,
    setting: &Setting,
    thing: &Thing,
) -> anyhow::Result<Option<Played>> {
    let own = thing.scenario.as_ref();
    let Some(scenario) = own.or_else(|| setting.scenario.played_as.get(&thing.ruleset)) else {
        return Ok(None);
    };
    let variant = thing.variant_with(context, &[])?;
    let play = match &thing.position {
        Some(position) => situation::play_at(context, position, variant.as_ref())?,
        None => context.play(&thing.ruleset, scenario, variant.as_ref())?,
    };
    Ok(Some(Played {
        title: context.library.title(&thing.ruleset, variant.as_ref())?,
        ruleset: thing.ruleset.clone(),
        variant: variant.map(|file| file.text),
        play,
    }))
}

/// A name for files and tables: of a path its end, and nothing that a folder would stumble over.
fn short_name(what: &str) -> String {
    let parts = what.split('+').map(|part| match part.ends_with(".ron") {
        true => Path::new(part)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy(),
        false => part.into(),
    });
    parts
        .collect::<Vec<_>>()
        .join("+")
        .replace(['/', '\\'], "-")
}

/// How many changes of a variant a report tells; `cupola diff` has them all.
const TOLD: usize = 12;

/// What a variant or position changes of its ruleset, in words, for a report; none for a ruleset itself.
fn changes(context: &mut Context, what: &str) -> anyhow::Result<Option<String>> {
    let thing = Thing::of(context, what)?;
    if thing.variant.is_none() && thing.position.is_none() {
        return Ok(None);
    }
    let base = match &thing.scenario {
        Some(scenario) => format!("{}/{scenario}", thing.ruleset),
        None => thing.ruleset.clone(),
    };
    let told = between(context, &base, what)?;
    let some: Vec<String> = told.iter().take(TOLD).map(ToString::to_string).collect();
    let more = match told.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Ok(Some(format!(
        "{what} is {base} with changes: {}{more}.",
        some.join("; ")
    )))
}

/// The hours that are asked for, or the earliest and shortest that all of some things cover.
fn hours(context: &mut Context, named: Option<&str>, things: &[&Thing]) -> anyhow::Result<Setting> {
    if let Some(name) = named {
        return Ok(Setting::read(&context.library, name)?);
    }
    let mut found: Vec<(bool, Setting)> = vec![];
    for name in cupola_lab::scenarios(&context.library) {
        let setting = Setting::read(&context.library, &name)?;
        let (mut covered, mut named) = (true, true);
        for thing in things {
            let of_hours = setting.scenario.played_as.get(&thing.ruleset);
            covered &= match &thing.scenario {
                None => of_hours.is_some(),
                Some(own) if of_hours == Some(own) => true,
                Some(own) => {
                    named = false;
                    let root = context.library.root_scenario(&thing.ruleset, own)?;
                    of_hours == Some(&root)
                }
            };
        }
        if covered {
            found.push((named, setting));
        }
    }
    // The battle that the rulesets were made for comes before all others, and hours that name a scenario before those of what it is
    // based on: a third day may be set up from the files of the whole battle.
    let homes = things
        .iter()
        .map(|thing| context.library.home(&thing.ruleset));
    let homes: Vec<String> = homes.collect::<Result<_, _>>()?;
    found.sort_by_key(|(named, setting)| {
        let span = &setting.scenario.span;
        let elsewhere = homes.iter().any(|home| *home != setting.battle.id);
        (elsewhere, !named, span.from.minutes(), span.to.minutes())
    });
    match found.into_iter().next() {
        Some((_, setting)) => Ok(setting),
        None => own_hours(context, things),
    }
}

/// The hours of things that no file has hours of, such as a ruleset of one's own: from their own first turn to their last.
fn own_hours(context: &mut Context, things: &[&Thing]) -> anyhow::Result<Setting> {
    let mut battles: Vec<String> = vec![];
    let mut plays = vec![];
    for thing in things {
        let scenario = thing.scenario(context)?;
        battles.push(context.library.battle_of(&thing.ruleset, &scenario)?);
        let variant = thing.variant_with(context, &[])?;
        let play = context.play(&thing.ruleset, &scenario, variant.as_ref())?;
        plays.push((thing.ruleset.clone(), play));
    }
    let battle = battles.first().cloned().unwrap_or_default();
    if battles.iter().any(|other| *other != battle) {
        let names: Vec<&str> = things.iter().map(|thing| thing.name.as_str()).collect();
        anyhow::bail!(
            "{} have no hours of a battle in common: they are of {}",
            names.join(" and "),
            battles.join(" and ")
        );
    }
    Ok(Setting::of_plays(&context.library, &battle, &plays)?)
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
