//! The fonts of the maps, carried along so that a map looks the same everywhere.
//!
//! Libertinus Serif speaks for the ground, Barlow Semi Condensed for the game, Besley for the
//! title: all under the SIL Open Font License, see `fonts/OFL.txt`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{GlyphId, OutlineBuilder};

use crate::words::Setting;

/// One of the fonts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    /// Serif: farms, notes.
    Serif,
    /// Serif italic: water, woods, ridges.
    Italic,
    /// Serif semi-bold: hills, villages.
    Strong,
    /// Sans: hex labels, roads, the key.
    Sans,
    /// Sans bold: counters, levels.
    Bold,
    /// Display: title and towns.
    Display,
}

impl Face {
    /// All of them.
    pub const ALL: [Face; 6] = [
        Face::Serif,
        Face::Italic,
        Face::Strong,
        Face::Sans,
        Face::Bold,
        Face::Display,
    ];

    /// The font file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Face::Serif => include_bytes!("../fonts/LibertinusSerif-Regular.ttf"),
            Face::Italic => include_bytes!("../fonts/LibertinusSerif-Italic.ttf"),
            Face::Strong => include_bytes!("../fonts/LibertinusSerif-SemiBold.ttf"),
            Face::Sans => include_bytes!("../fonts/BarlowSemiCondensed-Medium.ttf"),
            Face::Bold => include_bytes!("../fonts/BarlowSemiCondensed-Bold.ttf"),
            Face::Display => include_bytes!("../fonts/Besley-SemiBold.ttf"),
        }
    }

    /// Family, style and weight as SVG spells them.
    pub fn css(self) -> (&'static str, &'static str, u16) {
        match self {
            Face::Serif => ("Libertinus Serif", "normal", 400),
            Face::Italic => ("Libertinus Serif", "italic", 400),
            Face::Strong => ("Libertinus Serif", "normal", 600),
            Face::Sans => ("Barlow Semi Condensed", "normal", 500),
            Face::Bold => ("Barlow Semi Condensed", "normal", 700),
            Face::Display => ("Besley", "normal", 600),
        }
    }

    /// What a CSS rule needs to select this font, with fallbacks of the same temper.
    pub fn rule(self) -> String {
        let (family, style, weight) = self.css();
        let fallback = match self {
            Face::Sans | Face::Bold => "sans-serif",
            _ => "serif",
        };
        format!("font-family:'{family}',{fallback};font-style:{style};font-weight:{weight}")
    }

    /// A `@font-face` rule that carries the font itself.
    pub fn embed(self) -> String {
        let (family, style, weight) = self.css();
        format!(
            "@font-face{{font-family:'{family}';font-style:{style};font-weight:{weight};src:url(data:font/ttf;base64,{}) format('truetype')}}",
            STANDARD.encode(self.bytes())
        )
    }
}

/// Widths and outlines of letters in a font.
pub struct Ruler {
    face: Option<ttf_parser::Face<'static>>,
}

impl Ruler {
    /// The ruler of a font.
    pub fn new(face: Face) -> Ruler {
        Ruler {
            face: ttf_parser::Face::parse(face.bytes(), 0).ok(),
        }
    }

    /// The advance of a character before another at size one.
    fn advance(&self, c: char, next: Option<char>) -> f64 {
        let Some(face) = &self.face else { return 0.5 };
        let glyph = |c: char| face.glyph_index(c).unwrap_or_default();
        let advance = face.glyph_hor_advance(glyph(c)).map_or(0, i32::from);
        let kern = next.map_or(0, |next| i32::from(kerning(face, glyph(c), glyph(next))));
        f64::from(advance + kern) / units(face)
    }

    /// Widths of the characters at a size, with letters spaced.
    pub fn advances(&self, text: &str, size: f64, spacing: f64) -> Vec<f64> {
        let next = text.chars().skip(1).map(Some).chain([None]);
        text.chars()
            .zip(next)
            .map(|(c, next)| self.advance(c, next) * size + spacing)
            .collect()
    }

    /// Gives a character's outline to a pen, in units.
    pub fn outline(&self, c: char, pen: &mut dyn OutlineBuilder) {
        if let Some(face) = &self.face {
            face.outline_glyph(face.glyph_index(c).unwrap_or_default(), pen);
        }
    }

    /// Units of an outline at size one.
    pub fn units(&self) -> f64 {
        self.face.as_ref().map_or(1.0, units)
    }

    /// The width of a text at a size, with letters spaced.
    pub fn width(&self, text: &str, size: f64, spacing: f64) -> f64 {
        self.advances(text, size, spacing).iter().sum()
    }
}

/// Units of a font per size.
fn units(face: &ttf_parser::Face<'_>) -> f64 {
    f64::from(face.units_per_em().max(1))
}

/// How much closer a letter's follower stands than its advance tells: the first rule for the pair.
fn kerning(face: &ttf_parser::Face<'_>, left: GlyphId, right: GlyphId) -> i16 {
    let Some(table) = face.tables().gpos else {
        return 0;
    };
    let lookups = table.lookups.into_iter();
    lookups
        .flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable<'_>>())
        .find_map(|subtable| match subtable {
            PositioningSubtable::Pair(pairs) => pair(&pairs, left, right),
            _ => None,
        })
        .unwrap_or(0)
}

fn pair(pairs: &PairAdjustment<'_>, left: GlyphId, right: GlyphId) -> Option<i16> {
    let index = pairs.coverage().get(left)?;
    let (first, _) = match pairs {
        PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(right)?,
        PairAdjustment::Format2 {
            classes, matrix, ..
        } => matrix.get((classes.0.get(left), classes.1.get(right)))?,
    };
    Some(first.x_advance)
}

/// Rulers of all fonts.
pub struct Rulers(Vec<Ruler>);

impl Rulers {
    /// Reads the fonts.
    pub fn new() -> Rulers {
        Rulers(Face::ALL.into_iter().map(Ruler::new).collect())
    }

    /// The ruler of a font.
    pub fn of(&self, face: Face) -> &Ruler {
        &self.0[face as usize]
    }

    /// The width of a text in a setting.
    pub fn set(&self, setting: Setting, text: &str) -> f64 {
        let ruler = self.of(setting.face);
        ruler.width(text, setting.size, setting.spacing)
    }
}

#[cfg(test)]
mod tests {
    use super::{Face, Ruler};

    #[test]
    fn every_font_has_the_letters_of_a_map() {
        for face in Face::ALL {
            let ruler = Ruler::new(face);
            let font = ruler.face.as_ref().expect("a font that parses");
            for c in "Culp’s Hill 0123456789 · × – ° ½ & Ü".chars() {
                assert!(font.glyph_index(c).is_some(), "{face:?} lacks {c:?}");
            }
            assert!(ruler.width("mmm", 10.0, 0.0) > ruler.width("iii", 10.0, 0.0));
            let apart = ruler.width("A", 10.0, 0.0) + ruler.width("V", 10.0, 0.0);
            assert!(
                ruler.width("AV", 10.0, 0.0) < apart,
                "{face:?} does not kern"
            );
        }
    }
}
