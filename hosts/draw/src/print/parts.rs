//! What is on the sheets.

use super::{Command, MARGIN, Printer, Turn};
use crate::font::Face;
use crate::geometry::v;
use crate::style::INK;
use cupola_kernel::{Chart, Term};
use cupola_look::Counter;

/// Lines that are cut along.
const CUT: &str = "#9a9186";

impl Printer {
    /// The order of battle by headquarters, each with its counters.
    pub fn order_of_battle(&mut self, heading: &str, commands: &[Command], size: f64) {
        self.begin("order-of-battle", heading);
        let size = size * 10.0;
        for command in commands {
            let indent = command.depth as f64 * 60.0;
            let room = self.width() - indent;
            let columns = ((room / (size + 14.0)) as usize).max(1);
            let rows = command.counters.len().div_ceil(columns);
            // A headquarters is not left alone at the foot of a sheet.
            self.need(56.0 + rows.min(2) as f64 * (size + 14.0));
            let x = MARGIN + indent;
            let (face, letters) = match command.depth {
                0 => (Face::Display, 46.0),
                1 => (Face::Bold, 42.0),
                _ => (Face::Bold, 36.0),
            };
            self.write(face, letters, v(x, self.y + 38.0), &command.name);
            let after = self.rulers.of(face).width(&command.name, letters, 0.0) + 20.0;
            let about = command.about.clone();
            self.write(Face::Serif, 34.0, v(x + after, self.y + 38.0), &about);
            self.y += 56.0;
            for row in command.counters.chunks(columns) {
                self.need(size + 14.0);
                for (column, counter) in row.iter().enumerate() {
                    let at = v(x + (size + 14.0) * column as f64, self.y) + v(size, size) * 0.5;
                    self.counter(counter, at, size);
                }
                self.y += size + 14.0;
            }
            self.y += 14.0;
        }
    }

    /// The turn track.
    pub fn turns(&mut self, turns: &[Turn]) {
        self.begin("turn-track", "Turn track");
        let columns = 5;
        let (wide, high) = (self.width() / columns as f64, 210.0);
        for row in turns.chunks(columns) {
            self.need(high);
            for (column, turn) in row.iter().enumerate() {
                let low = v(MARGIN + wide * column as f64, self.y);
                let (fill, sign) = match turn.light.as_str() {
                    "night" => ("#d5dae6", "\u{263e}"),
                    "dawn" | "dusk" => ("#f3e3d2", "\u{25d1}"),
                    _ => ("#fffdf5", "\u{2600}"),
                };
                self.rect(low, wide, high, fill, INK);
                let label = self.wrap(Face::Bold, 36.0, wide - 30.0, &turn.label);
                for (line, words) in label.iter().take(2).enumerate() {
                    let at = low + v(15.0, 48.0 + 40.0 * line as f64);
                    self.write(Face::Bold, 36.0, at, words);
                }
                let hours = turn.hours.clone();
                self.write(Face::Sans, 30.0, low + v(15.0, 150.0), &hours);
                let light = format!("{sign} {}", turn.light);
                self.write(Face::Italic, 30.0, low + v(15.0, 190.0), &light);
            }
            self.y += high;
        }
    }

    /// The tables that the game reads.
    pub fn charts(&mut self, charts: &[Chart]) {
        self.begin("tables", "Tables");
        charts.iter().for_each(|chart| self.chart(chart));
    }

    fn chart(&mut self, chart: &Chart) {
        const SIZE: f64 = 32.0;
        const LINE: f64 = 40.0;
        let widths = self.columns(chart, SIZE);
        let total: f64 = widths.iter().sum();
        let rule = if chart.rule.is_empty() {
            String::new()
        } else {
            format!(" (\u{a7}{})", chart.rule)
        };
        self.need(64.0 + LINE * (chart.rows.len() + 1).min(8) as f64);
        let title = format!("{}{rule}", chart.title);
        self.write(Face::Bold, 42.0, v(MARGIN, self.y + 38.0), &title);
        self.y += 52.0;
        for (number, row) in std::iter::once(&chart.head).chain(&chart.rows).enumerate() {
            let face = if number == 0 { Face::Bold } else { Face::Serif };
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(text, width)| self.wrap(face, SIZE, width - 16.0, text))
                .collect();
            let high = cells.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64 * LINE;
            self.need(high);
            if number == 0 || number % 2 == 0 {
                let fill = if number == 0 { "#e8dfcb" } else { "#f7f2e6" };
                self.rect(v(MARGIN, self.y), total, high, fill, "none");
            }
            let mut x = MARGIN;
            for (lines, width) in cells.iter().zip(&widths) {
                for (line, words) in lines.iter().enumerate() {
                    let at = v(x + 8.0, self.y + 31.0 + LINE * line as f64);
                    self.write(face, SIZE, at, words);
                }
                x += width;
            }
            self.y += high;
            self.line(v(MARGIN, self.y), v(MARGIN + total, self.y), 1.5, "#b9ad96");
        }
        for words in self.wrap(Face::Italic, 30.0, self.width(), &chart.note) {
            self.need(38.0);
            self.write(Face::Italic, 30.0, v(MARGIN, self.y + 34.0), &words);
            self.y += 38.0;
        }
        self.y += 36.0;
    }

    /// Widths of a table's columns: as wide as they want to be, together no wider than the sheet.
    fn columns(&self, chart: &Chart, size: f64) -> Vec<f64> {
        let cell = |face: Face, text: &str| self.rulers.of(face).width(text, size, 0.0) + 20.0;
        let wanted: Vec<f64> = (0..chart.head.len())
            .map(|column| {
                let cells = chart.rows.iter().filter_map(|row| row.get(column));
                cells
                    .map(|text| cell(Face::Serif, text))
                    .fold(cell(Face::Bold, &chart.head[column]), f64::max)
            })
            .collect();
        let total: f64 = wanted.iter().sum();
        if total <= self.width() {
            return wanted;
        }
        // The narrow ones keep their width; the wide ones share what is left.
        let fair = self.width() / wanted.len() as f64;
        let narrow: f64 = wanted.iter().filter(|width| **width <= fair).sum();
        let wide: f64 = total - narrow;
        wanted
            .iter()
            .map(|width| match *width <= fair {
                true => *width,
                false => width / wide * (self.width() - narrow),
            })
            .collect()
    }

    /// Cards and chits with what they say, to cut out.
    pub fn cards(&mut self, heading: &str, terms: &[&Term]) {
        self.begin("cards", heading);
        let columns = 3;
        let (wide, high) = (self.width() / columns as f64, 500.0);
        for row in terms.chunks(columns) {
            self.need(high);
            for (column, term) in row.iter().enumerate() {
                let low = v(MARGIN + wide * column as f64, self.y);
                self.rect(low, wide, high, "none", CUT);
                let mut y = 60.0;
                for words in self.wrap(Face::Display, 40.0, wide - 50.0, &term.name) {
                    self.write(Face::Display, 40.0, low + v(25.0, y), &words);
                    y += 48.0;
                }
                let about = match term.rule.as_str() {
                    "" => term.kind.clone(),
                    rule => format!("{} \u{b7} \u{a7}{rule}", term.kind),
                };
                self.write(Face::Italic, 28.0, low + v(25.0, y), &about);
                y += 50.0;
                // Long texts are set smaller, until they fit.
                let mut size = 32.0;
                let mut lines = self.wrap(Face::Serif, size, wide - 50.0, &term.text);
                while y + lines.len() as f64 * size * 1.22 > high - 15.0 && size > 20.0 {
                    size -= 2.0;
                    lines = self.wrap(Face::Serif, size, wide - 50.0, &term.text);
                }
                for words in lines {
                    self.write(Face::Serif, size, low + v(25.0, y), &words);
                    y += size * 1.22;
                }
            }
            self.y += high;
        }
    }

    /// Counters to cut out, edge to edge, at this size in millimetres.
    pub fn counters(&mut self, counters: &[Counter], size: f64) {
        self.begin("counters", "Counters");
        let size = size * 10.0;
        let columns = ((self.width() / size) as usize).max(1);
        for row in counters.chunks(columns) {
            self.need(size);
            for (column, counter) in row.iter().enumerate() {
                let low = v(MARGIN + size * column as f64, self.y);
                self.rect(low, size, size, "none", CUT);
                // What is cut through a little awry still looks right.
                self.counter(counter, low + v(size, size) * 0.5, size * 0.9);
            }
            self.y += size;
        }
        let words = format!("Counters are {} mm wide: print at 100 %.", size / 10.0);
        self.need(50.0);
        self.write(Face::Italic, 28.0, v(MARGIN, self.y + 38.0), &words);
    }
}
