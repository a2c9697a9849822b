//! `cupola new`: something to begin with, that runs as it is and says what can be done with it.

mod battle;
mod plugin;
mod ruleset;
mod scenario;
mod variant;

use crate::answer::Answer;
use crate::context::Context;
use crate::keep::write_file;
use anyhow::bail;
use cupola_library::Library;
use std::io::Write;
use std::path::Path;

/// Arguments of `cupola new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola new variant hard-marching --of corps20
  cupola new variant mine --of blocks --owner     the printed numbers of a game that you own
  cupola new scenario buford-alone --of corps20/july1
  cupola new scenario last-stand --from game.cupola@40
  cupola new battle wheatfield                    the training field under a new name, to be changed
  cupola new ruleset my-game                      a game that is data alone, on the training field
  cupola new plugin my-rules                      a workspace with a plugin and Cupola with it linked in

Whatever is written runs as it is; its comments say what to change. Nothing that is there already is touched.")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// A variant: values, phases and switches changed.
    Variant(variant::Args),
    /// A scenario: another one with something changed, or the middle of a game.
    Scenario(scenario::Args),
    /// A battle: ground, armies and rules of another one under a new name.
    Battle(battle::Args),
    /// A ruleset: data alone, made of common phases and combat systems.
    Ruleset(ruleset::Args),
    /// A plugin: phases and combat systems of your own, in a workspace of your own.
    Plugin(plugin::Args),
}

/// Writes.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &args.what {
        What::Variant(args) => variant::run(args, context, out),
        What::Scenario(args) => scenario::run(args, context, out),
        What::Battle(args) => battle::run(args, context, out),
        What::Ruleset(args) => ruleset::run(args, context, out),
        What::Plugin(args) => plugin::run(args, out),
    }
}

/// The program's name for whoever is to call it again, with the data folder if that is not the one it finds by itself.
fn program(context: &Context) -> String {
    let root = context.library.root();
    let found = Library::find_root().ok();
    let inside = crate::context::is_inside(root);
    match found.as_deref() == Some(root) || inside {
        true => "cupola".to_owned(),
        false => format!("cupola --data {}", root.display()),
    }
}

/// The longest name: with the path and what is put behind it, file systems take it.
const LONGEST: usize = 60;

/// A name that can be a file's and a word's: letters, digits and hyphens, beginning with a letter.
fn plain_name(name: &str) -> anyhow::Result<()> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let expected = "expected a name of small letters, digits and hyphens, such as hard-marching";
    if name.is_empty() || !name.chars().all(letters) {
        bail!("\"{name}\": {expected}");
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || name.ends_with('-') {
        bail!("\"{name}\": {expected}, that begins with a letter and does not end with a hyphen");
    }
    if name.len() > LONGEST {
        bail!(
            "\"{name}\": a name of {} letters, expected {LONGEST} at most",
            name.len()
        );
    }
    Ok(())
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    if path.exists() {
        bail!(
            "{}: this is there already, and stays as it is",
            path.display()
        );
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)?;
    }
    write_file(path, text.as_bytes())?;
    writeln!(out, "{}", path.display())?;
    Ok(())
}

/// A name as people write it: `hard-marching` is “Hard marching”.
fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}
