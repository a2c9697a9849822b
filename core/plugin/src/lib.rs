//! Phases, combat systems and whole rulesets from shared libraries.
//!
//! An author writes a crate as for static linking and exports it with one line:
//!
//! ```ignore
//! cupola_kernel::register! { space: "rehearsal", rulesets: [], phases: [Muster], combats: [Duel] }
//! #[cfg(feature = "library")]
//! cupola_plugin::export!(contribution);
//! ```
//!
//! A program loads it with [`load`] and adds it to its registry with [`Plugin::register`].
//!
//! Rust promises no binary interface: two builds that differ in a compiler, a profile, a feature or a
//! source file may disagree about every type they share, silently. So:
//! * **Nothing of a library runs before its fingerprint was found equal.** Opening a library already
//!   runs code, so the fingerprint is read from the bytes of the file ([`Fingerprint`]).
//! * **No Rust type crosses before the types on both sides were found equal**: identity, size and
//!   alignment of each, told over a C interface.
//! * **No panic crosses.** Whatever a library hands over is wrapped, inside the library, so that a
//!   panic becomes [`cupola_kernel::Fault::Panicked`] with the name of what panicked.
//! * **A library is never unloaded.** Names, functions and types of it may be anywhere by then.
//!
//! This guards against accidents. Against malice nothing helps: a library is a program, trust it as one.
//!
//! It is the only crate of the house with `unsafe` in it: see `load.rs` and the macro [`export!`].

mod boundary;
mod error;
mod fingerprint;
mod guard;
#[doc(hidden)]
pub mod library;
mod load;

pub use error::{Difference, PluginError, Reason};
pub use fingerprint::Fingerprint;
pub use load::{Plugin, file_name, find, inspect, load};

/// Exports what a crate brings from its shared library: `export!(contribution);`, where `contribution`
/// is what [`cupola_kernel::register!`] made.
///
/// Say it once, in the crate that is built as a `cdylib` and only there: two libraries that are linked
/// into one program would export the same symbol twice. A feature of the crate is the usual way.
#[macro_export]
macro_rules! export {
    ($contribution:path) => {
        const _: () = {
            #[used]
            static RECORD: $crate::library::Record = $crate::library::RECORD;

            extern "C" fn contribute() -> *mut ::core::ffi::c_void {
                $crate::library::contribute($contribution)
            }

            // The one symbol of a plugin; its number is the epoch of the interface.
            #[allow(
                unsafe_code,
                reason = "an exported name is unsafe: another may be equal to it"
            )]
            #[unsafe(no_mangle)]
            pub extern "C" fn cupola_plugin_1() -> $crate::library::Entry {
                $crate::library::Entry::new(&RECORD, contribute)
            }
        };
    };
}
