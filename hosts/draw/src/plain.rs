//! The bare ground of a rectangle, as a picture to draw other things on: no grid, no names, no frame.

use crate::geometry::{Rect, v};
use crate::out::{Out, num};
use crate::raster::{CannotDraw, paint};
use crate::relief;
use crate::request::{MapRequest, Style};
use crate::sheet::Draft;
use crate::words::Medium;
use crate::{ground, map::Drawing, style};
use cupola_ground::kinds::{CoverKind, Named, WaterKind};
use cupola_ground::{Battlefield, Board, Bounds};

/// Units of the drawing from west to east: fewer than a map's, so that lines stay visible when the picture is small.
const WIDE: f64 = 1100.0;

/// Draws the ground of a rectangle as a PNG of this width in pixels; the height follows. The board tells how far the
/// data of the ground go: roads and streams that end beyond its edge are drawn on.
///
/// # Errors
/// If the width or the rectangle is out of range.
pub fn plain(
    field: &Battlefield,
    board: &Board,
    around: Bounds,
    width: u32,
) -> Result<Vec<u8>, CannotDraw> {
    let request = MapRequest {
        style: Style::Ground,
        ..MapRequest::new(field, board)
    };
    let metres = |low: i32, high: i32| f64::from(high.saturating_sub(low)).max(100.0) / 100.0;
    let scale = WIDE / metres(around.low.x, around.high.x);
    let high = metres(around.low.y, around.high.y) * scale;
    let mut draft = Draft::new(&request, Medium::Picture);
    draft.sheet.scale = scale;
    draft.sheet.ground = around;
    draft.sheet.frame = Rect {
        low: v(0.0, 0.0),
        high: v(WIDE, high),
    };
    let surface = relief::Surface::new(field, &around, None);
    relief::shading(&mut draft, &surface);
    ground::cover(&mut draft, CoverKind::ALL);
    ground::water(&mut draft, WaterKind::ALL);
    ground::roads(&mut draft);
    let drawing = Drawing {
        relief: draft.relief.take(),
        frame: draft.sheet.frame,
        svg: page(draft, WIDE, high),
    };
    paint(&drawing, width)
}

/// The page around a drawing that has neither margin nor frame.
pub fn page(draft: Draft<'_>, wide: f64, high: f64) -> String {
    let mut out = Out::default();
    out.raw(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">",
        num(wide),
        num(high)
    ));
    let weight = draft.sheet.weight;
    out.raw(format!("<style>\n{}</style>", style::sheet(weight, false)));
    out.raw("<defs>");
    style::patterns(&mut out, weight, draft.sheet.origin);
    out.raw("</defs>");
    out.raw(draft.out.finish());
    out.raw("</svg>");
    out.finish()
}
