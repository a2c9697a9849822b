//! The maps as pictures, for readers whose browser runs no script: one for every ruleset and hour, chosen with buttons that
//! need none.
//!
//! A still is drawn from whole cells, so it is coarser than what the script paints; it shows the same: whose ground, how
//! sure, where either is as likely, and the recorded front.

use super::fronts::opening;
use crate::ground::Ground;
use crate::svg::num;
use crate::view::{RECORDED, View, caption};
use crate::words::{clock, escape, moment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_lab::model::Raster;
use std::fmt::Write as _;

/// Nobody's ground.
const NOBODY: u8 = 255;
/// How sure a side's ground must be for each of the shades, in 254ths.
const SHADES: [u8; 3] = [127, 171, 228];

/// The stills with their buttons, shown only where no script runs.
pub fn markup(view: View, ground: &Ground) -> String {
    let hours = &view.all.hours;
    if hours.is_empty() {
        return String::new();
    }
    let start = opening(view);
    let mut out = String::from("<noscript><style>.painted,#clock{display:none}");
    for i in 0..hours.len() {
        let _ = write!(out, "#still-{i}:checked~.at-{i}{{display:grid}}");
    }
    let _ = write!(
        out,
        ".still{{background:url(data:image/png;base64,{}) 0 0/100% 100%}}</style><div class=\"stills\" role=\"radiogroup\" aria-label=\"Hour of the maps\">",
        STANDARD.encode(&ground.png)
    );
    for (i, (minute, name)) in hours.iter().enumerate() {
        let checked = if i == start {
            " checked=\"checked\""
        } else {
            ""
        };
        let label = if view.days() {
            moment(name)
        } else {
            clock(*minute)
        };
        let _ = write!(
            out,
            "<input type=\"radio\" name=\"still\" id=\"still-{i}\"{checked}/><label for=\"still-{i}\">{}</label>",
            escape(&label)
        );
    }
    for (i, hour) in hours.iter().enumerate() {
        let _ = write!(
            out,
            "<div class=\"panels broad at at-{i}\">{}</div>",
            maps(view, ground, i, &moment(&hour.1))
        );
    }
    out + "</div></noscript>"
}

/// The maps of one hour.
fn maps(view: View, ground: &Ground, hour: usize, when: &str) -> String {
    let history = &view.all.history.fronts;
    let past = history
        .get(hour)
        .map(Vec::as_slice)
        .filter(|cells| !cells.is_empty());
    let map = |name: &str, caption: &str, cells: Option<&[u8]>| {
        format!(
            "<figure><figcaption>{caption}</figcaption>{}</figure>",
            still(view, ground, cells, past, &format!("{name}, {when}"))
        )
    };
    let mut out = String::new();
    if !history.is_empty() {
        out += &map("As recorded", RECORDED, past);
    }
    for (i, found) in view.contests().iter().enumerate() {
        let played = view.covered(found).contains(&hour);
        let cells = found.fronts.get(hour).map(Vec::as_slice);
        out += &map(&found.name, &caption(view, i), cells.filter(|_| played));
    }
    out
}

fn still(
    view: View,
    ground: &Ground,
    cells: Option<&[u8]>,
    past: Option<&[u8]>,
    label: &str,
) -> String {
    let frame = &view.all.frame;
    let mut out = format!(
        "<svg class=\"still\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Ground held, {}\">",
        frame.columns,
        frame.rows,
        escape(label)
    );
    match cells {
        Some(cells) => {
            for side in [0, 1] {
                for (level, sure) in SHADES.into_iter().enumerate() {
                    let path = runs(frame, |cell| owned(cells, cell, side, sure));
                    if !path.is_empty() {
                        let _ = write!(
                            out,
                            "<path class=\"own-{side} sure-{level}\" d=\"{path}\"/>"
                        );
                    }
                }
            }
            let _ = write!(
                out,
                "<path class=\"line-now\" d=\"{}\"/>",
                border(frame, cells)
            );
        }
        None => {
            out += "<text class=\"unplayed\" x=\"50%\" y=\"50%\" text-anchor=\"middle\">not known at this hour</text>"
        }
    }
    if let Some(past) = past {
        let _ = write!(
            out,
            "<path class=\"line-then\" d=\"{}\"/>",
            border(frame, past)
        );
    }
    out += &names(frame, ground);
    out + "</svg>"
}

/// Some places by name; more would cover the map.
fn names(frame: &Raster, ground: &Ground) -> String {
    let mut out = String::new();
    let cell = f64::from(frame.cell.max(1));
    for (name, x, y) in ground.names.iter().take(6) {
        let x = f64::from(x - frame.west) / cell;
        let y = f64::from(frame.north - y) / cell;
        if x > 0.5 && y > 0.8 && x < frame.columns as f64 - 6.0 && y < frame.rows as f64 {
            let (x, y, name) = (num(x), num(y), escape(name));
            let _ = write!(
                out,
                "<text class=\"spot\" x=\"{x}\" y=\"{y}\">▪{name}</text>"
            );
        }
    }
    out
}

/// Whether a cell is a side's, at least so surely.
fn owned(cells: &[u8], cell: usize, side: usize, sure: u8) -> bool {
    let Some(&shade) = cells.get(cell).filter(|shade| **shade != NOBODY) else {
        return false;
    };
    let own = if side == 0 { shade } else { 254 - shade };
    own > sure
}

/// The cells of which something holds, as runs along the rows.
fn runs(frame: &Raster, holds: impl Fn(usize) -> bool) -> String {
    let mut path = String::new();
    for row in 0..frame.rows {
        let mut column = 0;
        while column < frame.columns {
            let start = column;
            while column < frame.columns && holds(row * frame.columns + column) {
                column += 1;
            }
            if column > start {
                let long = column - start;
                let _ = write!(path, "M{start} {row}h{long}v1h-{long}z");
            }
            column += 1;
        }
    }
    path
}

/// The line between the cells of the two sides.
fn border(frame: &Raster, cells: &[u8]) -> String {
    let owner = |column: usize, row: usize| {
        let shade = cells.get(row * frame.columns + column).copied();
        shade
            .filter(|shade| *shade != NOBODY)
            .map(|shade| shade > 127)
    };
    let differ = |a: Option<bool>, b: Option<bool>| a.is_some() && b.is_some() && a != b;
    let mut path = String::new();
    for row in 0..frame.rows {
        for column in 0..frame.columns {
            let here = owner(column, row);
            if column + 1 < frame.columns && differ(here, owner(column + 1, row)) {
                let _ = write!(path, "M{} {row}v1", column + 1);
            }
            if row + 1 < frame.rows && differ(here, owner(column, row + 1)) {
                let _ = write!(path, "M{column} {}h1", row + 1);
            }
        }
    }
    path
}
