//! `cupola los`: what lies on the line between two hexes.

use crate::answer::Answer;
use crate::columns::{Align, Columns};
use crate::context::Context;
use crate::tell::{find_hex, json_out};
use cupola_look::trace;
use std::io::Write;

/// Arguments of `cupola los`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola los blindswords 2121 2418
  cupola los blocks R7 \"Devil's Den\" --json

The line runs from centre to centre, exactly; where it runs along a hexside both hexes count, and a hex
of which it touches a corner only is named as such. What of this blocks sight is the ruleset's to say;
`ground_clear` says whether the bare ground at the hexes' centres stays below the straight line.

JSON keys: ruleset, from, to, distance, metres, ground_clear,
hexes [hex, touch, terrain, level, height, line_height]")]
pub struct Args {
    /// The ruleset on whose map to look, or `ruleset/battle`.
    ruleset: String,
    /// From this hex: a label or a place.
    from: String,
    /// To this hex.
    to: String,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Tells what lies on the line.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let (ruleset, battle) = context.which_battle(&args.ruleset)?;
    let (board, _) = context.library.board(&ruleset, &battle)?;
    let (from, to) = (find_hex(&board, &args.from)?, find_hex(&board, &args.to)?);
    let line = trace(&board, from, to);
    if args.json {
        json_out(out, &line)?;
        return Ok(Answer::Yes);
    }
    let (hexes, metres) = (line.distance, line.metres);
    writeln!(
        out,
        "From {} to {} on {}: {hexes} hexes, {metres} m.",
        line.from, line.to, line.ruleset
    )?;
    let heads = [
        ("hex", Align::Left),
        ("line", Align::Left),
        ("terrain", Align::Left),
        ("level", Align::Right),
        ("ground m", Align::Right),
        ("line m", Align::Right),
    ];
    let mut columns = Columns::new(&heads);
    for hex in &line.hexes {
        let (ground, sight) = (
            format!("{:.1}", hex.height),
            format!("{:.1}", hex.line_height),
        );
        columns.row([
            hex.hex.clone(),
            hex.touch.into(),
            hex.terrain.clone(),
            hex.level.to_string(),
            ground,
            sight,
        ]);
    }
    columns.write(out, |row, line| {
        if row == 0 {
            context.paint.dim(line)
        } else {
            line.to_owned()
        }
    })?;
    let clear = if line.ground_clear {
        "stays below"
    } else {
        "rises above"
    };
    writeln!(
        out,
        "The bare ground {clear} the straight line; what blocks sight is for {} to say.",
        line.ruleset
    )?;
    Ok(Answer::Yes)
}
