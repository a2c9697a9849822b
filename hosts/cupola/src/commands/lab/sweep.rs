//! `cupola lab sweep`: which number matters?

use super::progress::interrupted;
use super::{Plans, Work, parse_skill, played_thing};
use crate::answer::Answer;
use crate::commands::resolve;
use crate::context::Context;
use crate::keep::write_file;
use crate::tell::json_out;
use crate::thing::Thing;
use anyhow::{Context as _, bail};
use cupola_bots::Skill;
use cupola_data::{Source, Sourced};
use cupola_lab::sweep::{Games, Interaction, Knob, Sweep, beyond, effect};
use cupola_lab::{Contest, Figure, Metric, Record, Setting};
use cupola_library::{Resolved, stack};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `cupola lab sweep`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola lab sweep corps20 --value counters/heth/strength=1..4 --metric margin --out heth
  cupola lab sweep corps20/july1 --value counters/side=us/quality --metric winner --metric men-lost-cs --out quality
  cupola lab sweep corps20 --house tables --pairs 30 --out tables

A value is a path, as in a variant, and what to set it to: =1..4, =1,3,5, or nothing for one less and one more. A path that
leads to several values moves each by itself. --house takes all whole numbers of our own under a path.

All games share their dice with those of the base. Every interval holds with all others at once, whatever the number of
values and metrics. DIR gets index.html (a tornado chart for each metric), sweep.csv, and the games: the same command goes
on where it was.

JSON keys: base, scenario, player, plans [title], metrics [name, sentence, mean], pairs, alpha, knobs [path, was, origin, settings [value, effects
[metric, mean, interval, pairs, clear]]], interactions [first, second, beyond]")]
pub struct Args {
    /// What to sweep: a ruleset, RULESET/SCENARIO, a variant, a position; with variants on top after +.
    what: String,
    /// A value to move, and over what; may be given several times.
    #[arg(long, value_name = "PATH[=VALUES]")]
    value: Vec<String>,
    /// All whole numbers of our own under this path; may be given several times.
    #[arg(long, value_name = "PATH")]
    house: Vec<String>,
    /// The most values that --house takes.
    #[arg(long, value_name = "N", default_value_t = 40)]
    most: usize,
    /// What to look at, by name; may be given several times.
    #[arg(long, value_name = "METRIC", default_value = "winner")]
    metric: Vec<String>,
    /// Pairs for each setting of a value.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pairs: u32,
    /// The most that the chance may be that any of the intervals misses.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// How many of the strongest values are also moved two at once; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 3)]
    strongest: usize,
    /// The hours of the battle; the earliest and shortest if left out. A name of data/scenarios, or a file.
    #[arg(long, value_name = "NAME|FILE")]
    scenario: Option<String>,
    /// Who plays both sides.
    #[arg(long, value_name = "BOT", default_value = "steady", value_parser = parse_skill)]
    bot: Skill,
    /// The folder for page, table and games.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// As JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plans: Plans,
    #[command(flatten)]
    work: Work,
}

/// A value that is to be moved, and to what.
struct Wanted {
    path: String,
    was: i64,
    origin: String,
    to: Vec<i64>,
}

/// Sweeps.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    if !(args.alpha > 0.0 && args.alpha < 1.0) {
        bail!("--alpha {}: expected a chance between 0 and 1", args.alpha);
    }
    let thing = Thing::of(context, &args.what)?;
    let mut setting = super::hours(context, args.scenario.as_deref(), &[&thing])?;
    args.plans.put_into(&mut setting, context)?;
    let resolved = thing.resolve(context)?;
    let wanted = wanted(args, &resolved)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("{}: cannot be made", args.out.display()))?;
    let stop = interrupted()?;
    let mut bench = Bench {
        args,
        context,
        setting,
        thing,
        stop: &stop,
    };
    let Some(sweep) = bench.sweep(&wanted)? else {
        writeln!(out, "Stopped; the same command goes on where it was.")?;
        return Ok(Answer::No);
    };
    write_file(&args.out.join("sweep.csv"), sweep.csv().as_bytes())?;
    let page = args.out.join("index.html");
    write_file(&page, cupola_report::sweep_page(&sweep).as_bytes())?;
    if args.json {
        json_out(out, &sweep)?;
    } else {
        print(&sweep, out)?;
        writeln!(out, "The page lies at {}", page.display())?;
    }
    Ok(Answer::Yes)
}

/// The values that were asked for, each once.
fn wanted(args: &Args, resolved: &Resolved) -> anyhow::Result<Vec<Wanted>> {
    let mut all: Vec<Wanted> = vec![];
    let ask = |text: &str, to: Option<&str>, house: bool| -> anyhow::Result<Vec<Wanted>> {
        let found = numbers(resolved, text)?;
        let several = found
            .into_iter()
            .filter(|(_, _, origin)| !house || origin.starts_with("house"));
        several
            .map(|(path, was, origin)| {
                let to = settings(resolved, &path, was, to)?;
                Ok(Wanted {
                    path,
                    was,
                    origin,
                    to,
                })
            })
            .collect()
    };
    for text in &args.value {
        let (path, to) = cut(text);
        let found = ask(path, to, false).map_err(|lost| match text.rsplit_once('=') {
            // Values with a slip in them look like a step of the path.
            Some((path, values)) if numbers(resolved, path).is_ok_and(|all| !all.is_empty()) => {
                anyhow::anyhow!("{}", no_values(values))
            }
            _ => lost,
        })?;
        if found.is_empty() {
            bail!("--value {text}: there is no whole number");
        }
        all.extend(found);
    }
    for path in &args.house {
        let found = ask(path, None, true)?;
        if found.is_empty() {
            bail!("--house {path}: there is no whole number of our own");
        }
        if found.len() > args.most {
            let (count, most) = (found.len(), args.most);
            bail!(
                "--house {path}: {count} numbers, more than {most}; name a narrower path, or more with --most {count}"
            );
        }
        all.extend(found);
    }
    if all.is_empty() {
        bail!(
            "sweep what? Name values with --value or --house; `cupola resolve {}` shows their paths",
            args.what
        );
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    Ok(all)
}

/// The path and the values of `PATH=VALUES`; a path may have `=` in its steps.
fn cut(text: &str) -> (&str, Option<&str>) {
    let behind = text.rsplit_once('=').filter(|(_, values)| {
        let plain = |c: char| c.is_ascii_digit() || "-+.,".contains(c);
        !values.is_empty() && values.chars().all(plain)
    });
    match behind {
        Some((path, values)) => (path, Some(values)),
        None => (text, None),
    }
}

/// All whole numbers that a path leads to, or that stand under it: path, value, origin.
fn numbers(resolved: &Resolved, text: &str) -> anyhow::Result<Vec<(String, i64, String)>> {
    let spots = resolved.shelf.find(text).map_err(|lost| {
        let hint = lost.hint.map_or(String::new(), |hint| format!("; {hint}"));
        anyhow::anyhow!("{text}: {}{hint}", lost.message)
    })?;
    let mut found = vec![];
    for volume in resolved.shelf.volumes() {
        let own = spots.iter().filter(|spot| spot.volume.name == volume.name);
        let spans: Vec<_> = own.map(|spot| spot.span.clone()).collect();
        let values = cupola_data::values(&volume.source.text);
        for (value, line) in values.iter().zip(resolve::lines(volume)) {
            let inside = spans.iter().any(|span| span.contains(&value.at));
            if let (true, Ok(number)) = (inside, value.text.parse()) {
                found.push((line.path, number, line.origin.unwrap_or_default()));
            }
        }
    }
    Ok(found)
}

fn no_values(text: &str) -> String {
    format!("={text}: expected values such as =1..4 or =1,3,5")
}

/// What a value is set to: what was asked for, or one less and one more, as far as its range goes.
fn settings(
    resolved: &Resolved,
    path: &str,
    was: i64,
    to: Option<&str>,
) -> anyhow::Result<Vec<i64>> {
    let bad = || no_values(to.unwrap_or_default());
    let mut values: Vec<i64> = match to {
        None => {
            let least = if was >= 0 { 0 } else { i64::MIN };
            vec![was - 1, was + 1]
                .into_iter()
                .filter(|v| *v >= least)
                .collect()
        }
        Some(text) => match text.split_once("..") {
            Some((from, to)) => {
                let (from, to): (i64, i64) = (
                    from.parse().with_context(bad)?,
                    to.parse().with_context(bad)?,
                );
                if to < from || to.checked_sub(from).is_none_or(|many| many > 100) {
                    bail!("{}", bad());
                }
                (from..=to).collect()
            }
            None => text
                .split(',')
                .map(|v| v.parse().with_context(bad))
                .collect::<Result<_, _>>()?,
        },
    };
    values.retain(|value| *value != was);
    if to.is_none() {
        let ranges = resolved.composition.ranges.iter();
        for (_, Sourced((least, most), _)) in ranges.filter(|(pattern, _)| alike(pattern, path)) {
            values.retain(|value| (least..=most).contains(&value));
        }
    }
    Ok(values)
}

/// Whether a path is one that a pattern of a range means: the same file and the same last step.
fn alike(pattern: &str, path: &str) -> bool {
    let ends = |text: &str| -> Option<(String, String)> {
        let (file, _) = text.split_once('/')?;
        Some((file.to_owned(), text.rsplit('/').next()?.to_owned()))
    };
    ends(pattern) == ends(path)
}

/// How many things are asked of each metric: every setting of a value, and every two of the strongest. Whatever is told holds at
/// once, so that they share one chance of error.
fn questions(wanted: &[Wanted], strongest: usize) -> usize {
    let settings: usize = wanted.iter().map(|knob| knob.to.len()).sum();
    let strongest = strongest.min(wanted.len());
    settings + strongest * strongest.saturating_sub(1) / 2
}

struct Bench<'a> {
    args: &'a Args,
    context: &'a mut Context,
    setting: Setting,
    thing: Thing,
    stop: &'a AtomicBool,
}

impl Bench<'_> {
    /// The contest with some values set; an error if the rules refuse them.
    fn contest(&mut self, set: &[(&str, i64)]) -> anyhow::Result<Contest> {
        let mut names = vec!["base".to_owned()];
        let mut thing = Thing {
            name: self.thing.name.clone(),
            ruleset: self.thing.ruleset.clone(),
            scenario: self.thing.scenario.clone(),
            variant: self.thing.variant.clone(),
            position: None,
        };
        if let Some(position) = &self.thing.position {
            thing.position = Some(cupola_kernel::PositionFile {
                source: position.source.clone(),
                in_case: position.in_case,
            });
        }
        if !set.is_empty() {
            let name = |(path, value): &(&str, i64)| format!("{path}={value}");
            names = set.iter().map(name).collect();
            let changes = set
                .iter()
                .map(|(path, value)| format!("set(path: {path:?}, to: {value})"));
            let changes: Vec<String> = changes.collect();
            let (base, name) = (&thing.ruleset, names.join(" "));
            let text = format!(
                "(base: {base:?}, name: \"sweep\", title: {name:?}, change: [{}])\n",
                changes.join(", ")
            );
            let own = thing.variant.take().into_iter();
            let all: Vec<Source> = own.chain([Source::new("the sweep", text)]).collect();
            thing.variant = stack(&all);
        }
        let Some(played) = played_thing(self.context, &self.setting, &thing)? else {
            bail!(
                "{} has no scenario that covers {}",
                thing.name,
                self.setting.scenario.id
            );
        };
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || "-=+.".contains(c) {
                c
            } else {
                '-'
            }
        };
        let name: String = names.join("+").chars().map(plain).collect();
        let skills = [self.args.bot; 2];
        Ok(self
            .setting
            .contest(&name, played, skills, self.args.work.seed))
    }

    /// Plays the games of a contest; none if it was stopped.
    fn play(&self, contest: &Contest) -> anyhow::Result<Option<Vec<Record>>> {
        let games = self.args.pairs;
        let records = self
            .args
            .work
            .play(&self.args.out, contest, games, self.stop)?;
        Ok((!self.stop.load(Ordering::Relaxed)).then_some(records))
    }

    fn sweep(&mut self, wanted: &[Wanted]) -> anyhow::Result<Option<Sweep>> {
        let base = self.contest(&[])?;
        let metrics = self.metrics(&base)?;
        let Some(records) = self.play(&base)? else {
            return Ok(None);
        };
        let games = Games::new(&base, &records);
        let tests = questions(wanted, self.args.strongest) * metrics.len();
        let mut knobs = vec![];
        for knob in wanted {
            let Some(turned) = self.turn(knob, &games, &metrics, tests)? else {
                return Ok(None);
            };
            knobs.push(turned);
        }
        let told = |metric: &Metric| {
            let name = metric.name().to_owned();
            (name, metric.sentence(), games.mean(metric))
        };
        let mut sweep = Sweep {
            base: self.thing.name.clone(),
            scenario: self.setting.scenario.id.clone(),
            player: self.args.bot.to_string(),
            plans: self.setting.plan_pair("own").titles,
            metrics: metrics.iter().map(told).collect(),
            pairs: self.args.pairs,
            alpha: self.args.alpha,
            knobs,
            interactions: vec![],
        };
        sweep.sort();
        let Some(interactions) = self.interactions(&sweep, &games, &metrics, tests)? else {
            return Ok(None);
        };
        sweep.interactions = interactions;
        Ok(Some(sweep))
    }

    /// The metrics that were asked for.
    fn metrics(&self, base: &Contest) -> anyhow::Result<Vec<Metric>> {
        let sides = [0, 1].map(|i| {
            let side = self.setting.scenario.sides.get(i);
            side.map_or_else(String::new, |side| side.side.clone())
        });
        let names = self.args.metric.iter();
        let metrics: Result<_, String> = names
            .map(|name| Metric::parse(name, &sides, base))
            .collect();
        metrics.map_err(anyhow::Error::msg)
    }

    /// Plays every setting of a value against the base, each with its share of so many tests; none if it was stopped.
    fn turn(
        &mut self,
        knob: &Wanted,
        base: &Games,
        metrics: &[Metric],
        tests: usize,
    ) -> anyhow::Result<Option<Knob>> {
        let mut settings = vec![];
        for &value in &knob.to {
            let contest = match self.contest(&[(&knob.path, value)]) {
                Ok(contest) => contest,
                Err(why) => {
                    super::say(&format!("left out: {} = {value}: {why:#}", knob.path));
                    continue;
                }
            };
            let Some(changed) = self.play(&contest)? else {
                return Ok(None);
            };
            let changed = Games::new(&contest, &changed);
            let effects = metrics.iter();
            let effects =
                effects.map(|metric| effect(base, &changed, metric, self.args.alpha, tests));
            settings.push((value, effects.collect()));
        }
        Ok(Some(Knob {
            path: knob.path.clone(),
            was: knob.was,
            origin: knob.origin.clone(),
            settings,
        }))
    }

    /// The strongest values two at once, each set to what moved the first metric most, each with its share of so many tests.
    fn interactions(
        &mut self,
        sweep: &Sweep,
        base: &Games,
        metrics: &[Metric],
        tests: usize,
    ) -> anyhow::Result<Option<Vec<Interaction>>> {
        let strongest = sweep.knobs.iter().filter_map(|knob| {
            let reach = |effects: &Vec<cupola_lab::sweep::Effect>| {
                effects.first().map_or(0.0, |e| e.mean.abs())
            };
            let settings = knob.settings.iter();
            let best = settings.max_by(|a, b| reach(&a.1).total_cmp(&reach(&b.1)))?;
            // What does nothing alone is not worth the games.
            (reach(&best.1) > 0.0).then(|| (knob.path.clone(), best.0))
        });
        let strongest: Vec<(String, i64)> = strongest.take(self.args.strongest).collect();
        let pairs: Vec<(usize, usize)> = (0..strongest.len())
            .flat_map(|i| (i + 1..strongest.len()).map(move |j| (i, j)))
            .collect();
        let mut found = vec![];
        for (i, j) in pairs {
            let (first, second) = (&strongest[i], &strongest[j]);
            let sets: [Vec<(&str, i64)>; 3] = [
                vec![(&first.0, first.1)],
                vec![(&second.0, second.1)],
                vec![(&first.0, first.1), (&second.0, second.1)],
            ];
            let mut played = vec![];
            for set in &sets {
                let contest = match self.contest(set) {
                    Ok(contest) => contest,
                    Err(why) => {
                        super::say(&format!("left out: {} with {}: {why:#}", first.0, second.0));
                        break;
                    }
                };
                let Some(records) = self.play(&contest)? else {
                    return Ok(None);
                };
                played.push((contest, records));
            }
            let games: Vec<Games> = played.iter().map(|(c, r)| Games::new(c, r)).collect();
            if let [a, b, both] = games.as_slice() {
                let each = metrics.iter();
                let each =
                    each.map(|metric| beyond(base, [a, b], both, metric, self.args.alpha, tests));
                found.push(Interaction {
                    first: first.clone(),
                    second: second.clone(),
                    beyond: each.collect(),
                });
            }
        }
        Ok(Some(found))
    }
}

fn print(sweep: &Sweep, out: &mut dyn Write) -> anyhow::Result<()> {
    for (i, (name, sentence, base)) in sweep.metrics.iter().enumerate() {
        writeln!(
            out,
            "{name}: {sentence}; {} under {}",
            Figure(*base),
            sweep.base
        )?;
        let mut knobs: Vec<&Knob> = sweep.knobs.iter().collect();
        knobs.sort_by(|a, b| b.reach(i).total_cmp(&a.reach(i)));
        for knob in knobs {
            for (value, effects) in &knob.settings {
                let Some(effect) = effects.get(i) else {
                    continue;
                };
                let within = effect.within();
                let clear = if effect.clear { "*" } else { " " };
                writeln!(
                    out,
                    "  {clear} {:<44} {:>4} → {value:<4} {:+} ({within})",
                    knob.path,
                    knob.was,
                    Figure(effect.mean)
                )?;
            }
        }
        for pair in &sweep.interactions {
            let Some(effect) = pair.beyond.get(i) else {
                continue;
            };
            let (within, (a, x), (b, y)) = (effect.within(), &pair.first, &pair.second);
            let clear = if effect.clear { "*" } else { " " };
            writeln!(
                out,
                "  {clear} {a} → {x} and {b} → {y}: {:+} beyond their sum ({within})",
                Figure(effect.mean)
            )?;
        }
    }
    writeln!(
        out,
        "* beyond doubt: all intervals hold at once, but for {} in 100.",
        sweep.alpha * 100.0
    )?;
    writeln!(out, "Played by {}.", sweep.by())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_are_questions_too() {
        let wanted = |settings: &[usize]| -> Vec<Wanted> {
            let knob = |many: &usize| Wanted {
                path: String::new(),
                was: 0,
                origin: String::new(),
                to: vec![1; *many],
            };
            settings.iter().map(knob).collect()
        };
        assert_eq!(questions(&wanted(&[2, 2, 3]), 3), 7 + 3);
        assert_eq!(questions(&wanted(&[2, 2, 3, 1]), 0), 8);
        // There are no three of two.
        assert_eq!(questions(&wanted(&[2, 1]), 3), 3 + 1);
        assert_eq!(questions(&wanted(&[4]), 3), 4);
    }
}
