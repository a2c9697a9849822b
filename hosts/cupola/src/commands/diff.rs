//! `cupola diff`: in what two sets of rules differ, in a designer's words.

use crate::answer::Answer;
use crate::context::Context;
use crate::keep::write_file;
use crate::situation::begin;
use crate::tell::json_out;
use crate::thing::Thing;
use cupola_kernel::Seed;
use cupola_library::{Resolved, Told, differences, displaced};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola diff`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola diff corps20 stuart-early
  cupola diff corps20/july1 corps20/july1+no-rain+my-variant.ron
  cupola diff no-rain early-recovery --html diff.html
  cupola diff corps20/july1 corps20/my-scenario.ron

Exit code 0 if there is nothing to tell, 1 if they differ.

JSON keys: first, second, differences [file, subject, field, was, to, origins [was, to]]")]
pub struct Args {
    /// A ruleset, RULESET/SCENARIO, a scenario, variant or position by name or file; with variants on top after +.
    first: String,
    /// What to compare it with.
    second: String,
    /// Write a page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Where counters stand does not depend on it.
const SEED: Seed = Seed(1863);

/// Compares.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let told = between(context, &args.first, &args.second)?;
    if let Some(path) = &args.html {
        let page = cupola_report::differences_page(&args.first, &args.second, &rows(&told));
        write_file(path, page.as_bytes())?;
        writeln!(out, "{}", path.display())?;
    } else if args.json {
        json_out(
            out,
            &json!({"first": args.first, "second": args.second, "differences": told}),
        )?;
    } else {
        print(&told, context, out)?;
    }
    Ok(Answer::from(told.is_empty()))
}

/// In what the second of two things differs from the first. Where one says no scenario, the other's is meant.
///
/// # Errors
/// Everything that is wrong with either.
pub fn between(context: &mut Context, first: &str, second: &str) -> anyhow::Result<Vec<Told>> {
    let (mut a, mut b) = (Thing::of(context, first)?, Thing::of(context, second)?);
    if a.ruleset == b.ruleset {
        a.scenario = a.scenario.or_else(|| b.scenario.clone());
        b.scenario = b.scenario.or_else(|| a.scenario.clone());
    }
    let (x, y) = (a.resolve(context)?, b.resolve(context)?);
    // What does not fit is told as for a game.
    let (one, other) = (
        context.library.play_resolved(&x)?,
        context.library.play_resolved(&y)?,
    );
    let mut told = differences(&x, &y);
    // Where hexes lie is said by the grid, and by the size of a hex among the terrain.
    let hexes = |rules: &Resolved| {
        ["grid", "terrain"].map(|name| rules.shelf.get(name).map(|file| file.source.text.clone()))
    };
    if a.ruleset == b.ruleset && hexes(&x) != hexes(&y) {
        // Another grid gives the same labels to other places.
        told.extend(displaced(&begin(&one, SEED)?, &begin(&other, SEED)?));
    }
    let start = |thing: &Thing| thing.position.as_ref().map(|file| file.source.text.clone());
    if start(&a) != start(&b) {
        let words = |thing: &Thing| match &thing.position {
            Some(file) => format!("in {}", file.source.name),
            None => "where the scenario does".to_owned(),
        };
        told.insert(
            0,
            Told {
                file: "rules".to_owned(),
                subject: "starts".to_owned(),
                field: String::new(),
                was: Some(words(&a)),
                to: Some(words(&b)),
                origins: None,
            },
        );
    }
    Ok(told)
}

/// The same for a page: file, whom it is about, what of it, what it was, what it is.
pub fn rows(told: &[Told]) -> Vec<[String; 5]> {
    let side = |value: &Option<String>, origin: Option<&String>| match (value, origin) {
        (Some(value), Some(origin)) => format!("{value} ({origin})"),
        (Some(value), None) => value.clone(),
        (None, _) => "—".to_owned(),
    };
    let row = |told: &Told| {
        let origins = told.origins.as_ref();
        [
            told.file.clone(),
            told.subject.clone(),
            told.field.clone(),
            side(&told.was, origins.map(|both| &both.0)),
            side(&told.to, origins.map(|both| &both.1)),
        ]
    };
    told.iter().map(row).collect()
}

fn print(told: &[Told], context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    if told.is_empty() {
        writeln!(out, "They are the same rules.")?;
    }
    let mut file = "";
    for told in told {
        if told.file != file {
            file = &told.file;
            writeln!(out, "{}", context.paint.bold(file))?;
        }
        writeln!(out, "  {told}")?;
    }
    Ok(())
}
