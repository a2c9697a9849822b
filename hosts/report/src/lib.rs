//! What the lab found: one page for people, tidy tables for programs.
//!
//! [`page`] turns a [`Comparison`](cupola_lab::model::Comparison) into a single HTML file that loads nothing, so that it can be mailed, kept
//! and opened in ten years. [`tables`] writes the same numbers, and those of every game, as CSV.
//!
//! ```
//! use cupola_lab::model::{Comparison, Raster, HistoryFindings};
//! let nothing = Comparison {
//!     scenario: "gettysburg-july1".into(),
//!     title: "The first day".into(),
//!     sides: [("us".into(), "Union".into()), ("cs".into(), "Confederate".into())],
//!     hours: vec![],
//!     frame: Raster { west: 0, north: 0, cell: 150, columns: 1, rows: 1 },
//!     contests: vec![],
//!     history: HistoryFindings::default(),
//!     notes: vec![],
//!     grid: None,
//! };
//! let page = cupola_report::page(&nothing, &cupola_report::Ground::default());
//! assert!(page.contains("The first day"));
//! ```
//!
//! Where to start reading: [`page`] lists the figures; each is a file in `figures/` that makes a section from a
//! view of the comparison: a sentence with its numbers, a chart, and how to read it. `svg` has shapes, scales and axes;
//! colours are in `style.css`, and `script.js` paints the maps.
//!
//! Invariants:
//! * **The page loads nothing** and needs its script for the maps only.
//! * **Colour is never the only sign**: sides differ in shape, hatching and dashes too.
//! * **Rulesets stand beside each other on the same scales.**
#![forbid(unsafe_code)]

mod designer;
mod figures;
mod ground;
mod page;
mod svg;
pub mod tables;
mod view;
mod words;

pub use designer::{differences_page, sweep_page};
pub use ground::Ground;
pub use page::page;

/// A notebook that computes every headline of a report again from its tables, with Python's own library alone: to lie beside
/// them as `headlines.ipynb`.
pub const NOTEBOOK: &str = include_str!("../notebook/headlines.ipynb");
