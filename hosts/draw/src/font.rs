//! The fonts of the maps, carried along so that a map looks the same everywhere.
//!
//! Libertinus Serif speaks for the ground, Barlow Semi Condensed for the game, Besley for the
//! title: all under the SIL Open Font License, see `fonts/OFL.txt`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

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

/// Widths of text in a font.
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

    /// The advance of a character at size one.
    fn advance(&self, c: char) -> f64 {
        let Some(face) = &self.face else { return 0.5 };
        let glyph = face.glyph_index(c).unwrap_or_default();
        let units = f64::from(face.units_per_em().max(1));
        face.glyph_hor_advance(glyph)
            .map_or(0.5, |advance| f64::from(advance) / units)
    }

    /// Widths of the characters at a size, with letters spaced.
    pub fn advances(&self, text: &str, size: f64, spacing: f64) -> Vec<f64> {
        text.chars()
            .map(|c| self.advance(c) * size + spacing)
            .collect()
    }

    /// The width of a text at a size, with letters spaced.
    pub fn width(&self, text: &str, size: f64, spacing: f64) -> f64 {
        self.advances(text, size, spacing).iter().sum()
    }
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
        }
    }
}
