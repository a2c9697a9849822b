//! `cupola los`: what lies on the line between two hexes.

use crate::answer::Answer;
use crate::columns::{Align, Columns};
use crate::context::Context;
use crate::tell::{find_hex, json_out};
use cupola_ground::{Board, HexId, Touch};
use serde::Serialize;
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
    /// The ruleset on whose map to look.
    ruleset: String,
    /// From this hex: a label or a place.
    from: String,
    /// To this hex.
    to: String,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line {
    ruleset: String,
    from: String,
    to: String,
    distance: u32,
    metres: u32,
    ground_clear: bool,
    hexes: Vec<OnLine>,
}

#[derive(Serialize)]
struct OnLine {
    hex: String,
    touch: &'static str,
    terrain: String,
    level: i8,
    /// Metres.
    height: f64,
    /// How high the straight line passes there, in metres.
    line_height: f64,
}

/// Tells what lies on the line.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let battle = context.battle_of(&args.ruleset)?;
    let (board, _) = context.library.board(&args.ruleset, &battle)?;
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

fn trace(board: &Board, from: HexId, to: HexId) -> Line {
    let mut touched = vec![];
    board.line_touching(from, to, &mut touched);
    let (start, end) = (board.centre(from), board.centre(to));
    let length = start.distance(end).max(1);
    let (low, high) = (i64::from(board.height(from)), i64::from(board.height(to)));
    let sight = |hex: HexId| {
        let far = start.distance(board.centre(hex)).min(length);
        low + (high - low) * far / length
    };
    let between = |hex: HexId| hex != from && hex != to;
    let ground_clear = touched
        .iter()
        .filter(|(hex, touch)| between(*hex) && *touch == Touch::Through)
        .all(|(hex, _)| i64::from(board.height(*hex)) <= sight(*hex));
    let hexes = touched.iter().map(|&(hex, touch)| OnLine {
        hex: board.label(hex).to_owned(),
        touch: match touch {
            Touch::Through => "through",
            Touch::Edge => "edge",
            Touch::Corner => "corner",
        },
        terrain: board.cover(hex).to_string(),
        level: board.level(hex),
        height: f64::from(board.height(hex)) / 10.0,
        line_height: sight(hex) as f64 / 10.0,
    });
    Line {
        ruleset: board.name.clone(),
        from: board.label(from).to_owned(),
        to: board.label(to).to_owned(),
        distance: board.distance(from, to),
        metres: (start.distance(end) / 100) as u32,
        ground_clear,
        hexes: hexes.collect(),
    }
}
