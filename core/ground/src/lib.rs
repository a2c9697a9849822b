//! The battlefield in metres, the hex grids laid over it, and the boards that follow.
//!
//! A [`Battlefield`] is the real ground, stored once. A [`Grid`] is what a ruleset prints over
//! it: hexes with labels. A [`Terrain`] is what its whole series makes of any ground, a [`BoardPlan`] the recipe by which the one becomes the other, and
//! the corrections a rulebook asks for. Together they compile to a [`Board`].
//!
//! Latitude and longitude become whole centimetres as they are read; everything after that is
//! integers, so every machine gets the same board:
//!
//! ```
//! use cupola_ground::{Projection, Point};
//!
//! let frame = Projection { zone: 18, easting: 304_208.02, northing: 4_404_534.27 };
//! let summit = frame.project(39.79200, -77.23630);
//! assert!(summit.distance(Point::from_metres(4315.0, 2529.0)) < 160);
//! assert_eq!(frame.unproject(summit).to_string(), "39.79200, -77.23630");
//! ```
//!
//! A grid is data, and a spot on the ground has a label on every grid:
//!
//! ```
//! use cupola_data::Source;
//! use cupola_ground::{Grid, Point};
//!
//! let grid = Grid::parse(&Source::new("grid.ron", r#"(
//!     name: "blocks", title: "Block game", orientation: columns,
//!     pitch: (447.6, derived("fit")),
//!     origin: ((label: "R7", x: 4430.0, y: 2392.0), derived("fit")),
//!     stagger: (none, printed("000")), labels: (axial, printed("000")),
//!     extent: ([("A1", "Z24")], house("all of it")),
//! )"#)).unwrap();
//! let hex = grid.lattice.hex_at(Point::from_metres(4315.0, 2529.0));
//! assert_eq!(grid.label(hex), Some("R7"));
//! ```
//!
//! A board answers what rules ask: terrain, neighbours, distance, lines of sight. Where units can go is asked of `cupola-kit`.
//!
//! ```
//! use std::path::Path;
//! use cupola_ground::Board;
//!
//! let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground/good");
//! let board = Board::open(&folder, &folder, None).unwrap();
//! let (mill, hill) = (board.hex("0404").unwrap(), board.hex("0505").unwrap());
//! assert_eq!(board.distance(mill, hill), 2);
//! assert_eq!(board.line(mill, hill).len(), 4, "along a hexside: both hexes beside it");
//! ```

pub mod anchors;
pub mod battlefield;
pub mod board;
pub mod cache;
mod compile;
pub mod grid;
pub mod heights;
pub mod kinds;
pub mod point;
pub mod projection;
pub mod recipe;
pub mod terrain;

pub use anchors::{Anchor, Anchors, Fit};
pub use battlefield::{Battlefield, BattlefieldFiles};
pub use board::{
    Area, AreaKind, Board, Cover, Grade, HexCard, HexId, Hexside, Lines, Link, Mark, Marks, Rise,
    Touch,
};
pub use cache::BoardFiles;
pub use grid::{Direction, Grid, Hex, Lattice, Orientation};
pub use heights::Heights;
pub use kinds::{Crossing, Named, RoadKind, WaterKind};
pub use point::{Bounds, Point};
pub use projection::{LatLon, Projection};
pub use recipe::{BoardPlan, Correction, Recipe};
pub use terrain::{HexSize, Terrain};
