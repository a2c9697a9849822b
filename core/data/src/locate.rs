//! Finding a field in RON or JSON text by its path.
//!
//! Checks that need the whole data ("this hex does not exist") run after parsing, when positions
//! are long gone. Carrying spans through every type would burden every type; a message is rare
//! and its file small, so the text is walked again instead, and only when there is something to
//! say. The walker knows just enough of both languages: brackets, names, strings and comments.

/// One step of a path: a named field (or variant, or map key), or a place in a list or tuple.
#[derive(Debug, PartialEq, Eq)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
    /// The one of a list whose `id` this is.
    Id(&'a str),
}

/// Line and column, both from one, of a byte offset.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line as u32, before[start..].chars().count() as u32 + 1)
}

/// Byte offset at which the value of `field` starts.
pub(crate) fn offset(text: &str, field: &str) -> usize {
    let mut walker = Walker {
        text: text.as_bytes(),
        at: 0,
    };
    walker.prelude();
    for step in steps(field) {
        let before = walker.at;
        if !walker.enter(&step) {
            return before;
        }
    }
    walker.at
}

/// Where the value of `field` starts and ends; none if the path leads nowhere.
pub(crate) fn span(text: &str, field: &str) -> Option<std::ops::Range<usize>> {
    let mut walker = Walker {
        text: text.as_bytes(),
        at: 0,
    };
    walker.prelude();
    for step in steps(field) {
        if !walker.enter(&step) {
            return None;
        }
    }
    let start = walker.at;
    walker.value();
    Some(start..walker.at)
}

fn steps(field: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in field.split('.') {
        let name_end = part.find('[').unwrap_or(part.len());
        if name_end > 0 {
            steps.push(Step::Name(&part[..name_end]));
        }
        for index in part[name_end..].split('[').skip(1) {
            let index = index.trim_end_matches(']');
            match index.parse() {
                Ok(index) => steps.push(Step::Index(index)),
                Err(_) => steps.push(Step::Id(index)),
            }
        }
    }
    steps
}

struct Walker<'a> {
    text: &'a [u8],
    at: usize,
}

impl Walker<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Skips a byte order mark, `#![enable(…)]` lines and white space before the document.
    fn prelude(&mut self) {
        if self.text.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        self.space();
        while self.text[self.at..].starts_with(b"#!") {
            self.at += 2;
            self.value();
            self.space();
        }
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        loop {
            while self.peek().is_ascii_whitespace() {
                self.at += 1;
            }
            let rest = &self.text[self.at..];
            if rest.starts_with(b"//") {
                self.at += rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                self.block_comment();
            } else {
                return;
            }
        }
    }

    /// Skips a block comment; in RON they nest.
    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if rest.starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Skips one value: a name, number or string, and any brackets that belong to it.
    fn value(&mut self) {
        match self.peek() {
            b'(' | b'[' | b'{' => self.brackets(),
            b'"' => self.string(),
            b'\'' => self.character(),
            b'r' if self.raw_string() => {}
            _ => {
                self.word();
                let after_word = self.at;
                self.space();
                if self.peek() == b'(' {
                    self.brackets();
                } else {
                    self.at = after_word;
                }
            }
        }
    }

    fn word(&mut self) -> (usize, usize) {
        let start = self.at;
        while !matches!(
            self.peek(),
            0 | b',' | b':' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"'
        ) && !self.peek().is_ascii_whitespace()
            && !self.text[self.at..].starts_with(b"//")
            && !self.text[self.at..].starts_with(b"/*")
        {
            self.at += 1;
        }
        (start, self.at)
    }

    fn string(&mut self) {
        self.at += 1;
        while self.at < self.text.len() {
            match self.peek() {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
    }

    fn character(&mut self) {
        self.at += if self.text.get(self.at + 1) == Some(&b'\\') {
            3
        } else {
            2
        };
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest
            .iter()
            .position(|byte| *byte == b'\'')
            .map_or(rest.len(), |end| end + 1);
        self.at = self.at.min(self.text.len());
    }

    /// Skips `r"…"` or `r#"…"#`; false if none starts here.
    fn raw_string(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return false;
        }
        let mut end = vec![b'"'];
        end.resize(hashes + 1, b'#');
        let body = &rest[hashes + 1..];
        let length = body.windows(end.len()).position(|window| window == end);
        self.at = length.map_or(self.text.len(), |length| {
            self.at + 1 + hashes + 1 + length + end.len()
        });
        true
    }

    /// Skips a bracket and all that is in it.
    fn brackets(&mut self) {
        self.at += 1;
        loop {
            self.space();
            match self.peek() {
                0 => return,
                b')' | b']' | b'}' => {
                    self.at += 1;
                    return;
                }
                b',' | b':' => self.at += 1,
                _ => {
                    let before = self.at;
                    self.value();
                    // A stray byte that starts no value must not hold the walk up.
                    self.at = self.at.max(before + 1).min(self.text.len());
                }
            }
        }
    }

    /// Moves from the start of a value to the start of one of its parts; on failure stays.
    fn enter(&mut self, step: &Step<'_>) -> bool {
        let start = self.at;
        if !matches!(self.peek(), b'(' | b'[' | b'{' | b'"') {
            let (from, to) = self.word();
            let variant = std::str::from_utf8(&self.text[from..to]).unwrap_or_default();
            self.space();
            if *step == Step::Name(variant) && variant != "Some" {
                // The payload of a variant; of a bare one, the variant itself.
                return self.payload(start);
            }
            if self.peek() != b'(' {
                self.at = start;
                return false;
            }
            if variant == "Some" {
                self.at += 1;
                self.space();
                return self.enter(step) || self.back(start);
            }
        }
        self.part(step) || self.back(start)
    }

    /// Whether the value that starts here has the `id` of the step.
    fn is_called(&self, step: &Step<'_>, start: usize) -> bool {
        let Step::Id(id) = step else { return false };
        let mut inside = Walker {
            text: self.text,
            at: start,
        };
        if !inside.enter(&Step::Name("id")) {
            return false;
        }
        let from = inside.at;
        inside.value();
        let found = &self.text[from..inside.at];
        found
            .strip_prefix(b"\"")
            .and_then(|found| found.strip_suffix(b"\""))
            == Some(id.as_bytes())
    }

    fn back(&mut self, start: usize) -> bool {
        self.at = start;
        false
    }

    /// From the bracket behind a variant's name to the payload: a single value, or the bracket
    /// itself if it holds a struct or a tuple.
    fn payload(&mut self, start: usize) -> bool {
        if self.peek() != b'(' {
            self.at = start;
            return true;
        }
        let bracket = self.at;
        self.at += 1;
        self.space();
        let inside = self.at;
        self.value();
        self.space();
        self.at = if self.peek() == b')' { inside } else { bracket };
        true
    }

    /// From an opening bracket to the named or numbered part inside it.
    fn part(&mut self, step: &Step<'_>) -> bool {
        self.at += 1;
        let mut index = 0;
        loop {
            self.space();
            if matches!(self.peek(), 0 | b')' | b']' | b'}') {
                return false;
            }
            let key_start = self.at;
            self.value();
            let key_end = self.at;
            self.space();
            let named = self.peek() == b':';
            if named {
                let key = self.text[key_start..key_end].trim_ascii();
                let key = key
                    .strip_prefix(b"\"")
                    .and_then(|key| key.strip_suffix(b"\""))
                    .unwrap_or(key);
                self.at += 1;
                self.space();
                if matches!(step, Step::Name(name) if name.as_bytes() == key) {
                    return true;
                }
                let before = self.at;
                self.value();
                self.at = self.at.max(before);
            } else if *step == Step::Index(index) || self.is_called(step, key_start) {
                self.at = key_start;
                return true;
            }
            self.space();
            if self.peek() == b',' {
                self.at += 1;
            } else if self.at == key_start {
                return false;
            }
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{line_and_column, offset};

    /// The text from the found position to the next comma, bracket or line end.
    fn at<'a>(text: &'a str, field: &str) -> &'a str {
        let rest = &text[offset(text, field)..];
        let end = rest[1..]
            .find([',', '\n', ')', ']', '}'])
            .map_or(rest.len(), |end| end + 1);
        &rest[..end]
    }

    const RON: &str = r##"// a comment: (with, [brackets])
#![enable(implicit_some)]
Board(
    name: "a \"b\" (c)", /* block /* nested */ ( */
    raw: r#"x" ]"#,
    letter: '(',
    corrections: [
        (hex: "I6", set: cover(town), cite: "000 2.2"),
        (side: ("Q10", "R11"), set: water(none), cite: "x"),
        (hex: "S9", set: rise(up, steep), cite: "y"),
    ],
    pitch: (447.6, derived("fit")),
    maybe: Some((deep: 3)),
    levels: every(step: (12.2, house("z"))),
    map: {"a": 1, "b": [5, 6]},
)"##;

    #[test]
    fn walks_ron() {
        let cases = [
            ("name", r#""a \"b\" (c"#),
            ("letter", "'('"),
            ("corrections[0].hex", "\"I6\""),
            ("corrections[1].side[1]", "\"R11\""),
            ("corrections[1].set.water", "none"),
            ("corrections[2].set.rise[1]", "steep"),
            ("corrections[2].set.rise", "(up"),
            ("corrections[2].cite", "\"y\""),
            ("pitch[0]", "447.6"),
            ("maybe.deep", "3"),
            ("levels.every.step[0]", "12.2"),
            ("levels.step[0]", "12.2"),
            ("map.b[1]", "6"),
            // A path that leads nowhere ends at the last part found.
            ("corrections[1].cover", "(side: (\"Q10\""),
            ("corrections[7].hex", "[\n"),
        ];
        for (field, expected) in cases {
            let found = at(RON, field);
            assert!(found.starts_with(expected.trim_end()), "{field}: {found:?}");
        }
        assert_eq!(
            line_and_column(RON, offset(RON, "corrections[1].cite")),
            (9, 56)
        );
        assert_eq!(line_and_column(RON, offset(RON, "")), (3, 1));
    }

    #[test]
    fn walks_json() {
        let text = "{\n\"type\": \"x\", \"features\": [\n {\"geometry\": {\"coordinates\": [[1.5, 2], [-3e2, 4]]}},\n {\"properties\": {\"kind\": null}}\n]}";
        let cases = [
            ("features[0].geometry.coordinates[1][0]", "-3e2"),
            ("features[1].properties.kind", "null"),
            ("type", "\"x\""),
        ];
        for (field, expected) in cases {
            assert_eq!(at(text, field), expected, "{field}");
        }
    }

    #[test]
    fn broken_text_never_holds_it_up() {
        let whole = RON.as_bytes();
        for end in 0..whole.len() {
            if let Ok(text) = std::str::from_utf8(&whole[..end]) {
                offset(text, "corrections[2].set.rise[1]");
                offset(text, "map.b[1]");
            }
        }
        offset("(((:::,,,]]]", "a.b[2]");
        offset(")", "a");
        offset("", "a[0]");
    }
}
