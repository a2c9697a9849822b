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
    let space = args.name.replace('-', "_");
    let at = checkout.display().to_string();
    let filled = |text: &str| {
        let text = text.replace("SPACE", &space).replace("NAME", &args.name);
        text.replace("CHECKOUT", &at)
    };
    write_new(&folder.join("Cargo.toml"), &workspace(&checkout)?, out)?;
    for (file, text) in FILES {
        write_new(&folder.join(file), &filled(text), out)?;
    }
    // The same versions of everything: what was tested together is built together.
    std::fs::copy(checkout.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    writeln!(
        out,
        "Play it: cd {} && cargo run -- play variant.ron",
        folder.display()
    )?;
    Ok(Answer::Yes)
}

/// The workspace, with the profiles of Cupola's own: they are part of what must be equal.
fn workspace(checkout: &Path) -> anyhow::Result<String> {
    let own = std::fs::read_to_string(checkout.join("Cargo.toml"))?;
    let profiles = own.find("[profile.").map_or("", |at| &own[at..]);
    Ok(format!(
        "# Your rules, and Cupola with them in it.\n[workspace]\nresolver = \"3\"\nmembers = [\"rules\", \"library\", \"program\"]\n\n\
         # As Cupola itself is built.\n{profiles}"
    ))
}

/// What lies in the workspace.
const FILES: [(&str, &str); 10] = [
    ("rules/Cargo.toml", RULES_MANIFEST),
    ("rules/src/lib.rs", RULES),
    ("library/Cargo.toml", LIBRARY_MANIFEST),
    ("library/src/lib.rs", LIBRARY),
    ("program/Cargo.toml", PROGRAM_MANIFEST),
    ("program/src/main.rs", PROGRAM),
    ("program/src/bin/bare.rs", BARE),
    ("variant.ron", VARIANT),
    ("loaded.ron", LOADED),
    ("README.md", README),
];

const RULES_MANIFEST: &str = "\
[package]
name = \"NAME\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[dependencies]
cupola-kernel = { path = \"CHECKOUT/core/kernel\" }
";

const LIBRARY_MANIFEST: &str = "\
# The same rules as a shared library.
[package]
name = \"NAME-plugin\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[lib]
crate-type = [\"cdylib\"]

[dependencies]
cupola-plugin = { path = \"CHECKOUT/core/plugin\" }
NAME = { path = \"../rules\" }
";

const LIBRARY: &str = "\
//! Your rules as a shared library, for programs that were built here.
cupola_plugin::export!(SPACE::contribution);
";

const PROGRAM_MANIFEST: &str = "\
[package]
name = \"NAME-cupola\"
version = \"0.1.0\"
edition = \"2024\"
publish = false
default-run = \"NAME-cupola\"

[dependencies]
cupola = { path = \"CHECKOUT/hosts/cupola\" }
NAME = { path = \"../rules\" }
";

const PROGRAM: &str = "\
//! Cupola, with your rules in it.
use SPACE as _;

fn main() -> std::process::ExitCode {
    cupola::main()
}
";

const BARE: &str = "\
//! Cupola without your rules: it loads them with --plugin.
fn main() -> std::process::ExitCode {
    cupola::main()
}
";

const RULES: &str = "\
//! Rules of your own: a phase that any ruleset can play.
//!
//! `rehearsal` in Cupola's `tests/plugins` shows more: state of your own on the table and on units, and a combat system.

use cupola_kernel::{Fault, Phase, Step, Table};

/// A phase in which nothing happens. Give it something to do: ask with `Step::ask`, list the answers in `options`, carry
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
";

const VARIANT: &str = "\
// corps20 with a phase of your own, for the program that has it linked in.
(
    base: \"corps20\",
    name: \"NAME\",
    title: \"corps20 with NAME\",
    change: [
        add_phase(phase: \"SPACE.halt\", after: \"round-end\"),
    ],
)
";

const LOADED: &str = "\
// The same for a program that loads it as a shared library: `plugins` says which.
(
    base: \"corps20\",
    name: \"NAME-loaded\",
    title: \"corps20 with NAME\",
    plugins: [\"SPACE_plugin\"],
    change: [
        add_phase(phase: \"SPACE.halt\", after: \"round-end\"),
    ],
)
";

const README: &str = "\
# NAME

- `cargo run -- play variant.ron` is Cupola with your rules in it; `--release` makes it fast.
- `cargo build` makes the shared library as well, in `target/debug`. The program without your rules that is built beside it loads it,
  and no other does (the loader says in what two builds differ):
  `target/debug/bare --plugin target/debug play loaded.ron`.
- The rules are in `rules/src/lib.rs`. Cupola's book has a chapter on plugins and one on writing a ruleset.
";
