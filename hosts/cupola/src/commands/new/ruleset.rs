//! A ruleset to begin with: data alone, made of common parts, that plays at once.

use super::{plain_name, title, write_new};
use crate::answer::Answer;
use crate::context::Context;
use anyhow::{Context as _, bail};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola new ruleset`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as my-game.
    name: String,
    /// The ruleset that it begins as: one that is data alone; the first there is, if left out.
    #[arg(long, value_name = "RULESET")]
    like: Option<String>,
    /// The data folder that it is written into; your own folder, if left out.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    plain_name(&args.name)?;
    let (library, name) = (&context.library, &args.name);
    let scaffold = library.new_ruleset(name, &title(name), args.like.as_deref())?;
    let data = match &args.to {
        Some(folder) => folder.clone(),
        None => {
            let own = library.user();
            own.context("there is no folder of yours: set HOME, or name one with --to")?
                .to_owned()
        }
    };
    let folder = data.join("rulesets").join(name);
    if folder.exists() {
        bail!(
            "{}: this is there already, and stays as it is",
            folder.display()
        );
    }
    for (place, text) in &scaffold.files {
        write_new(&folder.join(place), text, out)?;
    }
    let flag = args.to.as_ref().map_or_else(String::new, |folder| {
        format!(" --data {}", folder.display())
    });
    let scenario = &scaffold.scenario;
    writeln!(out, "\nplay it:   cupola{flag} play {name}/{scenario}")?;
    writeln!(
        out,
        "check it:  cupola{flag} check --ruleset {name} --conformance"
    )?;
    writeln!(out, "change it: {}", folder.join("rules.ron").display())?;
    Ok(Answer::Yes)
}
