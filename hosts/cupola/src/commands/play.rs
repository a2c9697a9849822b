//! `cupola play`: a scenario in the terminal.

use crate::answer::Answer;
use crate::bots::{Sitter, seat};
use crate::context::{Context, fresh_seed, fresh_share, parse_seed};
use crate::situation::{self, Kind};
use crate::terminal::{MusterRoll, Terminal};
use crate::thing::Thing;
use anyhow::{Context as _, bail};
use cupola_bots::Skill;
use cupola_data::{Source, nearest};
use cupola_kernel::pledge::{Draw, Share};
use cupola_kernel::{BySide, Journal, PositionFile, Seed, Session, Side};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola play corps20/training                    the training battle: you have the first side, a bot the other
  cupola play corps20/gettysburg                  the whole of Gettysburg
  cupola play corps20 july1 --seat us=human       you have the Union
  cupola play corps20/july1 --seat cs=human --seat us=human     both at one keyboard
  cupola play corps20/july1 --seat cs=random --seat us=random --seed 1863 --autosave game.cupola
  cupola play corps20/july1 --variant no-rain --variant my.ron
  cupola play stuart-early                        a what-if, by its name
  cupola play corps20 my-scenario.ron             a scenario of your own, from its file
  cupola play --load game.cupola                  go on with a game
  cupola play --position river.ron                start from a situation set up by hand
  yes 1 | cupola play corps20/july1               answers may come from a pipe

Type `help` at the table. The map shows units by the letter of their side and a tag; `units` lists them.")]
pub struct Args {
    /// RULESET/SCENARIO, a scenario, a variant or a position, by name or file, or a ruleset followed by one of these.
    #[arg(value_name = "SCENARIO")]
    what: Option<String>,
    /// The scenario or its file, if the first word names the ruleset only.
    #[arg(value_name = "SCENARIO")]
    scenario: Option<String>,
    /// Who plays a side, by the side's short name: human, random, steady or search; may be given several times.
    #[arg(long, value_name = "SIDE=WHO")]
    seat: Vec<String>,
    /// The seed from which all dice follow; a fresh one if left out.
    #[arg(long, value_name = "HEX", value_parser = parse_seed)]
    seed: Option<Seed>,
    /// A share in the seed, of a side or of anybody, instead of a seed: WHO=HEX of 64 digits; may be given several
    /// times. The pledges are shown before the game, the shares stand in its journal.
    #[arg(long, value_name = "WHO=HEX", conflicts_with_all = ["seed", "load"])]
    share: Vec<String>,
    /// Play under a variant: a name of data/variants, or a file; may be given several times.
    #[arg(long, value_name = "NAME|FILE")]
    variant: Vec<PathBuf>,
    /// Start from a position file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what", "load"])]
    position: Option<PathBuf>,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what", "seed", "variant"])]
    load: Option<PathBuf>,
    /// Keep the game in this file as it goes on.
    #[arg(long, value_name = "FILE")]
    autosave: Option<PathBuf>,
    /// Say nothing but how it ended.
    #[arg(long)]
    quiet: bool,
}

/// Plays.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let draw = draw(args)?;
    let mut session = session(args, context, draw.as_ref())?;
    if let Some(draw) = draw {
        for (who, pledge) in draw.pledges() {
            writeln!(out, "{who} pledged {pledge}")?;
        }
        session.set_draw(draw);
    }
    let players = players(args, &session)?;
    let sides = &session.game().table().env().sides;
    let seats = sides
        .iter()
        .map(|(side, info)| (info.id.clone(), players[side].to_string()));
    let seats = seats.collect();
    session.set_seats(seats);
    let (seed, ruleset) = (session.journal().seed, session.journal().ruleset.clone());
    let bots = seat(context, &ruleset, session.game(), seed, players)?;
    let battle = session.game().table().board().battlefield.clone();
    let rolls = MusterRoll::new(
        session.game().table().env(),
        &context.library.battle(&battle)?.army,
    );
    let env = session.game().table().env();
    let paint = context.paint.of_sides(&context.library, env);
    let mut table = Terminal::new(session, players, bots, paint, out);
    table.rolls = rolls;
    table.quiet = args.quiet;
    table.autosave.clone_from(&args.autosave);
    table.play()
}

/// The draw of the seed among those who have a share in it, ourselves included.
fn draw(args: &Args) -> anyhow::Result<Option<Draw>> {
    if args.share.is_empty() {
        return Ok(None);
    }
    let mut shares = vec![("house", fresh_share()?)];
    for text in &args.share {
        let pair = text.split_once('=').and_then(|(who, share)| {
            let plain = !who.is_empty() && who.chars().all(char::is_alphanumeric);
            Share::parse(share)
                .filter(|_| plain)
                .map(|share| (who, share))
        });
        let (who, share) = pair.with_context(|| {
            format!("--share {text}: expected WHO=HEX, with 64 hexadecimal digits")
        })?;
        if shares.iter().any(|(known, _)| *known == who) {
            bail!("--share {text}: {who} has a share already");
        }
        shares.push((who, share));
    }
    let mut draw = Draw::among(shares.iter().map(|(who, _)| *who));
    for (who, share) in &shares {
        draw.pledge(who, share.pledge(who))?;
    }
    for (who, share) in &shares {
        draw.reveal(who, *share)?;
    }
    Ok(Some(draw))
}

fn session(args: &Args, context: &mut Context, draw: Option<&Draw>) -> anyhow::Result<Session> {
    if let Some(path) = &args.load {
        return situation::load(context, &Source::read(path)?);
    }
    let seed = match args.seed.or(draw.and_then(Draw::seed)) {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    if let Some(path) = &args.position {
        let source = Source::read(path)?;
        if Kind::of(&source) == Kind::Case {
            bail!(
                "{}: this is a case; put its `position` into a file of its own to play it",
                source.name
            );
        }
        let file = PositionFile {
            source,
            in_case: false,
        };
        let ruleset = file.header()?.ruleset;
        let variant = context.variants(&ruleset, &args.variant)?;
        let play = situation::play_at(context, &file, variant.as_ref())?;
        let variant = variant.map(|file| file.text);
        let journal = Journal::new(&play, &ruleset, variant, seed, Some(file.source.text));
        return Session::new(&play, journal).context("the position cannot be played");
    }
    let Some(first) = &args.what else {
        bail!(
            "play what? Name a scenario, such as corps20/gettysburg; `cupola list` shows them all"
        );
    };
    let name = match &args.scenario {
        None => first.clone(),
        Some(scenario) => {
            context.known_played(first)?;
            format!("{first}/{scenario}")
        }
    };
    let thing = Thing::of(context, &name)?;
    let variant = thing.variant_with(context, &args.variant)?;
    let play = thing.play(context, variant.as_ref())?;
    let variant = variant.map(|file| file.text);
    let journal = Journal::new(&play, &thing.ruleset, variant, seed, None);
    Session::new(&play, journal).with_context(|| format!("{name} cannot begin"))
}

fn players(args: &Args, session: &Session) -> anyhow::Result<BySide<Sitter>> {
    let env = session.game().table().env();
    let mut named: Vec<(String, Sitter)> = vec![];
    for seat in &args.seat {
        let (side, player) = seat
            .split_once('=')
            .with_context(|| format!("--seat {seat}: expected SIDE=WHO"))?;
        named.push((
            side.to_owned(),
            Sitter::parse(player).map_err(|why| anyhow::anyhow!("--seat {seat}: {why}"))?,
        ));
    }
    let mut players: BySide<Option<Sitter>> = BySide {
        first: None,
        second: None,
    };
    for (id, player) in named {
        let Some(side) = env.side(&id) else {
            let ids = Side::BOTH.map(|side| env.sides[side].id.as_str());
            let hint = nearest(&id, ids)
                .map_or(format!("there are {}", ids.join(" and ")), |near| {
                    format!("did you mean \"{near}\"?")
                });
            bail!("no side \"{id}\" in {}; {hint}", env.ruleset);
        };
        players[side] = Some(player);
    }
    if named_none(&players)
        && let Some(seats) = saved(session)
    {
        return Ok(seats);
    }
    // Whoever names one seat only leaves the other to the bot; whoever names none takes the first.
    Ok(match (players.first, players.second) {
        (None, None) => BySide {
            first: Sitter::Human,
            second: Sitter::Bot(Skill::Steady),
        },
        (first, second) => BySide {
            first: first.unwrap_or(Sitter::Bot(Skill::Steady)),
            second: second.unwrap_or(Sitter::Bot(Skill::Steady)),
        },
    })
}

fn named_none(players: &BySide<Option<Sitter>>) -> bool {
    players.iter().all(|(_, player)| player.is_none())
}

/// Who sat where when the game was saved, if it says so.
fn saved(session: &Session) -> Option<BySide<Sitter>> {
    let seats = &session.journal().seats;
    let env = session.game().table().env();
    let who = |side: Side| {
        let seat = seats.iter().find(|(id, _)| *id == env.sides[side].id);
        seat.and_then(|(_, who)| Sitter::parse(who).ok())
    };
    Some(BySide {
        first: who(Side::First)?,
        second: who(Side::Second)?,
    })
}
