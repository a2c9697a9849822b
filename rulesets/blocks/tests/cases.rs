//! Worked examples: every file in `tests/cases/blocks`.

mod common;

use cupola_data::Source;
use cupola_kernel::cases;
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn all_cases_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/blocks");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the cases")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let library = common::library();
    let (mut plays, mut wrong, mut steps) = (BTreeMap::new(), vec![], 0);
    for file in files {
        let source = Source::read(&file).unwrap_or_else(|problem| panic!("{problem}"));
        let (ruleset, scenario) = match cases::wants(&source) {
            Ok(wanted) => wanted,
            Err(problems) => {
                wrong.push(problems.to_string());
                continue;
            }
        };
        let play = plays.entry(scenario.clone()).or_insert_with(|| {
            library
                .play(&ruleset, &scenario, None)
                .unwrap_or_else(|problems| panic!("{problems}"))
        });
        match cases::run(play, &source) {
            Ok(report) => steps += report.steps,
            Err(problems) => wrong.push(problems.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(steps > 250, "{steps} steps were checked");
}
