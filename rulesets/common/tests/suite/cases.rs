//! Every case under `tests/cases/classic` holds.

use crate::common::{library, root};
use cupola_data::Source;
use cupola_kernel::cases;
use std::collections::BTreeMap;

#[test]
fn every_case_holds() {
    let library = library();
    let folder = root().join("tests/cases/classic");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(
        files.len() > 25,
        "cases are missing: only {} here",
        files.len()
    );
    let (mut plays, mut wrong) = (BTreeMap::new(), String::new());
    for file in &files {
        let source = Source::read(file).unwrap();
        let (ruleset, scenario) = cases::wants(&source).unwrap();
        let play = plays.entry(scenario.clone()).or_insert_with(|| {
            library
                .play(&ruleset, &scenario, None)
                .unwrap_or_else(|problems| panic!("{problems}"))
        });
        if let Err(problems) = cases::run(play, &source) {
            wrong.push_str(&format!("{problems}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
