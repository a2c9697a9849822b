//! Relief: hill shading under tints of height, and contour lines.
//!
//! Shading is a raster, because light on ground has no outlines; contours are lines. Both come
//! from one smooth surface: the heights, softened once and read through a cubic B-spline, whose
//! slope has no creases that a shaded picture would show.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_ground::{Battlefield, Bounds, Point};

use crate::geometry::{V, clip, simplify, v};
use crate::key::Symbol;
use crate::out::{num, push_path};
use crate::sheet::{Draft, Sheet};
use crate::words::Medium;

/// Metres between the values that carry the surface.
const CELL: f64 = 50.0;
/// Metres per pixel of the shading, at least.
const PIXEL: f64 = 20.0;
/// How much steeper the ground is made for the light; the field is gentle.
const STEEPER: f64 = 7.0;

/// Tints from the valleys to the hills: cool green, pale green, cream, straw, tan.
const TINTS: [[f64; 3]; 6] = [
    [186.0, 209.0, 184.0],
    [207.0, 221.0, 192.0],
    [230.0, 232.0, 205.0],
    [245.0, 236.0, 210.0],
    [238.0, 217.0, 178.0],
    [222.0, 190.0, 148.0],
];

/// A smooth surface over the ground of a sheet.
pub struct Surface {
    values: Vec<f64>,
    columns: usize,
    lines: usize,
    /// Heights between which the tints are spread.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

impl Surface {
    /// The surface of a sheet's ground; measured in metres from its north-west corner. Tints are
    /// spread over `range`, or over the heights that it has itself.
    pub fn new(field: &Battlefield, ground: &Bounds, range: Option<(f64, f64)>) -> Surface {
        let span = |low: i32, high: i32| (f64::from(high - low) / 100.0 / CELL).ceil() as usize;
        let columns = span(ground.low.x, ground.high.x) + 5;
        let lines = span(ground.low.y, ground.high.y) + 5;
        let step = CELL as i32 * 100;
        let mut values = Vec::with_capacity(columns * lines);
        for line in 0..lines as i32 {
            for column in 0..columns as i32 {
                let x = ground.low.x + (column - 2) * step;
                let y = ground.high.y - (line - 2) * step;
                values.push(f64::from(field.heights.height(Point::new(x, y))) / 100.0);
            }
        }
        let mut surface = Surface {
            values,
            columns,
            lines,
            low: 0.0,
            high: 0.0,
        };
        surface.soften();
        if let Some((low, high)) = range {
            (surface.low, surface.high) = (low, high);
            return surface;
        }
        let mut sorted = surface.values.clone();
        sorted.sort_by(f64::total_cmp);
        surface.low = sorted[sorted.len() / 50];
        surface.high = sorted[sorted.len() - 1 - sorted.len() / 100].max(surface.low + 20.0);
        surface
    }

    /// Takes the creases out of heights that were interpolated between sparse values.
    fn soften(&mut self) {
        const WEIGHTS: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        for across in [false, true] {
            let old = self.values.clone();
            for line in 0..self.lines {
                for column in 0..self.columns {
                    let sum: f64 = WEIGHTS
                        .iter()
                        .zip(-2_isize..)
                        .map(|(weight, off)| {
                            let (l, c) = if across {
                                (line.saturating_add_signed(off).min(self.lines - 1), column)
                            } else {
                                let c = column.saturating_add_signed(off);
                                (line, c.min(self.columns - 1))
                            };
                            weight * old[l * self.columns + c]
                        })
                        .sum();
                    self.values[line * self.columns + column] = sum / 16.0;
                }
            }
        }
    }

    /// Height, and its slope to the east and to the south, at metres from the corner.
    fn read(&self, x: f64, y: f64) -> (f64, f64, f64) {
        let (column, line) = (x / CELL + 2.0, y / CELL + 2.0);
        let c = (column.floor().max(1.0) as usize).min(self.columns - 3);
        let l = (line.floor().max(1.0) as usize).min(self.lines - 3);
        let (wx, dx) = spline(column - c as f64);
        let (wy, dy) = spline(line - l as f64);
        let (mut height, mut east, mut south) = (0.0, 0.0, 0.0);
        for j in 0..4 {
            for i in 0..4 {
                let value = self.values[(l + j - 1) * self.columns + c + i - 1];
                height += value * wx[i] * wy[j];
                east += value * dx[i] * wy[j];
                south += value * wx[i] * dy[j];
            }
        }
        (height, east / CELL, south / CELL)
    }

    /// The tint of a height.
    fn tint(&self, height: f64) -> [f64; 3] {
        let share = ((height - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        tint(share)
    }
}

/// The tint of a share of the way from the lowest ground to the highest.
pub fn tint(share: f64) -> [f64; 3] {
    let place = share.clamp(0.0, 1.0) * (TINTS.len() - 1) as f64;
    let index = (place as usize).min(TINTS.len() - 2);
    let part = place - index as f64;
    let (a, b) = (TINTS[index], TINTS[index + 1]);
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part)
}

/// Weights of a cubic B-spline and of its slope.
fn spline(t: f64) -> ([f64; 4], [f64; 4]) {
    let t = t.clamp(0.0, 1.0);
    let (t2, t3, s) = (t * t, t * t * t, 1.0 - t);
    let weights = [
        s * s * s / 6.0,
        (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0,
        (-3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0) / 6.0,
        t3 / 6.0,
    ];
    let slopes = [
        -s * s / 2.0,
        (3.0 * t2 - 4.0 * t) / 2.0,
        (-3.0 * t2 + 2.0 * t + 1.0) / 2.0,
        t2 / 2.0,
    ];
    (weights, slopes)
}

/// Light on a slope, from 0 to 1, flat ground at about 0.7: mostly from the north-west, some
/// from the west and the north so that no ridge vanishes because it runs with the light.
fn light(east: f64, south: f64) -> f64 {
    const LAMPS: [([f64; 3], f64); 3] = [
        ([-0.5, -0.5, 0.707], 0.6),
        ([-0.707, 0.0, 0.707], 0.2),
        ([0.0, -0.707, 0.707], 0.2),
    ];
    let (nx, ny) = (-east * STEEPER, -south * STEEPER);
    let length = (nx * nx + ny * ny + 1.0).sqrt();
    LAMPS
        .iter()
        .map(|(lamp, weight)| weight * ((nx * lamp[0] + ny * lamp[1] + lamp[2]) / length).max(0.0))
        .sum()
}

/// Tint under light: shadows turn to a cool grey-violet, lit slopes to warm white.
fn shade(tint: [f64; 3], light: f64) -> [u8; 3] {
    const SHADOW: [f64; 3] = [92.0, 88.0, 116.0];
    const GLOW: [f64; 3] = [255.0, 251.0, 238.0];
    let flat = 0.707;
    [0, 1, 2].map(|i| {
        let value = if light < flat {
            let share = ((flat - light) / flat).min(1.0) * 0.78;
            tint[i] + (SHADOW[i] - tint[i]) * share
        } else {
            let share = ((light - flat) / (1.0 - flat)).min(1.0) * 0.75;
            tint[i] + (GLOW[i] - tint[i]) * share
        };
        value.round().clamp(0.0, 255.0) as u8
    })
}

/// The shaded relief as pixels that fill the frame.
pub struct Shading {
    /// Pixels in a line.
    pub columns: u32,
    /// Lines.
    pub lines: u32,
    /// Red, green and blue of each pixel, line by line.
    pub pixels: Vec<[u8; 3]>,
}

/// Lays the shaded relief into the frame, or beneath the drawing if that is to be a picture.
pub fn shading(draft: &mut Draft<'_>, surface: &Surface) {
    let shading = shaded(&draft.sheet, surface);
    draft.symbol(Symbol::Relief);
    match draft.medium {
        Medium::Svg => image(draft, &shading),
        Medium::Picture => draft.relief = Some(shading),
    }
    draft.out.close();
}

fn shaded(sheet: &Sheet, surface: &Surface) -> Shading {
    let frame = sheet.frame;
    let pixel = PIXEL.max(1.6 / sheet.scale);
    let metres = |units: f64| units / sheet.scale;
    let columns = (metres(frame.width()) / pixel).ceil().max(2.0) as u32;
    let lines = (metres(frame.height()) / pixel).ceil().max(2.0) as u32;
    let (dx, dy) = (
        metres(frame.width()) / f64::from(columns),
        metres(frame.height()) / f64::from(lines),
    );
    let mut pixels = Vec::with_capacity((columns * lines) as usize);
    for line in 0..lines {
        for column in 0..columns {
            let (height, east, south) =
                surface.read((f64::from(column) + 0.5) * dx, (f64::from(line) + 0.5) * dy);
            pixels.push(shade(surface.tint(height), light(east, south)));
        }
    }
    Shading {
        columns,
        lines,
        pixels,
    }
}

fn image(draft: &mut Draft<'_>, shading: &Shading) {
    let frame = draft.sheet.frame;
    let Some(png) = encode(shading) else { return };
    draft.out.raw(format!(
        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" href=\"data:image/png;base64,{}\"/>",
        num(frame.low.x),
        num(frame.low.y),
        num(frame.width()),
        num(frame.height()),
        STANDARD.encode(png)
    ));
}

fn encode(shading: &Shading) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, shading.columns, shading.lines);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().ok()?;
    writer
        .write_image_data(shading.pixels.as_flattened())
        .ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Metres between contour lines, and every how many lines one is heavier.
pub fn interval(sheet: &Sheet) -> (f64, usize) {
    if sheet.scale < 0.1 {
        (10.0, 5)
    } else {
        (5.0, 4)
    }
}

/// Contour lines.
pub fn contours(draft: &mut Draft<'_>, surface: &Surface) {
    let (interval, heavy) = interval(&draft.sheet);
    let lattice = Fine::new(&draft.sheet, surface);
    let (mut thin, mut thick) = (String::new(), String::new());
    let (first, last) = (
        (surface.low / interval).floor() as i64 - 4,
        (surface.high / interval).ceil() as i64 + 8,
    );
    for step in first..=last {
        let level = step as f64 * interval;
        let index = step.rem_euclid(heavy as i64) == 0;
        let text = if index { &mut thick } else { &mut thin };
        for line in lattice.contour(level) {
            for piece in clip(&line, &draft.sheet.frame) {
                push_path(text, &simplify(&piece, 0.3), false);
            }
        }
    }
    if thin.is_empty() && thick.is_empty() {
        return;
    }
    draft.symbol(Symbol::Contour);
    draft.out.path("contour", &thin);
    draft.out.path("contour index", &thick);
    draft.out.close();
}

/// The surface read on a fine lattice, for contours.
struct Fine {
    values: Vec<f64>,
    columns: usize,
    lines: usize,
    low: V,
    step: f64,
}

impl Fine {
    fn new(sheet: &Sheet, surface: &Surface) -> Fine {
        let cell = 25.0;
        let metres = |units: f64| units / sheet.scale;
        let columns = (metres(sheet.frame.width()) / cell).ceil() as usize + 2;
        let lines = (metres(sheet.frame.height()) / cell).ceil() as usize + 2;
        let mut values = Vec::with_capacity(columns * lines);
        for line in 0..lines {
            for column in 0..columns {
                // A hair off whole values: a lattice point exactly on a contour has no side.
                let height = surface.read(column as f64 * cell, line as f64 * cell).0;
                values.push(height + 1e-7);
            }
        }
        Fine {
            values,
            columns,
            lines,
            low: sheet.frame.low,
            step: cell * sheet.scale,
        }
    }

    fn at(&self, column: usize, line: usize) -> f64 {
        self.values[line * self.columns + column]
    }

    /// Where the level crosses the edge that starts at a lattice point and goes right or down.
    fn crossing(&self, edge: usize, level: f64) -> V {
        let (point, down) = (edge / 2, edge % 2);
        let (column, line) = (point % self.columns, point / self.columns);
        let (a, b) = (
            self.at(column, line),
            self.at(column + 1 - down, line + down),
        );
        let share = if a == b { 0.5 } else { (level - a) / (b - a) };
        let along = share.clamp(0.0, 1.0);
        let (x, y) = if down == 0 {
            (column as f64 + along, line as f64)
        } else {
            (column as f64, line as f64 + along)
        };
        self.low + v(x * self.step, y * self.step)
    }

    /// The lines at a level: each cell joins two of its edges (or two pairs), and edges chain up.
    fn contour(&self, level: f64) -> Vec<Vec<V>> {
        let mut joints: Vec<[u32; 2]> = vec![[u32::MAX; 2]; self.columns * self.lines * 2];
        let mut edges = Vec::new();
        for line in 0..self.lines - 1 {
            for column in 0..self.columns - 1 {
                for (a, b) in self.cell(column, line, level) {
                    for (from, to) in [(a, b), (b, a)] {
                        let joint = &mut joints[from];
                        let free = usize::from(joint[0] != u32::MAX);
                        joint[free] = to as u32;
                        edges.push(from);
                    }
                }
            }
        }
        let mut lines = Vec::new();
        // Open lines first, from their loose ends; what remains are rings.
        for ends in [true, false] {
            for &edge in &edges {
                let joint = joints[edge];
                let live = joint.iter().filter(|next| **next != u32::MAX).count();
                if live == 0 || (ends && live == 2) {
                    continue;
                }
                lines.push(self.follow(edge, &mut joints, level));
            }
        }
        lines
    }

    /// Walks from an edge along its joints, taking them out as it goes.
    fn follow(&self, start: usize, joints: &mut [[u32; 2]], level: f64) -> Vec<V> {
        let mut line = vec![self.crossing(start, level)];
        let mut here = start;
        while let Some(slot) = joints[here].iter().position(|next| *next != u32::MAX) {
            let next = joints[here][slot] as usize;
            joints[here][slot] = u32::MAX;
            if let Some(back) = joints[next].iter().position(|n| *n as usize == here) {
                joints[next][back] = u32::MAX;
            }
            line.push(self.crossing(next, level));
            here = next;
        }
        line
    }

    /// The pairs of edges that a level joins inside a cell.
    fn cell(&self, column: usize, line: usize, level: f64) -> Vec<(usize, usize)> {
        let corners = [
            self.at(column, line),
            self.at(column + 1, line),
            self.at(column + 1, line + 1),
            self.at(column, line + 1),
        ];
        let above = corners.map(|height| height > level);
        let point = line * self.columns + column;
        let edges = [
            point * 2,
            (point + 1) * 2 + 1,
            (point + self.columns) * 2,
            point * 2 + 1,
        ];
        let cut: Vec<usize> = (0..4)
            .filter(|i| above[*i] != above[(*i + 1) % 4])
            .collect();
        match cut.as_slice() {
            [a, b] => vec![(edges[*a], edges[*b])],
            [_, _, _, _] => {
                // A saddle: the middle says which corners belong together.
                let middle = corners.iter().sum::<f64>() / 4.0 > level;
                if middle == above[0] {
                    vec![(edges[0], edges[1]), (edges[2], edges[3])]
                } else {
                    vec![(edges[0], edges[3]), (edges[1], edges[2])]
                }
            }
            _ => Vec::new(),
        }
    }
}
