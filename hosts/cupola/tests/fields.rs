//! The book's page of all fields is what the types say that read the files, with the sentence that each has in its type.
//! `CUPOLA_BOOK=write cargo test -p cupola --test fields` writes it anew.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::root;
use cupola as _;
use cupola_bots::Plan;
use cupola_data::{Heard, Source, overhear};
use cupola_kernel::{Case, Position, Registry, Variant};
use cupola_library::{Changed, Library, Orders};
use cupola_look::Faces;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A scenario of each ruleset, whose files have all that the ruleset reads.
const PLAYED: [(&str, &str); 5] = [
    ("classic", "wickerby"),
    ("corps20", "july1"),
    ("blocks", "campaign"),
    ("blindswords", "main"),
    ("gbacw", "when-harry-met-john"),
];

/// How many fields have no sentence of their own in the types.
const UNTOLD: usize = 778;

/// Fields of a file, each with the type that has it.
type Fields = BTreeMap<String, &'static str>;

/// What is read of a ruleset's files, by their short names.
fn files_of(library: &Library, ruleset: &str, scenario: &str) -> BTreeMap<String, Fields> {
    let ((), heard) = overhear(|| {
        let resolved = library.resolve(ruleset, scenario, None).unwrap();
        resolved.board().unwrap();
        library.play_resolved(&resolved).unwrap();
        let faces = library.ruleset_dir(ruleset).join("faces.ron");
        Faces::read(&Source::read(&faces).unwrap()).unwrap();
    });
    short(heard, scenario)
}

/// Files by the name that people know them by.
fn short(heard: Heard, scenario: &str) -> BTreeMap<String, Fields> {
    let mut found: BTreeMap<String, Fields> = BTreeMap::new();
    for (name, fields) in heard {
        let path = Path::new(&name);
        let last = path.file_name().unwrap().to_str().unwrap();
        let above = path.parent().and_then(Path::file_name);
        let above = above.and_then(|above| above.to_str()).unwrap_or_default();
        let called = match (above, last) {
            ("scenarios", file) if file == format!("{scenario}.ron") => "scenarios/*.ron",
            (_, "battle.ron") if path.to_str().unwrap().contains("armies") => "armies: battle.ron",
            _ if path.to_str().unwrap().contains("armies") => "armies: lists",
            (_, file) => file,
        };
        if !fields.is_empty() {
            found.entry(called.to_owned()).or_default().extend(fields);
        }
    }
    found
}

/// What designers write besides.
fn own_files(library: &Library) -> BTreeMap<String, Fields> {
    let empty = |name: &str| Source::new(name, "()");
    let ((), heard) = overhear(|| {
        // Whether they can be read is of no matter here: what they may say is.
        let _ = empty("variant").ron::<Variant>();
        let _ = empty("what-if").ron::<Changed>();
        let _ = empty("what-if").ron::<Orders>();
        let _ = empty("position").ron::<Position>();
        let _ = empty("case").ron::<Case>();
        let battle = library.battle("training").unwrap();
        let _ = Plan::read(&empty("plan"), &battle.army, &[]);
    });
    let mut all = short(heard, "");
    // A case begins with a position, which has a section of its own.
    if let Some(case) = all.get_mut("case") {
        case.retain(|field, _| !field.starts_with("position."));
    }
    all
}

/// The sentences of all types of some crates: type, field, sentence.
struct Sentences(BTreeMap<String, BTreeMap<String, String>>);

impl Sentences {
    fn of(folders: &[PathBuf]) -> Sentences {
        let mut found = Sentences(BTreeMap::new());
        for folder in folders {
            let mut files = vec![];
            collect(folder, &mut files);
            files.sort();
            for file in files {
                found.read(&std::fs::read_to_string(file).unwrap());
            }
        }
        found
    }

    fn read(&mut self, text: &str) {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(name) = type_name(line).filter(|_| line.trim_end().ends_with('{')) else {
                continue;
            };
            let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
            let own = self.0.entry(name.to_owned()).or_default();
            let (mut told, mut renamed): (Vec<&str>, Option<String>) = (vec![], None);
            for line in lines.by_ref() {
                if line == end {
                    break;
                }
                let plain = line.trim();
                if let Some(words) = plain.strip_prefix("///") {
                    told.push(words.trim());
                } else if plain.starts_with("#[") {
                    let name = plain.split_once("rename = \"");
                    renamed =
                        renamed.or(name.map(|(_, rest)| {
                            rest.split('"').next().unwrap_or_default().to_owned()
                        }));
                } else {
                    if let Some(field) = field_name(plain) {
                        let field = renamed.take().unwrap_or_else(|| field.to_owned());
                        if !told.is_empty() {
                            own.entry(plainly(&field))
                                .or_insert_with(|| sentence(&told));
                        }
                    }
                    (told, renamed) = (vec![], None);
                }
            }
        }
    }

    fn get(&self, of: &str, field: &str) -> Option<&String> {
        self.0.get(of)?.get(&plainly(field))
    }
}

/// The name of the type that a line begins.
fn type_name(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    // `"kind of road" RoadKind {`: a list of names of the ground.
    if let Some((_, name)) = rest
        .strip_prefix('"')
        .and_then(|rest| rest.split_once("\" "))
    {
        return name.strip_suffix(" {");
    }
    let rest = match rest.strip_prefix("pub") {
        Some(rest) => rest
            .trim_start()
            .trim_start_matches("(crate)")
            .trim_start_matches("(super)")
            .trim_start(),
        None => rest,
    };
    let rest = rest
        .strip_prefix("struct ")
        .or_else(|| rest.strip_prefix("enum "))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

/// The name of the field or choice that a line begins.
fn field_name(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with([' ', '(']) => rest.split_once(' ')?.1,
        _ => line,
    };
    let name = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    (!name.is_empty()).then_some(name)
}

/// A name as Rust and as files write it alike: `HorseArtillery` and `horse_artillery`.
fn plainly(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// The first sentence of a comment.
fn sentence(lines: &[&str]) -> String {
    let lines = lines.iter().take_while(|line| !line.is_empty());
    let all: Vec<&str> = lines.copied().collect();
    let all = all.join(" ");
    let first = all
        .split_once(". ")
        .map_or(all.as_str(), |(first, _)| first);
    first.trim_end_matches('.').replace('|', "\\|")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// A table of fields; what has no sentence is noted.
fn table(name: &str, fields: &Fields, told: &[&Sentences], missing: &mut Vec<String>) -> String {
    let mut out = format!("### `{name}`\n\n| Field | |\n|---|---|\n");
    for (field, of) in fields {
        let (path, choice) = match field.split_once(" = ") {
            Some((path, choice)) => (path, Some(choice)),
            None => (field.as_str(), None),
        };
        let last = choice.or_else(|| path.rsplit('.').next()).unwrap_or(path);
        let words = told.iter().find_map(|told| told.get(of, last));
        if words.is_none() && choice.is_none() {
            missing.push(format!("{name}: {field} ({of})"));
        }
        let shown = match (path, choice) {
            ("", Some(choice)) => format!("`{choice}`"),
            (path, Some(choice)) => format!("`{path}` = `{choice}`"),
            (path, None) => format!("`{path}`"),
        };
        let words = words.map_or("", String::as_str);
        out += &format!("| {shown} | {words} |\n");
    }
    out + "\n"
}

const HEAD: &str = "\
# Every field of every file

This page is made from the types that read the files, and a test holds it against them: what is not here is no field, and what is
here is read. `cupola resolve corps20 --fields` lists the same for one ruleset. A line is a field in what it stands in: `counters.values.strength`
is the field `strength` of `values` of an entry of `counters`; `*` stands for names of your own; `light` = `dusk` is a choice of `light`. A number that says
where it comes from is a pair: `(4, printed(\"002 7.7\"))`, `derived(\"…\")` or `house(\"…\")`.

";

fn page(missing: &mut Vec<String>) -> String {
    let library = Library::new(root().join("data"), None, Registry::linked().unwrap());
    let core: Vec<PathBuf> = ["core", "hosts"].map(|folder| root().join(folder)).to_vec();
    let core = Sentences::of(&core);
    let mut out = HEAD.to_owned();
    out += "## What designers write\n\n";
    for (name, fields) in own_files(&library) {
        out += &table(&name, &fields, &[&core], missing);
    }
    let all: Vec<(&str, BTreeMap<String, Fields>)> = PLAYED
        .iter()
        .map(|(ruleset, scenario)| (*ruleset, files_of(&library, ruleset, scenario)))
        .collect();
    // What every ruleset has alike is told once.
    let mut shared: BTreeMap<String, Fields> = all[0].1.clone();
    for (file, fields) in &mut shared {
        fields.retain(|field, of| {
            let known = |files: &BTreeMap<String, Fields>| files.get(file)?.get(field).copied();
            all.iter().all(|(_, files)| known(files) == Some(*of))
        });
    }
    shared.retain(|_, fields| !fields.is_empty());
    out += "## In every ruleset\n\n";
    for (name, fields) in &shared {
        out += &table(name, fields, &[&core], missing);
    }
    for (ruleset, files) in &all {
        out += &format!("## {ruleset}\n\n");
        let crates = match root().join("rulesets").join(ruleset).join("src") {
            own if own.is_dir() => own,
            // Data alone: read by the common parts.
            _ => root().join("rulesets/common/src"),
        };
        let own = Sentences::of(&[crates]);
        for (name, fields) in files {
            let mut fields = fields.clone();
            if let Some(known) = shared.get(name) {
                fields.retain(|field, _| !known.contains_key(field));
            }
            if !fields.is_empty() {
                out += &table(name, &fields, &[&own, &core], missing);
            }
        }
    }
    out
}

#[test]
fn the_page_of_fields_is_what_the_types_say() {
    let mut missing = vec![];
    let page = page(&mut missing);
    let path = root().join("book/src/designers/files.md");
    if std::env::var_os("CUPOLA_BOOK").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let stands = std::fs::read_to_string(&path).unwrap();
    assert!(
        stands == page,
        "the page is stale: CUPOLA_BOOK=write cargo test -p cupola --test fields"
    );
    // Fields whose type has no comment yet: fewer every time, never more.
    assert!(
        missing.len() <= UNTOLD,
        "{} fields without a sentence, {UNTOLD} were known:\n{}",
        missing.len(),
        missing.join("\n")
    );
}
