//! Every case under `tests/cases/corps20` holds.

use cupola_corps20 as _;
use cupola_data::Source;
use cupola_kernel::{Registry, cases};
use cupola_library::Library;
use std::path::Path;

#[test]
fn every_case_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = Library::new(root.join("data"), None, Registry::linked().unwrap());
    let folder = root.join("tests/cases/corps20");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(
        files.len() > 40,
        "cases are missing: only {} here",
        files.len()
    );
    let play = library
        .play("corps20", "gettysburg", None)
        .unwrap_or_else(|p| panic!("{p}"));
    let mut wrong = String::new();
    for file in &files {
        let source = Source::read(file).unwrap();
        if let Err(problems) = cases::run(&play, &source) {
            wrong.push_str(&format!("{problems}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
