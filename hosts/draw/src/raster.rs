//! From map to PNG, without a browser and without the machine's fonts.

use std::fmt;

use resvg::tiny_skia::{
    Color, FilterQuality, Pixmap, PixmapPaint, PremultipliedColorU8, Transform,
};
use resvg::usvg::{Options, Tree};

use crate::geometry::Rect;
use crate::map::{Drawing, draw};
use crate::relief::Shading;
use crate::request::MapRequest;
use crate::style;
use crate::words::Medium;

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

/// Draws a map as a PNG of this width in pixels; the height follows.
pub fn png(request: &MapRequest<'_>, width: u32) -> Result<Vec<u8>, CannotDraw> {
    paint(&draw(request, Medium::Picture), width)
}

/// Turns a drawing into pixels.
pub fn paint(drawing: &Drawing, width: u32) -> Result<Vec<u8>, CannotDraw> {
    if !(1..=WIDEST).contains(&width) {
        let message = format!("a width of {width}, expected 1 to {WIDEST} pixels");
        return Err(CannotDraw(message));
    }
    let tree = Tree::from_str(&drawing.svg, &Options::default())
        .map_err(|error| CannotDraw(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| CannotDraw(format!("{width} by {height} pixels are too many")))?;
    let [red, green, blue] = style::PAPER_RGB;
    pixels.fill(Color::from_rgba8(red, green, blue, 255));
    let scale = Transform::from_scale(scale, scale);
    if let Some(shading) = &drawing.relief {
        lay(&mut pixels, shading, &drawing.frame, scale);
    }
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| CannotDraw(error.to_string()))
}

/// Lays the relief into the frame.
fn lay(pixels: &mut Pixmap, shading: &Shading, frame: &Rect, scale: Transform) {
    let Some(mut relief) = Pixmap::new(shading.columns, shading.lines) else {
        return;
    };
    for (to, [red, green, blue]) in relief.pixels_mut().iter_mut().zip(&shading.pixels) {
        if let Some(colour) = PremultipliedColorU8::from_rgba(*red, *green, *blue, 255) {
            *to = colour;
        }
    }
    let (wide, high) = (f64::from(shading.columns), f64::from(shading.lines));
    let place = Transform::from_translate(frame.low.x as f32, frame.low.y as f32).pre_scale(
        (frame.width() / wide) as f32,
        (frame.height() / high) as f32,
    );
    let paint = PixmapPaint {
        quality: FilterQuality::Bicubic,
        ..PixmapPaint::default()
    };
    let place = place.post_concat(scale);
    pixels.draw_pixmap(0, 0, relief.as_ref(), &paint, place, None);
}
