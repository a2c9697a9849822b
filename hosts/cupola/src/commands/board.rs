//! `cupola board`: a ruleset's map as a picture, or all about one of its hexes.

use crate::answer::Answer;
use crate::context::Context;
use crate::keep::write_file;
use crate::tell::{find_hex, json_out};
use anyhow::Context as _;
use cupola_data::nearest;
use cupola_draw::{MapRequest, Style};
use cupola_ground::board::SideCard;
use cupola_ground::{Area, Battlefield, Board, HexCard, HexId, Rise};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `cupola board`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola board blocks                             what the map is like
  cupola board gbacw --svg gbacw.svg              as a picture
  cupola board corps20 --png corps20.png --width 3000
  cupola board gbacw --area culps-hill --png culps-hill.png   a part of it, with labels to be read
  cupola board blocks --hex R7                    all about a hex
  cupola board gbacw --hex \"Little Round Top\" --json

JSON keys with --hex: ruleset, hex, terrain, level, height, height_is_house, lat, lon, centre {x, y}
(centimetres), marks, places, threads (roads and streams), entries, areas, sides [direction, to, rise,
water, crossing, road, cover, wall, cut, crest, closed], notes, elsewhere {ruleset: label},
places_elsewhere {place: {ruleset: label}}.
Without: ruleset, title, battlefield, orientation, hexes, pitch (metres), terrain {cover: count},
levels [lowest, highest], places, entries, areas {id: name}.")]
pub struct Args {
    /// The ruleset whose map it is, or `ruleset/battle`.
    ruleset: String,
    /// Tell all about this hex: a label, or the name of a place.
    #[arg(long, value_name = "ID")]
    hex: Option<String>,
    /// Draw only this part of the map; `cupola board RULESET` lists them.
    #[arg(long, value_name = "ID")]
    area: Option<String>,
    /// Draw the map into this SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw the map into this PNG file.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// How wide the PNG is, in pixels.
    #[arg(long, value_name = "N", default_value_t = 2400, value_parser = clap::value_parser!(u32).range(100..=8_000))]
    width: u32,
    /// What to draw: both, ground (under a plain grid), or board (only what the rules see).
    #[arg(long, default_value = "both", value_parser = style)]
    style: Style,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

fn style(name: &str) -> Result<Style, String> {
    Style::parse(name).ok_or_else(|| format!("expected {}", Style::ALL.map(Style::name).join(", ")))
}

/// All about a hex, and where that spot is on the other maps.
#[derive(Serialize)]
struct Spot {
    #[serde(flatten)]
    card: HexCard,
    elsewhere: BTreeMap<String, String>,
    places_elsewhere: BTreeMap<String, BTreeMap<String, String>>,
}

/// A map in figures.
#[derive(Serialize)]
struct Summary {
    ruleset: String,
    title: String,
    battlefield: String,
    orientation: &'static str,
    hexes: usize,
    pitch: f64,
    terrain: BTreeMap<String, usize>,
    levels: (i8, i8),
    places: usize,
    entries: Vec<String>,
    areas: BTreeMap<String, String>,
}

/// Draws the map, or tells about it.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let (ruleset, battle) = context.which_battle(&args.ruleset)?;
    let (board, _) = context.library.board(&ruleset, &battle)?;
    if let Some(name) = &args.hex {
        let spot = spot(context, &battle, &board, find_hex(&board, name)?);
        if args.json {
            json_out(out, &spot)?;
        } else {
            print_spot(&spot, context, out)?;
        }
    }
    if let Some(id) = args
        .area
        .as_deref()
        .filter(|_| args.svg.is_none() && args.png.is_none())
    {
        let area = find_area(&board, id)?;
        let labels: Vec<&str> = area.hexes.iter().map(|hex| board.label(*hex)).collect();
        writeln!(out, "{}: {} hexes ({})", area.name, labels.len(), area.cite)?;
        writeln!(out, "  {}", labels.join(" "))?;
        return Ok(Answer::Yes);
    }
    if args.svg.is_some() || args.png.is_some() {
        draw(args, context, &battle, &board)?;
    } else if args.hex.is_none() {
        let summary = summary(&board);
        if args.json {
            json_out(out, &summary)?
        } else {
            print_summary(&summary, context, out)?
        }
    }
    Ok(Answer::Yes)
}

fn draw(args: &Args, context: &Context, battle: &str, board: &Board) -> anyhow::Result<()> {
    let field = Battlefield::read(&context.library.root().join("battlefields").join(battle))?;
    let mut request = MapRequest::new(&field, board);
    request.style = args.style;
    if let Some(id) = &args.area {
        let area = find_area(board, id)?;
        request.part = Some(area.hexes.clone());
        request.subtitle = Some(format!("{}  ·  {}", area.name, board.title));
    }
    if let Some(path) = &args.svg {
        write_file(path, cupola_draw::svg(&request).as_bytes())?;
        eprintln!("{}: drawn", path.display());
    }
    if let Some(path) = &args.png {
        let png = cupola_draw::png(&request, args.width)
            .context("the map could not be made into a PNG")?;
        write_file(path, &png)?;
        eprintln!("{}: drawn", path.display());
    }
    Ok(())
}

/// The area of an id, or the nearest id there is.
fn find_area<'a>(board: &'a Board, id: &str) -> anyhow::Result<&'a Area> {
    board.area(id).with_context(|| {
        let ids = board.areas().iter().map(|area| area.id.as_str());
        match nearest(id, ids) {
            Some(near) => format!("no area \"{id}\" on this board; did you mean \"{near}\"?"),
            None => format!("no area \"{id}\" on this board: it has none by that name"),
        }
    })
}

fn spot(context: &Context, battle: &str, board: &Board, hex: HexId) -> Spot {
    let others = context
        .library
        .rulesets()
        .into_iter()
        .filter(|name| *name != board.name);
    // A map that cannot be read is no reason not to answer about this one.
    let others: Vec<(String, Arc<Board>)> = others
        .filter_map(|name| Some((name.clone(), context.library.board(&name, battle).ok()?.0)))
        .collect();
    let on_each = |find: &dyn Fn(&Board) -> Option<HexId>| -> BTreeMap<String, String> {
        let found = others
            .iter()
            .filter_map(|(name, other)| Some((name.clone(), other.label(find(other)?).to_owned())));
        found.collect()
    };
    let places_elsewhere = board.places_in(hex).map(|place| {
        let hexes = on_each(&|other| other.place(&place.id).and_then(|there| there.hex));
        (place.name.clone(), hexes)
    });
    Spot {
        card: board.describe(hex),
        elsewhere: on_each(&|other| board.same_spot(hex, other)),
        places_elsewhere: places_elsewhere.collect(),
    }
}

fn print_spot(spot: &Spot, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    print_hex(&spot.card, context, out)?;
    writeln!(out, "  hexsides")?;
    for side in &spot.card.sides {
        let to = side.to.as_deref().unwrap_or("edge");
        writeln!(
            out,
            "    {:<3} {to:<7} {}",
            side.direction,
            describe_side(side)
        )?;
    }
    writeln!(out, "  the same spot elsewhere")?;
    for (ruleset, label) in &spot.elsewhere {
        writeln!(out, "    {ruleset:<12} {label}")?;
    }
    for (place, hexes) in spot
        .places_elsewhere
        .iter()
        .filter(|(_, hexes)| !hexes.is_empty())
    {
        let hexes: Vec<String> = hexes
            .iter()
            .map(|(ruleset, label)| format!("{ruleset} {label}"))
            .collect();
        writeln!(out, "  {place}: {}", hexes.join(", "))?;
    }
    Ok(())
}

/// What lies in the hex itself.
fn print_hex(card: &HexCard, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let paint = context.paint;
    let title = if card.places.is_empty() {
        String::new()
    } else {
        format!(": {}", card.places.join(", "))
    };
    writeln!(
        out,
        "{}{title}",
        paint.bold(&format!("{} {}", card.ruleset, card.hex))
    )?;
    let sure = if card.height_is_house {
        " (interpolated)"
    } else {
        ""
    };
    writeln!(
        out,
        "  terrain    {}, level {}, {:.1} m{sure}",
        card.cover, card.level, card.height
    )?;
    let (x, y) = (card.centre.x / 100, card.centre.y / 100);
    writeln!(
        out,
        "  centre     {:.5}, {:.5} (x {x} m, y {y} m)",
        card.lat, card.lon
    )?;
    let mut line = |name: &str, items: &[String]| -> std::io::Result<()> {
        if items.is_empty() {
            Ok(())
        } else {
            writeln!(out, "  {name:<10} {}", items.join(", "))
        }
    };
    line(
        "of note",
        &card
            .marks
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
    )?;
    line("through it", &card.threads)?;
    line("entry", &card.entries)?;
    line("area", &card.areas)?;
    line("corrected", &card.notes)?;
    Ok(())
}

/// Every feature of a hexside in words; only one that holds nothing is open.
fn describe_side(side: &SideCard) -> String {
    let mut words = vec![];
    if side.rise != Rise::Level {
        words.push(side.rise.to_string());
    }
    words.extend(side.road.map(|road| road.to_string().replace('_', " ")));
    words.extend(side.water.map(|water| water.to_string()));
    words.extend(side.crossing.map(|crossing| crossing.to_string()));
    words.extend(side.cover.map(|cover| format!("{cover} along it")));
    words.extend(side.wall.then(|| "wall".to_owned()));
    words.extend(side.cut.then(|| "railroad cut".to_owned()));
    words.extend(side.crest.then(|| "ridge".to_owned()));
    words.extend(side.closed.then(|| "closed".to_owned()));
    if words.is_empty() {
        "open".into()
    } else {
        words.join("; ")
    }
}

fn summary(board: &Board) -> Summary {
    let mut terrain = BTreeMap::new();
    for hex in board.hexes() {
        *terrain.entry(board.cover(hex).to_string()).or_insert(0) += 1;
    }
    let levels = || board.hexes().map(|hex| board.level(hex));
    let entries = board.entries().iter().filter_map(|entry| {
        let code = entry
            .code
            .as_ref()
            .map_or(String::new(), |code| format!(" ({code})"));
        Some(format!("{} {}{code}", board.label(entry.hex?), entry.name))
    });
    Summary {
        ruleset: board.name.clone(),
        title: board.title.clone(),
        battlefield: board.battlefield.clone(),
        orientation: match board.orientation() {
            cupola_ground::Orientation::Rows => "rows",
            cupola_ground::Orientation::Columns => "columns",
        },
        hexes: board.len(),
        pitch: f64::from(board.lattice().pitch()) / 100.0,
        terrain,
        levels: (levels().min().unwrap_or(0), levels().max().unwrap_or(0)),
        places: board
            .places()
            .iter()
            .filter(|place| place.hex.is_some())
            .count(),
        entries: entries.collect(),
        areas: (board.areas().iter())
            .map(|area| (area.id.clone(), area.name.clone()))
            .collect(),
    }
}

fn print_summary(summary: &Summary, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{}: {}",
        context.paint.bold(&summary.ruleset),
        summary.title
    )?;
    writeln!(
        out,
        "  {} hexes of {:.0} m in {}",
        summary.hexes, summary.pitch, summary.orientation
    )?;
    let terrain: Vec<String> = summary
        .terrain
        .iter()
        .map(|(cover, count)| format!("{count} {cover}"))
        .collect();
    writeln!(
        out,
        "  {}; levels {} to {}",
        terrain.join(", "),
        summary.levels.0,
        summary.levels.1
    )?;
    writeln!(out, "  {} named places", summary.places)?;
    writeln!(out, "  entry roads: {}", summary.entries.join(", "))?;
    if !summary.areas.is_empty() {
        let areas: Vec<&str> = summary.areas.keys().map(String::as_str).collect();
        writeln!(out, "  areas: {}", areas.join(", "))?;
    }
    let name = &summary.ruleset;
    writeln!(
        out,
        "{}",
        context
            .paint
            .dim(&format!("Draw it: cupola board {name} --svg {name}.svg"))
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SideCard, describe_side};
    use cupola_ground::{Cover, Crossing, Grade, Rise, RoadKind, WaterKind};

    fn side() -> SideCard {
        SideCard {
            direction: "E",
            to: None,
            rise: Rise::Level,
            water: None,
            crossing: None,
            road: None,
            cover: None,
            wall: false,
            cut: false,
            crest: false,
            closed: false,
        }
    }

    /// Ridges were once printed as open.
    #[test]
    fn every_feature_of_a_hexside_is_told() {
        assert_eq!(describe_side(&side()), "open");
        let all = SideCard {
            rise: Rise::Up(Grade::Steep),
            water: Some(WaterKind::Run),
            crossing: Some(Crossing::Ford),
            road: Some(RoadKind::UnfinishedRailroad),
            cover: Some(Cover::Rocks),
            wall: true,
            cut: true,
            crest: true,
            closed: true,
            ..side()
        };
        assert_eq!(
            describe_side(&all),
            "up, steep; unfinished railroad; run; ford; rocks along it; wall; railroad cut; ridge; closed"
        );
        let ridge = SideCard {
            crest: true,
            ..side()
        };
        assert_eq!(describe_side(&ridge), "ridge");
    }
}
