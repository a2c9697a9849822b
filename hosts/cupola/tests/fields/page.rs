//! Pages of tables: a table for each file, a line for each field, what is written alike told once.

use crate::Fields;
use crate::sentences::Sentences;
use std::collections::BTreeMap;
use std::path::Path;

/// All pages.
pub struct Book {
    /// In order.
    pub pages: Vec<Page>,
}

/// The files of one page.
pub struct Page {
    /// The page's own file, without the ending.
    pub name: String,
    /// The heading.
    pub title: String,
    /// A sentence below it.
    pub about: String,
    /// The folders in whose source the types stand, the nearest first.
    pub crates: Vec<String>,
    /// The files and their fields.
    pub files: BTreeMap<String, Fields>,
}

/// A line of a table.
struct Row {
    /// Where the field stands: `counters.values.strength`.
    path: String,
    /// A choice of the field, if it is one.
    choice: Option<String>,
    /// The type that has it.
    of: &'static str,
    /// Where the fields below it were told already.
    like: Option<String>,
}

/// Fewer lines than this are told again rather than looked for elsewhere.
const FEW: usize = 3;

impl Book {
    /// The pages as they are written: the one of contents, then the others.
    pub fn texts(&self, root: &Path) -> Vec<(String, String)> {
        let mut out = vec![("files.md".to_owned(), self.contents())];
        for page in &self.pages {
            let name = format!("files/{}.md", page.name);
            out.push((name, page.text(root, &mut vec![])));
        }
        out
    }

    /// Fields that have no sentence.
    pub fn missing(&self, root: &Path) -> Vec<String> {
        let mut missing = vec![];
        for page in &self.pages {
            page.text(root, &mut missing);
        }
        missing
    }

    fn contents(&self) -> String {
        let mut out = HEAD.to_owned();
        for page in &self.pages {
            out += &format!("- **[{}](files/{}.md)**: ", page.title, page.name);
            let names = page.sections().into_iter();
            let names = names.map(|(names, _)| {
                let shown = names.iter().map(|name| format!("`{name}`"));
                let shown = shown.collect::<Vec<_>>().join(", ");
                format!("[{shown}](files/{}.md#{})", page.name, anchor(&names))
            });
            out += &names.collect::<Vec<_>>().join(", ");
            out += "\n";
        }
        out
    }
}

impl Page {
    /// Files that are read alike stand together.
    fn sections(&self) -> Vec<(Vec<String>, &Fields)> {
        let mut found: Vec<(Vec<String>, &Fields)> = vec![];
        for (name, fields) in &self.files {
            match found.iter_mut().find(|(_, known)| *known == fields) {
                Some((names, _)) => names.push(name.clone()),
                None => found.push((vec![name.clone()], fields)),
            }
        }
        found
    }

    fn text(&self, root: &Path, missing: &mut Vec<String>) -> String {
        let told: Vec<Sentences> = self
            .crates
            .iter()
            .map(|folder| Sentences::of(&root.join(folder).join("src")))
            .collect();
        let mut out = format!("# {}\n\n{}\n\n", self.title, self.about);
        let mut known = BTreeMap::new();
        for (names, fields) in self.sections() {
            let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            out += &format!("## {}\n\n| Field | | |\n|---|---|---|\n", shown.join(", "));
            for row in folded(rows(fields), &names[0], &mut known) {
                out += &line(
                    &row,
                    &told,
                    &|| format!("{}: {} ({})", names[0], row.shown(), row.of),
                    missing,
                );
            }
            out += "\n";
        }
        out.trim_end().to_owned() + "\n"
    }
}

/// The lines of a file. That an origin is printed, derived or house is told once, on the page of contents.
fn rows(fields: &Fields) -> Vec<Row> {
    let rows = fields
        .iter()
        .filter(|(field, of)| **of != "Origin" || !field.contains(" = "));
    let rows = rows.map(|(field, of)| {
        let (path, choice) = match field.split_once(" = ") {
            Some((path, choice)) => (path, Some(choice.to_owned())),
            None => (field.as_str(), None),
        };
        Row {
            path: path.to_owned(),
            choice,
            of,
            like: None,
        }
    });
    rows.collect()
}

/// What stands below a field, and the types that have it.
type Below = Vec<(String, Option<String>, &'static str)>;

/// The rows without those that stand below another field already; of each such the field that has them.
fn folded(
    mut rows: Vec<Row>,
    file: &str,
    known: &mut BTreeMap<Below, (String, String)>,
) -> Vec<Row> {
    let mut at = 0;
    while at < rows.len() {
        let path = rows[at].path.clone();
        let below = |row: &Row| {
            let rest = row.path.strip_prefix(&path)?;
            let inside = rest.starts_with('.') || rest.is_empty() && row.choice.is_some();
            inside.then(|| (rest.to_owned(), row.choice.clone(), row.of))
        };
        let all: Below = rows.iter().filter_map(below).collect();
        if rows[at].choice.is_none() && all.len() >= FEW {
            match known.get(&all) {
                None => drop(known.insert(all, (file.to_owned(), path))),
                Some((of, like)) => {
                    let like = match of == file {
                        true => format!("`{like}`"),
                        false => format!("`{like}` of `{of}`"),
                    };
                    rows.retain(|row| below(row).is_none());
                    let own = rows.iter_mut().find(|row| row.path == path);
                    own.expect("it is not below itself").like = Some(like);
                }
            }
        }
        at += 1;
    }
    rows
}

fn line(
    row: &Row,
    told: &[Sentences],
    name: &dyn Fn() -> String,
    missing: &mut Vec<String>,
) -> String {
    let last = row
        .choice
        .as_deref()
        .or_else(|| row.path.rsplit('.').next());
    let last = last.unwrap_or(&row.path);
    let found = told.iter().find_map(|told| told.get(row.of, last));
    if found.is_none() {
        missing.push(name());
    }
    let mut kind = found
        .as_ref()
        .map_or(String::new(), |told| told.kind.clone());
    if found
        .as_ref()
        .is_some_and(|told| told.optional && row.choice.is_none())
    {
        kind = format!("{kind} *optional*").trim_start().to_owned();
    }
    let mut words = found.map_or(String::new(), |told| told.sentence);
    if let Some(like) = &row.like {
        words = format!("{words} Below it as below {like}.")
            .trim_start()
            .to_owned();
    }
    format!("| {} | {kind} | {words} |\n", row.shown())
}

impl Row {
    fn shown(&self) -> String {
        match (self.path.as_str(), &self.choice) {
            ("", Some(choice)) => format!("`{choice}`"),
            (path, Some(choice)) => format!("`{path}` = `{choice}`"),
            (path, None) => format!("`{path}`"),
        }
    }
}

/// The anchor that mdBook gives a heading.
fn anchor(names: &[String]) -> String {
    let letters = names.join(" ");
    let letters = letters.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter => letter
            .is_alphanumeric()
            .then(|| letter.to_ascii_lowercase()),
    });
    letters.collect()
}

const HEAD: &str = "\
# Every field of every file

These pages are made from the types that read the files, and a test holds them against those: what is not here is no field, and what is
here is read. `cupola resolve corps20 --fields` lists the same for one ruleset.

A line is a field in what it stands in: `counters.values.strength` is the field `strength` of `values` of an entry of `counters`; `*`
stands for names of your own; `light` = `dusk` is a choice of `light`. The second column says what to write, and *optional* that it may be
left out. What has an *origin* is a pair of a value and where it comes from: `(4, printed(\"002 7.7\"))`, read in a rulebook, by its number and
section; `(4, derived(\"men / 600\"))`, which follows by a rule from something printed; `(4, house(\"our own\"))`, because nothing is printed,
and why so. `§` cites the section of the rulebook that the ruleset was made after.

";
