//! Every case of this ruleset: worked examples and the edges of its tables.

use crate::common;

use cupola_data::Source;
use cupola_kernel::{Play, cases};
use std::collections::BTreeMap;

#[test]
fn every_case_holds() {
    let folder = common::root().join("tests/cases/gbacw");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("cases")
        .flatten()
        .map(|e| e.path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    files.sort();
    assert!(files.len() >= 10, "{} cases", files.len());
    let (mut failed, mut plays) = (vec![], BTreeMap::<String, Play>::new());
    for path in &files {
        let source = Source::read(path).expect("a file");
        let (_, scenario) = cases::wants(&source).unwrap_or_else(|problems| panic!("{problems}"));
        let play = plays
            .entry(scenario.clone())
            .or_insert_with(|| common::play(&scenario));
        if let Err(problems) = cases::run(play, &source) {
            failed.push(problems.to_string());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
