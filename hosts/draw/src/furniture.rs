//! What makes a sheet a map: frame with latitude and longitude, title, scale bar, north arrow.

use cupola_ground::{LatLon, Point};

use crate::geometry::{V, v};
use crate::key;
use crate::out::{num, path, tenth};
use crate::request::MapRequest;
use crate::sheet::{BAND, Draft, MARGIN};
use crate::style;
use crate::words::Anchor;

/// Width of the black and white band inside the frame's band.
const ZEBRA: f64 = 6.0;
/// Seconds of arc between the band's changes.
const SECONDS: i64 = 30;
/// Units of latitude and longitude per second of arc.
const PER_SECOND: f64 = 1e7 / 3600.0;

/// The battlefield's name, and the days that the board shows.
pub fn heading<'a>(request: &MapRequest<'a>) -> (&'a str, Option<&'a str>) {
    let title = request.field.title.as_str();
    let (name, days) = match title.split_once(", ") {
        Some((name, days)) => (name, Some(days)),
        None => (title, None),
    };
    (name, request.board.when.as_deref().or(days))
}

/// The title above the map.
pub fn title(draft: &mut Draft<'_>) {
    let (name, when) = heading(draft.request);
    let rest = [when, Some(draft.board().title.as_str())]
        .into_iter()
        .flatten();
    let rest = rest.collect::<Vec<_>>().join("  ·  ");
    let title = draft.request.title.clone().unwrap_or(name.to_uppercase());
    let sub = draft.request.subtitle.clone().unwrap_or(rest);
    let frame = draft.sheet.frame;
    let middle = (frame.low.x + frame.high.x) / 2.0;
    let top = MARGIN + 44.0;
    let setting = style::text("t-title", 1.0);
    let width = draft.rulers.set(setting, &title);
    let at = v(middle + setting.spacing / 2.0, top);
    draft.words("t-title", at, Anchor::Middle, &title);
    draft.words("t-sub", v(middle, top + 36.0), Anchor::Middle, &sub);
    // A rule with a lozenge on either side, as engravers liked it.
    for side in [-1.0, 1.0] {
        let from = middle + side * (width / 2.0 + 28.0);
        let to = middle + side * (frame.width() / 2.0 - 10.0).max(width / 2.0 + 60.0);
        let y = top - setting.size * 0.3;
        let line = path(&[v(from, y), v(to, y)], false);
        draft.out.path("leader", &line);
        let p = |x: f64, dy: f64| v(from + side * x, y + dy);
        let lozenge = [p(0.0, 0.0), p(9.0, -5.0), p(18.0, 0.0), p(9.0, 5.0)];
        draft.out.path("ink", &path(&lozenge, true));
    }
}

/// The frame: two lines and between them a band that changes every half minute of arc.
pub fn frame(draft: &mut Draft<'_>) {
    let frame = draft.sheet.frame;
    let corners = [
        frame.low,
        v(frame.high.x, frame.low.y),
        frame.high,
        v(frame.low.x, frame.high.y),
    ];
    draft.out.open("id=\"frame\"");
    for side in 0..4 {
        edge(draft, side, corners[side], corners[(side + 1) % 4]);
    }
    let line = |draft: &mut Draft<'_>, by: f64, width: f64| {
        let r = frame.grown(by);
        draft.out.raw(format!(
            "<rect fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            style::INK,
            num(width),
            num(r.low.x),
            num(r.low.y),
            num(r.width()),
            num(r.height())
        ));
    };
    line(draft, 0.0, 1.4);
    line(draft, ZEBRA, 0.8);
    line(draft, BAND - 3.0, 2.6);
    draft.out.close();
}

/// One side of the frame, from corner to corner: north, east, south, west.
fn edge(draft: &mut Draft<'_>, side: usize, from: V, to: V) {
    let level = side.is_multiple_of(2);
    let at = |p: V| {
        let place = unproject(draft, p);
        let value = if level { place.lon } else { place.lat };
        f64::from(value) / PER_SECOND
    };
    let (a, b) = (at(from), at(to));
    let (low, high) = (a.min(b), a.max(b));
    let point = |seconds: f64| from.towards(to, ((seconds - a) / (b - a)).clamp(0.0, 1.0));
    let out = (to - from).unit().right() * -1.0;
    let step = SECONDS as f64;
    let mut mark = (low / step).floor() as i64;
    while (mark as f64) * step < high {
        let (start, end) = (mark as f64 * step, (mark + 1) as f64 * step);
        let (p, q) = (point(start.max(low)), point(end.min(high)));
        if mark.rem_euclid(2) == 0 {
            let bar = [p, q, q + out * ZEBRA, p + out * ZEBRA];
            draft.out.path("ink", &path(&bar, true));
        }
        if mark * SECONDS % 60 == 0 && start > low + 12.0 && start < high - 12.0 {
            tick(draft, side, p, out, start);
        }
        mark += 1;
    }
}

/// The name of a whole minute beside the band.
fn tick(draft: &mut Draft<'_>, side: usize, at: V, out: V, seconds: f64) {
    let minutes = (seconds.abs() / 60.0).round() as i64;
    let half = match (side % 2, seconds < 0.0) {
        (0, true) => "W",
        (0, false) => "E",
        (_, true) => "S",
        (_, false) => "N",
    };
    let text = format!("{}° {:02}\u{2032} {half}", minutes / 60, minutes % 60);
    let middle = at + out * (ZEBRA + 8.5);
    let turn = match side {
        1 => 90,
        3 => -90,
        _ => 0,
    };
    draft.out.open(&format!(
        "transform=\"rotate({turn} {} {})\"",
        tenth(middle.x),
        tenth(middle.y)
    ));
    draft.words("t-grat", middle + v(0.0, 3.4), Anchor::Middle, &text);
    draft.out.close();
}

fn unproject(draft: &Draft<'_>, p: V) -> LatLon {
    let sheet = &draft.sheet;
    let off = p - sheet.frame.low;
    let x = f64::from(sheet.ground.low.x) + off.x / sheet.scale * 100.0;
    let y = f64::from(sheet.ground.high.y) - off.y / sheet.scale * 100.0;
    let point = Point::new(x.round() as i32, y.round() as i32);
    draft.request.field.frame.unproject(point)
}

/// Key, scale bar and north arrow below the map; gives back the height of the page.
pub fn footer(draft: &mut Draft<'_>) -> f64 {
    let frame = draft.sheet.frame;
    let show = draft.request.show;
    let top = frame.high.y + BAND + 26.0;
    let aside = if show.scale { 400.0 } else { 0.0 };
    let mut bottom = frame.high.y + BAND;
    if show.key {
        let width = frame.width() - aside;
        bottom = top + key::key(draft, v(frame.low.x - BAND + 6.0, top), width);
    }
    if show.scale {
        let left = frame.high.x + BAND - aside + 30.0;
        bottom = bottom.max(scale(draft, v(left, top)));
    }
    if let Some(attribution) = draft.request.field.attribution.clone() {
        bottom += 20.0;
        let at = v(frame.low.x - BAND + 6.0, bottom);
        draft.words("t-note", at, Anchor::Start, &attribution);
    }
    bottom + MARGIN * 0.8
}

/// Scale bars in metres and yards, the size of a hex, and the north arrow.
fn scale(draft: &mut Draft<'_>, at: V) -> f64 {
    draft.out.open("id=\"scale\"");
    let largest = 270.0 / draft.sheet.scale / 4.0;
    let part = [50.0, 100.0, 200.0, 250.0, 500.0, 1000.0, 2000.0]
        .into_iter()
        .filter(|part| *part <= largest)
        .fold(10.0, f64::max);
    bar(draft, at + v(0.0, 20.0), part, 1.0, "metres", -9.0);
    bar(draft, at + v(0.0, 34.0), part, 0.9144, "yards", 20.0);
    let pitch = f64::from(draft.board().lattice().pitch()) / 100.0;
    let text = format!(
        "A hex is {} m or {} yards across",
        num(pitch.round()),
        num((pitch / 0.9144).round())
    );
    draft.words("t-note", at + v(0.0, 80.0), Anchor::Start, &text);
    let measured = draft.request.field.heights.measured();
    let notes = [
        format!("{} hexes", draft.hexes.len()),
        format!("Heights: {measured} in 100 measured, the others interpolated"),
        "The bars of the frame are half a minute of arc".to_owned(),
    ];
    for (index, note) in notes.iter().enumerate() {
        let y = 97.0 + 17.0 * index as f64;
        draft.words("t-note", at + v(0.0, y), Anchor::Start, note);
    }
    north(draft, at + v(330.0, 34.0));
    draft.out.close();
    at.y + 136.0
}

/// A bar of four parts.
fn bar(draft: &mut Draft<'_>, at: V, part: f64, unit: f64, name: &str, text_y: f64) {
    let width = part * draft.sheet.scale * unit;
    for index in 0..4 {
        let class = if index % 2 == 0 { "ink" } else { "paper" };
        draft
            .out
            .rect(class, at + v(width * f64::from(index), 0.0), width, 7.0);
    }
    draft.out.rect("edge", at, width * 4.0, 7.0);
    for index in [0, 2, 4] {
        let value = part * f64::from(index);
        let text = if index == 4 {
            format!("{} {name}", num(value))
        } else {
            num(value)
        };
        let x = width * f64::from(index);
        let anchor = match index {
            0 => Anchor::Start,
            _ => Anchor::Middle,
        };
        draft.words("t-key", at + v(x, text_y + 4.0), anchor, &text);
    }
}

/// The north arrow: a slim needle, half dark and half light.
fn north(draft: &mut Draft<'_>, at: V) {
    let p = |x: f64, y: f64| at + v(x, y);
    let light = [p(0.0, -22.0), p(0.0, 20.0), p(-11.0, 34.0)];
    let dark = [p(0.0, -22.0), p(11.0, 34.0), p(0.0, 20.0)];
    draft.out.path("open", &path(&light, true));
    draft.out.path("ink", &path(&dark, true));
    draft.words("t-head", p(0.0, -28.0), Anchor::Middle, "N");
}
