//! A plugin to begin with, in a workspace of its own anywhere on the disk.

use super::{plain_name, write_new};
use crate::answer::Answer;
use anyhow::bail;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola new plugin`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name, such as my-rules; also that of the folder.
    name: String,
    /// The checkout of Cupola to build with; the one that this program was built from, if left out.
    #[arg(long, value_name = "DIR")]
    cupola: Option<PathBuf>,
    /// The folder in which the workspace is made; this one if left out.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Where this program was built from.
const BUILT_FROM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub(super) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Answer> {
    plain_name(&args.name)?;
    let checkout = args
        .cupola
        .clone()
        .unwrap_or_else(|| PathBuf::from(BUILT_FROM));
    let known = checkout.join("core/kernel/Cargo.toml").is_file();
    let Some(checkout) = checkout.canonicalize().ok().filter(|_| known) else {
        bail!(
            "{}: this is no checkout of Cupola; name one with --cupola DIR",
            checkout.display()
        );
    };
    let folder = args.to.clone().unwrap_or_default().join(&args.name);
    if folder.exists() {
        bail!(
            "{}: this is there already, and stays as it is",
            folder.display()
        );
    }
    let crate_name = args.name.replace('-', "_");
    for (file, text) in [
        ("Cargo.toml", workspace(&checkout)?),
        ("rules/Cargo.toml", rules(&args.name, &checkout)),
        ("rules/src/lib.rs", RULES.replace("SPACE", &crate_name)),
        ("program/Cargo.toml", program(&args.name, &checkout)),
        ("program/src/main.rs", PROGRAM.replace("SPACE", &crate_name)),
        (
            "variant.ron",
            VARIANT
                .replace("SPACE", &crate_name)
                .replace("NAME", &args.name),
        ),
        (
            "README.md",
            README
                .replace("NAME", &args.name)
                .replace("SPACE", &crate_name),
        ),
    ] {
        write_new(&folder.join(file), &text, out)?;
    }
    // The same versions of everything: what was tested together is built together.
    std::fs::copy(checkout.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    writeln!(
        out,
        "Play it: cd {} && cargo run --release -- play variant.ron",
        folder.display()
    )?;
    Ok(Answer::Yes)
}

/// The workspace, with the profiles of Cupola's own: they are part of what must be equal.
fn workspace(checkout: &Path) -> anyhow::Result<String> {
    let own = std::fs::read_to_string(checkout.join("Cargo.toml"))?;
    let profiles = own.find("[profile.").map_or("", |at| &own[at..]);
    Ok(format!(
        "# Your rules, and Cupola with them in it.\n[workspace]\nresolver = \"3\"\nmembers = [\"rules\", \"program\"]\n\n\
         # As Cupola itself is built.\n{profiles}"
    ))
}

fn rules(name: &str, checkout: &Path) -> String {
    let at = checkout.display();
    format!(
        "\
[package]
name = {name:?}
version = \"0.1.0\"
edition = \"2024\"
publish = false

# `rlib` to be linked, `cdylib` to be loaded by a program that was built here.
[lib]
crate-type = [\"rlib\", \"cdylib\"]

[features]
# Exports the plugin from its shared library; never on when the crate is linked into a program.
library = [\"dep:cupola-plugin\"]

[dependencies]
cupola-kernel = {{ path = \"{at}/core/kernel\" }}
cupola-plugin = {{ path = \"{at}/core/plugin\", optional = true }}
"
    )
}

fn program(name: &str, checkout: &Path) -> String {
    let at = checkout.display();
    format!(
        "\
[package]
name = \"{name}-cupola\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[dependencies]
cupola = {{ path = \"{at}/hosts/cupola\" }}
{name} = {{ path = \"../rules\" }}
"
    )
}

const PROGRAM: &str = "\
//! Cupola, with your rules in it.
use SPACE as _;

fn main() -> std::process::ExitCode {
    cupola::main()
}
";

const RULES: &str = "\
//! Rules of your own: a phase that any ruleset can play.
//!
//! `rehearsal` in Cupola's `tests/plugins` shows more: state of your own on the table and on units, and a combat system.

use cupola_kernel::{Fault, Phase, Step, Table};

/// A phase in which nothing happens. Give it something to do: ask with `Step::Ask`, list the answers in `options`, carry
/// one out in `take`.
pub struct Halt;

impl Phase for Halt {
    fn name(&self) -> &'static str {
        \"halt\"
    }

    fn next(&self, _: &mut Table) -> Result<Step, Fault> {
        Ok(Step::Done)
    }
}

cupola_kernel::register! {
    space: \"SPACE\",
    rulesets: [],
    phases: [Halt],
    combats: [],
}

#[cfg(feature = \"library\")]
cupola_plugin::export!(contribution);
";

const VARIANT: &str = "\
// corps20 with a phase of your own. In the program that is built here it is linked in; anybody else's loads it as a
// shared library that he has allowed: add `plugins: [\"NAME\"]`.
(
    base: \"corps20\",
    name: \"NAME\",
    title: \"corps20 with NAME\",
    change: [
        add_phase(phase: \"SPACE.halt\", after: \"round-end\"),
    ],
)
";

const README: &str = "\
# NAME

- `cargo run --release -- play variant.ron` is Cupola with your rules in it.
- `cargo build --release -p NAME-cupola -p NAME --features NAME/library` makes the shared library as well; the program that
  this makes loads it with `--plugin`, and no other does: the loader says in what two builds differ.
- The rules are in `rules/src/lib.rs`; Cupola's book has a chapter on plugins and one on writing a ruleset.
";
