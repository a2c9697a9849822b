//! What lies over the map: values by hex, hexes pointed out, ways, counters.

use std::collections::BTreeMap;

use cupola_ground::HexId;

use crate::font::Face;
use crate::geometry::{V, curve, v};
use crate::key::Symbol;
use crate::labels::SYMBOL;
use crate::out::{num, path, push_path};
use crate::request::{Heat, Side, Unit};
use crate::rules::rgb;
use crate::sheet::Draft;
use crate::style::PAPER;
use crate::words::Setting;

/// From pale to dark, in an order that holds without colour (after the cividis scale).
const HEAT: [[f64; 3]; 5] = [
    [255.0, 246.0, 200.0],
    [238.0, 205.0, 110.0],
    [190.0, 160.0, 110.0],
    [105.0, 105.0, 120.0],
    [20.0, 40.0, 85.0],
];

/// Colours and dashes for highlights and ways, told apart without colour by their dashes.
const MARKS: [(&str, &str); 4] = [
    ("#a11d5e", "none"),
    ("#0b4f8a", "9 4"),
    ("#8a5a00", "2.5 4"),
    ("#2d2d2d", "12 4 2.5 4"),
];

/// The colour of a share of the way from the least value to the greatest.
pub fn heat_tint(share: f64) -> [f64; 3] {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let index = (place as usize).min(HEAT.len() - 2);
    let part = place - index as f64;
    [0, 1, 2].map(|i| HEAT[index][i] + (HEAT[index + 1][i] - HEAT[index][i]) * part)
}

/// The least and the greatest finite value.
pub fn range(heat: &Heat) -> (f64, f64) {
    let finite = heat.values.iter().map(|(_, value)| *value);
    let (low, high) = finite
        .filter(|value| value.is_finite())
        .fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    if low > high { (0.0, 0.0) } else { (low, high) }
}

/// Values by hex, under roads and names.
pub fn heat(draft: &mut Draft<'_>) {
    let Some(heat) = &draft.request.overlay.heat else {
        return;
    };
    let (low, high) = range(heat);
    draft.symbol(Symbol::Heat);
    for (hex, value) in &heat.values {
        if hex.index() >= draft.board().len() || !value.is_finite() {
            continue;
        }
        let share = (value - low) / (high - low).max(1e-9);
        let d = path(&draft.corners(*hex), true);
        draft.out.raw(format!(
            "<path fill=\"{}\" fill-opacity=\".58\" d=\"{d}\"/>",
            rgb(heat_tint(share))
        ));
    }
    draft.out.close();
}

/// Hexes pointed out and ways over the board.
pub fn marks(draft: &mut Draft<'_>) {
    let request = draft.request;
    for (index, highlight) in request.overlay.highlights.iter().enumerate() {
        let mut d = String::new();
        for hex in on_board(draft, &highlight.hexes) {
            let centre = draft.centre(hex);
            let ring = draft
                .corners(hex)
                .map(|corner| centre.towards(corner, 0.93));
            push_path(&mut d, &ring, true);
        }
        let (colour, dashes) = MARKS[index % MARKS.len()];
        let width = (draft.sheet.hex * 0.06).clamp(1.2, 5.0);
        draft.symbol(Symbol::Highlight(index));
        draft.out.raw(format!(
            "<path fill=\"{colour}\" fill-opacity=\".14\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-dasharray=\"{dashes}\" d=\"{d}\"/>",
            num(width)
        ));
        draft.out.close();
    }
    for (index, track) in request.overlay.tracks.iter().enumerate() {
        let line: Vec<V> = on_board(draft, &track.hexes)
            .into_iter()
            .map(|hex| draft.centre(hex))
            .collect();
        if line.len() < 2 {
            continue;
        }
        draft.symbol(Symbol::Track(index));
        arrow(draft, index, &line);
        draft.out.close();
    }
}

fn on_board(draft: &Draft<'_>, hexes: &[HexId]) -> Vec<HexId> {
    let count = draft.board().len();
    let all = hexes.iter().copied();
    all.filter(|hex| hex.index() < count).collect()
}

fn arrow(draft: &mut Draft<'_>, index: usize, line: &[V]) {
    let (colour, dashes) = MARKS[(index + 1) % MARKS.len()];
    let width = (draft.sheet.hex * 0.07).clamp(1.5, 5.5);
    let smooth = curve(line, false, 6.0);
    let d = path(&smooth, false);
    draft.out.raw(format!(
        "<path fill=\"none\" stroke=\"{PAPER}\" stroke-opacity=\".8\" stroke-width=\"{}\" stroke-linejoin=\"round\" d=\"{d}\"/><path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-dasharray=\"{dashes}\" stroke-linejoin=\"round\" d=\"{d}\"/>",
        num(width * 1.9),
        num(width)
    ));
    let [.., before, end] = smooth.as_slice() else {
        return;
    };
    let along = (*end - *before).unit();
    let p = |a: f64, b: f64| *end + along * (a * width) + along.right() * (b * width);
    let head = path(&[p(2.6, 0.0), p(-1.6, 2.0), p(-1.6, -2.0)], true);
    draft
        .out
        .raw(format!("<path fill=\"{colour}\" d=\"{head}\"/>"));
}

/// Counters, stacked where several share a hex.
pub fn units(draft: &mut Draft<'_>) {
    let request = draft.request;
    let mut stacks: BTreeMap<HexId, Vec<&Unit>> = BTreeMap::new();
    for unit in &request.overlay.units {
        if unit.hex.index() < draft.board().len() {
            stacks.entry(unit.hex).or_default().push(unit);
        }
    }
    let size = (draft.sheet.hex * 0.52).clamp(7.0, 60.0);
    for (hex, stack) in stacks {
        let centre = draft.centre(hex) + v(0.0, size * 0.12);
        for (index, unit) in stack.iter().enumerate().rev() {
            let off = index as f64 * size * 0.1;
            draft.symbol(Symbol::Unit(unit.side));
            let at = centre + v(off, -off);
            counter(draft, unit.side, at, size);
            if index == 0 {
                counter_text(draft, unit, at, size, stack.len());
            }
            draft.out.close();
        }
        draft.mask.add_disc(centre, size * 0.6, SYMBOL);
    }
}

/// The card of a counter: square corners for the first side, cut corners for the second.
fn counter(draft: &mut Draft<'_>, side: Side, at: V, size: f64) {
    let h = size / 2.0;
    let c = match side {
        Side::First => 0.0,
        Side::Second => size * 0.17,
    };
    let p = |x: f64, y: f64| at + v(x, y);
    let card = [
        p(c - h, -h),
        p(h - c, -h),
        p(h, c - h),
        p(h, h - c),
        p(h - c, h),
        p(c - h, h),
        p(-h, h - c),
        p(-h, c - h),
    ];
    let (fill, edge) = match side {
        Side::First => ("#d5e3f3", "#173e6e"),
        Side::Second => ("#f1d9cc", "#7a2a17"),
    };
    draft.out.raw(format!(
        "<path fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{}\" d=\"{}\"/>",
        num((size * 0.05).clamp(0.6, 2.4)),
        path(&card, true)
    ));
}

fn counter_text(draft: &mut Draft<'_>, unit: &Unit, at: V, size: f64, count: usize) {
    let mut line = |text: &str, face: Face, share: f64, y: f64| {
        let natural = draft.rulers.of(face).width(text, 1.0, 0.0).max(0.1);
        let setting = Setting {
            face,
            size: (size * share).min(size * 0.9 / natural),
            spacing: 0.0,
        };
        draft.open_labels(setting, "fill=\"#1c1715\"");
        draft.label("u", at + v(0.0, y * size), setting, text);
        draft.out.close();
    };
    line(&unit.label, Face::Bold, 0.32, -0.05);
    let strength = match (unit.strength.as_str(), count) {
        ("", 1) => String::new(),
        (strength, 1) => strength.to_owned(),
        (strength, count) => format!("{strength} (+{})", count - 1),
    };
    if !strength.is_empty() {
        line(&strength, Face::Sans, 0.3, 0.36);
    }
}

/// A sample for the key.
pub fn swatch(draft: &mut Draft<'_>, symbol: Symbol, middle: V) {
    match symbol {
        Symbol::Unit(side) => counter(draft, side, middle, 19.0),
        Symbol::Highlight(index) => {
            let (colour, dashes) = MARKS[index % MARKS.len()];
            let low = middle - v(15.0, 8.0);
            draft.out.raw(format!(
                "<rect x=\"{}\" y=\"{}\" width=\"30\" height=\"16\" fill=\"{colour}\" fill-opacity=\".14\" stroke=\"{colour}\" stroke-width=\"2.4\" stroke-dasharray=\"{dashes}\"/>",
                num(low.x),
                num(low.y)
            ));
        }
        Symbol::Track(index) => {
            arrow(
                draft,
                index,
                &[middle - v(22.0, 0.0), middle + v(12.0, 0.0)],
            );
        }
        _ => {}
    }
}
