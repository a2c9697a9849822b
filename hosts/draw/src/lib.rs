//! Maps of battlefields and boards, as SVG and PNG.
//!
//! ```
//! use cupola_draw::{MapRequest, Style};
//! use cupola_ground::{Battlefield, Board};
//! use std::path::Path;
//!
//! let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad/ground/good");
//! let field = Battlefield::read(&folder).unwrap();
//! let board = Board::open(&folder, &folder, None).unwrap();
//! let mut request = MapRequest::new(&field, &board);
//! request.style = Style::Both;
//! let svg = cupola_draw::svg(&request);
//! assert!(svg.starts_with("<svg"));
//! let png = cupola_draw::png(&request, 600).unwrap();
//! assert!(png.starts_with(b"\x89PNG"));
//! ```
//!
//! The same crate draws positions and heat maps: put counters, hexes to point out, ways and
//! values into [`Overlay`].
//!
//! A map is made in layers ([`svg`]); names are placed by price; the key shows the
//! symbols that were drawn and no others. The pictures need neither a browser nor the machine's
//! fonts, and the same request gives the same bytes.

use cupola_kernel::Code;

mod atlas;
mod counter;
mod font;
mod furniture;
mod geometry;
mod grid;
mod ground;
mod hexes;
mod key;
mod labels;
mod map;
mod out;
mod overlay;
mod palette;
mod plain;
mod print;
mod raster;
mod relief;
mod request;
mod rules;
mod sheet;
mod soft;
mod style;
mod words;

/// The code that draws, for those who keep pictures: by other code they may look otherwise.
pub const CODE: Code = cupola_kernel::stamp!();

pub use atlas::{Atlas, Name, TILE, Zoom};
pub use map::svg;
pub use plain::plain;
pub use print::{Command, Paper, Printed, Printer, Turn};
pub use raster::{CannotDraw, png};
pub use request::{Heat, Highlight, MapRequest, Overlay, Placed, Show, Side, Style, Track, Unit};
