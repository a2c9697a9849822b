//! What a series of games makes of any ground: the size of its hexes and its recipe.
//!
//! `terrain.ron` of a ruleset. What only one battlefield needs (where levels begin, which of its roads are
//! too small to be drawn, what its printed map corrects) stands in the battle's `grid.ron` and `board.ron`.
//!
//! ```ron
//! (
//!     hex: (orientation: rows, pitch: (731.52, printed("002 2: 800 yards"))),
//!     recipe: (
//!         height: mean,
//!         levels: every(step: (15.0, house("contours")), from: (0.0, house("sea level"))),
//!         slopes: none,
//!     ),
//! )
//! ```

use cupola_data::{Problems, Source, Sourced};
use serde::Deserialize;

use crate::grid::Orientation;
use crate::recipe::{Recipe, check_recipe};

/// The hexes of a series, wherever they are laid.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HexSize {
    /// `rows` if a hex has neighbours to the east and west, `columns` if to the north and south.
    pub orientation: Orientation,
    /// Metres from centre to centre along a row or column.
    pub pitch: Sourced<f64>,
}

/// A `terrain.ron`, with its text for messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Terrain {
    /// The hexes.
    pub hex: HexSize,
    /// The recipe.
    pub recipe: Recipe,
    /// The text.
    pub source: Source,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerrainFile {
    /// The hexes of the series, wherever they are laid.
    hex: HexSize,
    /// What becomes of any ground: levels, slopes, cover, roads, water and walls of a board.
    recipe: Recipe,
}

impl Terrain {
    /// Understands and checks the text of a `terrain.ron`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(source: Source) -> Result<Terrain, Problems> {
        let TerrainFile { hex, recipe } = source.ron()?;
        let mut problems = Problems::new();
        if !(10.0..=5_000.0).contains(&hex.pitch.0) {
            let message = format!("{} is out of range, expected 10 to 5000", hex.pitch.0);
            problems.push(source.problem("hex.pitch[0]", message));
        }
        check_recipe(&source, &recipe, &mut problems);
        problems.check(Terrain {
            hex,
            recipe,
            source,
        })
    }
}
