//! The book's pages of all fields are what the types say that read the files, with the sentence that each has in its type.
//! `CUPOLA_BOOK=write cargo test -p cupola --test fields` writes them anew.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod page;
mod sentences;

use common::root;
use cupola as _;
use cupola_army::{Battle, History, Scenario};
use cupola_bots::Plan;
use cupola_data::{Heard, Source, overhear};
use cupola_kernel::{Case, Position, Registry, Variant};
use cupola_lab::grid::Bands;
use cupola_library::{Changed, Library, Orders};
use cupola_look::Faces;
use page::{Book, Page};
use std::collections::BTreeMap;
use std::path::Path;

/// A scenario of each ruleset, whose files have all that the ruleset reads.
const PLAYED: [(&str, &str); 5] = [
    ("classic", "wickerby"),
    ("corps20", "july1"),
    ("blocks", "campaign"),
    ("blindswords", "main"),
    ("gbacw", "when-harry-met-john"),
];

/// Fields of a file, each with the type that has it.
pub type Fields = BTreeMap<String, &'static str>;

/// Files by the name that people know them by.
type Files = BTreeMap<String, Fields>;

/// What is read of a ruleset's files.
fn files_of(library: &Library, ruleset: &str, scenario: &str) -> Files {
    let ((), heard) = overhear(|| {
        let resolved = library.resolve(ruleset, scenario, None).unwrap();
        resolved.board().unwrap();
        library.play_resolved(&resolved).unwrap();
        let faces = library.ruleset_dir(ruleset).join("faces.ron");
        Faces::read(&Source::read(&faces).unwrap()).unwrap();
    });
    short(heard, scenario)
}

/// Files by their short names.
fn short(heard: Heard, scenario: &str) -> Files {
    let mut found = Files::new();
    for (name, fields) in heard {
        let path = Path::new(&name);
        let last = path.file_name().unwrap().to_str().unwrap();
        let lies = |folder: &str| path.iter().any(|part| part == folder);
        let called = match last {
            file if lies("scenarios") && file == format!("{scenario}.ron") => "scenarios/*.ron",
            "battle.ron" if lies("armies") => "armies/*/battle.ron",
            _ if lies("armies") => "armies/*/*.ron",
            file => file,
        };
        if !fields.is_empty() {
            found.entry(called.to_owned()).or_default().extend(fields);
        }
    }
    found
}

/// What designers write.
fn own_files(library: &Library) -> Files {
    let empty = |name: &str| Source::new(name, "()");
    let battle = library.battle("training").unwrap();
    let ((), heard) = overhear(|| {
        // Whether they can be read is of no matter here: what they may say is.
        let _ = empty("variant").ron::<Variant>();
        let _ = empty("what-if").ron::<Changed>();
        let _ = empty("what-if").ron::<Orders>();
        let _ = empty("position").ron::<Position>();
        let _ = empty("case").ron::<Case>();
        let _ = Plan::read(&empty("plan"), &battle.army, &[]);
        let _ = Scenario::read(&empty("hours of a battle"), &battle.army);
    });
    let mut all = short(heard, "");
    // A case begins with a position, which has a section of its own.
    if let Some(case) = all.get_mut("case") {
        case.retain(|field, _| !field.starts_with("position."));
    }
    all
}

/// What is known of a battle whatever the ruleset: the army lists, the ground, the record.
fn battle_files(library: &Library) -> Files {
    let data = root().join("data");
    let ((), heard) = overhear(|| {
        let battle = Battle::read(&data.join("armies/gettysburg")).unwrap();
        let folder = data.join("battlefields/gettysburg");
        let field = cupola_ground::Battlefield::read(&folder).unwrap();
        let places: Vec<&str> = field.places.iter().map(|place| &*place.id).collect();
        let record = data.join("history/gettysburg");
        History::read(&record, &battle.army, &places).unwrap();
        Bands::read(&record).unwrap();
        library.board("corps20", "gettysburg").unwrap();
    });
    let mut all = short(heard, "");
    let own = ["grid.ron", "board.ron", "terrain.ron"];
    all.retain(|file, _| !own.contains(&file.as_str()));
    all
}

/// What every ruleset has alike, taken out of theirs.
fn shared(all: &mut [(&str, Files)]) -> Files {
    let mut shared: Files = all[0].1.clone();
    for (file, fields) in &mut shared {
        fields.retain(|field, of| {
            let known = |files: &Files| files.get(file)?.get(field).copied();
            all.iter().all(|(_, files)| known(files) == Some(*of))
        });
    }
    shared.retain(|_, fields| !fields.is_empty());
    for (_, files) in all {
        for (name, fields) in files.iter_mut() {
            if let Some(known) = shared.get(name) {
                fields.retain(|field, _| !known.contains_key(field));
            }
        }
        files.retain(|_, fields| !fields.is_empty());
    }
    shared
}

fn book() -> Book {
    let library = Library::new(root().join("data"), None, Registry::linked().unwrap());
    let battle = battle_files(&library);
    let mut all: Vec<(&str, Files)> = PLAYED
        .iter()
        .map(|(ruleset, scenario)| (*ruleset, files_of(&library, ruleset, scenario)))
        .collect();
    // Battles have a page of their own.
    for (_, files) in &mut all {
        files.retain(|name, _| !battle.contains_key(name));
    }
    let shared = shared(&mut all);
    let page = |name: &str, title: &str, about: &str, crates: &str, files: Files| Page {
        name: name.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        crates: crates.split(' ').map(str::to_owned).collect(),
        files,
    };
    let own = own_files(&library);
    let core = "core/library core/kernel core/army core/ground core/bots core/lab hosts/look";
    let ground = "core/army core/ground core/lab core/library";
    let mut pages = vec![
        page("written", "What designers write", WRITTEN, core, own),
        page("battle", "Files of a battle", BATTLE, ground, battle),
        page(
            "rulesets",
            "Files of every ruleset",
            SHARED,
            &format!("{core} rulesets/common"),
            shared,
        ),
    ];
    for (ruleset, files) in all {
        let own = match root().join("rulesets").join(ruleset).join("src").is_dir() {
            true => format!("rulesets/{ruleset}"),
            // Data alone: read by the common parts.
            false => "rulesets/common".to_owned(),
        };
        let about = format!("What `{ruleset}` has besides the files of every ruleset.");
        let title = format!("Files of {ruleset}");
        pages.push(page(
            ruleset,
            &title,
            &about,
            &format!("{own} {core}"),
            files,
        ));
    }
    Book { pages }
}

const WRITTEN: &str = "Variants, what-ifs, positions, cases, plans and the hours that the lab compares: files of your own, wherever they lie.";
const BATTLE: &str =
    "What is known of a battle whatever the rules: its armies, its ground, its record.";
const SHARED: &str = "Files that every ruleset has, and the fields in them that all understand. The first part of a name is the file: `terrain.ron` lies with the ruleset, `battle.ron`, `grid.ron`, `board.ron`, `turns.ron` and `counters.ron` with each of its battles.";

#[test]
fn the_pages_of_fields_are_what_the_types_say() {
    let book = book();
    let folder = root().join("book/src/designers");
    let mut stale = vec![];
    for (name, text) in book.texts(&root()) {
        let path = folder.join(&name);
        if std::env::var_os("CUPOLA_BOOK").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            stale.push(name);
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {}; CUPOLA_BOOK=write cargo test -p cupola --test fields",
        stale.join(", ")
    );
    // Whoever turns the pages finds them all.
    let summary = std::fs::read_to_string(root().join("book/src/SUMMARY.md")).unwrap();
    for page in &book.pages {
        let line = format!("[{}](designers/files/{}.md)", page.title, page.name);
        assert!(summary.contains(&line), "SUMMARY.md wants {line}");
    }
}

/// Every field has a sentence of its own, above it in the source.
#[test]
fn every_field_has_a_sentence() {
    let missing = book().missing(&root());
    assert!(
        missing.is_empty(),
        "{} fields without a comment above them in their type:\n{}",
        missing.len(),
        missing.join("\n")
    );
}
