//! Runs the cases once for every rule that is taken out; `sweep` puts it into its copy, and reads what it says.
//!
//! With all rules in it sees first which switches each case comes by: only those cases can miss a rule.

use cupola_RULESET::taken;
use cupola_data::Source;
use cupola_kernel::{Case, Play, Registry, cases};
use cupola_library::Library;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

struct Trial {
    name: String,
    source: Source,
    scenario: String,
    proves: Vec<String>,
    reached: BTreeSet<u32>,
}

fn library(root: &Path) -> Library {
    Library::new(root.join("data"), None, Registry::linked().expect("registry"))
}

fn load(root: &Path, scenario: &str) -> Result<Play, String> {
    library(root).play("RULESET", scenario, None).map_err(|problems| problems.to_string())
}

fn first(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect()
}

enum Outcome {
    Unseen,
    Missed(String),
    Broken(String),
}

fn attempt(play: &Play, trial: &Trial) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| cases::run(play, &trial.source))) {
        Ok(Ok(_)) => Outcome::Unseen,
        Ok(Err(problems)) => Outcome::Missed(format!("{}\t{}", trial.name, first(&problems.to_string()))),
        Err(_) => Outcome::Broken(format!("{}\tpanics", trial.name)),
    }
}

/// How long the cases may take without a rule, in hundredths of a second of the processor; then they hang.
const PATIENCE: u64 = 1500;

/// The processor's time that went into this program, in hundredths of a second.
fn spent() -> u64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind = told.rsplit(')').next().unwrap_or_default();
    behind.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// Ends the program when a rule that is taken out makes it hang.
fn watch() {
    let (mut number, mut since) = (u32::MAX, 0);
    loop {
        std::thread::sleep(std::time::Duration::from_millis(500));
        let (now, time) = (taken::is_out(), spent());
        if now != number {
            (number, since) = (now, time);
        } else if number != u32::MAX && time - since > PATIENCE {
            std::process::exit(3);
        }
    }
}

/// A scenario as it is loaded, and the switches that loading it comes by.
type Plays = BTreeMap<String, (Play, BTreeSet<u32>)>;

/// Runs every case with all rules in, and sees what it comes by. One that fails then ends everything.
fn rehearse(root: &Path) -> (Plays, Vec<Trial>) {
    let folder = std::fs::read_dir(root.join("tests/cases/RULESET")).expect("cases");
    let mut files: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "ron"));
    files.sort();
    let (mut plays, mut trials) = (Plays::new(), vec![]);
    for path in files {
        let source = Source::read(&path).expect("a file");
        let case = source.ron::<Case>().expect("a case");
        let scenario = case.position.scenario.clone();
        plays.entry(scenario.clone()).or_insert_with(|| {
            taken::reached();
            let play = load(root, &scenario).expect("a play");
            (play, taken::reached())
        });
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        taken::reached();
        if let Err(problems) = cases::run(&plays[&scenario].0, &source) {
            println!("!! {name} fails with all rules in: {}", first(&problems.to_string()));
            std::process::exit(1);
        }
        trials.push(Trial { name, source, scenario, proves: case.proves, reached: taken::reached() });
    }
    (plays, trials)
}

/// The cases that could miss a rule, those first that cite its sections.
fn concerned<'a>(number: u32, sections: &[&str], plays: &Plays, trials: &'a [Trial], largest: &str) -> Vec<&'a Trial> {
    let cites = |trial: &Trial| trial.proves.iter().any(|section| sections.contains(&section.as_str()));
    let comes_by = |trial: &&Trial| trial.reached.contains(&number) || plays[&trial.scenario].1.contains(&number);
    let mut some: Vec<&Trial> = trials.iter().filter(comes_by).collect();
    some.sort_by_key(|trial| !cites(trial));
    // What counts when a scenario is loaded: to load them all again would take long. Those of the largest one, and of
    // those who cite the section.
    if plays.values().any(|(_, at_load)| at_load.contains(&number)) {
        let mut citing = 0;
        some.retain(|trial| {
            citing += usize::from(cites(trial));
            trial.scenario == largest || cites(trial) && citing <= 8
        });
    }
    some
}

/// What these cases say without the rule.
fn without(root: &Path, number: u32, plays: &Plays, some: Vec<&Trial>) -> String {
    taken::out(number);
    let mut told = "unseen\t\t".to_owned();
    let mut mutated = BTreeMap::<&str, Option<Play>>::new();
    for trial in some {
        let (kept, at_load) = &plays[&trial.scenario];
        let play = if at_load.contains(&number) {
            let loaded = mutated.entry(&trial.scenario).or_insert_with(|| {
                catch_unwind(AssertUnwindSafe(|| load(root, &trial.scenario).ok())).ok().flatten()
            });
            loaded.as_ref()
        } else {
            Some(kept)
        };
        let Some(play) = play else {
            told = format!("broken\t{}\tis not loaded", trial.name);
            continue;
        };
        match attempt(play, trial) {
            Outcome::Unseen => {}
            Outcome::Missed(how) => {
                told = format!("missed\t{how}");
                break;
            }
            Outcome::Broken(how) => told = format!("broken\t{how}"),
        }
    }
    told
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let root = PathBuf::from(&words[1]);
    let sections = std::fs::read_to_string(&words[2]).expect("sections");
    let sections: Vec<Vec<&str>> = sections.lines().map(|line| line.split_whitespace().collect()).collect();
    let only: Vec<u32> = words[3].split(',').filter_map(|word| word.parse().ok()).collect();
    std::panic::set_hook(Box::new(|_| {}));

    let (plays, trials) = rehearse(&root);
    let mut sizes = BTreeMap::<&str, usize>::new();
    trials.iter().for_each(|trial| *sizes.entry(&trial.scenario).or_default() += 1);
    let largest = sizes.iter().max_by_key(|(_, size)| **size).map(|(name, _)| *name).expect("cases");
    std::thread::spawn(watch);
    for number in only {
        let some = concerned(number, &sections[number as usize], &plays, &trials, largest);
        if some.is_empty() {
            println!("{number}\tunreached\t\t");
            continue;
        }
        println!("{number}\tbegins\t\t");
        std::io::stdout().flush().ok();
        let told = without(&root, number, &plays, some);
        taken::out(u32::MAX);
        println!("{number}\t{told}");
        std::io::stdout().flush().ok();
    }
}
