//! `cupola moves`: what may be chosen in a position.

use crate::answer::Answer;
use crate::context::{Context, parse_seed};
use crate::situation;
use crate::tell::json_out;
use cupola_kernel::view::{DecisionView, OptionView};
use cupola_kernel::{Game, Seat, Seed};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola moves`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola moves river.ron                          all legal choices
  cupola moves river.ron heth                     those with \"heth\" in them
  cupola moves river.ron --choose \"unit heth\"  what may be chosen after that
  cupola moves river.ron --why \"move heth 12.11\"

POSITION is a position file, a case, or a saved game; or a scenario or a variant, by name or file, as it begins. With --why the exit code is 0 if the choice is
offered and 1 if it is not.

JSON keys: side, question, prompt, rule, options [id, text, touches]; with --why: offered, rule, why.")]
pub struct Args {
    /// A position file, a case, a saved game, or whatever else can be played.
    position: PathBuf,
    /// Only options with this text in them.
    filter: Option<String>,
    /// Under a variant: a name of data/variants, or a file; may be given several times. A saved game has its own.
    #[arg(long, value_name = "NAME|FILE")]
    variant: Vec<PathBuf>,
    /// Choose this first; may be given several times.
    #[arg(long, value_name = "ID")]
    choose: Vec<String>,
    /// Say why this is not offered.
    #[arg(long, value_name = "ID")]
    why: Option<String>,
    /// The seed of dice that are rolled on the way.
    #[arg(long, value_name = "HEX", value_parser = parse_seed)]
    seed: Option<Seed>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Lists the options.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let game = situation::open_under(
        context,
        &args.position,
        &args.variant,
        &args.choose,
        args.seed,
    )?;
    if let Some(id) = &args.why {
        return why(args, &game, id, out);
    }
    let view = game.view(Seat::Umpire);
    let Some(mut decision) = view.decision else {
        if args.json {
            json_out(out, &serde_json::Value::Null)?
        } else {
            writeln!(out, "The game is over.")?
        }
        return Ok(Answer::No);
    };
    if let Some(text) = &args.filter {
        let text = text.to_lowercase();
        let has = |option: &OptionView| {
            format!("{} {}", option.id, option.text)
                .to_lowercase()
                .contains(&text)
        };
        decision.options.retain(has);
    }
    if args.json {
        json_out(out, &decision)?
    } else {
        print(&decision, out)?
    }
    Ok(Answer::from(!decision.options.is_empty()))
}

fn print(decision: &DecisionView, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{}: {} ({})",
        decision.side, decision.prompt, decision.rule
    )?;
    let longest = decision
        .options
        .iter()
        .map(|option| option.id.chars().count())
        .max()
        .unwrap_or(0);
    for option in &decision.options {
        writeln!(out, "  {:<longest$}  {}", option.id, option.text)?;
    }
    writeln!(out, "{} options", decision.options.len())?;
    Ok(())
}

fn why(args: &Args, game: &Game, id: &str, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let act = game.parse(id)?;
    let offered = game
        .decision()
        .is_some_and(|decision| decision.options.contains(&act));
    let refusal = game.why_not(act);
    if args.json {
        let (rule, why) = if offered {
            (None, None)
        } else {
            (Some(&refusal.rule.0), Some(&refusal.why))
        };
        json_out(
            out,
            &serde_json::json!({"offered": offered, "rule": rule, "why": why}),
        )?;
    } else if offered {
        writeln!(out, "\"{id}\" is offered.")?;
    } else {
        writeln!(out, "\"{id}\" is not offered: {refusal}")?;
    }
    Ok(Answer::from(offered))
}
