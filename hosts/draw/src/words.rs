//! Words on the map: text where they can be searched and copied, outlines where they are pixels.
//!
//! An SVG carries its fonts and real text. A picture is drawn from the same map with the outlines
//! of the letters in the place of text, so it needs no engine for fonts.

use ttf_parser::OutlineBuilder;

use crate::font::{Face, Ruler, Rulers};
use crate::geometry::{V, length, v};
use crate::out::{Out, escape, num, path, push_num};
use crate::sheet::Draft;
use crate::style;

/// What a map is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// An SVG that stands alone: words are text, the relief is an image.
    Svg,
    /// A picture: words are outlines, the relief lies beneath the drawing.
    Picture,
}

/// Font, size and letter spacing of words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The font.
    pub face: Face,
    /// Its size in units.
    pub size: f64,
    /// Units between letters.
    pub spacing: f64,
}

/// Which part of a line of words stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Anchor {
    /// The share of the line that lies before the point.
    const fn share(self) -> f64 {
        match self {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        }
    }

    /// As SVG spells it.
    const fn attribute(self) -> &'static str {
        match self {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        }
    }
}

impl Draft<'_> {
    /// A line of words of a class of the style sheet.
    pub fn words(&mut self, class: &str, at: V, anchor: Anchor, text: &str) {
        let setting = style::text(class, self.sheet.weight);
        match self.medium {
            Medium::Svg => self.out.text(class, at, anchor.attribute(), text),
            Medium::Picture => self.quill().outline(class, at, anchor, setting, text),
        }
    }

    /// Opens a group of labels that are set alike, each with its middle at its point.
    pub fn open_labels(&mut self, setting: Setting, attributes: &str) {
        self.quill().open_labels(setting, attributes);
    }

    /// A label of a group that was opened with the same setting.
    pub fn label(&mut self, class: &str, at: V, setting: Setting, text: &str) {
        self.quill().label(class, at, setting, text);
    }

    /// What is needed to write and draw on this sheet.
    pub fn quill(&mut self) -> Quill<'_> {
        Quill {
            out: &mut self.out,
            rulers: &self.rulers,
            medium: self.medium,
        }
    }

    /// Words in the middle of a line and along it.
    pub fn words_along(&mut self, class: &str, line: &[V], text: &str) {
        let setting = style::text(class, self.sheet.weight);
        if self.medium == Medium::Picture {
            let d = along(self.rulers.of(setting.face), setting, line, text);
            return self.out.path(class, &d);
        }
        let id = self.threads;
        self.threads += 1;
        self.out.raw(format!(
            "<path id=\"way{id}\" fill=\"none\" d=\"{}\"/><text class=\"{class}\" text-anchor=\"middle\"><textPath href=\"#way{id}\" startOffset=\"50%\">{}</textPath></text>",
            path(line, false),
            escape(text)
        ));
    }
}

/// What is needed to write and draw anywhere: on maps and on printed sheets.
pub struct Quill<'a> {
    /// The drawing so far.
    pub out: &'a mut Out,
    /// Widths of text.
    pub rulers: &'a Rulers,
    /// What is drawn for.
    pub medium: Medium,
}

impl Quill<'_> {
    /// Opens a group of labels that are set alike, each with its middle at its point.
    pub fn open_labels(&mut self, setting: Setting, attributes: &str) {
        self.out.open(&format!(
            "{attributes} text-anchor=\"middle\" style=\"{};font-size:{}px\"",
            setting.face.rule(),
            num(setting.size)
        ));
    }

    /// A label of a group that was opened with the same setting.
    pub fn label(&mut self, class: &str, at: V, setting: Setting, text: &str) {
        match self.medium {
            Medium::Svg => self.out.text(class, at, "", text),
            Medium::Picture => self.outline(class, at, Anchor::Middle, setting, text),
        }
    }

    fn outline(&mut self, class: &str, at: V, anchor: Anchor, setting: Setting, text: &str) {
        let ruler = self.rulers.of(setting.face);
        let width = ruler.width(text, setting.size, setting.spacing);
        let start = at - v(width * anchor.share(), 0.0);
        let ahead = [start, start + v(width, 0.0)];
        let d = along(ruler, setting, &ahead, text);
        self.out.path(class, &d);
    }
}

/// The outlines of words in the middle of a line: each letter stands upright on the line below
/// its middle, as SVG has it.
fn along(ruler: &Ruler, setting: Setting, line: &[V], text: &str) -> String {
    let advances = ruler.advances(text, setting.size, setting.spacing);
    let mut from = (length(line) - advances.iter().sum::<f64>()) / 2.0;
    let mut d = String::new();
    for (c, advance) in text.chars().zip(advances) {
        let half = advance / 2.0;
        if let Some((middle, ahead)) = place(line, from + half) {
            let mut pen = Pen {
                d: &mut d,
                origin: middle - ahead * half,
                ahead,
                scale: setting.size / ruler.units(),
            };
            ruler.outline(c, &mut pen);
        }
        from += advance;
    }
    d
}

/// The point so far along a line, and the way the line goes there.
fn place(line: &[V], mut far: f64) -> Option<(V, V)> {
    for pair in line.windows(2) {
        let step = pair[1] - pair[0];
        let long = step.length();
        if far <= long && long > 0.0 {
            let ahead = step * (1.0 / long);
            return Some((pair[0] + ahead * far, ahead));
        }
        far -= long;
    }
    None
}

/// Writes outlines as path data, where a letter stands and turned as it stands.
struct Pen<'a> {
    d: &'a mut String,
    origin: V,
    ahead: V,
    scale: f64,
}

impl Pen<'_> {
    fn step(&mut self, letter: char, points: &[(f32, f32)]) {
        self.d.push(letter);
        for (x, y) in points {
            let (x, y) = (f64::from(*x) * self.scale, f64::from(*y) * self.scale);
            // Fonts count upwards, sheets downwards.
            let p = self.origin + self.ahead * x - self.ahead.right() * y;
            push_num(self.d, p.x);
            self.d.push(' ');
            push_num(self.d, p.y);
            self.d.push(' ');
        }
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.step('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.step('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.step('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.step('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.d.push('z');
    }
}
