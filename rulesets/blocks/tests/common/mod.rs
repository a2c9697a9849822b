//! Opens plays of the block game for tests.
#![allow(dead_code, reason = "every test file uses some of it")]

use cupola_blocks as _;
use cupola_kernel::{Play, Registry};
use cupola_library::Library;
use std::path::Path;

/// The library on the repository's data.
pub fn library() -> Library {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    Library::new(root, None, Registry::linked().expect("one of each name"))
}

/// A scenario.
pub fn play(scenario: &str) -> Play {
    library()
        .play("blocks", scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A scenario with switches turned on.
pub fn with(scenario: &str, switches: &[&str]) -> Play {
    let changes: Vec<String> = switches
        .iter()
        .map(|name| format!("switch(name: \"{name}\", to: true)"))
        .collect();
    let text = format!(
        "(base: \"blocks\", name: \"test\", title: \"test\", change: [{}])",
        changes.join(", ")
    );
    let file = std::env::temp_dir().join(format!(
        "cupola-blocks-{}-{}.ron",
        std::process::id(),
        switches.join("-")
    ));
    std::fs::write(&file, text).expect("a place for a variant");
    let play = library().play("blocks", scenario, Some(&file));
    std::fs::remove_file(&file).ok();
    play.unwrap_or_else(|problems| panic!("{problems}"))
}
