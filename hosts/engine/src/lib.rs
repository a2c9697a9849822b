//! The engine: games by handle, asked and answered in JSON. `cupola engine` speaks it over stdin and stdout;
//! another host gives an [`Engine`] lines from wherever it likes.
//!
//! ```
//! use cupola_corps20 as _;
//! use cupola_engine::{Engine, Host, Settings};
//! use cupola_kernel::{Registry, Seed};
//! use cupola_library::Library;
//!
//! struct Desk(Library);
//! impl Host for Desk {
//!     fn library(&self) -> &Library {
//!         &self.0
//!     }
//!     fn seed(&mut self) -> Result<Seed, String> {
//!         Ok(Seed(1863)) // A real host asks the system.
//!     }
//! }
//!
//! let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
//! let mut desk = Desk(Library::new(data.into(), None, Registry::linked()?));
//! let mut engine = Engine::new(&mut desk, Settings::default());
//! let answer = engine.answer(r#"{"id": 1, "cmd": "new", "scenario": "corps20/july1"}"#);
//! assert_eq!(answer["game"], "g1");
//! assert_eq!(answer["ok"], true);
//! # Ok::<(), cupola_data::Problems>(())
//! ```
//!
//! Invariants:
//! * **A request that cannot be answered never ends the conversation**; even a ruleset that panics only costs the
//!   game it panicked in.
//! * **An engine that is bound to a seat tells nothing that the seat may not know**: no seed, no hash of the whole
//!   state, no journal, no other seat's view. Forks are dealt anew.
//! * **No path outside of the one folder that was allowed is read or written.**
#![forbid(unsafe_code)]

mod engine;
mod games;
mod json;
mod request;

pub use engine::{Engine, Host, Opponent, Settings};
pub use json::{event_json, preview_json};
pub use request::Wrong;
