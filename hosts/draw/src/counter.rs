//! Counters as their ruleset declares them: the same faces that the page draws.

use crate::font::Face as Font;
use crate::geometry::{V, v};
use crate::out::{num, path};
use crate::sheet::Draft;
use crate::words::{Quill, Setting};
use cupola_ground::HexId;
use cupola_look::{BadgeSign, Colour, Corners, Counter, Outline, Pips, Spot, Symbol, Tone};
use std::collections::BTreeMap;

/// Dark, middle and pale of a colour.
struct Ink {
    dark: &'static str,
    mid: &'static str,
    pale: &'static str,
}

const fn ink(colour: Colour) -> Ink {
    let (dark, mid, pale) = match colour {
        Colour::Blue => ("#163a68", "#2f629f", "#dbe7f4"),
        Colour::Rust => ("#6b2a16", "#a3522f", "#f6e3d6"),
        Colour::Grey => ("#3a3d41", "#6a6f75", "#e9e9e6"),
        Colour::Green => ("#234b2b", "#477e50", "#e2eee0"),
        Colour::Ochre => ("#5e470c", "#a98422", "#f6ecd0"),
        Colour::Violet => ("#3d2c5f", "#6f589b", "#eae3f3"),
    };
    Ink { dark, mid, pale }
}

/// Draws every stack of the overlay.
pub fn counters(draft: &mut Draft<'_>) {
    let request = draft.request;
    let mut stacks: BTreeMap<HexId, Vec<&Counter>> = BTreeMap::new();
    for placed in &request.overlay.counters {
        if placed.hex.index() < draft.board().len() {
            stacks.entry(placed.hex).or_default().push(&placed.counter);
        }
    }
    let hex = draft.sheet.hex;
    for (at, stack) in stacks {
        let centre = draft.centre(at);
        for (place, size, counter) in lay_out(&stack) {
            draft.out.open("data-symbol=\"counter\"");
            one(
                &mut draft.quill(),
                counter,
                centre + place * hex,
                size * hex,
            );
            draft.out.close();
        }
    }
}

/// Places around the centre in shares of a hex: side by side up to six, in a pile beyond.
fn lay_out<'a>(stack: &[&'a Counter]) -> Vec<(V, f64, &'a Counter)> {
    let count = stack.len();
    if count == 1 {
        return vec![(v(0.0, 0.0), 0.62, stack[0])];
    }
    if count > 6 {
        let last = &stack[count - 4..];
        return last
            .iter()
            .enumerate()
            .map(|(i, counter)| {
                let off = (1.5 - i as f64) * 0.06;
                (v(off, -off), 0.54, *counter)
            })
            .collect();
    }
    let columns = if count <= 4 { 2 } else { 3 };
    let rows = count.div_ceil(columns);
    let size = match (count, columns) {
        (2, _) => 0.42,
        (_, 2) => 0.37,
        _ => 0.28,
    };
    let placed = stack.iter().enumerate().map(|(i, counter)| {
        let row = i / columns;
        let in_row = columns.min(count - row * columns);
        let x = (i % columns) as f64 - (in_row as f64 - 1.0) / 2.0;
        let y = row as f64 - (rows as f64 - 1.0) / 2.0;
        (v(x, y) * (size * 1.06), size, *counter)
    });
    placed.collect()
}

/// Draws a counter around a point.
pub fn one(quill: &mut Quill<'_>, counter: &Counter, at: V, s: f64) {
    let ink = ink(counter.colour);
    if counter.outline == Outline::Block {
        let shade = outline(counter, at + v(s * 0.035, s * 0.045), s);
        quill
            .out
            .raw(format!("<path fill=\"{}\" d=\"{shade}\"/>", ink.dark));
    }
    let d = outline(counter, at, s);
    let fill = if counter.back { ink.mid } else { ink.pale };
    quill.out.raw(format!("<path fill=\"{fill}\" d=\"{d}\"/>"));
    if !counter.back {
        front(quill, counter, at, s, &ink);
    }
    quill.out.raw(format!(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" d=\"{d}\"/>",
        ink.dark,
        num((s * 0.04).max(0.5))
    ));
    if counter.pale && !counter.back {
        quill.out.raw(format!(
            "<path fill=\"#faf5e8\" fill-opacity=\".45\" d=\"{d}\"/>"
        ));
    }
    for (index, badge) in counter.badges.iter().take(4).enumerate() {
        let place = at + v(s * 0.43, -s * 0.2 + index as f64 * s * 0.235);
        sign(quill, badge, place, s * 0.23);
    }
    if let Some(degrees) = counter.facing {
        facing(quill, at, s, f64::from(degrees), ink.dark);
    }
}

fn front(quill: &mut Quill<'_>, counter: &Counter, at: V, s: f64, ink: &Ink) {
    let band = s * 0.27;
    let top = at.y - s / 2.0;
    // A round counter has no room for a band: its name stands on the plain.
    let round = matches!(counter.outline, Outline::Leader | Outline::Marker);
    if !round {
        let cut = counter.corners == Corners::Cut;
        let inset = if cut { s * 0.08 } else { 0.0 };
        quill.out.raw(format!(
            "<rect fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            ink.mid,
            num(at.x - s / 2.0 + inset),
            num(top),
            num(s - 2.0 * inset),
            num(band)
        ));
    }
    let bottom = |spot| matches!(spot, Spot::Bottom | Spot::BottomLeft | Spot::BottomRight);
    let low = counter.slots.iter().filter(|slot| bottom(slot.at)).count();
    let middle = if low > 0 { -s * 0.045 } else { s * 0.12 };
    symbol(
        quill,
        counter.symbol,
        at + v(0.0, middle),
        s * 0.25,
        ink.dark,
    );
    if let Some(pips) = counter.pips {
        steps(quill, pips, v(at.x - s / 2.0, top + band), s, ink.dark);
    }
    for slot in &counter.slots {
        let (place, room) = room_for(slot.at, round, low);
        let on_band = slot.at == Spot::Top && !round;
        let size = match (slot.at == Spot::Top, slot.large) {
            (true, _) => 0.2,
            (_, true) => 0.36,
            _ => 0.29,
        };
        let colour = if on_band { "#fffaf0" } else { ink.dark };
        text(
            quill,
            &slot.text,
            at + place * s,
            s * size,
            s * room,
            colour,
        );
    }
}

/// Where the middle of a text stands and how wide it may be, in parts of the counter's width, where so many
/// stand at the foot.
fn room_for(spot: Spot, round: bool, low: usize) -> (V, f64) {
    let (x, y) = middle_of(spot);
    let (y, room) = match (round, spot) {
        (true, Spot::Top) => (-0.25, 0.74),
        (true, _) => (y * 0.94, 0.6),
        (_, Spot::Top) => (y, 0.88),
        _ if low == 1 => (y, 0.88),
        // Three in a row must not run into one another.
        (_, Spot::Bottom) if low == 3 => (y, 0.2),
        _ => (y, 0.38),
    };
    (v(x, y), room)
}

/// Where the middle of a text stands, in parts of the counter's width.
fn middle_of(spot: Spot) -> (f64, f64) {
    match spot {
        Spot::Top => (0.0, -0.36),
        Spot::TopLeft => (-0.3, -0.36),
        Spot::TopRight => (0.3, -0.36),
        Spot::Centre => (0.0, 0.05),
        Spot::Left => (-0.3, 0.05),
        Spot::Right => (0.3, 0.05),
        Spot::Bottom => (0.0, 0.31),
        Spot::BottomLeft => (-0.28, 0.3),
        Spot::BottomRight => (0.28, 0.31),
    }
}

/// A text with its middle at a point, made smaller until it fits.
fn text(quill: &mut Quill<'_>, words: &str, at: V, size: f64, room: f64, colour: &str) {
    let face = Font::Bold;
    let natural = quill.rulers.of(face).width(words, 1.0, 0.0).max(0.1);
    let size = size.min(room / natural);
    let setting = Setting {
        face,
        size,
        spacing: 0.0,
    };
    quill.open_labels(setting, &format!("fill=\"{colour}\""));
    quill.label("u", at + v(0.0, size * 0.36), setting, words);
    quill.out.close();
}

fn steps(quill: &mut Quill<'_>, pips: Pips, corner: V, s: f64, colour: &str) {
    let (size, gap) = (s * 0.085, s * 0.045);
    for i in 0..pips.of.max(pips.now) {
        let fill = if i < pips.now { colour } else { "none" };
        quill.out.raw(format!(
            "<rect fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"{}\" x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\"/>",
            num((s * 0.015).max(0.3)),
            num(corner.x + s * 0.06),
            num(corner.y + gap + f64::from(i) * (size + gap)),
            w = num(size)
        ));
    }
}

fn sign(quill: &mut Quill<'_>, badge: &BadgeSign, at: V, size: f64) {
    let (fill, colour) = match badge.tone {
        Tone::Bad => ("#9b2d1f", "#fff8f2"),
        Tone::Good => ("#2f6b3c", "#f6fff4"),
        Tone::Plain => ("#fff6dc", "#2b2420"),
    };
    let r = size * 0.5;
    let shape = match badge.tone {
        Tone::Bad => vec![
            at - v(0.0, r * 1.2),
            at + v(r * 1.2, 0.0),
            at + v(0.0, r * 1.2),
            at - v(r * 1.2, 0.0),
        ],
        Tone::Good => circle(at, r),
        Tone::Plain => vec![at + v(-r, -r), at + v(r, -r), at + v(r, r), at + v(-r, r)],
    };
    quill.out.raw(format!(
        "<path fill=\"{fill}\" stroke=\"#2b2420\" stroke-width=\"{}\" d=\"{}\"/>",
        num((size * 0.08).max(0.3)),
        path(&shape, true)
    ));
    text(quill, &badge.sign, at, size * 0.72, size * 0.8, colour);
}

fn facing(quill: &mut Quill<'_>, at: V, s: f64, degrees: f64, colour: &str) {
    let radians = degrees.to_radians();
    let (ahead, right) = (
        v(libm::sin(radians), -libm::cos(radians)),
        v(libm::cos(radians), libm::sin(radians)),
    );
    let head = [
        at + ahead * (s * 0.72),
        at + ahead * (s * 0.55) + right * (s * 0.17),
        at + ahead * (s * 0.55) - right * (s * 0.17),
    ];
    quill.out.raw(format!(
        "<path fill=\"{colour}\" stroke=\"#fffaf0\" stroke-width=\"{}\" d=\"{}\"/>",
        num((s * 0.03).max(0.4)),
        path(&head, true)
    ));
}

/// The outline of a counter as path data.
fn outline(counter: &Counter, at: V, s: f64) -> String {
    let r = s / 2.0;
    match (counter.outline, counter.corners) {
        (Outline::Leader, _) => path(&circle(at, r * 0.98), true),
        (Outline::Marker, _) => path(&circle(at, r * 0.6), true),
        (_, corners) => {
            let c = match corners {
                Corners::Cut => s * 0.16,
                Corners::Round => s * 0.1,
                Corners::Square => s * 0.01,
            };
            let ring = [
                (c - r, -r),
                (r - c, -r),
                (r, c - r),
                (r, r - c),
                (r - c, r),
                (c - r, r),
                (-r, r - c),
                (-r, c - r),
            ];
            path(&ring.map(|(x, y)| at + v(x, y)), true)
        }
    }
}

fn circle(at: V, r: f64) -> Vec<V> {
    (0..24)
        .map(|i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 24.0;
            at + v(libm::cos(angle), libm::sin(angle)) * r
        })
        .collect()
}

/// A symbol of our set around a point.
fn symbol(quill: &mut Quill<'_>, symbol: Symbol, at: V, h: f64, colour: &str) {
    if symbol == Symbol::Unknown {
        text(quill, "?", at, h * 1.3, h * 1.3, colour);
    }
    let dashes = match symbol {
        Symbol::Remnant => "2 1.4",
        _ => "none",
    };
    let [lines, solid] = strokes(symbol, at, h);
    if !lines.is_empty() {
        quill.out.raw(format!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-dasharray=\"{dashes}\" d=\"{lines}\"/>",
            num((h * 0.11).max(0.4))
        ));
    }
    if !solid.is_empty() {
        quill
            .out
            .raw(format!("<path fill=\"{colour}\" d=\"{solid}\"/>"));
    }
}

/// What of a symbol is drawn in lines, and what is filled.
fn strokes(symbol: Symbol, at: V, h: f64) -> [String; 2] {
    let w = h * 1.55;
    let p = |x: f64, y: f64| at + v(x * w, y * h);
    let frame = [p(-0.5, -0.5), p(0.5, -0.5), p(0.5, 0.5), p(-0.5, 0.5)];
    let (down, up) = ([p(-0.5, -0.5), p(0.5, 0.5)], [p(-0.5, 0.5), p(0.5, -0.5)]);
    let (mut lines, mut solid) = (String::new(), String::new());
    match symbol {
        Symbol::None | Symbol::Unknown => {}
        Symbol::Infantry | Symbol::Remnant => {
            lines = path(&frame, true) + &path(&down, false) + &path(&up, false);
        }
        Symbol::Cavalry => lines = path(&frame, true) + &path(&up, false),
        Symbol::Artillery => {
            lines = path(&frame, true);
            solid = path(&circle(at, h * 0.24), true);
        }
        Symbol::HorseArtillery => {
            lines = path(&frame, true) + &path(&up, false);
            solid = path(&circle(at, h * 0.24), true);
        }
        Symbol::Headquarters => {
            lines = path(&[p(-0.32, -0.6), p(-0.32, 0.6)], false);
            solid = path(
                &[p(-0.32, -0.6), p(0.4, -0.6), p(0.4, 0.15), p(-0.32, 0.15)],
                true,
            );
        }
        Symbol::Leader => solid = path(&star(at, h * 0.62), true),
        Symbol::Train => {
            lines = path(
                &[p(-0.4, -0.4), p(0.4, -0.4), p(0.4, 0.1), p(-0.4, 0.1)],
                true,
            );
            solid = path(&circle(p(-0.22, 0.3), h * 0.16), true)
                + &path(&circle(p(0.22, 0.3), h * 0.16), true);
        }
        Symbol::Works => {
            let wall = [
                p(-0.5, 0.3),
                p(-0.25, 0.3),
                p(-0.25, -0.2),
                p(0.25, -0.2),
                p(0.25, 0.3),
                p(0.5, 0.3),
            ];
            lines = path(&wall, false);
        }
    }
    [lines, solid]
}

fn star(at: V, r: f64) -> Vec<V> {
    (0..10)
        .map(|i| {
            let radius = if i % 2 == 0 { r } else { r * 0.42 };
            let angle = -std::f64::consts::FRAC_PI_2 + f64::from(i) * std::f64::consts::PI / 5.0;
            at + v(libm::cos(angle), libm::sin(angle)) * radius
        })
        .collect()
}
