//! A RON or JSON text as a tree: what stands in it, and where.
//!
//! Changes by name, lists of all values and comparisons of two files need a text as it is written, before any
//! type reads it. The tree knows brackets, names and words, and keeps the place of each in the text, so that a
//! value can be changed without touching the comments around it.

use crate::tokens::placed;
use std::borrow::Cow;
use std::ops::Range;

/// Deeper than any file goes; what is deeper is no tree.
const DEEP: usize = 48;

/// A value and all that stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it stands, its tag included.
    pub span: Range<usize>,
    /// The name before the bracket: `unit` in `unit(strength: 3)`.
    pub tag: Option<String>,
    /// What it is.
    pub what: What,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A word, number or string.
    Plain,
    /// Entries with names: a struct or a map.
    Named(Vec<Entry>),
    /// Entries in order: a list or a tuple.
    Listed(Vec<Entry>),
}

/// An entry of a struct, map, list or tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without quotes; empty in a list.
    pub key: String,
    /// Its name as it is written; none in a list.
    pub name: Option<Node>,
    /// Its value.
    pub node: Node,
    /// All of it, with the comma behind it.
    pub whole: Range<usize>,
}

impl Node {
    /// Reads a text; none if brackets do not match, or it holds more than one value.
    ///
    /// ```
    /// use cupola_data::Node;
    /// let text = r#"(guns: [(id: "a", range: (4, printed("x")))]) // four"#;
    /// let root = Node::parse(text).unwrap();
    /// let range = root.get("guns").unwrap().entries()[0].node.get("range").unwrap();
    /// assert_eq!(range.text(text), r#"(4, printed("x"))"#);
    /// assert_eq!(range.sourced().unwrap().0.text(text), "4");
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Node> {
        let mut reader = Reader {
            tokens: placed(text),
            at: 0,
        };
        reader.prelude()?;
        let node = reader.value(0)?;
        (reader.at == reader.tokens.len()).then_some(node)
    }

    /// The text of the value.
    #[must_use]
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.span.clone()).unwrap_or_default()
    }

    /// A word, number or string without its quotes; none for anything with entries.
    #[must_use]
    pub fn word<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        let plain = self.text(text);
        if self.what != What::Plain {
            return None;
        }
        let inside = plain.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        Some(match inside {
            Some(inside) if inside.contains('\\') => {
                Cow::Owned(inside.replace("\\\"", "\"").replace("\\\\", "\\"))
            }
            Some(inside) => Cow::Borrowed(inside),
            None => Cow::Borrowed(plain),
        })
    }

    /// A whole number.
    #[must_use]
    pub fn number(&self, text: &str) -> Option<i64> {
        if self.what != What::Plain {
            return None;
        }
        self.text(text).trim_start_matches('+').parse().ok()
    }

    /// What stands in it, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.what {
            What::Plain => &[],
            What::Named(entries) | What::Listed(entries) => entries,
        }
    }

    /// The entry of this name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let What::Named(entries) = &self.what else {
            return None;
        };
        let found = entries.iter().find(|entry| entry.key == key);
        found.map(|entry| &entry.node)
    }

    /// Value and origin of a pair such as `(4, printed("002 7.7"))`.
    #[must_use]
    pub fn sourced(&self) -> Option<(&Node, &Node)> {
        match (&self.what, &self.tag) {
            (What::Listed(pair), None) if pair.len() == 2 && pair[1].node.is_origin() => {
                Some((&pair[0].node, &pair[1].node))
            }
            _ => None,
        }
    }

    /// The value itself, without its origin.
    #[must_use]
    pub fn value(&self) -> &Node {
        self.sourced().map_or(self, |(value, _)| value)
    }

    /// Whether it is a birth certificate: `house("…")`.
    #[must_use]
    pub fn is_origin(&self) -> bool {
        let tag = self.tag.as_deref();
        matches!(tag, Some("printed" | "derived" | "house")) && self.entries().len() == 1
    }

    /// An origin in words: `house: plays well`.
    #[must_use]
    pub fn origin(&self, text: &str) -> Option<String> {
        let inside = self.entries().first().filter(|_| self.is_origin())?;
        let tag = self.tag.as_deref()?;
        Some(format!("{tag}: {}", inside.node.word(text)?))
    }
}

/// A text in one line, without white space and comments that say nothing: to compare and to show.
///
/// ```
/// assert_eq!(cupola_data::plain("( a :1, // one\n b: [2,3,])"), "(a: 1, b: [2, 3])");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for token in crate::tokens::tokens(text) {
        let tight = matches!(token, ")" | "]" | "}" | "," | ":" | "(")
            || out.ends_with(['(', '[', '{'])
            || out.is_empty();
        let listed = token == "(" && out.ends_with([',', ':']);
        if !tight || listed {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

struct Reader<'a> {
    tokens: Vec<(usize, &'a str)>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |(_, token)| *token)
    }

    fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(at, _)| *at)
    }

    /// Where the token before this one ends.
    fn end(&self) -> usize {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(0, |(at, token)| at + token.len())
    }

    /// Passes over `#![enable(…)]`.
    fn prelude(&mut self) -> Option<()> {
        while self.peek().starts_with("#!") {
            self.at += 1;
            if self.peek() == "[" {
                self.value(0)?;
            }
        }
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth > DEEP {
            return None;
        }
        let start = self.start();
        let tag = match self.peek() {
            "(" | "[" | "{" => None,
            "" | ")" | "]" | "}" | "," | ":" => return None,
            word => {
                self.at += 1;
                if self.peek() != "(" || word.starts_with('"') {
                    let span = start..self.end();
                    let what = What::Plain;
                    return Some(Node {
                        span,
                        tag: None,
                        what,
                    });
                }
                Some(word.to_owned())
            }
        };
        let close = match self.peek() {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let what = self.inside(close, depth)?;
        let span = start..self.end();
        let mut node = Node { span, tag, what };
        if node.tag.as_deref() == Some("Some") && node.entries().len() == 1 {
            // What is there is all that matters.
            if let What::Listed(entries) = &mut node.what {
                return entries.pop().map(|entry| entry.node);
            }
        }
        Some(node)
    }

    fn inside(&mut self, close: &str, depth: usize) -> Option<What> {
        self.at += 1;
        let (mut entries, mut named) = (vec![], 0);
        while self.peek() != close {
            let start = self.start();
            let first = self.value(depth + 1)?;
            let mut entry = Entry {
                key: String::new(),
                name: None,
                whole: start..start,
                node: first,
            };
            if self.peek() == ":" {
                let key = self.tokens[self.at - 1].1;
                entry.key = key.trim_matches('"').to_owned();
                named += 1;
                self.at += 1;
                let value = self.value(depth + 1)?;
                entry.name = Some(std::mem::replace(&mut entry.node, value));
            }
            if self.peek() == "," {
                self.at += 1;
            } else if self.peek() != close {
                return None;
            }
            entry.whole.end = self.end();
            entries.push(entry);
        }
        self.at += 1;
        match named {
            0 if close == "}" && entries.is_empty() => Some(What::Named(entries)),
            0 => Some(What::Listed(entries)),
            all if all == entries.len() => Some(What::Named(entries)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, What, plain};

    const TEXT: &str = r##"// a comment (
#![enable(implicit_some)]
(
    name: "a \"b\" (c)", /* block ( */
    raw: r#"x" ]"#,
    values: unit(strength: (3, house("n")), at: Some("I6"), none: None),
    list: [1, -2, (x: 1)],
    map: {"a": 1, 2: [],},
)"##;

    #[test]
    fn a_text_becomes_a_tree() {
        let root = Node::parse(TEXT).unwrap();
        let word = |node: &Node| node.word(TEXT).unwrap().into_owned();
        assert_eq!(word(root.get("name").unwrap()), "a \"b\" (c)");
        let values = root.get("values").unwrap();
        assert_eq!(values.tag.as_deref(), Some("unit"));
        let (value, origin) = values.get("strength").unwrap().sourced().unwrap();
        assert_eq!(value.number(TEXT), Some(3));
        assert_eq!(origin.origin(TEXT).unwrap(), "house: n");
        assert_eq!(word(values.get("at").unwrap()), "I6");
        let list = root.get("list").unwrap();
        assert_eq!(list.entries()[1].node.number(TEXT), Some(-2));
        assert_eq!(&TEXT[list.entries()[0].whole.clone()], "1,");
        let map = root.get("map").unwrap();
        assert!(matches!(&map.what, What::Named(entries) if entries[1].key == "2"));
    }

    #[test]
    fn what_is_no_tree_is_none() {
        for text in [
            "",
            "(",
            "(a: 1",
            "(a: 1))",
            "(a: 1, 2)",
            "a b",
            "(a: )",
            ")(",
        ] {
            assert_eq!(Node::parse(text), None, "{text}");
        }
        assert_eq!(Node::parse(&"[".repeat(100_000)), None);
        for end in 0..TEXT.len() {
            if let Some(text) = TEXT.get(..end) {
                let _ = Node::parse(text);
            }
        }
    }

    #[test]
    fn plain_texts_are_compared_without_layout() {
        assert_eq!(plain("at(\"F2\",\n 2 )"), "at(\"F2\", 2)");
        assert_eq!(plain("((a:1),(b:2),)"), "((a: 1), (b: 2))");
    }
}
