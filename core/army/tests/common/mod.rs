//! What the tests of this crate share: the data, read once.
#![allow(dead_code, reason = "each test file uses its own part of it")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::sync::OnceLock;

use cupola_army::{Army, Battle, Counters, Moment, NodeId, Turns};
use cupola_data::Source;
use serde::de::DeserializeOwned;

/// A path under `data/`.
pub fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

/// The battle of Gettysburg.
pub fn battle() -> &'static Battle {
    static BATTLE: OnceLock<Battle> = OnceLock::new();
    BATTLE.get_or_init(|| {
        Battle::read(&data("armies/gettysburg")).unwrap_or_else(|problems| panic!("{problems}"))
    })
}

/// Its order of battle.
pub fn army() -> &'static Army {
    &battle().army
}

/// A moment.
pub fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

/// A node that must exist.
pub fn id(army: &Army, name: &str) -> NodeId {
    army.get(name).unwrap_or_else(|| panic!("no node {name}"))
}

/// A ruleset's turns.
pub fn turns(ruleset: &str) -> Turns {
    let path = data(&format!("rulesets/{ruleset}/battles/gettysburg/turns.ron"));
    Turns::read(&Source::read(&path).unwrap()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A ruleset's counters.
pub fn counters<V: DeserializeOwned, L: DeserializeOwned>(ruleset: &str) -> Counters<V, L> {
    let path = data(&format!(
        "rulesets/{ruleset}/battles/gettysburg/counters.ron"
    ));
    let source = Source::read(&path).unwrap();
    Counters::read(&source, army()).unwrap_or_else(|problems| panic!("{problems}"))
}
