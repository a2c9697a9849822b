//! `cupola check`: is everything in order?

use crate::answer::Answer;
use crate::check::{Checker, Line, Note};
use crate::context::Context;
use crate::tell::json_out;
use anyhow::bail;
use cupola_conformance::Settings;
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola check tests/cases                        run all cases in a folder
  cupola check data/                              ground, boards, armies, counters, turns, rulesets,
                                                  scenarios, variants: everything
  cupola check river.ron game.cupola my-variant.ron
  cupola check --ruleset corps20 --conformance    hold a ruleset to the suite

A file is told by its text: a case is run, a position is set up, a journal is replayed, a variant is
composed. All problems are told, each with file, line and field. Exit code 1 if anything is wrong.

JSON keys: ok, failed, skipped, results [what, kind, ok, text]")]
pub struct Args {
    /// Files and folders; without any, the data folder.
    paths: Vec<PathBuf>,
    /// Only this ruleset of a data folder.
    #[arg(long)]
    ruleset: Option<String>,
    /// Run the conformance suite on every scenario of the ruleset.
    #[arg(long, requires = "ruleset")]
    conformance: bool,
    /// Look as hard as for a release: minutes instead of seconds.
    #[arg(long, requires = "conformance")]
    full: bool,
    /// Tell what is played of a scenario, as the suite asks for in another process.
    #[arg(long, requires = "ruleset", hide = true, value_name = "SCENARIO")]
    digest: Option<String>,
    /// Print only what is wrong, and the count.
    #[arg(short, long)]
    quiet: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Leaves out what was told already: a mistake in the counters is one mistake, however many scenarios read them.
fn once(line: &mut Line, told: &mut BTreeSet<String>) {
    if line.ok != Some(false) {
        return;
    }
    let all: Vec<&str> = line.text.lines().collect();
    let new: Vec<&str> = all
        .iter()
        .copied()
        .filter(|text| told.insert((*text).to_owned()))
        .collect();
    line.text = match new.is_empty() {
        true => "as told above".to_owned(),
        false => new.join("\n"),
    };
}

/// Looks at what is named: files and folders, or a whole ruleset.
fn look(args: &Args, context: &mut Context, note: Note) -> anyhow::Result<()> {
    let mut checker = Checker::new(context, args.ruleset.clone());
    if args.conformance {
        let ruleset = args.ruleset.as_deref().unwrap_or_default();
        let settings = if args.full {
            Settings::full
        } else {
            Settings::standard
        };
        return checker.conformance(ruleset, settings, note);
    }
    let paths = if args.paths.is_empty() {
        vec![checker.data()]
    } else {
        args.paths.clone()
    };
    for path in &paths {
        if !path.exists() {
            bail!("{}: no such file or folder", path.display());
        }
        checker.path(path, note)?;
    }
    Ok(())
}

/// Checks.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let silent = args.quiet || args.json;
    let mut lines: Vec<Line> = vec![];
    let mut told = BTreeSet::new();
    let mut note = |mut line: Line, out: &mut dyn Write| -> anyhow::Result<()> {
        once(&mut line, &mut told);
        if !args.json && (!silent || line.ok == Some(false)) {
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        lines.push(line);
        Ok(())
    };
    if let Some(ruleset) = &args.ruleset
        && !context.library.rulesets().contains(ruleset)
    {
        // Nothing of that name is found wrong: that is no answer.
        context.known_played(ruleset)?;
    }
    if let (Some(scenario), Some(ruleset)) = (&args.digest, &args.ruleset) {
        let play = context.play(ruleset, scenario, None)?;
        cupola_conformance::tells_digest(&|| play.clone(), Settings::standard().seed);
        return Ok(Answer::Yes);
    }
    look(args, context, &mut |line| note(line, out))?;
    let count = |ok: Option<bool>| lines.iter().filter(|line| line.ok == ok).count();
    let (good, bad, skipped) = (count(Some(true)), count(Some(false)), count(None));
    if args.json {
        json_out(
            out,
            &json!({"ok": good, "failed": bad, "skipped": skipped, "results": lines}),
        )?;
    } else {
        let more = if skipped > 0 {
            format!(", {skipped} skipped")
        } else {
            String::new()
        };
        writeln!(out, "{good} in order, {bad} not{more}")?;
    }
    if lines.is_empty() {
        bail!("nothing to check there: no case, position, journal, variant or data folder");
    }
    Ok(Answer::from(bad == 0))
}
