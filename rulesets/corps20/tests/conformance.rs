//! corps20 passes the conformance suite.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot load its data must fail"
)]

use cupola_conformance::{Law, Settings, Twin};
use cupola_corps20::field::{near_enemy, on_map, unit_in};
use cupola_kernel::{Play, Registry, Seed, Side};
use cupola_library::Library;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn library() -> Library {
    Library::new(root().join("data"), None, Registry::linked().unwrap())
}

fn play() -> Play {
    library()
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|problems| panic!("{problems}"))
}

fn settings() -> Settings {
    let variant = || {
        let file = root().join("data/variants/no-rain.ron");
        library()
            .play("corps20", "gettysburg", Some(&file))
            .unwrap_or_else(|problems| panic!("{problems}"))
    };
    Settings::standard()
        .law(Law::always("§5.2 never two units in a hex", |game| {
            let t = game.table();
            let alone = |side| on_map(t, side).all(|(unit, hex)| unit_in(t, hex) == Some(unit));
            if Side::BOTH.into_iter().all(alone) {
                Ok(())
            } else {
                Err("two units share a hex".into())
            }
        }))
        .twin(Twin::new(variant, |purpose| {
            purpose == "rain" || purpose == "event card"
        }))
}

cupola_conformance::suite!(play, settings: settings);

/// A battle of other armies on other ground, with derived counters.
mod training {
    fn play() -> cupola_kernel::Play {
        super::library()
            .play("corps20", "training", None)
            .unwrap_or_else(|problems| panic!("{problems}"))
    }
    cupola_conformance::suite!(play);
}

/// A day that begins from a position.
mod july3 {
    fn play() -> cupola_kernel::Play {
        super::library()
            .play("corps20", "july3", None)
            .unwrap_or_else(|problems| panic!("{problems}"))
    }
    cupola_conformance::suite!(play);
}

/// Who stands next to the enemy must attack (§7.3): nobody begins a day so.
#[test]
fn later_days_begin_with_the_lines_apart() {
    for scenario in ["july2", "july3"] {
        let game = library()
            .play("corps20", scenario, None)
            .unwrap_or_else(|problems| panic!("{problems}"))
            .game(Seed(1))
            .unwrap();
        let t = game.table();
        for side in Side::BOTH {
            let near: Vec<_> = on_map(t, side)
                .filter(|(_, hex)| near_enemy(t, side, *hex))
                .map(|(unit, _)| t.info(unit).id.clone())
                .collect();
            assert!(near.is_empty(), "{scenario}: {near:?}");
            assert!(
                on_map(t, side).count() >= 9,
                "{scenario}: an army is missing"
            );
        }
    }
}
