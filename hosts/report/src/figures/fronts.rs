//! The map: whose ground it was, hour by hour, on the one ground.
//!
//! A page cannot hold a picture for every ruleset and hour, so it holds the numbers, packed, and the background once;
//! the script paints them. What the script is given is in [`data`].

use super::stills;
use crate::ground::Ground;
use crate::view::{About, RECORDED, Section, View, caption};
use crate::words::{escape, moment, percent, ranged};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_lab::model::{Findings, Spread, Topic};
use cupola_lab::stats::Estimate;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The section.
pub fn section(view: View, ground: &Ground) -> Section {
    Section {
        id: "fronts",
        title: "Whose ground",
        claim: claim(view),
        figure: controls(view)
            + &maps(view, ground)
            + &stills::markup(view, ground)
            + &data(view, ground),
        reading: format!(
            "The darker the shade, the surer the ground: in how many games the side stood nearest, within a mile. \
             Hatched is {}; clear ground is nobody's, or contested evenly. The bold line is where either is as likely; \
             the dashed one is the front as recorded at that hour. What is said of the record is of the ground that both know; a game that is over keeps its last front. Arrow keys move the clock while it has the focus.",
            view.side(1)
        ),
        about: About::Games(Topic::Fronts),
    }
}

/// The part of the ground that is the second side's by the record, where it and a contest both know somebody's.
fn recorded(view: View, found: &Findings, hour: usize) -> Option<f64> {
    let (past, played) = (view.all.history.fronts.get(hour)?, found.fronts.get(hour)?);
    let known = past.iter().zip(played);
    let known = known.filter(|(past, played)| **past != 255 && **played != 255);
    let (mut all, mut second) = (0.0, 0.0);
    for (cell, _) in known {
        all += 1.0;
        second += 1.0 - f64::from(*cell) / 254.0;
    }
    (all > 0.0).then_some(second / all)
}

/// The last hour that a contest plays and the record tells of; the last that it plays if there is none.
fn end(view: View, found: &Findings) -> Option<usize> {
    let fronts = &view.all.history.fronts;
    let told = |hour: &usize| fronts.get(*hour).is_some_and(|cells| !cells.is_empty());
    let played = view.covered(found);
    played.clone().rev().find(told).or(played.last())
}

/// The hour with which the maps open: of those that most of them have something to show for, the one nearest to seven tenths of the way.
pub(super) fn opening(view: View) -> usize {
    let hours = view.hours().len();
    let fronts = &view.all.history.fronts;
    let shown = |hour: usize| {
        let told = fronts.get(hour).is_some_and(|cells| !cells.is_empty());
        let played = |found: &&Findings| view.covered(found).contains(&hour);
        view.contests().iter().filter(played).count() + usize::from(told)
    };
    let wish = hours.saturating_sub(1) * 7 / 10;
    let best = (0..hours).max_by_key(|&hour| (shown(hour), Reverse(hour.abs_diff(wish))));
    best.unwrap_or(0)
}

/// Each ruleset at its own last hour, those that end together in one sentence.
fn claim(view: View) -> String {
    let mut by_hour: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for found in view.contests() {
        let Some(end) = end(view, found) else {
            continue;
        };
        let held = found.front_held.get(end).filter(|held| held.games > 0);
        if let Some(held) = held {
            let past = recorded(view, found, end).map_or_else(String::new, |past| {
                format!(", {} by the record", percent(past))
            });
            let said = format!("{} in {}{past}", within(held), found.name);
            by_hour.entry(end).or_default().push(said);
        }
    }
    // The latest first: it is the page's own.
    let said = by_hour.iter().rev().enumerate().map(|(i, (end, said))| {
        let hour = view.hours().get(*end).copied();
        let when = hour.map_or_else(String::new, |hour| view.time(hour));
        let said = said.join("; ");
        if i == 0 {
            let side = view.side(1);
            return format!("Of the ground that is anybody's, {side} has at {when} {said}.");
        }
        format!("At {when} it has {said}.")
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() {
        return "Nothing was played in these hours.".into();
    }
    said.join(" ")
}

/// A share of the ground with its interval.
fn within(held: &Spread) -> String {
    let of = held.estimate();
    let high = of.high.min(1.0);
    ranged(&Estimate { high, ..of }, percent)
}

fn controls(view: View) -> String {
    let last = view.all.hours.len().saturating_sub(1);
    let first = view.all.hours.first();
    let first = first.map_or_else(String::new, |hour| moment(&hour.1));
    format!(
        "<div class=\"clock\" id=\"clock\" role=\"group\" aria-label=\"Hour of the maps\">\
         <button type=\"button\" id=\"back\" aria-label=\"One hour back\">◀</button>\
         <button type=\"button\" id=\"play\" aria-label=\"Play hour by hour\">▶ Play</button>\
         <button type=\"button\" id=\"forth\" aria-label=\"One hour on\">▶</button>\
         <input type=\"range\" id=\"hour\" min=\"0\" max=\"{last}\" value=\"0\" step=\"1\" aria-label=\"Hour\" aria-valuetext=\"{0}\"/>\
         <output id=\"now\" for=\"hour\">{0}</output></div>",
        escape(&first)
    )
}

fn maps(view: View, ground: &Ground) -> String {
    let frame = &view.all.frame;
    let (wide, high) = (frame.columns.max(1), frame.rows.max(1));
    let width = 840;
    let height = width * high / wide;
    let map = |name: &str, caption: &str, index: &str| {
        format!(
            "<figure class=\"map\"><figcaption>{caption}</figcaption><canvas data-map=\"{index}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"Map of the ground held, {}\"></canvas></figure>",
            escape(name)
        )
    };
    let mut out = String::from("<div class=\"panels broad maps painted\">");
    if !view.all.history.fronts.is_empty() {
        out += &map("As recorded", RECORDED, "h");
    }
    for (i, found) in view.contests().iter().enumerate() {
        out += &map(&found.name, &caption(view, i), &i.to_string());
    }
    out += "</div>";
    let side = |side: usize, class: &str| {
        format!(
            "<span class=\"key\"><span class=\"patch {class}\"></span>{}</span>",
            escape(view.name(side))
        )
    };
    let past = if view.all.history.fronts.is_empty() {
        ""
    } else {
        "<span class=\"key\"><span class=\"patch past-line\"></span>recorded front</span>"
    };
    out += &format!(
        "<p class=\"keys\">{}{}<span class=\"key\"><span class=\"patch even-line\"></span>either as likely</span>{past}</p>",
        side(0, "patch-a"),
        side(1, "patch-b")
    );
    out + &format!(
        "<img id=\"ground\" alt=\"\" hidden=\"\" src=\"data:image/png;base64,{}\"/>",
        STANDARD.encode(&ground.png)
    )
}

/// What the script paints: the frame, the names of hours, places, and the packed fronts.
fn data(view: View, ground: &Ground) -> String {
    let frame = &view.all.frame;
    let text = |text: &str| format!("\"{}\"", text.replace(['\\', '"', '<', '>', '&'], " "));
    let hours: Vec<String> = view
        .all
        .hours
        .iter()
        .map(|hour| text(&moment(&hour.1)))
        .collect();
    let names: Vec<String> = ground
        .names
        .iter()
        .map(|(name, x, y)| {
            let column = f64::from(x - frame.west) / f64::from(frame.cell.max(1));
            let row = f64::from(frame.north - y) / f64::from(frame.cell.max(1));
            format!("[{},{column:.1},{row:.1}]", text(name))
        })
        .collect();
    let fronts = |fronts: &[Vec<u8>], covered: std::ops::Range<usize>| {
        let packed = fronts.iter().enumerate().map(|(hour, cells)| {
            if covered.contains(&hour) {
                text(&STANDARD.encode(pack(cells)))
            } else {
                "null".into()
            }
        });
        format!("[{}]", packed.collect::<Vec<_>>().join(","))
    };
    let played: Vec<String> = view
        .contests()
        .iter()
        .map(|found| fronts(&found.fronts, view.covered(found)))
        .collect();
    let history = &view.all.history.fronts;
    format!(
        "<script type=\"application/json\" id=\"fronts-data\">{{\"columns\":{},\"rows\":{},\"cell\":{},\"hours\":[{}],\"start\":{},\"names\":[{}],\"played\":[{}],\"past\":{}}}</script>",
        frame.columns,
        frame.rows,
        frame.cell,
        hours.join(","),
        opening(view),
        names.join(","),
        played.join(","),
        fronts(history, 0..history.len())
    )
}

/// Runs of equal bytes as pairs of length and byte.
fn pack(cells: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    for run in cells.chunk_by(|a, b| a == b) {
        for part in run.chunks(255) {
            out.extend([part.len() as u8, part[0]]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn runs_are_packed() {
        assert_eq!(pack(&[7, 7, 7, 9]), [3, 7, 1, 9]);
        let long = vec![255; 300];
        assert_eq!(pack(&long), [255, 255, 45, 255]);
        assert!(pack(&[]).is_empty());
    }
}
