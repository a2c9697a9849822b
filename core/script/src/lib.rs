//! Rules without a compiler: a phase, a combat system or a modifier can be a script (`*.rhai`).
//!
//! A script sees the same read-only table as Rust does ([`world`]), rolls the same dice, and can do no more than a
//! [`Phase`](cupola_kernel::Phase) or a [`Combat`](cupola_kernel::Combat) can. It is pure: no clock, no file, no
//! float, no randomness but the dice; the same table and the same dice give the same answer. It is bounded: in steps, in
//! depth, in the size of what it makes ([`limits`]); one that runs away is stopped with its line. So a script may be run
//! from a file of a stranger, as the rules of a journal are.
//!
//! Start reading at [`Script`], which calls a function of a script with dice; then [`ScriptCombat`].
//!
//! Invariants:
//! * **A script never holds the table.** It asks through functions that work only while it runs.
//! * **It changes nothing.** What a phase wants changed is a list of deeds, carried out after the script has ended.
//! * **Dice are rolled by the kernel**: a script that wants one more is stopped and run again with it, so that rolled,
//!   scripted and enumerated dice are all the same to it.
#![forbid(unsafe_code)]

mod combat;
mod deeds;
mod engine;
pub mod limits;
mod phase;
mod rider;
mod script;
mod trace;
pub mod world;

pub use combat::ScriptCombat;
pub use phase::ScriptPhase;
pub use rider::Line;
pub use script::Script;

use cupola_data::{Problems, Source};
use cupola_kernel::{Combat, Language, Phase, Rider, Scripting};
use std::sync::Arc;

/// The language of scripts, as the kernel knows it.
pub struct Rhai;

impl Scripting for Rhai {
    fn phase(&self, script: &Source) -> Result<Arc<dyn Phase>, Problems> {
        Ok(Arc::new(ScriptPhase::read(script)?))
    }

    fn combat(&self, script: &Source) -> Result<Arc<dyn Combat>, Problems> {
        Ok(Arc::new(ScriptCombat::read(script)?))
    }

    fn modifier(&self, line: &str) -> Result<(String, Arc<dyn Rider>), String> {
        let line = Line::read(line)?;
        Ok((line.role().to_owned(), Arc::new(line)))
    }
}

cupola_kernel::inventory::submit! {
    Language { scripting: &Rhai, code: cupola_kernel::stamp!() }
}
