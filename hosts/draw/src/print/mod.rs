//! Sheets that a club lays beside the map, at true scale: order of battle, turn track, tables, cards, counters.
//!
//! ```
//! use cupola_draw::{Paper, Printer, Turn};
//!
//! let mut printer = Printer::new(Paper::A4, "Blocks");
//! printer.turns(&[Turn { label: "July 1, 8 AM".into(), hours: "8:00–10:00".into(), light: "day".into() }]);
//! let sheets = printer.finish();
//! assert!(sheets[0].svg.contains("width=\"210mm\""));
//! ```
//!
//! A sheet is an SVG in millimetres: printed at 100 % a counter is as large as was asked for. One unit of a drawing is a
//! tenth of a millimetre.

mod parts;

use crate::counter;
use crate::font::{Face, Rulers};
use crate::geometry::{V, v};
use crate::out::{Out, escape, num};
use crate::style::INK;
use crate::words::{Medium, Quill};
use cupola_look::Counter;

/// Paper that people have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8½ × 11 inches.
    Letter,
}

impl Paper {
    /// By its name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Paper> {
        match name {
            "a4" => Some(Paper::A4),
            "letter" => Some(Paper::Letter),
            _ => None,
        }
    }

    /// Width and height in tenths of a millimetre.
    const fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (2100.0, 2970.0),
            Paper::Letter => (2159.0, 2794.0),
        }
    }
}

/// A formation with its counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// How far down the army it stands.
    pub depth: usize,
    /// Its name.
    pub name: String,
    /// Who commands it, and how many men.
    pub about: String,
    /// The counters that stand directly under it.
    pub counters: Vec<Counter>,
}

/// A turn of the track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// As printed.
    pub label: String,
    /// When it is.
    pub hours: String,
    /// `dawn`, `day`, `dusk` or `night`.
    pub light: String,
}

/// A sheet that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// What is on it: `order-of-battle-1`.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

/// Margin on all sides.
const MARGIN: f64 = 120.0;
/// Height of the heading.
const HEAD: f64 = 130.0;

/// Draws sheet after sheet.
pub struct Printer {
    paper: Paper,
    title: String,
    rulers: Rulers,
    done: Vec<Printed>,
    /// The sheet under way: its name, its heading and how many of that name came before.
    now: Option<(String, String, usize)>,
    out: Out,
    /// How far down the sheet is filled.
    y: f64,
}

impl Printer {
    /// No sheet yet.
    #[must_use]
    pub fn new(paper: Paper, title: &str) -> Printer {
        Printer {
            paper,
            title: title.to_owned(),
            rulers: Rulers::new(),
            done: vec![],
            now: None,
            out: Out::default(),
            y: 0.0,
        }
    }

    /// The sheets.
    #[must_use]
    pub fn finish(mut self) -> Vec<Printed> {
        self.end();
        self.done
    }

    /// Begins a kind of sheets.
    fn begin(&mut self, name: &str, heading: &str) {
        self.end();
        self.open(name.to_owned(), heading.to_owned(), 1);
    }

    fn open(&mut self, name: String, heading: String, number: usize) {
        let (width, _) = self.paper.size();
        let more = if number > 1 {
            format!(" ({number})")
        } else {
            String::new()
        };
        let said = format!("{heading}{more}");
        self.now = Some((name, heading, number));
        self.y = MARGIN + HEAD;
        self.write(Face::Display, 62.0, v(MARGIN, MARGIN + 55.0), &said);
        let title = self.title.clone();
        let wide = self.rulers.of(Face::Italic).width(&title, 38.0, 0.0);
        self.write(
            Face::Italic,
            38.0,
            v(width - MARGIN - wide, MARGIN + 50.0),
            &title,
        );
        self.line(
            v(MARGIN, MARGIN + 80.0),
            v(width - MARGIN, MARGIN + 80.0),
            5.0,
            INK,
        );
    }

    /// Ends the sheet under way.
    fn end(&mut self) {
        let Some((name, _, number)) = self.now.take() else {
            return;
        };
        let (width, height) = self.paper.size();
        let body = std::mem::take(&mut self.out).finish();
        let fonts: String = [
            Face::Serif,
            Face::Italic,
            Face::Bold,
            Face::Sans,
            Face::Display,
        ]
        .into_iter()
        .filter(|face| body.contains(&face.rule()))
        .map(Face::embed)
        .collect();
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\">\n\
             <title>{}</title>\n<style>{fonts}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n",
            num(width / 10.0),
            num(height / 10.0),
            num(width),
            num(height),
            escape(&format!("{}: {name} {number}", self.title)),
        );
        self.done.push(Printed {
            name: format!("{name}-{number}"),
            svg,
        });
    }

    /// Goes on to another sheet of the same kind if there is no room for so much.
    fn need(&mut self, height: f64) {
        let (_, bottom) = self.paper.size();
        // What is higher than a sheet is not helped by another one.
        if self.y + height > bottom - MARGIN && self.y > MARGIN + HEAD + 1.0 {
            let Some((name, heading, number)) = self.now.clone() else {
                return;
            };
            self.end();
            self.open(name, heading, number + 1);
        }
    }

    /// The width between the margins.
    fn width(&self) -> f64 {
        self.paper.size().0 - 2.0 * MARGIN
    }

    /// A line of words with its beginning at a point.
    fn write(&mut self, face: Face, size: f64, at: V, words: &str) {
        self.out.raw(format!(
            "<text x=\"{}\" y=\"{}\" fill=\"{INK}\" style=\"{};font-size:{}px\">{}</text>",
            num(at.x),
            num(at.y),
            face.rule(),
            num(size),
            escape(words)
        ));
    }

    /// Words broken into lines that fit.
    fn wrap(&self, face: Face, size: f64, width: f64, words: &str) -> Vec<String> {
        let ruler = self.rulers.of(face);
        let mut lines: Vec<String> = vec![];
        for word in words.split_whitespace() {
            match lines.last_mut() {
                Some(line)
                    if ruler.width(line, size, 0.0)
                        + ruler.width(&format!(" {word}"), size, 0.0)
                        <= width =>
                {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    fn line(&mut self, from: V, to: V, width: f64, colour: &str) {
        self.out.raw(format!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" d=\"M{} {}L{} {}\"/>",
            num(width),
            num(from.x),
            num(from.y),
            num(to.x),
            num(to.y)
        ));
    }

    fn rect(&mut self, low: V, width: f64, height: f64, fill: &str, stroke: &str) {
        self.out.raw(format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"3\"/>",
            num(low.x),
            num(low.y),
            num(width),
            num(height)
        ));
    }

    fn counter(&mut self, counter: &Counter, centre: V, size: f64) {
        let mut quill = Quill {
            out: &mut self.out,
            rulers: &self.rulers,
            medium: Medium::Svg,
        };
        counter::one(&mut quill, counter, centre, size);
    }
}
