//! A variant to begin with.

use super::{plain_name, program, title, write_new};
use crate::answer::Answer;
use crate::commands::resolve;
use crate::context::Context;
use crate::thing::Thing;
use anyhow::{Context as _, bail};
use cupola_data::Source;
use cupola_kernel::{Composition, Stretch};
use cupola_library::{Resolved, stack};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola new variant`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as hard-marching.
    name: String,
    /// What it changes: a ruleset, RULESET/SCENARIO, or another variant.
    #[arg(long, value_name = "WHAT")]
    of: String,
    /// Write the overlay of printed numbers of a game that you own, into your own folder; it is played with --owner.
    #[arg(long)]
    owner: bool,
    /// The file; NAME.ron in this folder if left out.
    #[arg(long, value_name = "FILE", conflicts_with = "owner")]
    to: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    context: &mut Context,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    plain_name(&args.name)?;
    if args.owner {
        // The word means the program's own flag as well: but these numbers are yet to be written.
        context.owner = false;
    }
    let thing = Thing::of(context, &args.of)?;
    let resolved = thing.resolve(context)?;
    let path = match (&args.to, args.owner) {
        (Some(path), _) => path.clone(),
        (None, false) => PathBuf::from(format!("{}.ron", args.name)),
        (None, true) => {
            let user = context
                .library
                .user()
                .context("there is no folder of yours: set HOME")?;
            user.join("owner").join(format!("{}.ron", resolved.ruleset))
        }
    };
    let (example, was, to) = example(context, &thing, &resolved)?;
    // A variant names no scenario that others do not find.
    let named = thing.scenario.as_deref();
    let named = named.filter(|name| !context.library.is_brought(&thing.ruleset, name));
    let text = text(args, &resolved, named, (&example, was, to));
    write_new(&path, &text, out)?;
    let shown = path.display();
    let (of, ruleset) = (&args.of, &resolved.ruleset);
    if args.owner {
        writeln!(
            out,
            "Play with it: {} --owner play {ruleset}/{}",
            program(context),
            resolved.scenario
        )?;
    } else {
        let program = program(context);
        // What was begun from variants stands on top of them.
        let on_top = match resolved.variants.is_empty() {
            true => shown.to_string(),
            false => format!("{of}+{shown}"),
        };
        writeln!(out, "What it does:  {program} diff {of} {on_top}")?;
        writeln!(out, "Play it:       {program} play {on_top}")?;
        writeln!(
            out,
            "Did it matter: {program} lab test {of} {on_top} --out {}",
            args.name
        )?;
    }
    Ok(Answer::Yes)
}

/// A number of the counters that can be one more, or one less: path, what it is, what it may be.
fn example(
    context: &Context,
    thing: &Thing,
    resolved: &Resolved,
) -> anyhow::Result<(String, i64, i64)> {
    let volumes = resolved.shelf.volumes().iter();
    let mut volumes: Vec<_> = volumes.filter(|volume| volume.name != "terms").collect();
    volumes.sort_by_key(|volume| volume.name != "counters");
    for volume in volumes {
        let numbers = resolve::lines(volume).into_iter().filter_map(|line| {
            let house = line
                .origin
                .as_ref()
                .is_some_and(|origin| origin.starts_with("house"));
            let number: i64 = line
                .value
                .parse()
                .ok()
                .filter(|_| house && line.touch.is_none())?;
            Some((line.path, number))
        });
        // The first few will do: one of them moves, or the file is none to show.
        for (path, was) in numbers.take(6) {
            for to in [was + 1, was - 1] {
                let base = &resolved.ruleset;
                let text = format!(
                    "(base: {base:?}, name: \"x\", title: \"x\", change: [set(path: {path:?}, to: {to})])"
                );
                let own = thing.variant.iter().cloned();
                let all: Vec<Source> = own.chain([Source::new("x", text)]).collect();
                let library = &context.library;
                let tried = library.resolve(base, &resolved.scenario, stack(&all).as_ref());
                let sound = |tried: &Resolved| {
                    library
                        .underived(tried)
                        .is_ok_and(|wrong| wrong.iter().len() == 0)
                };
                if tried.is_ok_and(|tried| sound(&tried) && library.play_resolved(&tried).is_ok()) {
                    return Ok((path, was, to));
                }
            }
        }
    }
    bail!(
        "{} has no number of our own that could be changed",
        resolved.ruleset
    )
}

fn text(
    args: &Args,
    resolved: &Resolved,
    scenario: Option<&str>,
    (path, was, to): (&str, i64, i64),
) -> String {
    let (name, ruleset) = (&args.name, &resolved.ruleset);
    let more = more_changes(&resolved.composition);
    let side = &resolved.composition.sides[0].id;
    let scenario = scenario.map_or(String::new(), |scenario| {
        format!("    scenario: {scenario:?},\n")
    });
    let (about, owner, origin) = match args.owner {
        true => (
            "The printed numbers of a game that you own: they replace those of our own wherever you say --owner.",
            "    owner: true,\n",
            "printed(\"by the owner: counter sheet 1\")",
        ),
        false => (
            "What it is for, in a line that you will understand next year.",
            "",
            "house(\"what if it were otherwise?\")",
        ),
    };
    format!(
        "\
// {about}
//
// Every change names what it changes by its path: `cupola resolve {ruleset}` prints them all, with the values and where
// they come from. `was` guards against drift: if the file has changed, this is refused.
(
    base: {ruleset:?},
    name: {name:?},
    title: {title:?},
    why: \"\",
    battle: {battle:?},
{scenario}{owner}    change: [
        set(path: {path:?}, was: {was}, to: {to}, origin: {origin}),

        // More of the kind. Names may be short as long as only one thing can be meant.
        // shift(path: \"counters/side={side}/…\", by: 1),                several values at once
        // scale(path: \"counters/*/…\", percent: 150, most: 9),      half as much again, at most 9
        // add(path: \"tables/…\", entry: …),                         one more entry of a list
        // remove(path: \"counters/…\"),                              one entry less
{more}    ],
)
",
        title = title(name),
        battle = resolved.battle,
    )
}

/// Changes of the composition that could be made, to copy.
fn more_changes(composition: &Composition) -> String {
    let switch = composition.switches.iter().next();
    let switch = switch.map_or(String::new(), |(name, on)| {
        format!("        // switch(name: {name:?}, to: {}),\n", !on)
    });
    let removed = composition.phases().last();
    let removed = removed.map_or(String::new(), |last| {
        format!("        // remove_phase({last:?}),\n")
    });
    let moved = beside(composition);
    let moved = moved.map_or(String::new(), |(before, phase)| {
        format!("        // move_phase(phase: {phase:?}, before: {before:?}),\n")
    });
    format!("{switch}{removed}{moved}")
}

/// Two phases that could change places: both of a player turn, or both once for both sides.
fn beside(composition: &Composition) -> Option<(&str, &str)> {
    let turns = composition.sequence.iter().rev();
    let mut turns = turns.filter_map(|stretch| match stretch {
        Stretch::Sides(names) => match names.as_slice() {
            [.., before, last] => Some((before.as_str(), last.as_str())),
            _ => None,
        },
        Stretch::Once(_) => None,
    });
    let mut pairs = composition.sequence.windows(2).rev();
    turns.next().or_else(|| {
        pairs.find_map(|pair| match pair {
            [Stretch::Once(before), Stretch::Once(last)] => Some((before.as_str(), last.as_str())),
            _ => None,
        })
    })
}
