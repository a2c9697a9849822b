//! `cupola replay`: a journal played again.

use crate::answer::Answer;
use crate::context::Context;
use crate::situation;
use crate::table::{MusterRoll, Screen, event_line, size};
use crate::tell::json_out;
use anyhow::bail;
use cupola_data::Source;
use cupola_kernel::{Event, Seat, Session};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola replay game.cupola                       what happened, step by step
  cupola replay game.cupola --verify              only: is every hash as written?
  cupola replay game.cupola --at 40               the position after 40 decisions

Every hash is compared in any case; one that differs is told with its line, and the exit code is 1.

JSON keys: ruleset, scenario, variant, seed, verified, decisions, hash, verdict {winner, how, rule},
steps [step, side, act, hash, events [kind, rule, text, numbers]]; with --at also view.")]
pub struct Args {
    /// The journal.
    file: PathBuf,
    /// Say only whether it holds.
    #[arg(long)]
    verify: bool,
    /// Show the position after this many decisions.
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Plays the journal again.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let source = Source::read(&args.file)?;
    let (play, mut journal) = situation::journal(context, &source)?;
    if let Some(at) = args.at {
        if at > journal.steps.len() {
            bail!(
                "{}: has {} decisions, there is no number {at}",
                source.name,
                journal.steps.len()
            );
        }
        journal.steps.truncate(at);
    }
    let session = match Session::replay(&play, &journal, &source.name) {
        Ok(session) => session,
        Err(problems) if args.json => {
            json_out(
                out,
                &json!({"verified": false, "error": problems.to_string()}),
            )?;
            return Ok(Answer::No);
        }
        Err(problems) => {
            writeln!(out, "{problems}")?;
            return Ok(Answer::No);
        }
    };
    if args.json {
        json_out(out, &as_json(args, &session))?;
    } else if args.at.is_some() {
        position(&session, context, out)?;
    } else {
        if !args.verify {
            story(&session, context, out)?;
        }
        verdict(&session, out)?;
    }
    Ok(Answer::Yes)
}

/// The events of each step, the first step's being at index 0.
fn by_step(session: &Session) -> Vec<Vec<&Event>> {
    let mut steps = vec![vec![]; session.journal().steps.len()];
    for (step, event) in session.events(Seat::Umpire, 1) {
        if let Some(events) = step.checked_sub(1).and_then(|index| steps.get_mut(index)) {
            events.push(event);
        }
    }
    steps
}

fn as_json(args: &Args, session: &Session) -> Value {
    let (journal, game) = (session.journal(), session.game());
    let view = game.view(Seat::Umpire);
    let events = by_step(session);
    let steps = journal.steps.iter().zip(events).enumerate().map(|(index, (step, events))| {
        let events: Vec<Value> = events
            .iter()
            .map(|e| json!({"kind": e.kind, "rule": e.rule.0, "text": e.text, "numbers": e.numbers}))
            .collect();
        json!({"step": index + 1, "side": step.side, "act": step.act, "hash": step.hash.to_string(), "events": events})
    });
    let mut value = json!({
        "ruleset": journal.ruleset,
        "scenario": journal.scenario,
        "variant": journal.variant,
        "seed": journal.seed.to_string(),
        "verified": true,
        "decisions": journal.steps.len(),
        "hash": game.hash().to_string(),
        "verdict": view.verdict,
    });
    if !args.verify {
        value["steps"] = steps.collect();
    }
    if args.at.is_some() {
        value["view"] = json!(view);
    }
    value
}

fn story(session: &Session, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let (journal, env) = (session.journal(), session.game().table().env());
    let paint = context.paint.of_sides(env);
    for (index, (step, events)) in journal.steps.iter().zip(by_step(session)).enumerate() {
        let side = env
            .side(&step.side)
            .map_or(step.side.clone(), |side| paint.side(side, &step.side));
        writeln!(out, "{:>5} {side} {}", index + 1, step.act)?;
        for event in events {
            writeln!(out, "         {}", event_line(event))?;
        }
    }
    Ok(())
}

fn verdict(session: &Session, out: &mut dyn Write) -> anyhow::Result<()> {
    let (journal, game) = (session.journal(), session.game());
    let steps = journal.steps.len();
    writeln!(
        out,
        "{steps} decisions, every hash as written; the last is {}",
        game.hash()
    )?;
    match game.view(Seat::Umpire).verdict {
        Some(verdict) => {
            let env = game.table().env();
            let winner = verdict.winner.as_deref().and_then(|id| env.side(id));
            let winner = winner.map_or("nobody wins".into(), |side| {
                format!("{} wins", env.sides[side].name)
            });
            writeln!(out, "{winner}: {} ({})", verdict.how, verdict.rule)?;
        }
        None => writeln!(out, "the game is not over")?,
    }
    Ok(())
}

/// Shows where the game stands.
fn position(session: &Session, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = session.game();
    let view = game.view(Seat::Umpire);
    let env = game.table().env();
    let screen = Screen {
        env,
        view: &view,
        paint: context.paint.of_sides(env),
        rolls: &MusterRoll::default(),
    };
    let (width, height) = size();
    let lines = screen
        .header(width)
        .into_iter()
        .chain(screen.map(width, height.max(30), None))
        .chain(screen.key(width));
    for line in lines {
        writeln!(out, "{line}")?;
    }
    screen.units("", out)?;
    if let Some(decision) = &view.decision {
        let count = decision.options.len();
        writeln!(
            out,
            "{} is asked: {} ({}; {count} options)",
            decision.side, decision.prompt, decision.rule
        )?;
    }
    Ok(())
}
