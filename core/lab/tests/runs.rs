//! Long work behaves: threads, interruptions and bad games change nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_army::Moment;
use cupola_blocks as _;
use cupola_bots::Skill;
use cupola_corps20 as _;
use cupola_gbacw as _;
use cupola_kernel::{Registry, Seat, Seed, Session};
use cupola_lab::measure::{self, Measured, Past};
use cupola_lab::{Contest, Played, Record, Setting, Store, StoreError, Stored, run};
use cupola_library::Library;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

fn contest() -> &'static Contest {
    static CONTEST: OnceLock<Contest> = OnceLock::new();
    CONTEST.get_or_init(|| contest_of("corps20", ("gettysburg-july1", "july1"), Skill::Steady))
}

/// What is recorded of these hours.
fn past(setting: &Setting) -> Past<'_> {
    Past {
        army: &setting.battle.army,
        history: &setting.history,
        projection: &setting.ground.frame,
        scenario: &setting.scenario,
        bands: &setting.bands,
    }
}

/// Hours of the battle under a ruleset's own scenario.
fn contest_of(ruleset: &str, hours: (&str, &str), skill: Skill) -> Contest {
    set(ruleset, hours, skill).1
}

/// The same with all that is known of these hours.
fn set(ruleset: &str, (hours, scenario): (&str, &str), skill: Skill) -> (Setting, Contest) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(root, None, Registry::linked().unwrap());
    let setting = Setting::read(&library, hours).unwrap();
    let played = Played {
        title: String::new(),
        ruleset: ruleset.into(),
        variant: None,
        play: library.play(ruleset, scenario, None).unwrap(),
    };
    let contest = setting.contest(ruleset, played, [skill; 2], Seed(7));
    (setting, contest)
}

/// A game that is decided at half past five has no six o'clock: what changes hands in its last turn is told before its end.
#[test]
fn nothing_is_told_after_the_end_of_a_game() {
    let hours = ("gettysburg-july3", "july3");
    let (setting, contest) = set("corps20", hours, Skill::Steady);
    let end: Moment = "1863-07-03T17:30".parse().unwrap();
    let cut = |number: u32| {
        let mut record = contest.play(number);
        let snapshots = &mut record.kept.snapshots;
        snapshots.retain(|at| at.minute <= end.minutes());
        record
    };
    let records: Vec<Record> = (0..6).map(cut).collect();
    let past = past(&setting);
    let minutes = measure::hours(&setting.scenario).into_iter();
    let minutes: Vec<i32> = minutes.map(|(minute, _)| minute).collect();
    let measured = Measured::new(&contest, &records, &minutes, &past);
    let frame = measure::frame([&*contest.play.env().board]);
    let mut taken = 0;
    for story in measured.findings(&records, &frame).stories {
        let (last, before) = story.told.split_last().unwrap();
        assert!(last.words.starts_with("it is over"), "{:?}", story.told);
        assert_eq!(last.minute, end.minutes());
        let takes = before.iter().filter(|told| told.words.contains(" takes "));
        taken += takes.filter(|told| told.minute == last.minute).count();
    }
    assert!(taken > 0, "nothing changed hands in a last turn");
}

/// The second day begins with counters that were worn on the first: that is not lost on the second.
#[test]
fn what_was_lost_before_a_game_is_not_lost_in_it() {
    let contest = contest_of("blocks", ("gettysburg-july2", "day2"), Skill::Random);
    let mut standings = vec![];
    contest
        .play
        .game(Seed(7))
        .unwrap()
        .standings(&mut standings);
    let worn = standings
        .iter()
        .filter(|standing| standing.lost > 0)
        .count();
    assert!(worn > 5, "{worn}");
    let record = contest.play(0);
    let lost = |at: usize| {
        let units = record.kept.snapshots[at].units.iter();
        units.map(|unit| u32::from(unit.lost)).sum::<u32>()
    };
    assert_eq!(lost(0), 0);
    assert!(lost(record.kept.snapshots.len() - 1) > 0);
    // Nobody loses more than he had left.
    let last = &record.kept.snapshots.last().unwrap().units;
    let pairs = last.iter().zip(&standings);
    assert!(
        pairs
            .clone()
            .all(|(at, before)| at.lost + before.lost <= 1000)
    );
}

/// Pickett's charge is played in gbacw without the cavalry and without Culp's Hill: what is recorded of these is not held against it.
#[test]
fn what_is_recorded_is_of_those_who_are_in_a_game() {
    let hours = ("gettysburg-july3", "picketts-charge");
    let (setting, contest) = set("gbacw", hours, Skill::Random);
    let records = [contest.play(0)];
    let past = past(&setting);
    let minutes = measure::hours(&setting.scenario).into_iter();
    let minutes: Vec<i32> = minutes.map(|(minute, _)| minute).collect();
    let measured = Measured::new(&contest, &records, &minutes, &past);
    let frame = measure::frame([&*contest.play.env().board]);
    let found = measured.findings(&records, &frame);
    let span = ["1863-07-03T14:00", "1863-07-03T16:00"].map(|at| at.parse::<Moment>().unwrap());
    let lost = |who: &str| {
        let node = setting.battle.army.get(who).unwrap();
        setting.history.losses(node, span[0], span[1]).unwrap()
    };
    let recorded = |id: &str| {
        let corps = found.corps.iter().find(|corps| corps.id == id);
        corps.and_then(|corps| corps.recorded).unwrap()
    };
    // Of the cavalry there are a few guns; of II Corps all but Carroll; of Pickett's division no guns.
    assert_eq!(recorded("us-cav"), 0);
    assert_eq!(recorded("us-ii"), lost("us-ii") - lost("us-ii-3-1"));
    let guns = lost("cs-i-pickett-dearing");
    assert_eq!(recorded("cs-i"), lost("cs-i-pickett") - guns);
    let union = &found.recorded[0];
    assert!(union.men < Some(lost("us")) && union.men > Some(lost("us-ii")));
    assert_eq!(union.by_hour.last().copied(), union.men);
    assert!(union.by_hour.is_sorted() && union.by_hour[0] == 0);
    // Hardly a place but those on the ridge is anybody's: the others are not in the other side's hands.
    let Some((alike, nobody)) = found.distance.places.zip(found.distance.places_nobody) else {
        panic!("places are known");
    };
    assert!(
        nobody.mean > 0.3 && alike.mean + nobody.mean <= 1.0,
        "{nobody:?}"
    );
}

fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("cupola-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Two runs in one folder: the second is told so, and the games of the first are whole.
#[test]
fn a_file_of_games_has_one_writer() {
    let path = file("writer");
    let (mut store, _) = Store::open(&path, contest(), |_| {}).unwrap();
    let records = [0, 1].map(|number| contest().play(number));
    for record in &records {
        store.add(record).unwrap();
        let second = Store::open(&path, contest(), |_| {});
        let why = second.map(|_| ()).unwrap_err();
        assert!(matches!(why, StoreError::Busy(_)), "{why}");
    }
    drop(store);
    let (_store, kept) = Store::open(&path, contest(), |_| {}).unwrap();
    assert_eq!(kept, records);
}

fn play(path: &Path, games: u32, threads: usize, stop_after: u32) -> Vec<Record> {
    let (mut store, records) = Store::open(path, contest(), |_| {}).unwrap();
    let stop = AtomicBool::new(false);
    run(
        contest(),
        0..games,
        threads,
        &mut store,
        records,
        &stop,
        |progress| {
            if progress.done >= stop_after {
                stop.store(true, Ordering::Relaxed);
            }
        },
    )
    .unwrap()
}

#[test]
fn results_depend_neither_on_threads_nor_on_interruptions() {
    let alone = play(&file("one"), 8, 1, u32::MAX);
    assert_eq!(alone.len(), 8);
    assert!(alone.iter().all(|record| record.fault.is_none()));
    assert_eq!(alone, play(&file("three"), 8, 3, u32::MAX));
    let path = file("stopped");
    let first = play(&path, 8, 2, 3);
    assert!(first.len() < 8, "the run was not stopped");
    assert_eq!(alone, play(&path, 8, 2, u32::MAX));
    // More games of the same run leave the first ones as they were.
    assert_eq!(alone, play(&path, 10, 2, u32::MAX)[..8]);
}

#[test]
fn what_was_half_written_is_cut_off_and_played_again() {
    let path = file("torn");
    let whole = play(&path, 4, 1, u32::MAX);
    let bytes = std::fs::read(&path).unwrap();
    for cut in [1, 9, 40, bytes.len() / 2, bytes.len() - 3] {
        std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        assert_eq!(whole, play(&path, 4, 1, u32::MAX), "cut off {cut} bytes");
    }
    // A bit that fell over ends what can be trusted.
    let mut rotten = bytes.clone();
    let middle = rotten.len() / 2;
    rotten[middle] ^= 4;
    std::fs::write(&path, rotten).unwrap();
    assert_eq!(whole, play(&path, 4, 1, u32::MAX));
}

#[test]
fn games_of_another_run_are_refused() {
    let path = file("other");
    play(&path, 1, 1, u32::MAX);
    let other = Contest {
        seed: Seed(8),
        skills: [Skill::Random, Skill::Steady],
        ..contest().clone()
    };
    let Err(told @ StoreError::Other { .. }) = Store::open(&path, &other, |_| {}) else {
        panic!("records of another seed were taken");
    };
    // In what they differ, and in nothing else.
    let told = told.to_string();
    let words =
        "another run: seed 7, not 8; player of the rules' first side steady, not random; choose";
    assert!(told.contains(words), "{told}");
}

/// The head of a file of records, changed.
fn rewrite_head(path: &Path, change: impl Fn(&str) -> String) {
    let bytes = std::fs::read(path).unwrap();
    let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
    let head = change(std::str::from_utf8(&bytes[..end]).unwrap());
    std::fs::write(path, [head.as_bytes(), &bytes[end..]].concat()).unwrap();
}

/// A line of the head with another hash.
fn other_hash(head: &str, part: &str) -> String {
    let lines = head.lines().map(|line| {
        if line.ends_with(part) {
            format!("{:032x}{}", 7, &line[32..])
        } else {
            line.to_owned()
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    assert_ne!(text, head);
    text
}

#[test]
fn games_of_another_build_are_played_again_before_they_are_mixed() {
    let path = file("build");
    let whole = play(&path, 4, 1, u32::MAX);
    rewrite_head(&path, |head| other_hash(head, " code of cupola-bots"));
    let mut said = vec![];
    let (_, records) = Store::open(&path, contest(), |line| said.push(line.to_owned())).unwrap();
    assert_eq!(records, whole);
    assert!(said[0].contains("code of cupola-bots differs"), "{said:?}");
    assert!(said[0].contains("4 of them were played again"), "{said:?}");
    // Taken over: nothing is said the next time.
    Store::open(&path, contest(), |line| panic!("{line}")).unwrap();
    // A file without games holds none of another build.
    let path = file("none");
    play(&path, 0, 1, u32::MAX);
    rewrite_head(&path, |head| other_hash(head, " code of cupola-bots"));
    Store::open(&path, contest(), |line| panic!("{line}")).unwrap();
    // A build that plays otherwise: a record that does not come out here.
    let mut changed = whole;
    changed[2].kept.margin += 1;
    let path = file("drifted");
    play(&path, 1, 1, u32::MAX);
    let (mut store, _) = Store::open(&path, contest(), |_| {}).unwrap();
    changed[1..]
        .iter()
        .for_each(|record| store.add(record).unwrap());
    drop(store);
    rewrite_head(&path, |head| other_hash(head, " code of cupola-bots"));
    let why = Store::open(&path, contest(), |_| {})
        .err()
        .unwrap()
        .to_string();
    assert!(
        why.contains("game 2 comes out otherwise here: code of cupola-bots differs"),
        "{why}"
    );
}

#[test]
fn games_by_other_rules_are_refused_with_what_differs() {
    let path = file("rules");
    play(&path, 1, 1, u32::MAX);
    rewrite_head(&path, |head| {
        let at = head
            .find(" rulesets/corps20/battles/gettysburg/turns.ron")
            .unwrap();
        let start = head[..at].rfind("turns=").unwrap() + 6;
        format!("{}00000000{}", &head[..start], &head[start + 8..])
    });
    let why = Store::open(&path, contest(), |_| {})
        .err()
        .unwrap()
        .to_string();
    assert!(why.contains("turns.ron differs in turns"), "{why}");
}

#[test]
fn shards_put_together_are_the_whole() {
    let whole = file("whole-shards");
    play(&whole, 6, 1, u32::MAX);
    let mut all: Option<Stored> = None;
    for k in 0..3 {
        let path = file(&format!("shard-{k}"));
        let (mut store, records) = Store::open(&path, contest(), |_| {}).unwrap();
        let numbers = (0..6).filter(|n| n % 3 == k);
        run(
            contest(),
            numbers,
            1,
            &mut store,
            records,
            &AtomicBool::new(false),
            |_| {},
        )
        .unwrap();
        let shard = Stored::read(&path).unwrap();
        assert_eq!(shard.records.len(), 2);
        match &mut all {
            Some(all) => all.merge(&path, shard).unwrap(),
            None => all = Some(shard),
        }
    }
    let merged = file("merged");
    assert_eq!(all.unwrap().write(&merged).unwrap(), 6);
    assert_eq!(
        std::fs::read(&merged).unwrap(),
        std::fs::read(&whole).unwrap()
    );
    // The same game twice is one; another of the same number is none.
    let mut twice = Stored::read(&merged).unwrap();
    twice
        .merge(&merged, Stored::read(&merged).unwrap())
        .unwrap();
    assert_eq!(twice.records.len(), 6);
    let mut other = Stored::read(&merged).unwrap();
    other.records[3].kept.margin += 1;
    assert!(twice.merge(&merged, other).is_err());
}

#[test]
fn a_record_can_be_played_again_from_its_journal() {
    let record = contest().play(3);
    let journal = contest().journal(3).unwrap();
    assert_eq!(journal.seed, record.seed);
    let tallies = record
        .kept
        .snapshots
        .iter()
        .flat_map(|snapshot| &snapshot.tally);
    let chosen: u32 = tallies.map(|tally| tally.decisions + tally.forced).sum();
    assert_eq!(journal.steps.len(), chosen as usize);
}

/// An attack is a fight that was fought, no more and no less: as many as the journal tells of.
#[test]
fn attacks_are_fights_that_were_fought() {
    for number in 0..4 {
        let record = contest().play(number);
        let journal = contest().journal(number).unwrap();
        let session = Session::replay(&contest().play, &journal, "a journal").unwrap();
        let told = session.events(Seat::Umpire, 1);
        let told = told.filter(|(_, event)| event.kind == "combat").count();
        let tallies = record.kept.snapshots.iter().flat_map(|s| &s.tally);
        let attacks: u32 = tallies.map(|tally| tally.attacks).sum();
        assert_eq!(attacks as usize, told, "game {number}");
        let kept = &record.kept;
        assert!(kept.first_contact <= kept.first_attack && kept.first_attack <= kept.first_close);
        assert_eq!(kept.first_attack.is_some(), attacks > 0);
    }
}

/// What is named wrongly is told with file, line, field and the nearest name.
#[test]
fn names_that_are_not_there_are_told_before_anything_is_played() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let root = file("data");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("scenarios")).unwrap();
    for folder in ["armies", "battlefields", "history", "plans", "rulesets"] {
        std::os::unix::fs::symlink(data.join(folder), root.join(folder)).unwrap();
    }
    let text = std::fs::read_to_string(data.join("scenarios/gettysburg-july1.ron")).unwrap();
    let wrong = text
        .replace("\"july1-union\"", "\"july1-onion\"")
        .replace("\"corps20\": \"july1\"", "\"corps20\": \"july11\"");
    assert_ne!(text, wrong);
    std::fs::write(root.join("scenarios/gettysburg-july1.ron"), wrong).unwrap();
    let library = Library::new(root, None, Registry::linked().unwrap());
    let Err(problems) = Setting::read(&library, "gettysburg-july1") else {
        panic!("it was taken");
    };
    let told = problems.to_string();
    for words in [
        "gettysburg-july1.ron:",
        "plans.us: no plan \"july1-onion\"; did you mean \"july1-union\"?",
        "played_as.corps20: corps20 has no scenario \"july11\"; did you mean \"july1\"?",
    ] {
        assert!(told.contains(words), "{told}");
    }
}
