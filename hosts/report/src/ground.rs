//! The background of the maps: a picture of the ground, and the places named on it.

use cupola_draw::CannotDraw;
use cupola_ground::{Battlefield, Board, Bounds, Point};
use cupola_lab::model::{Comparison, Frame};

/// A picture of the ground inside a comparison's frame.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The picture; it fills the frame.
    pub png: Vec<u8>,
    /// Places to name: where they are in local metres.
    pub names: Vec<(String, i32, i32)>,
}

/// The picture's width in pixels.
const WIDTH: u32 = 840;

impl Ground {
    /// Draws the ground that a comparison is about. The board may be any of those that were played on.
    ///
    /// # Errors
    /// If the frame cannot be drawn.
    pub fn draw(
        field: &Battlefield,
        board: &Board,
        comparison: &Comparison,
    ) -> Result<Ground, CannotDraw> {
        let names = comparison
            .history
            .places
            .iter()
            .filter_map(|(id, name, _)| {
                let point = board.place(id)?.point;
                Some((name.clone(), point.x / 100, point.y / 100))
            });
        Ok(Ground {
            png: cupola_draw::plain(field, board, around(&comparison.frame), WIDTH)?,
            names: names.collect(),
        })
    }
}

/// The frame in the ground's centimetres.
fn around(frame: &Frame) -> Bounds {
    let span = |cells: usize| {
        frame
            .cell
            .saturating_mul(i32::try_from(cells).unwrap_or(i32::MAX))
    };
    let (east, south) = (
        frame.west + span(frame.columns),
        frame.north - span(frame.rows),
    );
    Bounds {
        low: Point::new(frame.west * 100, south * 100),
        high: Point::new(east * 100, frame.north * 100),
    }
}
