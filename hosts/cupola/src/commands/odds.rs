//! `cupola odds`: the exact odds of the fights that can be chosen in a position.

use crate::answer::Answer;
use crate::context::{Context, parse_seed};
use crate::situation;
use crate::tell::{json_out, preview_out};
use cupola_engine::preview_json;
use cupola_kernel::{Act, Game, Preview, Seed};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola odds`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola odds river.ron                           every fight that can be chosen now
  cupola odds river.ron \"resolve 12.11\"           one of them
  cupola odds river.ron --choose \"attack heth reynolds\"

POSITION is a position file, a case, or a saved game. The odds come from the very code that resolves
the fight, run over every way the dice can fall.

JSON: a list of [id, text, sum, modifiers [rule, label, value], outcomes [text, weight], total].")]
pub struct Args {
    /// A position file, a case, or a saved game.
    position: PathBuf,
    /// The id of one option; otherwise all that lead to a fight.
    act: Option<String>,
    /// Under a variant: a name of data/variants, or a file; may be given several times. A saved game has its own.
    #[arg(long, value_name = "NAME|FILE")]
    variant: Vec<PathBuf>,
    /// Choose this first; may be given several times.
    #[arg(long, value_name = "ID")]
    choose: Vec<String>,
    /// The seed of dice that are rolled on the way.
    #[arg(long, value_name = "HEX", value_parser = parse_seed)]
    seed: Option<Seed>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Tells the odds.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let game = situation::open_under(
        context,
        &args.position,
        &args.variant,
        &args.choose,
        args.seed,
    )?;
    let fights = fights(args, &game)?;
    if args.json {
        let list: Vec<Value> = fights
            .iter()
            .map(|(act, preview)| entry(&game, *act, preview))
            .collect();
        json_out(out, &list)?;
    } else if fights.is_empty() {
        writeln!(
            out,
            "Nothing that can be chosen here is a fight yet; go on with --choose (`cupola moves` lists the ids)."
        )?;
    }
    if !args.json {
        for (act, preview) in &fights {
            writeln!(out, "{} ({})", game.text(*act), game.name(*act))?;
            preview_out(out, preview, "  ")?;
        }
    }
    Ok(Answer::from(!fights.is_empty()))
}

fn fights(args: &Args, game: &Game) -> anyhow::Result<Vec<(Act, Preview)>> {
    let acts = match &args.act {
        Some(id) => vec![game.parse(id)?],
        None => game
            .decision()
            .map_or(vec![], |decision| decision.options.to_vec()),
    };
    let fight = |act: Act| Some((act, game.preview(act)?));
    let found: Vec<_> = acts.into_iter().filter_map(fight).collect();
    if let (Some(id), true) = (&args.act, found.is_empty()) {
        anyhow::bail!(
            "\"{id}\" leads to no fight by itself; without an option's id all fights are told"
        );
    }
    Ok(found)
}

fn entry(game: &Game, act: Act, preview: &Preview) -> Value {
    let mut value = preview_json(preview);
    value["id"] = game.name(act).into();
    value["text"] = game.text(act).into();
    value
}
