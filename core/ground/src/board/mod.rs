//! The board.
mod terrain;
pub use terrain::*;
