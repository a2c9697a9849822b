//! Opens plays of the block game for tests.
#![allow(dead_code, reason = "every test file uses some of it")]

use cupola_blocks as _;
use cupola_data::Source;
use cupola_kernel::{Game, Play, PositionFile, Registry, Seed, UnitId};
use cupola_library::Library;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

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
    let linked = Registry::linked().expect("one of each name");
    open(linked, scenario, switches)
}

/// A scenario of the rulesets of a registry, with switches turned on.
pub fn open(registry: Registry, scenario: &str, switches: &[&str]) -> Play {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(root, None, registry);
    let changes: Vec<String> = switches
        .iter()
        .map(|name| format!("switch(name: \"{name}\", to: true)"))
        .collect();
    let text = format!(
        "(base: \"blocks\", name: \"test\", title: \"test\", change: [{}])",
        changes.join(", ")
    );
    // Tests run side by side: each has a file of its own.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("cupola-blocks-{}-{number}.ron", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, text).expect("a place for a variant");
    let play = library.play("blocks", scenario, Some(&file));
    std::fs::remove_file(&file).ok();
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

/// A game that begins in a situation set up by hand; `state` as in a position file.
pub fn position(
    play: Play,
    scenario: &str,
    turn: &str,
    phase: &str,
    side: &str,
    state: &str,
    seed: Seed,
) -> Game {
    let text = format!(
        "(ruleset: \"blocks\", scenario: \"{scenario}\", turn: \"{turn}\", phase: \"{phase}\", \
         side: \"{side}\", state: ({state}))"
    );
    let file = PositionFile {
        source: Source::new("position", text),
        in_case: false,
    };
    let play = play.at(&file);
    play.unwrap_or_else(|problems| panic!("{problems}"))
        .game(seed)
        .expect("begins")
}

/// A block by its id.
pub fn unit(game: &Game, id: &str) -> UnitId {
    game.table().env().unit(id).expect("a block")
}

/// Whoever is asked chooses.
pub fn choose(game: &mut Game, act: &str) {
    let side = game.decision().expect("open").ask.side;
    let act = game.parse(act).expect("an act");
    game.apply(side, act)
        .unwrap_or_else(|error| panic!("{error}"));
}

/// What is offered now.
pub fn offered(game: &Game) -> Vec<String> {
    let decision = game.decision().expect("open");
    decision.options.iter().map(|&act| game.name(act)).collect()
}
