//! Every case of this ruleset: the rulebook's examples and the edges of its tables.

use crate::common;

use cupola_data::Source;
use cupola_kernel::{Play, cases};
use std::collections::BTreeMap;

/// What fails of all cases, with plays by scenario; a scenario that cannot be played fails.
pub fn failing(open: impl Fn(&str) -> Option<Play>) -> Vec<String> {
    let folder = common::root().join("tests/cases/blindswords");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("cases")
        .flatten()
        .map(|e| e.path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    files.sort();
    assert!(files.len() >= 290, "{} cases", files.len());
    let mut plays: BTreeMap<String, Option<Play>> = BTreeMap::new();
    let mut failed = vec![];
    for path in &files {
        let source = Source::read(path).expect("a file");
        let (_, scenario) = cases::wants(&source).unwrap_or_else(|problems| panic!("{problems}"));
        let play = plays
            .entry(scenario)
            .or_insert_with_key(|scenario| open(scenario));
        match play.as_ref().map(|play| cases::run(play, &source)) {
            Some(Ok(_)) => {}
            Some(Err(problems)) => failed.push(problems.to_string()),
            None => failed.push(format!("{} cannot be played", path.display())),
        }
    }
    failed
}

#[test]
fn every_case_holds() {
    let failed = failing(|scenario| Some(common::play(scenario)));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
