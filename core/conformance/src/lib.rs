//! The checks that any ruleset passes by naming itself.
//!
//! A ruleset's tests are three lines; the macro makes one named test of every check:
//!
//! ```no_run
//! # fn load() -> cupola_kernel::Play { unimplemented!() }
//! fn gettysburg() -> cupola_kernel::Play {
//!     load()
//! }
//! cupola_conformance::suite!(gettysburg);
//! ```
//!
//! A host runs the same checks at once and gets a [`Conformity`]:
//!
//! ```no_run
//! use cupola_conformance::{Settings, check};
//! # fn gettysburg() -> cupola_kernel::Play { unimplemented!() }
//! let report = check(&gettysburg, &Settings::quick());
//! println!("{report}");
//! assert!(report.holds());
//! ```
//!
//! Start reading at [`Check`], which says what is checked, and [`Settings`], which say how hard.
//!
//! Invariants:
//! * **The suite knows no ruleset.** It plays through the kernel's contract, as every host does.
//! * **It draws nothing from a clock or a stream**: the same settings look at the same positions, so
//!   a failure names a game and a ply that can be met again.
#![forbid(unsafe_code)]

mod conformity;
mod copies;
mod dice;
mod edges;
mod fights;
mod games;
mod golden;
mod identity;
mod laws;
mod marches;
mod mutants;
mod odds;
mod options;
mod parts;
mod playthrough;
mod process;
mod replay;
mod script;
mod seams;
mod settings;
mod suite;
mod swaps;
mod views;
mod walk;

pub use conformity::{Check, Conformity, Finding};
pub use edges::{Edge, Missed, edges};
pub use golden::{compare, counts, stored};
pub use mutants::{Mutant, unseen};
pub use playthrough::playthrough;
pub use process::{same_test, tells_digest};
pub use replay::digest;
pub use settings::{Elsewhere, Law, Settings, Twin};
pub use suite::{check, hold, run};
pub use swaps::{Entry, swaps};
