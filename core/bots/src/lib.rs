//! Players that know no ruleset by name.
//!
//! They work on the kernel's contract and on the terms that all rulesets share:
//! * [`Random`] chooses any option;
//! * [`Steady`] carries out a [`Plan`], with exact odds for each fight;
//! * [`Search`] tries what steady likes best on forks, and plays on from there, within a budget of nodes.
//!
//! ```
//! # use cupola_corps20 as _;
//! # use cupola_library::Library;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use cupola_bots::{Bot, Random, Sight};
//! use cupola_kernel::{Registry, Seed};
//!
//! # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
//! let library = Library::new(data.into(), None, Registry::linked()?);
//! let mut game = library.play("corps20", "training", None)?.game(Seed(1863))?;
//! while let Some(sight) = Sight::new(&game, Seed(7)) {
//!     let (side, act) = (sight.side(), Random.choose(&sight)?);
//!     game.apply(side, act)?;
//! }
//! assert!(game.verdict().is_some());
//! # Ok(())
//! # }
//! ```
//!
//! Invariants:
//! * **A bot sees what its seat sees.** It gets a [`Sight`], never the game: what is hidden is dealt anew
//!   each time a bot imagines how things could be.
//! * **A choice depends on what is seen and on the bot's seed alone**, not on the machine, the clock, or how many
//!   choices were made before. Two games that are alike from where a bot sits get like answers.
#![forbid(unsafe_code)]

mod brief;
mod distances;
mod holding;
mod horizon;
mod leader;
mod nerve;
mod plan;
mod player;
mod random;
mod search;
mod sight;
mod spent;
mod steady;
mod worth;

pub use brief::Brief;
pub use plan::{Order, Plan, Task, Temper};
pub use player::{Player, Skill};
pub use random::Random;
pub use search::Search;
pub use sight::{Bot, Sight};
pub use steady::Steady;
pub use worth::Worth;
