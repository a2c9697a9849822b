//! What two rulesets need alike.
//!
//! * [`Search`]: where a unit can go, over costs that the ruleset gives; [`plain`] proves it.
//! * [`Around`], [`per_hexside`], [`distances`]: the board in flat arrays.
//! * [`Pin`]: whose tables something was kept for.
//! * [`Loader`]: from data files to rules, with every mistake at its line.
//! * [`Frames`]: rules that interrupt each other, as a stack of what is under way.
//! * [`words!`]: what scripts may ask, each word with its answer.
//! * [`PositionReader`]: situations set up by hand, with the keys that all rulesets share.
//!
//! Combat tables, zones of control, stacking, retreat and victory differ in truth and stay with the
//! rulesets.
#![forbid(unsafe_code)]

mod ahead;
mod around;
mod asking;
pub mod derive;
mod frames;
mod hexset;
mod loader;
mod pin;
pub mod plain;
mod position;
mod search;

pub use ahead::Ahead;
pub use around::{Around, NOWHERE, distances, per_hexside};
pub use asking::about_unit;
pub use cupola_ground::HexId;
pub use cupola_kernel::{Fact, Table, UnitId};
pub use frames::{Answer, Frames, Office, Question, not_asked};
pub use hexset::HexSet;
pub use loader::{Loader, SCENARIO, unit_info};
pub use pin::Pin;
pub use position::PositionReader;
pub use search::{Landing, MARKS, MOST, Search, Steps, Then, Ways};
