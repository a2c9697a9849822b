//! `cupola draw`: a picture of a position, as a seat sees it.

use crate::answer::Answer;
use crate::context::{Context, parse_seed};
use crate::keep::write_file;
use crate::situation;
use anyhow::{Context as _, bail};
use cupola_draw::MapRequest;
use cupola_ground::Battlefield;
use cupola_kernel::{Env, Game, Seat, Seed, Side};
use cupola_look::Faces;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola draw`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola draw game.cupola --svg game.svg          as one who sees all
  cupola draw game.cupola --seat us --png us.png  as the Union sees it
  cupola draw tests/cases/blocks/cone-of-fire.ron --png cone.png --width 2400
  cupola draw corps20/july1 --png start.png       as a scenario begins; its file, or a variant, will do as well

GAME is a saved game, a position file or a case; or a scenario or a variant, by name or file, as it begins. The counters are
those of the table in the browser.")]
pub struct Args {
    /// A saved game, a position file, a case, or whatever else can be played.
    game: PathBuf,
    /// Whose eyes: a side, `observer`, or `umpire`, who sees all.
    #[arg(long, value_name = "SEAT", default_value = "umpire")]
    seat: String,
    /// Under a variant: a name of data/variants, or a file; may be given several times. A saved game has its own.
    #[arg(long, value_name = "NAME|FILE")]
    variant: Vec<PathBuf>,
    /// Choose this first; may be given several times.
    #[arg(long, value_name = "ID")]
    choose: Vec<String>,
    /// The seed of dice that are rolled on the way.
    #[arg(long, value_name = "HEX", value_parser = parse_seed)]
    seed: Option<Seed>,
    /// Write an SVG.
    #[arg(long, value_name = "FILE", required_unless_present = "png")]
    svg: Option<PathBuf>,
    /// Write a PNG.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 2000)]
    width: u32,
}

/// Draws.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let game = situation::open_under(context, &args.game, &args.variant, &args.choose, args.seed)?;
    picture(context, &game, &args.seat, |request| {
        if let Some(path) = &args.svg {
            write_file(path, cupola_draw::svg(request).as_bytes())?;
            writeln!(out, "{}", path.display())?;
        }
        if let Some(path) = &args.png {
            let png = cupola_draw::png(request, args.width);
            write_file(path, &png.with_context(|| path.display().to_string())?)?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(Answer::Yes)
    })
}

/// What to draw of a game, as a seat sees it.
pub fn picture<T>(
    context: &Context,
    game: &Game,
    eyes: &str,
    draw: impl FnOnce(&MapRequest) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let env = game.table().env();
    let view = game.view(seat(env, eyes)?);
    let root = context.library.root().to_owned();
    let field = Battlefield::read(&root.join("battlefields").join(&env.board.battlefield))?;
    let faces = Faces::of(&context.library.ruleset_dir(&env.board.name))?.for_sides(env);
    let mut request = MapRequest::new(&field, &env.board);
    request.subtitle = Some(format!("{} · {}", env.board.title, view.turn.label));
    request.place(&view, &faces);
    draw(&request)
}

fn seat(env: &Env, name: &str) -> anyhow::Result<Seat> {
    match name {
        "umpire" => Ok(Seat::Umpire),
        "observer" => Ok(Seat::Observer),
        id => match env.side(id) {
            Some(side) => Ok(Seat::Player(side)),
            None => {
                let [first, second] = Side::BOTH.map(|side| env.sides[side].id.as_str());
                bail!("no seat \"{id}\"; there are {first}, {second}, observer and umpire")
            }
        },
    }
}
