//! `cupola resolve`: the rules as they are played, with the origin of every value.

use crate::answer::Answer;
use crate::context::Context;
use crate::tell::json_out;
use crate::thing::Thing;
use cupola_data::{Node, values};
use cupola_kernel::{Shelf, Stretch, Touch, Volume};
use cupola_library::Resolved;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// Arguments of `cupola resolve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola resolve corps20                          all of it
  cupola resolve corps20/july1 counters/heth      one counter
  cupola resolve corps20+no-rain --house          which numbers are our own?
  cupola resolve stuart-early --changed           what does this variant do?
  cupola resolve corps20 --fields                 every field that its files may have, read off the types

WHAT is a ruleset, RULESET/SCENARIO, a variant's name or file, a position file; and variants on top of it, with + between
them. Each line has the path by which a variant changes the value, the value and where it comes from.

JSON keys: ruleset, scenario, battle, variants [name, title, file], turn [phases], combat, switches,
values [path, file, value, origin, changed {was, by, at}]")]
pub struct Args {
    /// What to print.
    what: String,
    /// Only values under this path, such as counters/heth.
    path: Option<String>,
    /// Not the values, but every field that each of its files may have.
    #[arg(long, conflicts_with_all = ["house", "changed", "path"])]
    fields: bool,
    /// Only numbers of our own.
    #[arg(long)]
    house: bool,
    /// Only what variants changed.
    #[arg(long)]
    changed: bool,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// A value with all that is known of it.
pub struct Line<'a> {
    /// The path by which a variant changes it.
    pub path: String,
    /// The value, in one line.
    pub value: String,
    /// Where it comes from.
    pub origin: Option<String>,
    /// The change that made it so.
    pub touch: Option<&'a Touch>,
}

/// Prints.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let thing = Thing::of(context, &args.what)?;
    if args.fields {
        return fields(args, context, &thing, out);
    }
    let resolved = thing.resolve(context)?;
    // What does not fit is told as for a game.
    context.library.play_resolved(&resolved)?;
    let chosen = args
        .path
        .as_deref()
        .map(|path| chosen(&resolved.shelf, path));
    let chosen = chosen.transpose()?;
    let mut all: Vec<(&Volume, Line)> = vec![];
    for volume in resolved.shelf.volumes() {
        let lines = lines(volume).into_iter().filter(|line| {
            let house = line
                .origin
                .as_ref()
                .is_some_and(|origin| origin.starts_with("house"));
            let wanted = chosen
                .as_ref()
                .is_none_or(|chosen| chosen.iter().any(|path| is_under(&line.path, path)));
            wanted && (house || !args.house) && (line.touch.is_some() || !args.changed)
        });
        all.extend(lines.map(|line| (volume, line)));
    }
    if args.json {
        json_out(out, &as_json(&resolved, &all))?;
        return Ok(Answer::Yes);
    }
    if args.path.is_none() && !args.house && !args.changed {
        composition(&resolved, context, out)?;
    }
    print(&resolved, &all, context, out)?;
    Ok(Answer::Yes)
}

/// Every field of every file, read off the types that read them.
fn fields(
    args: &Args,
    context: &mut Context,
    thing: &Thing,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    let (played, heard) = cupola_data::overhear(|| {
        let resolved = thing.resolve(context)?;
        // A board that is kept compiled is not read: here it is read anew.
        resolved.board()?;
        context.library.play_resolved(&resolved)?;
        anyhow::Ok(resolved)
    });
    let resolved = played?;
    let root = context.library.root().to_owned();
    let short = |name: &str| -> String {
        let path = std::path::Path::new(name);
        let inside = path.strip_prefix(&root).unwrap_or(path);
        inside.display().to_string()
    };
    let own = resolved
        .shelf
        .volumes()
        .iter()
        .map(|volume| volume.source.name.clone());
    let own: Vec<String> = own.collect();
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, keys) in heard {
        let known =
            own.contains(&name) || name.ends_with("ruleset.ron") || name.ends_with("battle.ron");
        if known && !keys.is_empty() {
            told.insert(short(&name), keys.into_keys().collect());
        }
    }
    if args.json {
        json_out(out, &told)?;
        return Ok(Answer::Yes);
    }
    for (name, keys) in &told {
        writeln!(out, "{}", context.paint.bold(name))?;
        for key in keys {
            writeln!(out, "  {key}")?;
        }
    }
    Ok(Answer::Yes)
}

/// The paths of what a path leads to.
fn chosen(shelf: &Shelf, path: &str) -> anyhow::Result<Vec<String>> {
    match shelf.find(path) {
        Ok(found) => Ok(found.into_iter().map(|spot| spot.path).collect()),
        Err(lost) => {
            let hint = lost.hint.map_or(String::new(), |hint| format!("; {hint}"));
            anyhow::bail!("{path}: {}{hint}", lost.message)
        }
    }
}

fn is_under(path: &str, above: &str) -> bool {
    path.strip_prefix(above)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// All values of a file, with the changes that made them so.
pub fn lines(volume: &Volume) -> Vec<Line<'_>> {
    let touches = || volume.touched.iter();
    let root = Node::parse(&volume.source.text);
    let each = values(&volume.source.text).into_iter().map(|value| {
        let path = path(volume, root.as_ref(), &value.crumbs);
        // A list of words is one value: a word in it may have been changed alone.
        let touch = touches()
            .filter(|touch| is_under(&path, &touch.path) || is_under(&touch.path, &path))
            .max_by_key(|touch| touch.path.len());
        Line {
            path,
            value: value.text,
            origin: value.origin,
            touch,
        }
    });
    let mut all: Vec<Line> = each.collect();
    let gone = touches().filter(|touch| touch.to.is_empty());
    all.extend(gone.map(|touch| Line {
        path: touch.path.clone(),
        value: String::new(),
        origin: None,
        touch: Some(touch),
    }));
    all
}

/// The path of a value, as short as it can be: a list of things with ids need not be named, nor `values`.
fn path(volume: &Volume, root: Option<&Node>, crumbs: &[String]) -> String {
    let by_id = |list: &str| {
        let list = root
            .and_then(|root| root.get(list))
            .map_or(&[][..], Node::entries);
        !list.is_empty()
            && list
                .iter()
                .all(|entry| entry.key.is_empty() && entry.node.get("id").is_some())
    };
    let mut path = volume.name.clone();
    for (i, crumb) in crumbs.iter().enumerate() {
        let list = i == 0 && crumbs.len() > 1 && by_id(crumb);
        if list || (crumb == "values" && i + 1 < crumbs.len()) {
            continue;
        }
        path.push('/');
        match crumb.contains('/') {
            true => path.push_str(&format!("'{crumb}'")),
            false => path.push_str(crumb),
        }
    }
    path
}

fn composition(resolved: &Resolved, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let composition = &resolved.composition;
    let bold = |text: &str| context.paint.bold(text);
    writeln!(out, "{}", bold(&composition.title))?;
    writeln!(out, "  {} on {}", resolved.scenario, resolved.battle)?;
    for (file, variant) in &resolved.variants {
        writeln!(out, "  under {} ({})", variant.title, file.name)?;
    }
    writeln!(out, "{}", bold("A turn"))?;
    for stretch in &composition.sequence {
        match stretch {
            Stretch::Sides(names) => writeln!(out, "  each side: {}", names.join(", "))?,
            Stretch::Once(name) => writeln!(out, "  once: {name}")?,
        }
    }
    for (role, system) in &composition.combat {
        writeln!(out, "  {role} is resolved by {system}")?;
    }
    writeln!(out, "{}", bold("Switches"))?;
    for (name, on) in &composition.switches {
        writeln!(out, "  {name:<32} {}", if *on { "on" } else { "off" })?;
    }
    Ok(())
}

fn print(
    resolved: &Resolved,
    all: &[(&Volume, Line)],
    context: &Context,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for volume in resolved.shelf.volumes() {
        let own: Vec<&Line> = all
            .iter()
            .filter(|(of, _)| of.name == volume.name)
            .map(|(_, line)| line)
            .collect();
        if own.is_empty() {
            continue;
        }
        writeln!(
            out,
            "{} {}",
            context.paint.bold(&volume.name),
            context.paint.dim(&volume.source.name)
        )?;
        let width = own
            .iter()
            .map(|line| line.path.chars().count())
            .max()
            .unwrap_or(0)
            .min(48);
        for line in own {
            print_line(line, width, context, out)?;
        }
    }
    Ok(())
}

fn print_line(
    line: &Line,
    width: usize,
    context: &Context,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let value = if line.value.is_empty() {
        "(gone)"
    } else {
        &line.value
    };
    write!(out, "  {:<width$}  {value}", line.path)?;
    if let Some(origin) = &line.origin {
        write!(out, "  {}", context.paint.dim(origin))?;
    }
    writeln!(out)?;
    if let Some(touch) = line.touch {
        let was = match touch.was.as_str() {
            "" => "new".to_owned(),
            was => format!("was {was}"),
        };
        let place = &touch.place;
        writeln!(
            out,
            "  {:<width$}  ^ {was}; changed by {} ({}:{})",
            "", touch.by, place.file, place.line
        )?;
    }
    Ok(())
}

fn as_json(resolved: &Resolved, all: &[(&Volume, Line)]) -> Value {
    let variants = resolved.variants.iter().map(
        |(file, variant)| json!({"name": variant.name, "title": variant.title, "file": file.name}),
    );
    let values = all.iter().map(|(volume, line)| {
        let changed = line.touch.map(|touch| {
            let at = format!("{}:{}", touch.place.file, touch.place.line);
            json!({"was": touch.was, "by": touch.by, "at": at})
        });
        json!({
            "path": line.path, "file": volume.source.name, "value": line.value,
            "origin": line.origin, "changed": changed,
        })
    });
    let switches: BTreeMap<&String, &bool> = resolved.composition.switches.iter().collect();
    json!({
        "ruleset": resolved.ruleset,
        "scenario": resolved.scenario,
        "battle": resolved.battle,
        "variants": variants.collect::<Vec<_>>(),
        "turn": resolved.composition.phases().collect::<Vec<_>>(),
        "combat": resolved.composition.combat,
        "switches": switches,
        "values": values.collect::<Vec<_>>(),
    })
}
