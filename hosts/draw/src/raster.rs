//! From map to PNG, without a browser and without the machine's fonts.

use std::fmt;

use resvg::tiny_skia::{
    Color, FilterQuality, Pixmap, PixmapPaint, PremultipliedColorU8, Transform,
};
use resvg::usvg::{Options, Tree};

use crate::geometry::Rect;
use crate::map::{Drawing, draw};
use crate::palette::reduce;
use crate::relief::Shading;
use crate::request::MapRequest;
use crate::style;
use crate::words::Medium;

/// Widest picture that is drawn, in pixels.
const WIDEST: u32 = 8_000;

/// Why a picture could not be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CannotDraw(String);

impl CannotDraw {
    /// Why.
    pub(crate) fn new(why: String) -> CannotDraw {
        CannotDraw(why)
    }
}

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
    let tree = parse(drawing)?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round().max(1.0) as u32;
    let scale = Transform::from_scale(scale, scale);
    encode(&pixels(drawing, &tree, (width, height), scale)?)
}

/// Turns a drawing into so many pixels, moved and scaled.
pub fn render(drawing: &Drawing, size: (u32, u32), place: Transform) -> Result<Pixmap, CannotDraw> {
    pixels(drawing, &parse(drawing)?, size, place)
}

fn parse(drawing: &Drawing) -> Result<Tree, CannotDraw> {
    Tree::from_str(&drawing.svg, &Options::default()).map_err(|error| CannotDraw(error.to_string()))
}

fn pixels(
    drawing: &Drawing,
    tree: &Tree,
    (width, height): (u32, u32),
    place: Transform,
) -> Result<Pixmap, CannotDraw> {
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| CannotDraw(format!("{width} by {height} pixels are too many")))?;
    let [red, green, blue] = style::PAPER_RGB;
    pixels.fill(Color::from_rgba8(red, green, blue, 255));
    if let Some(shading) = &drawing.relief {
        lay(&mut pixels, shading, &drawing.frame, place);
    }
    resvg::render(tree, place, &mut pixels.as_mut());
    Ok(pixels)
}

/// A picture in 256 colours.
pub fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, CannotDraw> {
    // The paper is opaque, so every pixel is.
    let colours = pixmap
        .pixels()
        .iter()
        .map(|p| [p.red(), p.green(), p.blue()]);
    let (palette, places) = reduce(&colours.collect::<Vec<_>>());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.as_flattened().to_vec());
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let told = |error: png::EncodingError| CannotDraw(error.to_string());
    let mut writer = encoder.write_header().map_err(told)?;
    writer.write_image_data(&places).map_err(told)?;
    writer.finish().map_err(told)?;
    Ok(bytes)
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
