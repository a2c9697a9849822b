//! What is wrong with a data file, and where.

use std::borrow::Cow;
use std::fmt;

use crate::nearest;

/// One thing wrong at one place in a data file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, named as people see it.
    pub file: String,
    /// Line, counted from one; zero if the file as a whole is meant.
    pub line: u32,
    /// Column in characters, counted from one.
    pub column: u32,
    /// Path of the field, such as `corrections[3].hex`; empty if no field is meant.
    pub field: String,
    /// What is wrong and what was expected, as a phrase without a full stop.
    pub message: String,
    /// A suggestion, such as `did you mean "I6"?`.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem with a file as a whole.
    pub fn file(file: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem {
            file: file.into(),
            line: 0,
            column: 0,
            field: String::new(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same problem with a suggestion of one's own.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with the nearest of the valid names as its suggestion, if one is near.
    pub fn with_nearest<'a>(
        mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        if let Some(found) = nearest(name, candidates) {
            self.hint = Some(format!("did you mean \"{found}\"?"));
        }
        self
    }

    /// The same problem with the nearest of the valid names as its suggestion; if none is near and they are few, with all of
    /// them.
    pub fn with_known<'a>(
        self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        let candidates: Vec<&str> = candidates.into_iter().collect();
        let mut problem = self.with_nearest(name, candidates.iter().copied());
        problem.hint = problem.hint.or_else(|| few(&candidates));
        problem
    }
}

/// How many names are listed, and how many letters they may have together.
const FEW: (usize, usize) = (12, 160);

/// All names that there are, if they are few.
fn few(names: &[&str]) -> Option<String> {
    let mut all: Vec<&str> = vec![];
    for name in names {
        if !all.contains(name) {
            all.push(name);
        }
    }
    let (most, letters) = FEW;
    let short = all.len() <= most && all.iter().map(|name| name.len()).sum::<usize>() <= letters;
    let (last, others) = all.split_last().filter(|_| short)?;
    Some(match others {
        [] => format!("there is \"{last}\""),
        _ => format!("there are \"{}\" and \"{last}\"", others.join("\", \"")),
    })
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", visible(&self.file))?;
        if self.line > 0 {
            write!(f, "{}:{}:", self.line, self.column)?;
        }
        if !self.field.is_empty() {
            write!(f, " {}:", visible(&self.field))?;
        }
        write!(f, " {}", visible(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "; {}", visible(hint)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// A text without anything that a terminal would obey, and cut where it gets too long for a message: files, and
/// the names of files, come from strangers.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let clean = |letter: char| letter == '\n' || letter == '\t' || !is_command(letter);
    if text.len() <= LONGEST && text.chars().all(clean) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for letter in text.chars() {
        if out.len() > LONGEST {
            out.push('\u{2026}');
            break;
        }
        if clean(letter) {
            out.push(letter);
        } else {
            out.extend(letter.escape_unicode());
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal or an editor takes this as a command and not as a letter: control characters, and those
/// that turn the direction of writing.
pub(crate) fn is_command(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The longest part of a message, in bytes.
const LONGEST: usize = 2000;

/// How many problems of a file are shown; nobody reads more.
const SHOWN: usize = 100;

/// All the things wrong that a loader found.
///
/// A loader keeps one of these, goes on after each problem for as long as that makes sense, and
/// ends with [`Problems::check`]: either everything was in order or nothing is handed out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// An empty collection.
    pub fn new() -> Problems {
        Problems::default()
    }

    /// Adds one problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Adds all problems of another collection.
    pub fn append(&mut self, other: Problems) {
        self.0.extend(other.0);
    }

    /// Keeps the value of a result, or its problem.
    pub fn keep<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|problem| self.push(problem)).ok()
    }

    /// Keeps the value of a result, or all of its problems.
    pub fn keep_all<T>(&mut self, result: Result<T, Problems>) -> Option<T> {
        result.map_err(|problems| self.append(problems)).ok()
    }

    /// The value if nothing was wrong, otherwise the problems, in order of file and line.
    pub fn check<T>(self, value: T) -> Result<T, Problems> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(self.sorted())
        }
    }

    /// The same problems in order of file and line, each once.
    pub fn sorted(mut self) -> Problems {
        self.0.sort();
        self.0.dedup();
        self
    }

    /// True if nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many problems there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The problems; sorted if they come from [`Problems::check`].
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Problems {
        Problems(vec![problem])
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<I: IntoIterator<Item = Problem>>(problems: I) -> Problems {
        Problems(problems.into_iter().collect())
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        self.0.extend(problems);
    }
}

impl IntoIterator for Problems {
    type Item = Problem;
    type IntoIter = std::vec::IntoIter<Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in self.0.iter().take(SHOWN) {
            writeln!(f, "{problem}")?;
        }
        if self.0.len() > SHOWN {
            writeln!(f, "and {} more", self.0.len() - SHOWN)?;
        }
        match self.0.len() {
            1 => write!(f, "1 problem"),
            count => write!(f, "{count} problems"),
        }
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::{Problem, Problems};

    fn at(file: &str, line: u32) -> Problem {
        Problem {
            line,
            column: 5,
            ..Problem::file(file, "wrong")
        }
    }

    #[test]
    fn reads_as_promised() {
        let problem = Problem {
            file: "data/x/board.ron".into(),
            line: 12,
            column: 5,
            field: "corrections[3].hex".into(),
            message: "no hex \"I66\" on this board".into(),
            hint: None,
        };
        assert_eq!(
            problem.with_nearest("I66", ["I5", "I6"]).to_string(),
            "data/x/board.ron:12:5: corrections[3].hex: no hex \"I66\" on this board; did you mean \"I6\"?"
        );
        let told = |known: &[&str]| {
            let problem = Problem::file("a.ron", "no side \"uk\"");
            problem
                .with_known("north", known.iter().copied())
                .to_string()
        };
        let all = "a.ron: no side \"uk\"; there are \"cs\", \"eu\" and \"us\"";
        assert_eq!(told(&["cs", "eu", "cs", "us"]), all);
        assert_eq!(told(&["us"]), "a.ron: no side \"uk\"; there is \"us\"");
        assert_eq!(
            told(&["nroth"]),
            "a.ron: no side \"uk\"; did you mean \"nroth\"?"
        );
        assert_eq!(told(&["x"; 0]), "a.ron: no side \"uk\"");
        let many: Vec<String> = (0..13).map(|n| format!("side-{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(told(&many), "a.ron: no side \"uk\"");
        assert_eq!(
            Problem::file("a.ron", "cannot be read").to_string(),
            "a.ron: cannot be read"
        );
    }

    #[test]
    fn no_message_commands_a_terminal() {
        let problem = Problem::file("a\x1b[2J.ron", "no \u{7}\u{202e}hex \u{9b}1m");
        let problem = problem.with_hint("x".repeat(1 << 20));
        let text = problem.to_string();
        assert!(!text.chars().any(super::is_command), "{text:?}");
        assert!(
            text.starts_with("a\\u{1b}[2J.ron: no \\u{7}\\u{202e}hex"),
            "{text:?}"
        );
        assert!(text.len() < 3000);
    }

    #[test]
    fn come_sorted_and_counted() {
        let problems: Problems = [at("b", 2), at("a", 9), at("b", 1), at("b", 1)]
            .into_iter()
            .collect();
        let text = problems.check(()).unwrap_err().to_string();
        assert_eq!(text, "a:9:5: wrong\nb:1:5: wrong\nb:2:5: wrong\n3 problems");
        assert_eq!(Problems::new().check(7), Ok(7));
    }
}
