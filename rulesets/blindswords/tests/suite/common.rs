//! What all tests of this ruleset need: plays, positions and a quick way to choose.

use cupola_blindswords as _;
use cupola_data::{Problems, Source};
use cupola_kernel::{Game, Play, PositionFile, Registry, Seed};
use cupola_library::Library;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// The main scenario with switches set.
pub fn switched(switches: &[(&str, bool)]) -> Play {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let changes: Vec<String> = switches
        .iter()
        .map(|(name, to)| format!("switch(name: \"{name}\", to: {to})"))
        .collect();
    let text = format!(
        "(base: \"blindswords\", name: \"test\", title: \"test\", change: [{}])",
        changes.join(", ")
    );
    // Tests run side by side: each has a file of its own.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("cupola-blindswords-{}-{number}.ron", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, text).expect("a place for a variant");
    let play = library().play("blindswords", "main", Some(&file));
    std::fs::remove_file(&file).ok();
    play.unwrap_or_else(|problems| panic!("{problems}"))
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

/// The main scenario with one of the ruleset's files rewritten.
pub fn with_file(name: &str, rewrite: impl Fn(&str) -> String) -> Result<Play, Problems> {
    let data = std::env::temp_dir().join(format!("cupola-blindswords-data-{}", std::process::id()));
    copy(&root().join("data"), &data);
    let file = file(&data, name);
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, rewrite(&text)).expect("a file to write");
    let registry = Registry::linked().expect("registry");
    let play = Library::new(data.clone(), None, registry).play("blindswords", "main", None);
    std::fs::remove_dir_all(&data).ok();
    play
}

/// A file of the ruleset: the battle's, or that of the series.
pub fn file(data: &Path, name: &str) -> PathBuf {
    let series = data.join("rulesets/blindswords");
    let own = series.join("battles/gettysburg").join(name);
    if own.is_file() {
        own
    } else {
        series.join(name)
    }
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}
