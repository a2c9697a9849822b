//! `cupola replay`: a journal played again.

use crate::answer::Answer;
use crate::context::Context;
use crate::situation;
use crate::tell::json_out;
use crate::terminal::{MusterRoll, Screen, event_text, size};
use anyhow::bail;
use cupola_data::{Source, visible};
use cupola_kernel::{Env, Event, Fought, Journal, Seat, Session, UnitId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
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

A journal played by other rules is refused, with what differs by file and field. Where only code or comments differ
the hashes decide. With --verify, a seed that was drawn among several must follow from their pledges.

JSON keys: ruleset, scenario, variant (its text), seed, drawn {by, ok, why}, seats, rules, differs, verified, decisions,
hash, verdict {winner, how, rule}, steps [step, side, act, hash, rolls [purpose, sides, value], fights [system,
attackers, defenders, hex, sum, modifiers [rule, label, value], outcome], events [kind, rule, text, numbers]]; with --at
also view.")]
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
        cut(&mut journal, at, &source.name)?;
    }
    let differs = play.identity().differences(&journal.rules);
    let differs: Vec<String> = differs.iter().map(ToString::to_string).collect();
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
            for told in situation::changed_since(context, &play, &journal).unwrap_or_default() {
                writeln!(out, "  {told}")?;
            }
            return Ok(Answer::No);
        }
    };
    let drawn = drawn(&session);
    if args.json {
        let mut value = as_json(args, &session);
        value["differs"] = json!(differs);
        json_out(out, &value)?;
    } else if args.at.is_some() {
        position(&session, context, out)?;
    } else {
        if !args.verify {
            story(&session, context, out)?;
        }
        verdict(&session, out)?;
        if !differs.is_empty() {
            let differs = differs.join("; ");
            writeln!(
                out,
                "it was not played by this program ({differs}), and comes to the same"
            )?;
        }
        if let Some((by, result)) = &drawn {
            match result {
                Ok(()) => writeln!(out, "the seed follows from what {by} pledged")?,
                Err(why) => writeln!(out, "the seed was drawn by {by}, but {why}")?,
            }
        }
    }
    let fair = drawn.is_none_or(|(_, result)| result.is_ok());
    Ok(Answer::from(fair || !args.verify))
}

/// Leaves out what was chosen after a decision of this number.
fn cut(journal: &mut Journal, at: usize, name: &str) -> anyhow::Result<()> {
    let count = journal.steps.len();
    if at > count {
        bail!("{name}: has {count} decisions, there is no number {at}");
    }
    journal.steps.truncate(at);
    Ok(())
}

/// Who had a hand in the seed, and whether it follows from what they pledged.
fn drawn(session: &Session) -> Option<(String, Result<(), String>)> {
    let journal = session.journal();
    let draw = journal.draw.as_ref()?;
    let by: Vec<&str> = draw.pledges().map(|(who, _)| who).collect();
    Some((by.join(", "), draw.verify(journal.seed)))
}

/// In how many choices the dice were typed in.
fn typed(session: &Session) -> usize {
    let steps = session.journal().steps.iter();
    steps.filter(|step| !step.dice.is_empty()).count()
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

/// What is told of each step, the first step's being at index 0.
fn per_step<'s, T: 's>(
    session: &Session,
    all: impl Iterator<Item = (usize, &'s T)>,
    tell: impl Fn(&T) -> Value,
) -> Vec<Vec<Value>> {
    let mut steps = vec![vec![]; session.journal().steps.len()];
    for (step, one) in all {
        if let Some(told) = step.checked_sub(1).and_then(|index| steps.get_mut(index)) {
            told.push(tell(one));
        }
    }
    steps
}

fn fight_json(env: &Env, fought: &Fought) -> Value {
    let ids = |units: &[UnitId]| -> Vec<&str> {
        let units = units.iter();
        units
            .map(|unit| env.units[usize::from(unit.0)].id.as_str())
            .collect()
    };
    json!({
        "system": fought.system,
        "attackers": ids(&fought.fight.attackers),
        "defenders": ids(&fought.fight.defenders),
        "hex": fought.fight.hex.map(|hex| env.board.label(hex)),
        "sum": fought.modifiers.sum(),
        "modifiers": fought.modifiers.0,
        "outcome": fought.outcome,
    })
}

fn steps_json(session: &Session) -> Value {
    let env = session.game().table().env();
    let rolls = per_step(session, session.rolls(), |roll| json!(roll));
    let fights = per_step(session, session.fights(), |fought| fight_json(env, fought));
    let steps = session.journal().steps.iter().zip(by_step(session));
    let told = steps.zip(rolls).zip(fights).enumerate();
    let told = told.map(|(index, (((step, events), rolls), fights))| {
        let events: Vec<Value> = events
            .iter()
            .map(
                |e| json!({"kind": e.kind, "rule": e.rule.0, "text": e.text, "numbers": e.numbers}),
            )
            .collect();
        json!({
            "step": index + 1, "side": step.side, "act": step.act, "hash": step.hash.to_string(),
            "typed": step.dice, "rolls": rolls, "fights": fights, "events": events,
        })
    });
    told.collect()
}

fn as_json(args: &Args, session: &Session) -> Value {
    let (journal, game) = (session.journal(), session.game());
    let view = game.view(Seat::Umpire);
    let drawn = drawn(session)
        .map(|(by, result)| json!({"by": by, "ok": result.is_ok(), "why": result.err()}));
    let seats: BTreeMap<&str, &str> = journal
        .seats
        .iter()
        .map(|(side, who)| (side.as_str(), who.as_str()))
        .collect();
    let mut value = json!({
        "ruleset": journal.ruleset,
        "scenario": journal.scenario,
        "variant": journal.variant,
        "seed": journal.seed.to_string(),
        "drawn": drawn,
        "seats": seats,
        "rules": journal.resolved().to_string(),
        "verified": true,
        "decisions": journal.steps.len(),
        "typed": typed(session),
        "hash": game.hash().to_string(),
        "verdict": view.verdict,
    });
    if !args.verify {
        value["steps"] = steps_json(session);
    }
    if args.at.is_some() {
        value["view"] = json!(view);
    }
    value
}

fn story(session: &Session, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let (journal, env) = (session.journal(), session.game().table().env());
    let paint = context.paint.of_sides(&context.library, env);
    for (index, (step, events)) in journal.steps.iter().zip(by_step(session)).enumerate() {
        let side = env
            .side(&step.side)
            .map_or(step.side.clone(), |side| paint.side(side, &step.side));
        writeln!(out, "{:>5} {side} {}", index + 1, visible(&step.act))?;
        for event in events {
            writeln!(out, "         {}", event_text(env, event))?;
        }
        dice(session, index + 1, out)?;
    }
    Ok(())
}

/// What counted in the fights of a step, and how the dice fell.
fn dice(session: &Session, step: usize, out: &mut dyn Write) -> anyhow::Result<()> {
    let fights = session.fights().filter(|(at, _)| *at == step);
    for (_, fought) in fights.filter(|(_, fought)| !fought.system.is_empty()) {
        let counts = fought.modifiers.0.iter();
        let counts: Vec<String> = counts
            .map(|modifier| format!("{} {:+}", modifier.label, modifier.value))
            .collect();
        let sum = fought.modifiers.sum();
        let counts = if counts.is_empty() {
            String::new()
        } else {
            format!(" {sum:+} ({})", counts.join(", "))
        };
        writeln!(
            out,
            "         {}{counts}: {}",
            fought.system, fought.outcome
        )?;
    }
    let rolls = session.rolls().filter(|(at, _)| *at == step);
    let rolls: Vec<String> = rolls
        .map(|(_, roll)| format!("{} {} of {}", roll.purpose, roll.value, roll.sides))
        .collect();
    if !rolls.is_empty() {
        let typed = !session.journal().steps[step - 1].dice.is_empty();
        let how = if typed { " (typed in)" } else { "" };
        writeln!(out, "         dice: {}{how}", rolls.join(", "))?;
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
    if typed(session) > 0 {
        writeln!(
            out,
            "in {} of them the dice were typed in, as they fell on a table: nobody can check those",
            typed(session)
        )?;
    }
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
        paint: context.paint.of_sides(&context.library, env),
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
