//! `cupola roster`: the order of battle, filtered, as a tree.

use crate::answer::Answer;
use crate::columns::{Align, Columns, thousands};
use crate::context::Context;
use crate::keep::write_file;
use crate::tell::json_out;
use cupola_army::{Army, Fate, Filter, Kind, Moment, NodeId};
use cupola_data::{Source, nearest};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `cupola roster`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola roster --depth division                  both armies at a glance
  cupola roster --corps III --army cs             Hill's corps, down to the regiments
  cupola roster --kind battery --by 1863-07-01T16:00
  cupola roster --name iron --json
  cupola roster --csv army.csv                    the whole list for a spreadsheet
  cupola roster --from army.csv --corps xi        read such a list back, with all checks

JSON: {rows: [...], men, guns, losses}; each row has id, side, corps, division, brigade, kind, name,
commander, fate, men, guns, gun_types, losses {killed, wounded, captured, missing}, arrives, by, absent.")]
pub struct Args {
    /// The battle; otherwise the one that the rulesets were made for.
    battle: Option<String>,
    /// Only this army: its id or its name.
    #[arg(long)]
    army: Option<String>,
    /// Only this corps: a number, a name or a commander.
    #[arg(long)]
    corps: Option<String>,
    /// Only this division: a name or a commander.
    #[arg(long)]
    division: Option<String>,
    /// Only nodes of this kind: infantry, cavalry, battery, brigade, division, corps, staff …
    #[arg(long)]
    kind: Option<String>,
    /// Only what has this text in its id, name or commander.
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Only what had come by this time: 1863-07-01T16:00.
    #[arg(long, value_name = "TIME")]
    by: Option<String>,
    /// Also what never came to the field.
    #[arg(long)]
    absent: bool,
    /// How far down the tree goes: army, corps, division, brigade.
    #[arg(long, value_name = "KIND")]
    depth: Option<String>,
    /// Write the list as CSV into this file; `-` is stdout.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Read the list from this CSV instead of the data folder.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Prints what the filter leaves.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let army = match &args.from {
        Some(path) => Army::from_csv(&Source::read(path)?, &[])?,
        None => {
            let battle = match &args.battle {
                Some(battle) => battle.clone(),
                None => context.library.home_battle()?,
            };
            context.library.battle(&battle)?.army
        }
    };
    let filter = filter(args)?;
    let rows = army.roster(&filter)?;
    let found: Vec<NodeId> = rows.iter().filter_map(|row| army.get(&row.id)).collect();
    if let Some(path) = &args.csv {
        let everything = filter == Filter::default();
        let text = if everything {
            army.to_csv()
        } else {
            some_csv(&army, &found)?
        };
        if path == Path::new("-") {
            out.write_all(text.as_bytes())?
        } else {
            write_file(path, text.as_bytes())?
        }
    } else if args.json {
        let sum = |of: fn(&cupola_army::Row) -> u32| rows.iter().map(of).sum::<u32>();
        let (men, guns, losses) = (sum(|r| r.men), sum(|r| r.guns), sum(|r| r.losses.total()));
        json_out(
            out,
            &serde_json::json!({"rows": rows, "men": men, "guns": guns, "losses": losses}),
        )?;
    } else {
        print(args, &army, &found, context, out)?;
    }
    Ok(Answer::from(!found.is_empty()))
}

fn filter(args: &Args) -> anyhow::Result<Filter> {
    let kind = args.kind.as_deref().map(parse_kind).transpose()?;
    let before = args
        .by
        .as_deref()
        .map(str::parse::<Moment>)
        .transpose()
        .map_err(anyhow::Error::msg)?;
    Ok(Filter {
        army: args.army.clone(),
        corps: args.corps.clone(),
        division: args.division.clone(),
        kind,
        text: args.name.clone(),
        // "By four o'clock" includes four o'clock.
        before: before.map(|moment| moment.plus(1)),
        absent: args.absent,
    })
}

const KINDS: [Kind; 10] = [
    Kind::Army,
    Kind::Corps,
    Kind::Division,
    Kind::Reserve,
    Kind::Brigade,
    Kind::Battalion,
    Kind::Infantry,
    Kind::Cavalry,
    Kind::Battery,
    Kind::Staff,
];

fn parse_kind(text: &str) -> anyhow::Result<Kind> {
    let lower = text.to_lowercase();
    if let Some(kind) = KINDS.into_iter().find(|kind| kind.to_string() == lower) {
        return Ok(kind);
    }
    let names: Vec<String> = KINDS.iter().map(ToString::to_string).collect();
    match nearest(&lower, names.iter().map(String::as_str)) {
        Some(near) => anyhow::bail!("no kind \"{text}\"; did you mean \"{near}\"?"),
        None => anyhow::bail!("no kind \"{text}\"; there are {}", names.join(", ")),
    }
}

/// Rows and all that they belong to, in the columns of the whole list.
///
/// A formation's own count of men is left out: it is a checked sum, and not all of its parts are here.
fn some_csv(army: &Army, found: &[NodeId]) -> anyhow::Result<String> {
    let kept: BTreeSet<&str> = found
        .iter()
        .flat_map(|id| army.ancestors(*id))
        .map(|id| army.node(id).id.as_str())
        .collect();
    let all = army.to_csv();
    let mut reader = csv::Reader::from_reader(all.as_bytes());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let heads = reader.headers()?.clone();
    let (id_at, men_at) = (column(&heads, "id"), column(&heads, "men"));
    writer.write_record(&heads)?;
    for record in reader.records() {
        let record = record?;
        let id = record.get(id_at).unwrap_or_default();
        if !kept.contains(id) {
            continue;
        }
        let formation = army
            .get(id)
            .is_some_and(|node| army.node(node).kind.is_formation());
        let cells = record.iter().enumerate();
        writer.write_record(
            cells.map(|(at, cell)| if formation && at == men_at { "" } else { cell }),
        )?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(String::from_utf8(bytes)?)
}

fn column(heads: &csv::StringRecord, name: &str) -> usize {
    heads
        .iter()
        .position(|head| head == name)
        .unwrap_or(usize::MAX)
}

/// How deep a kind stands in the tree.
fn depth(kind: Kind) -> u8 {
    match kind {
        Kind::Army => 0,
        Kind::Corps => 1,
        Kind::Division | Kind::Reserve => 2,
        Kind::Brigade | Kind::Battalion => 3,
        Kind::Infantry | Kind::Cavalry | Kind::Battery | Kind::Staff => 4,
    }
}

fn print(
    args: &Args,
    army: &Army,
    found: &[NodeId],
    context: &Context,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let deepest = args
        .depth
        .as_deref()
        .map(parse_kind)
        .transpose()?
        .map_or(4, depth);
    let shown: BTreeSet<NodeId> = found.iter().flat_map(|id| army.ancestors(*id)).collect();
    let wanted: BTreeSet<NodeId> = found.iter().copied().collect();
    let mut columns = Columns::new(&[
        ("", Align::Left),
        ("men", Align::Right),
        ("guns", Align::Right),
        ("lost", Align::Right),
        ("commander", Align::Left),
        ("arrives", Align::Left),
    ]);
    let mut formations = vec![false];
    for &id in &shown {
        let node = army.node(id);
        if depth(node.kind) > deepest {
            continue;
        }
        formations.push(node.kind.is_formation());
        columns.row(row(army, id, &wanted));
    }
    let paint = context.paint;
    columns.write(out, |row, line| match row {
        0 => paint.dim(line),
        row if formations.get(row) == Some(&true) => paint.bold(line),
        _ => line.to_owned(),
    })?;
    let [men, guns, lost] = sums(army, found).map(thousands);
    writeln!(
        out,
        "{} listed: {men} men, {guns} guns, {lost} lost.",
        found.len()
    )?;
    Ok(())
}

/// A line of the list: the figures are sums of what was found, so that a filtered list adds up.
fn row(army: &Army, id: NodeId, wanted: &BTreeSet<NodeId>) -> [String; 6] {
    let level = army.ancestors(id).count() - 1;
    let within = wanted.iter().filter(|part| army.is_within(**part, id));
    let [men, guns, lost] = sums(army, within).map(|sum| match sum {
        0 => String::new(),
        sum => thousands(sum),
    });
    let name = format!("{}{}", "  ".repeat(level), army.node(id).name);
    [
        name,
        men,
        guns,
        lost,
        commander(army, id),
        arrival(army, id),
    ]
}

/// Men, guns and losses of these together.
fn sums<'a>(army: &Army, parts: impl IntoIterator<Item = &'a NodeId>) -> [u64; 3] {
    parts.into_iter().fold([0; 3], |[men, guns, lost], &part| {
        [
            men + u64::from(army.men(part)),
            guns + u64::from(army.guns(part).total()),
            lost + u64::from(army.losses(part).total()),
        ]
    })
}

fn commander(army: &Army, id: NodeId) -> String {
    let node = army.node(id);
    match node.fate {
        Fate::Unhurt => node.commander.clone(),
        fate => format!(
            "{} ({})",
            node.commander,
            fate.to_string().replace('_', " ")
        ),
    }
}

/// When and by which road it came; silent where that is as for what it belongs to.
fn arrival(army: &Army, id: NodeId) -> String {
    let node = army.node(id);
    if let Some(why) = &node.absent {
        return format!("not on the field: {why}");
    }
    let above = army.parent(id).and_then(|parent| army.arrival(parent));
    let own = node
        .arrival
        .as_ref()
        .filter(|own| above.is_none_or(|above| (above.at, &above.by) != (own.at, &own.by)));
    own.map_or(String::new(), |arrival| {
        let (day, hour) = (arrival.at.day(), arrival.at.time_of_day());
        format!("{day} {hour} by {}", arrival.by)
    })
}
