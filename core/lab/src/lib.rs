//! The lab: the same battle under every ruleset, played many times and measured in common terms.
//!
//! A [`Contest`] is a ruleset with a scenario, a plan and a bot for each side. [`Contest::play`] plays one game
//! of it and keeps a [`Record`] in common terms: who stood where, and what was lost, at the end of every
//! turn. [`run`](run::run) plays many on any number of threads and keeps them in a [`Store`]. Everything that a report
//! shows is computed from records.
//!
//! ```
//! # use cupola_corps20 as _;
//! # use cupola_library::Library;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use cupola_bots::Skill;
//! use cupola_kernel::{Registry, Seed};
//! use cupola_lab::{Played, Setting};
//!
//! # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
//! let library = Library::new(data.into(), None, Registry::linked()?);
//! let setting = Setting::read(&library, "training")?;
//! let played = Played {
//!     title: "Corps and divisions".to_owned(),
//!     ruleset: "corps20".to_owned(),
//!     variant: None,
//!     play: library.play("corps20", "training", None)?,
//! };
//! let contest = setting.contest("corps20", played, [Skill::Random; 2], Seed(1863));
//! let record = contest.play(0);
//! assert!(record.fault.is_none());
//! assert_eq!(record, contest.play(0));
//! # Ok(())
//! # }
//! ```
//!
//! Invariants:
//! * **A record follows from the contest and the game's number alone**: not from the machine, the number of
//!   threads, or what was played before.
//! * **A game that goes wrong is a record too**, with its seed, and ends nothing.
//! * **What is on disk is whole**: a run that was cut off goes on where it was.
#![forbid(unsafe_code)]

mod contest;
mod figure;
pub mod grid;
pub mod measure;
mod metric;
pub mod model;
mod pairs;
mod parting;
mod people;
mod record;
mod run;
mod saving;
pub mod sequential;
mod setting;
pub mod stats;
mod store;
pub mod sweep;
mod watch;

pub use contest::Contest;
pub use figure::Figure;
pub use metric::Metric;
pub use pairs::{Bad, PairTest, Pairs, Telling};
pub use parting::{Choice, Parting};
pub use record::{At, Hours, Kept, Record, Snapshot, Tally, Verdict};
pub use run::{Progress, each, run};
pub use saving::Saving;
pub use setting::{Played, Setting, briefs, plan_path, plans, scenarios};
pub use store::{Store, StoreError, Stored, sample};
