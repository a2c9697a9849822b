//! A scenario to begin with: another one with something changed, or the middle of a game.

use super::{plain_name, program, title, write_new};
use crate::answer::Answer;
use crate::context::{Context, editable};
use crate::situation::{self, Kind};
use anyhow::{Context as _, bail};
use cupola_data::{Problem, Source};
use cupola_kernel::{Journal, Variant};
use cupola_library::unstack;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola new scenario`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as buford-alone.
    name: String,
    /// The scenario that it changes: RULESET/SCENARIO.
    #[arg(long, value_name = "SCENARIO", required_unless_present = "from")]
    of: Option<String>,
    /// A saved game, and after how many choices it begins: game.cupola@40; where the game stands, if left out.
    #[arg(long, value_name = "GAME[@N]", conflicts_with = "of")]
    from: Option<String>,
    /// The file; where the ruleset has its scenarios, if left out: in the data folder, or in your own if that is the one inside
    /// the program.
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    context: &mut Context,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    plain_name(&args.name)?;
    let (ruleset, base, start) = match &args.from {
        Some(from) => opening(from, context)?,
        None => {
            let (ruleset, scenario) =
                context.which(args.of.as_deref().unwrap_or_default(), None)?;
            context.known_played(&ruleset)?;
            (ruleset, scenario, String::new())
        }
    };
    let library = &mut context.library;
    let battle = library.battle_of(&ruleset, &base)?;
    let path = match &args.to {
        Some(path) => path.clone(),
        None => {
            let folder = library.scenario_path(&ruleset, &base)?;
            let folder = folder.parent().map(Path::to_owned).unwrap_or_default();
            // Nobody edits the data folder inside the program: one's own is laid over it.
            let folder = match (editable(&folder), library.own_scenarios(&ruleset)) {
                (Err(_), Some(own)) => own,
                (refused, _) => refused.map(|()| folder)?,
            };
            folder.join(format!("{}.ron", args.name))
        }
    };
    write_new(
        &path,
        &text(&args.name, &ruleset, &base, &battle, &start),
        out,
    )?;
    let name = match args.to {
        None => Ok(args.name.clone()),
        Some(_) => library.bring_scenario(&ruleset, &path),
    };
    // What does not play is not left lying about.
    if let Err(problems) = name.and_then(|name| library.play(&ruleset, &name, None)) {
        let _ = std::fs::remove_file(&path);
        return Err(problems.into());
    }
    let name = match &args.to {
        None => args.name.clone(),
        Some(path) => path.display().to_string(),
    };
    let program = program(context);
    writeln!(
        out,
        "What it does: {program} diff {ruleset}/{base} {ruleset}/{name}"
    )?;
    writeln!(out, "Play it:      {program} play {ruleset}/{name}")?;
    Ok(Answer::Yes)
}

/// Ruleset and scenario of a game, and its choices up to where the new scenario starts.
fn opening(from: &str, context: &mut Context) -> anyhow::Result<(String, String, String)> {
    let (file, ply) = match from.rsplit_once('@') {
        Some((file, ply)) if !Path::new(from).is_file() => {
            let ply: usize = ply
                .parse()
                .with_context(|| format!("{from}: expected a number behind @"))?;
            (file, Some(ply))
        }
        _ => (from, None),
    };
    let source = Source::read(Path::new(file))?;
    if Kind::of(&source) != Kind::Journal {
        bail!(
            "{file}: expected a saved game; of a position file make a scenario with `position: (…)`"
        );
    }
    let (play, mut journal): (_, Journal) = situation::journal(context, &source)?;
    if let Some(homeless) = homeless(file, &journal, context) {
        return Err(homeless.into());
    }
    let count = journal.steps.len();
    if ply.is_some_and(|ply| ply > count) {
        bail!(
            "{file}: has {count} choices, there is no number {}",
            ply.unwrap_or_default()
        );
    }
    journal.steps.truncate(ply.unwrap_or(count));
    if journal.steps.iter().any(|step| !step.dice.is_empty()) {
        let message = "its dice were typed in, which a scenario cannot bring along";
        return Err(Problem::file(file, message).into());
    }
    // Every hash is compared: what was not played so is no opening.
    let session = cupola_kernel::Session::replay(&play, &journal, file)?;
    if session.game().decision().is_none() {
        bail!("{file}: the game is over there");
    }
    let mut start = under(context, &journal);
    if let Some(position) = &journal.position {
        start += &format!("    position: {},\n", inside(position));
    }
    let moves = journal.steps.iter();
    let moves: Vec<String> = moves
        .map(|step| format!("        {:?},\n", format!("{} {}", step.side, step.act)))
        .collect();
    start += &format!(
        "    // The game up to there; what follows has dice of its own.\n    opening: (seed: \"{}\", moves: [\n{}    ]),\n",
        journal.seed,
        moves.concat()
    );
    Ok((journal.ruleset, journal.scenario, start))
}

/// A game whose scenario stands in no data folder: nothing can be based on it.
fn homeless(file: &str, journal: &Journal, context: &Context) -> Option<Problem> {
    let (library, scenario) = (&context.library, &journal.scenario);
    let known = library.battle_of(&journal.ruleset, scenario).is_ok();
    if journal.scenario_text.is_none() || known {
        return None;
    }
    let message = format!(
        "its scenario \"{scenario}\" stands in no data folder, so nothing can be based on it"
    );
    let own = library.own_scenarios(&journal.ruleset);
    let hint = own.map(|own| format!("lay its file into {}", own.display()));
    Some(Problem::file(file, message).with_hint(hint.unwrap_or_default()))
}

/// The variants that a game was played under: by name where that is still the same, else whole.
fn under(context: &Context, journal: &Journal) -> String {
    let Some(text) = &journal.variant else {
        return String::new();
    };
    let each = unstack(&Source::new("the journal's variant", text.clone())).into_iter();
    let each = each.map(|file| {
        let name = file.ron::<Variant>().map(|variant| variant.name);
        let lines = |text: &str| {
            text.lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n")
        };
        let same = |name: &String| {
            let known = context.library.variant(name);
            known.is_ok_and(|known| lines(known.text.trim()) == lines(file.text.trim()))
        };
        match name.ok().filter(same) {
            Some(name) => format!("{name:?}"),
            None => {
                let root = cupola_data::Node::parse(&file.text);
                root.map_or(file.text.clone(), |root| root.text(&file.text).to_owned())
            }
        }
    });
    let each: Vec<String> = each.collect();
    format!(
        "    // The game was played under this.\n    under: [{}],\n",
        each.join(", ")
    )
}

/// A position without the names of its ruleset and scenario, which the scenario has already.
fn inside(position: &str) -> String {
    let source = Source::new("position", position);
    let root = cupola_data::Node::parse(position);
    let entries = root.as_ref().map_or(&[][..], |root| root.entries());
    let own = entries
        .iter()
        .filter(|entry| entry.key != "ruleset" && entry.key != "scenario");
    let fields: Vec<String> = own
        .map(|entry| {
            format!(
                "{}: {}",
                entry.key,
                cupola_data::plain(entry.node.text(&source.text))
            )
        })
        .collect();
    format!("({})", fields.join(", "))
}

fn text(name: &str, ruleset: &str, base: &str, battle: &str, start: &str) -> String {
    let hint = match start {
        "" => {
            "    // Any field of the scenario can stand here with another value: how long it lasts, how it is won.\n\
             \x20   // last: \"…\",\n\
             \x20   // Troops by their names in the army list, or by their counter's: who stands where, who comes when, who is not there.\n\
             \x20   // stand: {\"…\": \"HEX\"},\n\
             \x20   // arrive: {\"…\": (turn: \"TURN\", at: \"ENTRY\")},\n\
             \x20   // absent: [\"…\"],\n\
             \x20   // Whatever else is in the files, by its path, as in a variant; `cupola resolve` prints them all.\n"
        }
        _ => "",
    };
    format!(
        "\
// What if? A scenario of {ruleset} that is another one with something changed.
// Whatever is not named here is as in its base, and follows it when that changes.
(
    title: {title:?},
    battle: {battle:?},
    base: {base:?},
    why: \"\",
{hint}    change: [],
{start})
",
        title = title(name),
    )
}
