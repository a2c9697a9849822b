//! What the tests share.

use cupola_common::rules::Rules;
use cupola_conformance::{Law, Settings};
use cupola_data::Source;
use cupola_kernel::{Play, Registry, Side};
use cupola_library::Library;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn library() -> Library {
    Library::new(root().join("data"), None, Registry::linked().unwrap())
}

/// A scenario of classic, under a variant if one is given.
pub fn play(scenario: &str, variant: Option<&str>) -> Play {
    let variant = variant.map(|text| Source::new("variant.ron", text));
    let play = library().play_with("classic", scenario, variant.as_ref());
    play.unwrap_or_else(|problems| panic!("{problems}"))
}

pub fn wickerby() -> Play {
    play("wickerby", None)
}

/// What is always so.
pub fn with_laws(settings: Settings) -> Settings {
    settings
        .law(Law::always("§4.6 no hex holds too many units", |game| {
            let t = game.table();
            let most = usize::from(t.rules::<Rules>().stacking);
            let crowd = t
                .board()
                .hexes()
                .find(|&hex| t.stacks().units(hex).count() > most);
            crowd.map_or(Ok(()), |hex| Err(format!("{} does", t.board().label(hex))))
        }))
        .law(Law::always("§4.4 no hex holds both sides", |game| {
            let t = game.table();
            let both = t.board().hexes().find(|&hex| {
                let sides: Vec<Side> = t
                    .stacks()
                    .units(hex)
                    .map(|unit| t.info(unit).side)
                    .collect();
                sides.windows(2).any(|pair| pair[0] != pair[1])
            });
            both.map_or(Ok(()), |hex| Err(format!("{} does", t.board().label(hex))))
        }))
}
