//! A game that follows a designer's files.

use super::{Home, Line, Person, data, folder};
use cupola_kernel::Registry;
use cupola_library::{Library, read_variant};
use cupola_serve::{Club, Files, Place, Rules};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A variant of corps20 in a file, as somebody edits it.
struct Desk {
    library: Library,
    path: PathBuf,
    name: String,
    seen: String,
    /// As if the program were over.
    over: Arc<AtomicBool>,
}

impl Files for Desk {
    fn name(&self) -> &str {
        &self.name
    }

    fn saved(&mut self) -> Option<Result<Rules, String>> {
        let text = std::fs::read_to_string(&self.path).unwrap();
        if text == self.seen || self.over.load(Ordering::SeqCst) {
            return None;
        }
        self.seen = text;
        let read = || {
            let variant = read_variant(&self.path)?;
            let resolved = self.library.resolve("corps20", "july1", Some(&variant))?;
            let play = self.library.play_resolved(&resolved)?;
            Ok(Rules {
                library: self.library.clone(),
                resolved,
                variant: Some(variant),
                play,
            })
        };
        Some(read().map_err(|problems: cupola_data::Problems| problems.to_string()))
    }

    fn verdict(&self) -> Option<String> {
        Some("EQUIVALENT".into())
    }
}

/// The file with one change in it.
fn save(path: &Path, change: &str) {
    let text = format!(
        "(\n    base: \"corps20\",\n    name: \"v\",\n    title: \"V\",\n    why: \"a test\",\n    battle: \"gettysburg\",\n    change: [\n        {change},\n    ],\n)\n"
    );
    std::fs::write(path, text).unwrap();
}

fn follow(path: &Path, over: &Arc<AtomicBool>) -> impl FnOnce(&Arc<Club>) {
    let (path, over) = (path.to_owned(), over.clone());
    move |club| {
        let files = Desk {
            library: Library::new(data(), None, Registry::linked().unwrap()),
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            path,
            seen: String::new(),
            over,
        };
        club.follow(Box::new(files)).unwrap();
    }
}

/// The keeper, at the table that his link leads to.
fn keeper(home: &Home, path: &Path, over: &Arc<AtomicBool>) -> (Person, String) {
    let serving = home.run(&data(), 1, follow(path, over)).1;
    let (table, secret) = serving.keeper.split_once("#enter=").unwrap();
    let game = table.split("/t/").nth(1).unwrap().to_owned();
    let wish = json!({ "secret": secret });
    (Person::enter_with(serving.address, &wish), game)
}

fn choose(person: &Person, game: &str, option: &str) {
    let table = person.table(game);
    let wish = json!({"ply": table["ply"], "seat": table["seat"], "option": option});
    let answer = person.post(&format!("/games/{game}/choose"), &wish);
    assert_eq!(answer.status, 200, "{option}: {}", answer.json());
}

/// Waits for a message of the line.
fn hear(line: &mut Line, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..200 {
        let message = line.next().expect("the line is closed");
        if wanted(&message) {
            return message;
        }
    }
    panic!("never heard: {what}");
}

/// Waits until the table says so.
fn until(person: &Person, game: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1200 {
        let table = person.table(game);
        if wanted(&table) {
            return table;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it never says so: {}", person.table(game)["table"]);
}

const FASTER: &str = "set(path: \"counters/heth/ma\", to: 6)";

#[test]
fn a_prototype_shows_what_a_save_has_changed_and_other_games_do_not() {
    let home = Home::file("prototype");
    let path = folder("prototype_files").join("v.ron");
    save(&path, "set(path: \"counters/heth/strength\", to: 4)");
    let (ada, game) = keeper(&home, &path, &Arc::default());
    let other = ada.new_game(["me", "me"]);
    choose(&ada, &game, "unit heth");
    let (before, pinned) = (ada.table(&game), ada.table(&other));
    assert_eq!(before["table"]["follows"]["what"], "v.ron");
    assert_eq!(before["table"]["follows"]["live"], true);
    assert_eq!(before["table"]["follows"]["verdict"], "EQUIVALENT");
    assert_eq!(before["table"]["follows"]["saves"], 0);
    assert_eq!(ada.table(&other)["table"]["follows"], Value::Null);
    let options = |table: &Value| {
        table["frame"]["decision"]["options"]
            .as_array()
            .unwrap()
            .len()
    };
    let mut line = ada.listen(&game, "cs", before["ply"].as_u64().unwrap());
    save(&path, FASTER);
    let whole = hear(&mut line, "the frame", |message| {
        message["frame"].is_object()
    });
    assert_eq!(whole["step"], 1, "the choice was not made again");
    assert!(whole["ply"].as_u64() > before["ply"].as_u64());
    assert!(options(&whole) > options(&before), "Heth goes no further");
    assert_ne!(whole["rules"], before["rules"]);
    assert_eq!(
        ada.get(&format!("/look/{}", whole["look"].as_str().unwrap()))
            .status,
        200
    );
    let news = hear(&mut line, "the news", |message| {
        message["table"]["follows"]["saves"] == 1
    });
    let changed = news["table"]["follows"]["changed"]
        .as_array()
        .unwrap()
        .clone();
    let ma = changed.iter().find(|told| told["field"] == "ma").unwrap();
    assert!(ma["subject"].as_str().unwrap().contains("Heth"), "{ma}");
    assert_eq!(ma["to"], "6");
    let strength = changed
        .iter()
        .find(|told| told["field"] == "strength")
        .unwrap();
    assert_eq!(strength["was"], "4");
    // Against the rules as printed.
    let rules = ada.get(&format!("/games/{game}/rules")).json();
    assert_eq!(rules["differences"].as_array().unwrap().len(), 1, "{rules}");
    // Nobody else's game has changed, and this one goes on.
    assert!(ada.table(&other) == pinned);
    choose(&ada, &game, "stay heth");
    // Its journal begins with the rules that are in force.
    let Place::File(file) = &home.place else {
        panic!("a file")
    };
    let store = rusqlite::Connection::open(file).unwrap();
    let head: String = store
        .query_row("select meta from game where id = ?1", [&game], |row| {
            row.get(0)
        })
        .unwrap();
    assert!(head.contains("counters/heth/ma") && !head.contains("counters/heth/strength"));
}

#[test]
fn a_file_that_does_not_fit_is_told_with_its_line_and_the_prototype_stays() {
    let home = Home::file("prototype_broken");
    let path = folder("prototype_broken_files").join("v.ron");
    save(&path, FASTER);
    let (ada, game) = keeper(&home, &path, &Arc::default());
    choose(&ada, &game, "unit heth");
    let before = ada.table(&game);
    // Somebody who is invited plays, and is not told how the keeper's folders are called.
    let bob = Person::enter(ada.address, "Bob");
    assert_eq!(
        ada.post(&format!("/games/{game}/stand"), &json!({"side": "us"}))
            .status,
        200
    );
    let invitation = ada
        .post(&format!("/games/{game}/invite"), &json!({"side": "us"}))
        .json();
    let secret = invitation["link"]
        .as_str()
        .unwrap()
        .rsplit('=')
        .next()
        .unwrap()
        .to_owned();
    let sit = json!({"side": "us", "invitation": secret});
    assert_eq!(bob.post(&format!("/games/{game}/sit"), &sit).status, 200);
    save(&path, "set(path: \"counters/hteh/ma\", to: 6)");
    let wrong = until(&ada, &game, |table| {
        table["table"]["follows"]["wrong"].is_string()
    });
    let why = wrong["table"]["follows"]["wrong"].as_str().unwrap();
    assert!(
        why.contains("v.ron:8:")
            && why.contains("change[0].path")
            && why.contains("did you mean \"heth\"?"),
        "{why}"
    );
    let told = bob.table(&game)["table"]["follows"]["wrong"].clone();
    assert!(
        told.is_string() && !told.as_str().unwrap().contains("v.ron"),
        "{told}"
    );
    assert!(wrong["frame"] == before["frame"]);
    assert_eq!(wrong["step"], before["step"]);
    assert_eq!(wrong["ply"], before["ply"]);
    save(&path, FASTER);
    let mended = until(&ada, &game, |table| {
        table["table"]["follows"]["wrong"].is_null()
    });
    assert!(mended["frame"] == before["frame"]);
}

#[test]
fn choices_that_new_rules_forbid_wait_until_they_are_allowed_again() {
    let home = Home::file("prototype_lost");
    let path = folder("prototype_lost_files").join("v.ron");
    save(&path, FASTER);
    let over = Arc::default();
    let (ada, game) = keeper(&home, &path, &over);
    choose(&ada, &game, "unit heth");
    // As far as only the faster one goes.
    let slow = ["15.04", "15.06", "15.07", "15.08", "14.08"];
    let table = ada.table(&game);
    let options = table["frame"]["decision"]["options"].as_array().unwrap();
    let ids = options.iter().map(|option| option["id"].as_str().unwrap());
    let far = ids.clone().find(|id| {
        id.starts_with("move heth 1") && id[10..12] < *"14" && !slow.contains(&&id[10..])
    });
    let far = far.expect("no hex is far enough").to_owned();
    choose(&ada, &game, &far);
    let played = ada.table(&game);
    save(&path, "set(path: \"counters/heth/ma\", to: 1)");
    let lost = until(&ada, &game, |table| {
        table["table"]["follows"]["lost"].is_string()
    });
    let why = lost["table"]["follows"]["lost"].as_str().unwrap();
    assert!(
        why.starts_with(&format!("Step 2 (\u{201c}{far}\u{201d}) is no longer")),
        "{why}"
    );
    assert_eq!(lost["step"], 1);
    assert_eq!(lost["table"]["follows"]["waiting"], 1);
    // The program is started again meanwhile: it is the same game, and nothing is lost.
    over.store(true, Ordering::SeqCst);
    let serving = home.run(&data(), 1, follow(&path, &Arc::default())).1;
    let again = ada.at(serving.address);
    assert!(
        serving.keeper.contains(&game),
        "another game: {}",
        serving.keeper
    );
    assert_eq!(again.table(&game)["table"]["follows"]["waiting"], 1);
    save(&path, FASTER);
    let back = until(&again, &game, |table| table["step"] == 2);
    assert!(back["frame"]["units"] == played["frame"]["units"]);
    assert_eq!(back["table"]["follows"]["lost"], Value::Null);
    // Whoever chooses otherwise lets them go.
    save(&path, "set(path: \"counters/heth/ma\", to: 1)");
    until(&again, &game, |table| table["step"] == 1);
    choose(&again, &game, "stay heth");
    save(&path, FASTER);
    let other = until(&again, &game, |table| {
        table["table"]["follows"]["saves"] == 3
    });
    assert_eq!(other["step"], 2);
    assert_eq!(other["table"]["follows"]["waiting"], 0);
    assert_ne!(
        other["frame"]["units"]["heth"],
        played["frame"]["units"]["heth"]
    );
}

#[test]
fn a_prototype_that_nobody_follows_keeps_the_rules_that_were_in_force() {
    let home = Home::file("prototype_left");
    let path = folder("prototype_left_files").join("v.ron");
    save(&path, FASTER);
    let over = Arc::default();
    let (ada, game) = keeper(&home, &path, &over);
    choose(&ada, &game, "unit heth");
    let before = ada.table(&game);
    over.store(true, Ordering::SeqCst);
    let later = ada.at(home.open());
    save(&path, "set(path: \"counters/heth/ma\", to: 1)");
    std::thread::sleep(Duration::from_millis(500));
    let after = later.table(&game);
    assert_eq!(after["error"], Value::Null);
    assert!(after["frame"] == before["frame"]);
    assert_eq!(after["table"]["closed"], Value::Null);
    assert_eq!(after["table"]["follows"]["live"], false);
    let notes = later.get(&format!("/games/{game}/notes")).json();
    assert_eq!(notes["said"].as_array().map(Vec::len), Some(0), "{notes}");
}
