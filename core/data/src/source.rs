//! A data file in memory: parsing it, and pointing into it.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use ron::error::{Position, Span, SpannedError};
use ron::extensions::Extensions;
use ron::options::Options;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::problem::{Problem, is_command};
use crate::reading::Page;
use crate::tree::Node;
use crate::{locate, range};

/// A data file held in memory with its name for messages.
#[derive(Debug)]
pub struct Source {
    /// Path as shown to people.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// How many problems were given their place: each costs a walk through the text.
    placed: AtomicU32,
}

impl Clone for Source {
    fn clone(&self) -> Source {
        Source::new(&*self.name, &*self.text)
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        self.name == other.name && self.text == other.text
    }
}
impl Eq for Source {}

/// The largest file that is read, in bytes: about a hundred times the largest that we have.
const LARGEST: u64 = 32 << 20;

/// How many problems of a text are told with their place; a file with more is wrong as a whole.
const PLACED: u32 = 200;

impl Source {
    /// A source from text that is already at hand.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
            placed: AtomicU32::new(0),
        }
    }

    /// Reads a file; a missing one is a problem that suggests the nearest name in its folder. Devices and pipes,
    /// which may have no end, and files of more than 32 MB are refused, and so is a text with control characters
    /// in it.
    pub fn read(path: &Path) -> Result<Source, Problem> {
        let name = path.display().to_string();
        let bytes = bytes(path).map_err(|error| unreadable(path, &name, &error))?;
        match String::from_utf8(bytes) {
            // Some editors put a mark before the text that says no more than that it is one.
            Ok(text) => Source::new(name, text.trim_start_matches('\u{feff}')).plain(),
            Err(error) => {
                let good = error.utf8_error().valid_up_to();
                let before = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
                let (line, column) = locate::line_and_column(&before, before.len());
                Err(Problem {
                    line,
                    column,
                    ..Problem::file(name, "not UTF-8 text")
                })
            }
        }
    }

    /// The same, if it holds nothing but letters, line ends and tabs.
    fn plain(self) -> Result<Source, Problem> {
        let odd = |letter: &char| is_command(*letter) && !matches!(letter, '\n' | '\r' | '\t');
        let found = self.text.char_indices().find(|(_, letter)| odd(letter));
        let Some((at, letter)) = found else {
            return Ok(self);
        };
        let (line, column) = locate::line_and_column(&self.text, at);
        let message = format!("a control character ({})", letter.escape_unicode());
        Err(Problem {
            line,
            column,
            ..Problem::file(self.name, message)
        })
    }

    /// Parses RON. `Some(…)` may be left out around optional values; unknown keys are errors in
    /// every type that is marked `deny_unknown_fields`, as all of ours are.
    pub fn ron<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        crate::shape::hear::<T>(&self.name);
        let read = |text: &str| from_ron(text);
        if self.text.trim().is_empty() {
            return Err(Problem::file(&*self.name, "the file is empty"));
        }
        read(&self.text).map_err(|wrong| self.told(wrong, |text| read(text).map(drop)))
    }

    /// Parses one field of a RON text, which must be a path of names; none if it is not there.
    pub fn ron_field<T: DeserializeOwned>(&self, field: &str) -> Result<Option<T>, Problem> {
        let read = |text: &str| field_from_ron::<T>(text, field);
        read(&self.text).map_err(|wrong| self.told(wrong, |text| read(text).map(drop)))
    }

    /// A mistake in words; `read` reads other texts in the same way.
    fn told(&self, (field, error): Mistake, read: impl Fn(&str) -> Result<(), Mistake>) -> Problem {
        let range = match error.code {
            ron::Error::IntegerOutOfBounds => self.out_of_range(&field, read),
            _ => None,
        };
        range.unwrap_or_else(|| self.ron_problem(&field, *error))
    }

    /// A number that does not fit its field, and what would.
    fn out_of_range(
        &self,
        field: &str,
        read: impl Fn(&str) -> Result<(), Mistake>,
    ) -> Option<Problem> {
        let number = range::number_at(&self.text, locate::offset(&self.text, field))?;
        let fits = |text: &str| match read(text) {
            Ok(()) => true,
            Err((other, error)) => other != field || error.code != ron::Error::IntegerOutOfBounds,
        };
        let expected = range::expected(&self.text, number.clone(), fits)?;
        let found = &self.text[number];
        Some(self.problem(
            field,
            format!("{found} is out of range, expected {expected}"),
        ))
    }

    /// Parses JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let mut inner = serde_json::Deserializer::from_str(&self.text);
        let value = serde_path_to_error::deserialize(&mut inner)
            .map_err(|error| self.json_problem(&field_of(error.path()), error.inner()))?;
        inner.end().map_err(|error| self.json_problem("", &error))?;
        Ok(value)
    }

    /// Line and column at which the value of a field starts, both counted from one.
    ///
    /// The path is written as in messages: `corrections[3].hex`,
    /// `features[12].geometry.coordinates[4]`. If the path leads nowhere, the position of the
    /// last part that was found is given, so a message always points at something near.
    pub fn locate(&self, field: &str) -> (u32, u32) {
        locate::line_and_column(&self.text, locate::offset(&self.text, field))
    }

    /// The same file with another value at a field, written as in the file. Of a list, `[3]` is the
    /// fourth and `[cs-heth]` the one with that `id`.
    ///
    /// ```
    /// use cupola_data::Source;
    /// let file = Source::new("guns.ron", r#"(guns: [(id: "a", range: 4), (id: "b", range: 5)])"#);
    /// let other = file.with_value("guns[b].range", "7").unwrap();
    /// assert_eq!(other.text, r#"(guns: [(id: "a", range: 4), (id: "b", range: 7)])"#);
    /// assert!(file.with_value("guns[c].range", "7").is_none());
    /// ```
    #[must_use]
    pub fn with_value(&self, field: &str, value: &str) -> Option<Source> {
        let span = locate::span(&self.text, field)?;
        let mut text = self.text.clone();
        text.replace_range(span, value);
        Some(Source {
            text,
            ..self.clone()
        })
    }

    /// The byte at a line and column, both counted from one; none if there is no such place.
    #[must_use]
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let before = |n: &u32| *n as usize;
        let line = before(&line).checked_sub(1)?;
        let mut lines = self.text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(line).map(str::len).sum();
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let mut letters = rest.char_indices().map(|(at, _)| at);
        let inside = letters.nth(before(&column).checked_sub(1)?)?;
        Some(start + inside)
    }

    /// A problem at a byte of the text.
    pub fn problem_at(&self, at: usize, field: &str, message: impl Into<String>) -> Problem {
        let (line, column) = locate::line_and_column(&self.text, at);
        Problem {
            line,
            column,
            field: field.to_owned(),
            ..Problem::file(&*self.name, message)
        }
    }

    /// Where a field stands, as a problem without a message. Unlike problems, of which only the first few of a file are looked up, every
    /// place is.
    #[must_use]
    pub fn place(&self, field: &str) -> Problem {
        let (line, column) = self.locate(field);
        Problem {
            line,
            column,
            field: field.to_owned(),
            ..Problem::file(&*self.name, "")
        }
    }

    /// A problem at a field.
    pub fn problem(&self, field: &str, message: impl Into<String>) -> Problem {
        if self.placed.fetch_add(1, Ordering::Relaxed) < PLACED {
            Problem {
                message: message.into(),
                ..self.place(field)
            }
        } else {
            Problem {
                field: field.to_owned(),
                ..Problem::file(&*self.name, message)
            }
        }
    }

    fn ron_problem(&self, field: &str, error: SpannedError) -> Problem {
        use ron::Error;
        let (line, column) = (error.span.start.line as u32, error.span.start.col as u32);
        let problem = |message: String| Problem {
            line,
            column,
            field: field.to_owned(),
            ..Problem::file(&*self.name, message)
        };
        match error.code {
            Error::NoSuchStructField {
                expected, found, ..
            } => {
                let message = format!("unknown field \"{found}\", expected {}", one_of(expected));
                problem(message).with_nearest(&found, expected.iter().copied())
            }
            Error::NoSuchEnumVariant {
                expected, found, ..
            } => {
                let message = format!("unknown value \"{found}\", expected {}", one_of(expected));
                problem(message).with_nearest(&found, expected.iter().copied())
            }
            Error::MissingStructField { field: missing, .. } => {
                problem(format!("field \"{missing}\" is missing"))
            }
            Error::ExpectedNamedStructLike("Sourced") => {
                problem("expected a value with its origin, such as (4, house(\"why\"))".to_owned())
            }
            // Types of ours mean nothing to whoever wrote the file.
            Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => {
                problem("expected values in round brackets: (…)".to_owned())
            }
            Error::ExpectedDifferentLength {
                ref expected,
                found,
            } => match expected
                .split(|c: char| !c.is_ascii_digit())
                .find(|n| !n.is_empty())
            {
                Some(wanted) => {
                    problem(format!("{found} values in the bracket, expected {wanted}"))
                }
                None => problem(lower_first(&error.code.to_string())),
            },
            Error::ExpectedInteger => problem("expected a whole number".to_owned()),
            Error::TrailingCharacters if self.broken(field).is_some() => {
                let found = self.broken(field).unwrap_or_default();
                problem(format!("{found}, expected a whole number"))
            }
            code => problem(lower_first(&code.to_string())),
        }
    }

    /// A number with a point in it: its reader stopped before the point, and wonders what that is.
    fn broken(&self, field: &str) -> Option<&str> {
        let found = self.text.get(locate::span(&self.text, field)?)?;
        let number = found.contains('.') && found.parse::<f64>().is_ok();
        number.then_some(found)
    }

    fn json_problem(&self, field: &str, error: &serde_json::Error) -> Problem {
        let text = error.to_string();
        // serde_json appends the position, which the problem already carries.
        let end = text.rfind(" at line ").unwrap_or(text.len());
        let message = text[..end].replace('`', "\"");
        let names: Vec<&str> = message.split('"').skip(1).step_by(2).collect();
        let unknown = message.starts_with("unknown");
        let hint = match names.split_first() {
            Some((found, expected)) if unknown => crate::nearest(found, expected.iter().copied()),
            _ => None,
        };
        let hint = hint.map(|name| format!("did you mean \"{name}\"?"));
        Problem {
            line: error.line() as u32,
            column: error.column() as u32,
            field: field.to_owned(),
            hint,
            ..Problem::file(&*self.name, message)
        }
    }
}

/// What is wrong with a text: the path of the field, and where it stands.
type Mistake = (String, Box<SpannedError>);

/// A RON text as a tree, if it is one.
fn grammar(text: &str) -> Result<Node, Mistake> {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let mut inner = ron::Deserializer::from_str_with_options(text, &options)
        .map_err(|error| (String::new(), Box::new(error)))?;
    serde_path_to_error::deserialize::<_, IgnoredAny>(&mut inner).map_err(|error| {
        let field = field_of(error.path());
        (field, Box::new(inner.span_error(error.into_inner())))
    })?;
    inner
        .end()
        .map_err(|error| (String::new(), Box::new(inner.span_error(error))))?;
    Node::parse(text).ok_or_else(|| {
        let code = ron::Error::ExceededRecursionLimit;
        (String::new(), Box::new(inner.span_error(code)))
    })
}

fn from_ron<T: DeserializeOwned>(text: &str) -> Result<T, Mistake> {
    let root = grammar(text)?;
    Page::read(text, &root, "").map_err(|wrong| spanned(text, wrong))
}

fn field_from_ron<T: DeserializeOwned>(text: &str, field: &str) -> Result<Option<T>, Mistake> {
    let root = grammar(text)?;
    let node = field
        .split('.')
        .try_fold(&root, |node, name| node.get(name))
        .filter(|node| node.text(text) != "None");
    let read = node.map(|node| Page::read(text, node, field));
    read.transpose().map_err(|wrong| spanned(text, wrong))
}

/// A mistake with its line and column.
fn spanned(text: &str, (field, at, code): (String, usize, ron::Error)) -> Mistake {
    let (line, col) = locate::line_and_column(text, at);
    let start = Position {
        line: line as usize,
        col: col as usize,
    };
    let span = Span { start, end: start };
    (field, Box::new(SpannedError { code, span }))
}

/// The path as people write it, without serde's marks for "the document" and "unknown".
fn field_of(path: &serde_path_to_error::Path) -> String {
    let text = path.to_string();
    text.trim_end_matches(['.', '?']).to_owned()
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => "nothing here".to_owned(),
        [only] => format!("\"{only}\""),
        _ => {
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("one of {}", quoted.join(", "))
        }
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// What a file holds, if it is one and not too large.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Looked at before it is opened: opening a pipe waits for somebody to write.
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !kind.is_file() {
        return Err(io::Error::other("it is no file but a device or a pipe"));
    }
    let mut bytes = vec![];
    let file = fs::File::open(path)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 32 MB"));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, name: &str, error: &std::io::Error) -> Problem {
    if error.kind() != std::io::ErrorKind::NotFound {
        return Problem::file(name, format!("cannot be read: {error}"));
    }
    let problem = Problem::file(name, "no such file");
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return Problem::file(name, "no such file, nor the folder it should be in");
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    if names.iter().any(|name| *name == wanted) {
        return Problem::file(name, "cannot be read: it is a link to what is not there");
    }
    problem.with_nearest(&wanted, names.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::Deserialize;

    use super::Source;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        inner: Vec<Inner>,
        #[serde(default)]
        note: Option<String>,
        #[serde(default)]
        losses: Option<crate::Sourced<i8>>,
        #[serde(default)]
        change: Option<Change>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Change {
        Level(i16),
        Men(u32),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        cover: Cover,
        #[serde(default)]
        height: u8,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Cover {
        Woods,
        Orchard,
    }

    fn ron(text: &str) -> String {
        Source::new("x.ron", text)
            .ron::<Outer>()
            .unwrap_err()
            .to_string()
    }

    fn json(text: &str) -> String {
        Source::new("x.json", text)
            .json::<Outer>()
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn good_files_parse() {
        let parsed = Outer {
            inner: vec![Inner {
                cover: Cover::Woods,
                height: 3,
            }],
            note: Some("n".into()),
            losses: None,
            change: None,
        };
        let text = "(inner: [(cover: woods, height: 3)], note: \"n\")";
        assert_eq!(Source::new("x", text).ron::<Outer>().unwrap(), parsed);
        let text = r#"{"inner": [{"cover": "woods", "height": 3}], "note": "n"}"#;
        assert_eq!(Source::new("x", text).json::<Outer>().unwrap(), parsed);
    }

    #[test]
    fn ron_errors_name_place_and_nearest() {
        let cases = [
            (
                "(\n inner: [\n  (cover: wodos),\n ],\n)",
                "x.ron:3:11: inner[0].cover: unknown value \"wodos\", expected one of \"woods\", \"orchard\"; did you mean \"woods\"?",
            ),
            (
                "(\n inner: [\n  (cvoer: woods),\n ],\n)",
                "x.ron:3:4: inner[0].cvoer: unknown field \"cvoer\", expected one of \"cover\", \"height\"; did you mean \"cover\"?",
            ),
            (
                "(\n inner: [\n  (height: 1),\n ],\n)",
                "x.ron:3:13: inner[0]: field \"cover\" is missing",
            ),
            (
                "(\n inner: [\n  (cover: woods, height: true),\n ],\n)",
                "x.ron:3:26: inner[0].height: expected a whole number",
            ),
            ("(\n inner: [] extra\n)", "x.ron:2:12: expected comma"),
        ];
        for (text, expected) in cases {
            assert_eq!(ron(text), expected);
        }
    }

    #[test]
    fn a_number_out_of_range_tells_the_range() {
        let cases = [
            (
                "(inner: [(cover: woods),\n (cover: woods, height: -3)])",
                "x.ron:2:25: inner[1].height: -3 is out of range, expected a whole number from 0 to 255",
            ),
            (
                "(inner: [(cover: woods, height: 0x1_00, )], note: 7)",
                "x.ron:1:33: inner[0].height: 0x1_00 is out of range, expected a whole number from 0 to 255",
            ),
            (
                "(inner: [], losses: (-200, house(\"n\")))",
                "x.ron:1:22: losses[0]: -200 is out of range, expected a whole number from -128 to 127",
            ),
            (
                "(inner: [], change: level(99999))",
                "x.ron:1:27: change.level: 99999 is out of range, expected a whole number from -32768 to 32767",
            ),
            (
                "(inner: [], change: men(4294967296))",
                "x.ron:1:25: change.men: 4294967296 is out of range, expected a whole number from 0 to 4294967295",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(ron(text), expected);
        }
    }

    #[test]
    fn json_errors_name_place_and_nearest() {
        let cases = [
            (
                "{\"inner\": [\n{\"cover\": \"orchad\"}]}",
                "x.json:2:18: inner[0].cover: unknown variant \"orchad\", expected \"woods\" or \"orchard\"; did you mean \"orchard\"?",
            ),
            (
                "{\"inner\": [\n{\"cvoer\": \"woods\"}]}",
                "x.json:2:8: inner[0].cvoer: unknown field \"cvoer\", expected \"cover\" or \"height\"; did you mean \"cover\"?",
            ),
            ("{\"inner\": []", "x.json:1:12: EOF while parsing an object"),
        ];
        for (text, expected) in cases {
            assert_eq!(json(text), expected);
        }
    }

    #[test]
    fn a_missing_file_suggests_its_neighbour() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let problem = Source::read(&here.join("sources.rs")).unwrap_err();
        assert_eq!(problem.hint.as_deref(), Some("did you mean \"source.rs\"?"));
        assert!(Source::read(&here.join("source.rs")).is_ok());
        assert!(
            Source::read(&here.join("none/x.ron"))
                .unwrap_err()
                .message
                .contains("folder")
        );
    }

    #[test]
    fn what_is_no_plain_file_is_refused_and_not_waited_for() {
        let told = |path: &Path| Source::read(path).unwrap_err().to_string();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(told(here).ends_with("cannot be read: it is a folder"));
        if cfg!(unix) {
            assert!(told(Path::new("/dev/zero")).ends_with("a device or a pipe"));
        }
        let folder = std::env::temp_dir();
        let file = folder.join(format!("cupola-large-{}", std::process::id()));
        let large = std::fs::File::create(&file).unwrap();
        large.set_len(super::LARGEST + 1).unwrap();
        assert!(told(&file).ends_with("it is larger than 32 MB"));
        std::fs::write(&file, "(\n a: \"\u{1b}[2J\")").unwrap();
        assert!(told(&file).ends_with(":2:6: a control character (\\u{1b})"));
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_mark_before_the_text_is_no_part_of_it_and_nothing_is_told_as_nothing() {
        let file = std::env::temp_dir().join(format!("cupola-mark-{}", std::process::id()));
        std::fs::write(&file, "\u{feff}(inner: [])").unwrap();
        let read = || Source::read(&file).unwrap().ron::<Outer>();
        assert_eq!(read().unwrap().inner, []);
        for empty in ["", "\u{feff}", " \n"] {
            std::fs::write(&file, empty).unwrap();
            assert!(
                read()
                    .unwrap_err()
                    .to_string()
                    .ends_with(": the file is empty")
            );
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_not_told_as_a_neighbour_of_itself() {
        let link = std::env::temp_dir().join(format!("cupola-link-{}", std::process::id()));
        std::os::unix::fs::symlink("nowhere-at-all", &link).unwrap();
        let told = Source::read(&link).unwrap_err().to_string();
        std::fs::remove_file(&link).unwrap();
        assert!(
            told.ends_with("it is a link to what is not there"),
            "{told}"
        );
    }

    /// A table of 700 kB with a mistake in every row took half a minute to tell of.
    #[test]
    fn many_problems_are_told_as_fast_as_few() {
        let rows = "(cover: woods), ".repeat(45_000);
        let (source, start) = (
            Source::new("x.ron", format!("(inner: [{rows}])")),
            std::time::Instant::now(),
        );
        let all: crate::Problems = (0..45_000)
            .map(|i| source.problem(&format!("inner[{i}].cover"), "not here"))
            .collect();
        assert!(all.to_string().ends_with("45000 problems"));
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn a_semantic_problem_points_at_its_field() {
        let source = Source::new("x.ron", "(\n inner: [(cover: woods), (cover: orchard)],\n)");
        let problem = source.problem("inner[1].cover", "not here");
        assert_eq!(problem.to_string(), "x.ron:2:34: inner[1].cover: not here");
    }
}
