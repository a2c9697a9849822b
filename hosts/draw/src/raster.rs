//! From SVG to PNG, without a browser and without the machine's fonts.

use std::fmt;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::font::Face;

/// Widest picture that is drawn, in pixels.
const WIDEST: u32 = 20_000;

/// Why a picture could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotDraw(String);

impl fmt::Display for CannotDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the picture cannot be drawn: {}", self.0)
    }
}

impl std::error::Error for CannotDraw {}

/// Draws an SVG as a PNG of this width in pixels; the height follows.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, CannotDraw> {
    if !(1..=WIDEST).contains(&width) {
        let message = format!("a width of {width}, expected 1 to {WIDEST} pixels");
        return Err(CannotDraw(message));
    }
    let mut fonts = fontdb::Database::new();
    for face in Face::ALL {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(face.bytes())));
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| CannotDraw(error.to_string()))?;
    let size = tree.size();
    let scale = width as f32 / size.width();
    let height = (size.height() * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| CannotDraw(format!("{width} by {height} pixels are too many")))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| CannotDraw(error.to_string()))
}
