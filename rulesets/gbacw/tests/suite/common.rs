//! What all tests of this ruleset need: plays.

use cupola_gbacw as _;
use cupola_kernel::{Play, Registry};
use cupola_library::Library;
use std::path::PathBuf;
use std::sync::OnceLock;

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        Library::new(
            root().join("data"),
            None,
            Registry::linked().expect("registry"),
        )
    })
}

pub fn play(scenario: &str) -> Play {
    library()
        .play("gbacw", scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The same with every optional rule.
pub fn play_all_options(scenario: &str) -> Play {
    let variant = root().join("data/variants/every-option.ron");
    library()
        .play("gbacw", scenario, Some(&variant))
        .unwrap_or_else(|problems| panic!("{problems}"))
}
