//! The background of the maps: a picture of the ground, and the places named on it.

use crate::words::fit;
use cupola_draw::CannotDraw;
use cupola_ground::{Battlefield, Board, Bounds, Point};
use cupola_lab::model::{Comparison, Raster};

/// A picture of the ground inside a comparison's frame.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// The picture; it fills the frame.
    pub png: Vec<u8>,
    /// Places to name: where they are in local metres.
    pub names: Vec<(String, i32, i32)>,
    /// Whom to name, as the licence of the ground asks.
    pub attribution: String,
}

/// Letters of a name that is still easy to place.
const LONG: usize = 16;
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
        let mut places: Vec<_> = comparison.history.places.iter().collect();
        // The script names as many as fit, the first ones first.
        places.sort_by_key(|(_, name, held)| {
            let unknown = held.iter().filter(|side| side.is_none()).count();
            (name.chars().count() > LONG, unknown)
        });
        let names = places.into_iter().filter_map(|(id, name, held)| {
            let point = board.place(id)?.point;
            let known = held.iter().any(Option::is_some);
            known.then(|| (fit(name, LONG), point.x / 100, point.y / 100))
        });
        Ok(Ground {
            png: cupola_draw::plain(field, board, around(&comparison.frame), WIDTH)?,
            names: names.collect(),
            attribution: field.attribution.clone().unwrap_or_default(),
        })
    }
}

/// The frame in the ground's centimetres.
fn around(frame: &Raster) -> Bounds {
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
