//! `cupola list`: what there is to look at and to play.

use crate::answer::Answer;
use crate::context::Context;
use crate::tell::json_out;
use cupola_data::{Problems, Source};
use cupola_kernel::{Composition, Variant as Changes};
use cupola_library::Library;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola list
  cupola list --needs
  cupola list --json | jq -r '.rulesets[].name'
  cupola --plugin ./librehearsal.so list

What does not fit together is told below its name, as far as that can be seen from the names of its parts; `cupola check`
knows all of it.

JSON keys: data; rulesets [name, title, played, misfits, scenarios [name, title, battle]];
variants [name, base, title, file, misfits]; parts [kind, name, needs]; plugins [space, file]")]
pub struct Args {
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// What each phase and combat system needs where it is composed.
    #[arg(long)]
    needs: bool,
}

#[derive(Serialize)]
struct List {
    data: String,
    rulesets: Vec<Ruleset>,
    variants: Vec<Variant>,
    parts: Vec<Part>,
    plugins: Vec<Plugin>,
}

#[derive(Serialize)]
struct Ruleset {
    name: String,
    title: String,
    played: bool,
    /// What does not fit together in it.
    misfits: Vec<String>,
    scenarios: Vec<Scenario>,
}

#[derive(Serialize)]
struct Scenario {
    name: String,
    title: String,
    battle: String,
}

#[derive(Serialize)]
struct Variant {
    name: String,
    base: String,
    title: String,
    file: String,
    /// What does not fit together in it.
    misfits: Vec<String>,
}

#[derive(Serialize)]
struct Part {
    kind: &'static str,
    name: String,
    /// What it must find where it is composed.
    needs: Vec<String>,
}

#[derive(Serialize)]
struct Plugin {
    /// Its name space; absent for a library that lies there but was not loaded.
    space: Option<String>,
    file: String,
}

/// What `grid.ron` and `ruleset.ron` both say.
#[derive(Deserialize)]
struct Titled {
    title: String,
}

/// Prints the list.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let list = gather(context);
    if args.json {
        json_out(out, &list)?;
    } else if args.needs {
        print_needs(&list, context, out)?;
    } else {
        print(&list, context, out)?;
    }
    Ok(Answer::Yes)
}

fn gather(context: &Context) -> List {
    let library = &context.library;
    let names = library.rulesets().into_iter();
    let composed = names.filter_map(|name| Some((name.clone(), library.composed(&name)?)));
    let composed: Composed = composed.collect();
    let rulesets = library.rulesets().into_iter();
    let rulesets = rulesets.map(|name| ruleset(context, name, &composed));
    let variants = library.variants().into_iter();
    let variants = variants.map(|name| variant(context, name, &composed));
    let parts = library
        .registry()
        .names()
        .map(|(kind, name)| Part {
            kind,
            name: name.to_owned(),
            needs: library
                .registry()
                .needs(name)
                .map_or(vec![], |needs| needs.names().collect()),
        })
        .collect();
    let mut plugins: Vec<Plugin> = context
        .plugins
        .iter()
        .map(|plugin| Plugin {
            space: Some(plugin.space().to_owned()),
            file: plugin.path().display().to_string(),
        })
        .collect();
    for file in context.trusted.iter().flat_map(|folder| libraries(folder)) {
        let file = file.display().to_string();
        if plugins.iter().all(|known| known.file != file) {
            plugins.push(Plugin { space: None, file });
        }
    }
    List {
        data: library.root().display().to_string(),
        rulesets: rulesets.collect(),
        variants: variants.collect(),
        parts,
        plugins,
    }
}

/// Shared libraries in a folder, in order.
fn libraries(folder: &std::path::Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let ending = std::env::consts::DLL_EXTENSION;
    let mut found: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found
}

/// What can be played, by its name: the composition, and the file that says so.
type Composed = BTreeMap<String, (Composition, Source)>;

fn ruleset(context: &Context, name: String, composed: &Composed) -> Ruleset {
    let library = &context.library;
    let own = composed.get(&name);
    let played = library.is_played(&name);
    // What has a map only is called as its map is.
    let file = match played {
        true => Ok(library.ruleset_dir(&name).join("ruleset.ron")),
        false => map_of(library, &name),
    };
    let title = match own {
        Some((composition, _)) => Ok(composition.title.clone()),
        None => file.and_then(titled).map(|file| file.title),
    };
    // What cannot be played is not offered.
    let scenarios = if played {
        library.scenarios(&name)
    } else {
        vec![]
    };
    Ruleset {
        title: title.unwrap_or_else(|_| "(unreadable: try `cupola check`)".into()),
        played,
        misfits: told(own.map(|own| library.misfits(own, None))),
        scenarios: scenarios
            .into_iter()
            .map(|s| Scenario {
                name: s.name,
                title: s.title,
                battle: s.battle,
            })
            .collect(),
        name,
    }
}

fn titled(file: PathBuf) -> Result<Titled, Problems> {
    Ok(Source::read(&file)?.ron()?)
}

/// The grid of a ruleset's first battle.
fn map_of(library: &Library, ruleset: &str) -> Result<PathBuf, Problems> {
    let battle = library
        .battles(ruleset)
        .into_iter()
        .next()
        .unwrap_or_default();
    Ok(library.battle_dir(ruleset, &battle)?.join("grid.ron"))
}

fn variant(context: &Context, name: String, composed: &Composed) -> Variant {
    let file = context.library.variant_path(&name);
    let read = Source::read(&file).and_then(|source| Ok((source.ron::<Changes>()?, source)));
    let (base, title, misfits) = match read {
        Ok((variant, source)) => {
            let base = composed.get(&variant.base);
            let misfits = base.map(|base| context.library.misfits(base, Some((&variant, &source))));
            (variant.base, variant.title, told(misfits))
        }
        Err(problem) => {
            let unreadable = "(unreadable: try `cupola check`)".to_owned();
            ("?".to_owned(), unreadable, vec![problem.to_string()])
        }
    };
    Variant {
        name,
        base,
        title,
        file: file.display().to_string(),
        misfits,
    }
}

fn told(misfits: Option<Problems>) -> Vec<String> {
    let misfits = misfits.unwrap_or_default();
    misfits.iter().map(ToString::to_string).collect()
}

/// The first thing that does not fit, and how many more there are.
fn print_misfits(misfits: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some((first, more)) = misfits.split_first() {
        writeln!(out, "    does not fit: {first}")?;
        if !more.is_empty() {
            writeln!(out, "    … and {} more: try `cupola check`", more.len())?;
        }
    }
    Ok(())
}

fn print_needs(list: &List, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    for part in list.parts.iter().filter(|part| part.kind != "ruleset") {
        writeln!(out, "{} ({})", context.paint.bold(&part.name), part.kind)?;
        if part.needs.is_empty() {
            writeln!(out, "  nothing")?;
        }
        for need in &part.needs {
            writeln!(out, "  {need}")?;
        }
    }
    Ok(())
}

fn print(list: &List, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let paint = context.paint;
    writeln!(out, "{}", paint.bold("Rulesets"))?;
    for ruleset in &list.rulesets {
        let kind = if ruleset.played { "played" } else { "map only" };
        writeln!(out, "  {:<12} {:<9} {}", ruleset.name, kind, ruleset.title)?;
        print_misfits(&ruleset.misfits, out)?;
        for scenario in &ruleset.scenarios {
            let name = format!("{}/{}", ruleset.name, scenario.name);
            writeln!(out, "    {name:<24} {}", scenario.title)?;
        }
    }
    if !list.variants.is_empty() {
        writeln!(out, "{}", paint.bold("Variants"))?;
    }
    for variant in &list.variants {
        writeln!(
            out,
            "  {:<12} of {:<10} {}",
            variant.name, variant.base, variant.title
        )?;
        print_misfits(&variant.misfits, out)?;
    }
    if !list.plugins.is_empty() {
        writeln!(out, "{}", paint.bold("Plugins"))?;
    }
    for plugin in &list.plugins {
        let state = plugin.space.as_deref().unwrap_or("(not loaded)");
        writeln!(out, "  {state:<12} {}", plugin.file)?;
    }
    writeln!(
        out,
        "{}",
        paint.bold("Parts that compositions and variants can name")
    )?;
    for (kind, heading) in [("phase", "phases"), ("combat", "combat systems")] {
        let names = list
            .parts
            .iter()
            .filter(|part| part.kind == kind)
            .map(|part| part.name.as_str());
        writeln!(out, "  {heading}: {}", names.collect::<Vec<_>>().join(", "))?;
    }
    if let Some((ruleset, scenario)) = list
        .rulesets
        .iter()
        .find_map(|r| Some((&r.name, &r.scenarios.first()?.name)))
    {
        writeln!(
            out,
            "{}",
            paint.dim(&format!("Play one: cupola play {ruleset}/{scenario}"))
        )?;
    }
    Ok(())
}
