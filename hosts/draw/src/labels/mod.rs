//! Names on the map: where they fit, and how they follow a road or a stream.
//!
//! Names are placed one by one, the weightier first, each where it hides the least; a name that
//! finds no room is left out, as a cartographer would do. Nothing is ever placed over another
//! name.

mod along;
mod gates;
mod mask;
mod places;

pub use along::ways;
pub use gates::{arrow, entries};
pub use mask::{HEX_LABEL, LEVEL, LINE, Mask, SYMBOL, Tile};
pub use places::{places, rank, reserve};
