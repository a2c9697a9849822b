//! Every case of this ruleset: the rulebook's examples and the edges of its tables.

use crate::common;

use cupola_data::Source;
use cupola_kernel::cases;

#[test]
fn every_case_holds() {
    let folder = common::root().join("tests/cases/blindswords");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("cases")
        .flatten()
        .map(|e| e.path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ron"));
    files.sort();
    assert!(files.len() >= 20, "{} cases", files.len());
    let mut failed = vec![];
    for path in &files {
        let source = Source::read(path).expect("a file");
        let (_, scenario) = cases::wants(&source).unwrap_or_else(|problems| panic!("{problems}"));
        let play = if scenario == "main" {
            common::main_play().clone()
        } else {
            common::play(&scenario)
        };
        if let Err(problems) = cases::run(&play, &source) {
            failed.push(problems.to_string());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
