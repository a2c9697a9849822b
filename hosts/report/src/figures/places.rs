//! Who held what when.

use crate::svg::Svg;
use crate::view::{About, RECORDED, Section, View, broad_panels, caption, class};
use crate::words::{fit, list, percent};
use cupola_lab::model::{Findings, Topic};
use cupola_lab::stats::share as share_of;

const LEFT: f64 = 150.0;
const CELL: f64 = 20.0;
const ROW: f64 = 24.0;
const TOP: f64 = 30.0;
/// Narrower cells have no room for a letter or a frame.
const LETTER: f64 = 12.0;

/// A place in the order of all matrices.
struct Place<'a> {
    id: &'a str,
    name: &'a str,
    recorded: &'a [Option<usize>],
}

/// What a cell shows: how often each side held the place; none if nobody knows.
type Held = Option<[f64; 2]>;

/// The section.
pub fn section(view: View) -> Section {
    let places = places(view);
    let mut drawn = vec![];
    if !view.all.history.places.is_empty() {
        let held = |place: &Place, hour: usize| {
            let side = place.recorded.get(hour).copied().flatten();
            side.map(|side| if side == 0 { [1.0, 0.0] } else { [0.0, 1.0] })
        };
        drawn.push((
            RECORDED.to_owned(),
            matrix(view, &places, "As recorded", &held, false),
        ));
    }
    for (i, found) in view.contests().iter().enumerate() {
        let covered = view.covered(found);
        let held = |place: &Place, hour: usize| {
            if covered.contains(&hour) {
                share(found, place.id, hour)
            } else {
                None
            }
        };
        drawn.push((
            caption(view, i),
            matrix(view, &places, &found.name, &held, true),
        ));
    }
    Section {
        id: "places",
        title: "Who held what, and when",
        claim: claim(view, &places),
        figure: key(view) + &broad_panels(drawn),
        reading: reading(view),
        about: About::Games(Topic::Places),
    }
}

/// How wide an hour is.
fn cell_of(view: View) -> f64 {
    match view.hours().len() {
        hours if hours > 24 => 480.0 / hours as f64,
        _ => CELL,
    }
}

fn reading(view: View) -> String {
    let (shown, off) = if cell_of(view) > LETTER {
        (
            "A letter names the side that held the place in more games than the other, whoever was there alone last: capital if in four \
             games of five or more, small if in fewer, a dot if neither holds it in half of them.",
            "In a framed cell",
        )
    } else {
        (
            "The shade is that of the side that held the place in more games than the other, whoever was there alone last: the darker, the \
             more games; none if neither holds it in half of them.",
            "Where a cell is underlined",
        )
    };
    format!(
        "{shown} {off} the side is not the one that is recorded. Empty: not played, or not recorded."
    )
}

/// The places of which something is recorded in these hours, those that changed hands first in front; if nothing is
/// recorded, all that were played.
fn places<'a>(view: View<'a>) -> Vec<Place<'a>> {
    let recorded = view
        .all
        .history
        .places
        .iter()
        .map(|(id, name, by_hour)| Place {
            id,
            name,
            recorded: by_hour,
        });
    let mut all: Vec<Place> = recorded
        .filter(|place| place.recorded.iter().any(Option::is_some))
        .collect();
    if all.is_empty() {
        for place in view.contests().iter().flat_map(|found| &found.places) {
            if !all.iter().any(|known| known.id == place.id) {
                let (id, name) = (&place.id, &place.name);
                all.push(Place {
                    id,
                    name,
                    recorded: &[],
                });
            }
        }
    }
    all.sort_by_key(|place| {
        let held = place.recorded.iter().flatten();
        let lost = place.recorded.iter().position(|side| *side == Some(1));
        (lost.unwrap_or(usize::MAX), held.count(), place.name)
    });
    all
}

fn share(found: &Findings, id: &str, hour: usize) -> Held {
    let place = found.places.iter().find(|place| place.id == id)?;
    place.held.get(hour).copied()
}

/// Who holds it in most games.
fn holder(held: [f64; 2]) -> Option<usize> {
    let side = usize::from(held[1] > held[0]);
    (held[side] >= 0.5).then_some(side)
}

/// Who holds it in most games, if that is not a matter of luck: by Wilson's interval of the share.
fn surely(held: [f64; 2], games: u32) -> Option<usize> {
    let side = holder(held)?;
    // A share is a number of games, as near as fractions can be.
    let won = (held[side] * f64::from(games)).round() as u32;
    (share_of(won, games).low > 0.5).then_some(side)
}

/// Places in other hands than recorded, of those that a side clearly holds in most games and of which the record tells: at the last hour that a
/// contest plays and the record knows of any.
struct Compared<'a> {
    hour: i32,
    all: usize,
    differ: Vec<&'a str>,
}

fn compared<'a>(view: View, found: &Findings, places: &[Place<'a>]) -> Option<Compared<'a>> {
    let at = |hour: usize| {
        let known = places.iter().filter_map(|place| {
            let recorded = place.recorded.get(hour).copied().flatten()?;
            let held = share(found, place.id, hour)?;
            let played = surely(held, found.games)?;
            Some((place.name, played == recorded))
        });
        let known: Vec<(&str, bool)> = known.collect();
        (!known.is_empty()).then_some((hour, known))
    };
    let (hour, known) = view.covered(found).rev().find_map(at)?;
    let differ = known.iter().filter(|(_, as_recorded)| !as_recorded);
    Some(Compared {
        hour: *view.hours().get(hour)?,
        all: known.len(),
        differ: differ.map(|(name, _)| *name).collect(),
    })
}

fn claim(view: View, places: &[Place]) -> String {
    let said = view.contests().iter().filter_map(|found| {
        let name = &found.name;
        let Some(Compared { hour, all, differ }) = compared(view, found, places) else {
            let played = !view.covered(found).is_empty();
            return played.then(|| format!("in {name} no place can be compared"));
        };
        let when = view.time(hour);
        let differ: Vec<String> = differ.into_iter().map(str::to_owned).collect();
        Some(match (all, differ.len()) {
            (1, 0) => format!("in {name} the one place that can be compared is at {when} in the hands that history put it in"),
            (all, 0) => format!(
                "in {name} all {all} places that can be compared are at {when} in the hands that history put them in"
            ),
            (all, 1..=4) => format!(
                "in {name} the other side usually has {} at {when}, of {all} that can be compared",
                list(&differ)
            ),
            (all, n) => format!(
                "in {name} {n} of {all} places that can be compared are usually in other hands at {when} than history put them in"
            ),
        })
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() || view.all.history.places.is_empty() {
        return "Places by the hour, as they were held in play.".into();
    }
    format!("{}.", crate::words::sentence(&said.join("; ")))
}

fn matrix(
    view: View,
    places: &[Place],
    title: &str,
    held: &dyn Fn(&Place, usize) -> Held,
    compare: bool,
) -> String {
    let hours = view.hours();
    let cell = cell_of(view);
    let width = LEFT + cell * hours.len() as f64 + 6.0;
    let height = TOP + ROW * places.len() as f64 + 6.0;
    let mut svg = Svg::new(
        width,
        height,
        &format!("{title}: who held which place at which hour"),
    );
    for (i, hour) in view.ticks() {
        let x = LEFT + cell * (i as f64 + 0.5);
        svg.text("tick", (x, TOP - 10.0), "middle", &hour);
        svg.line("axis", (x, TOP - 6.0), (x, TOP - 1.0));
    }
    for (row, place) in places.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        svg.text("name", (0.0, y + 17.0), "start", &fit(place.name, 19));
        for (i, hour) in hours.iter().enumerate() {
            let at = (LEFT + cell * i as f64, y);
            svg.rect("empty", (at.0 + 0.5, at.1 + 0.5), cell - 1.0, ROW - 1.0);
            let Some(held) = held(place, i) else { continue };
            svg.open(&format!(
                "{}, {}: {} {}, {} {}",
                place.name,
                view.time(*hour),
                view.name(0),
                percent(held[0]),
                view.name(1),
                percent(held[1])
            ));
            shade(&mut svg, view, at, cell, held);
            let recorded = place.recorded.get(i).copied().flatten();
            let played = holder(held);
            if compare && recorded.is_some() && played.is_some() && played != recorded {
                if cell > LETTER {
                    svg.rect("differs", (at.0 + 1.5, at.1 + 1.5), cell - 3.0, ROW - 3.0);
                } else {
                    svg.rect("under", (at.0, at.1 + ROW - 5.0), cell, 4.0);
                }
            }
            svg.close();
        }
    }
    svg.finish()
}

fn shade(svg: &mut Svg, view: View, at: (f64, f64), cell: f64, held: [f64; 2]) {
    let size = (cell - 1.0, ROW - 1.0);
    let at = (at.0 + 0.5, at.1 + 0.5);
    let Some(side) = holder(held) else {
        if cell > LETTER {
            svg.text(
                "cell",
                (at.0 + cell / 2.0 - 0.5, at.1 + 16.5),
                "middle",
                "·",
            );
        }
        return;
    };
    let kind = class(side);
    svg.tint(
        &format!("fill-{kind}"),
        at,
        size.0,
        size.1,
        0.12 + (held[side] - 0.5) * 0.6,
    );
    if side == 1 {
        svg.tint("hatch", at, size.0, size.1, 0.25 + (held[side] - 0.5) * 0.5);
    }
    if cell > LETTER {
        let letter = view.letter(side);
        let letter = if held[side] >= 0.8 {
            letter.to_string()
        } else {
            letter.to_lowercase().to_string()
        };
        svg.text(
            "cell",
            (at.0 + cell / 2.0 - 0.5, at.1 + 16.5),
            "middle",
            &letter,
        );
    }
}

fn key(view: View) -> String {
    let mut out = String::from("<p class=\"keys\">");
    for side in [0, 1] {
        let mut svg = Svg::new(22.0, 26.0, view.name(side));
        let held = if side == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
        shade(&mut svg, view, (1.0, 1.0), 20.0, held);
        out += &format!(
            "<span class=\"key\"><span class=\"swatch cellkey\">{}</span>{}</span>",
            svg.finish(),
            crate::words::escape(view.name(side))
        );
    }
    out + "</p>"
}
