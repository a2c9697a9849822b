//! What is packed is what lies in the repository.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

#[test]
fn every_file_is_there_to_the_byte_and_comes_out_again() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let files = cupola_bundle::files();
    assert!(files.len() > 50, "{}", files.len());
    for (path, text) in &files {
        assert_eq!(&std::fs::read(data.join(path)).unwrap(), text, "{path}");
    }
    let cache = std::env::temp_dir().join(format!("cupola-bundle-{}", std::process::id()));
    let folder = cupola_bundle::folder(&cache).unwrap();
    assert_eq!(folder, cupola_bundle::folder(&cache).unwrap());
    for (path, text) in &files {
        assert_eq!(&std::fs::read(folder.join(path)).unwrap(), text, "{path}");
    }
    // Who sweeps old files away takes some and leaves others.
    let swept = ["rulesets/corps20/tables.ron", "armies/training/battle.ron"];
    for path in swept {
        std::fs::remove_file(folder.join(path)).unwrap();
    }
    assert_eq!(folder, cupola_bundle::folder(&cache).unwrap());
    for (path, text) in &files {
        assert_eq!(&std::fs::read(folder.join(path)).unwrap(), text, "{path}");
    }
    let full = cupola_bundle::export(&folder).unwrap_err();
    assert!(full.to_string().contains("nothing was written"), "{full}");
    std::fs::remove_dir_all(cache).unwrap();
}
