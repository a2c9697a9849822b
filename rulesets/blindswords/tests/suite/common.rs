//! What all tests of this ruleset need: plays, positions and a quick way to choose.

use cupola_blindswords as _;
use cupola_data::Source;
use cupola_kernel::{Game, Play, PositionFile, Registry, Seed};
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
        .play("blindswords", scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

pub fn main_play() -> &'static Play {
    static PLAY: OnceLock<Play> = OnceLock::new();
    PLAY.get_or_init(|| play("main"))
}

/// A game of the main scenario with these units (and nobody else) on the map.
pub fn with_units(units: &str, doing: &str) -> Game {
    let text = format!(
        "(ruleset: \"blindswords\", scenario: \"main\", turn: \"1100\", phase: \"chits\", state: (clear: true, units: {{{units}}}, chits: {{\"fog-of-war\": used}}, doing: {doing}))"
    );
    let file = PositionFile {
        source: Source::new("test", text),
        in_case: false,
    };
    let play = main_play()
        .at(&file)
        .unwrap_or_else(|problems| panic!("{problems}"));
    play.game(Seed(1)).expect("a game")
}
