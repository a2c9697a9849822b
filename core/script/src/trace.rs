//! Where a script was when it was stopped.
//!
//! The language tells of a script that runs away where it was called from, not where it was. Since a script is pure it can be
//! run again as it ran; this time its text notes its line at every step.

/// A script's text with a note of its line at the beginning of every block and behind every statement: `at(12);`. All stand where
/// they stood, line by line. What is no statement (maps, the arms of a `switch`) is left alone.
pub(crate) fn noted(text: &str, at: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut reader = Reader {
        rest: text,
        line: 1,
        last: ' ',
        switch: false,
    };
    while let Some(token) = reader.token() {
        let (map, arms) = (reader.last == '#', reader.switch);
        out.push_str(token);
        match token {
            "{" if map || arms => {}
            "{" | ";" => out.push_str(&format!(" {at}({});", reader.next_line())),
            _ => {}
        }
        reader.seen(token);
    }
    out
}

/// Reads a script piece by piece: words, texts and comments whole, all else letter by letter.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
    /// The last letter that was no space.
    last: char,
    /// Whether the next bracket holds the arms of a `switch`.
    switch: bool,
}

impl<'t> Reader<'t> {
    fn token(&mut self) -> Option<&'t str> {
        let first = self.rest.chars().next()?;
        let length = match first {
            '"' | '`' | '\'' => quoted(self.rest, first),
            '/' if self.rest.starts_with("//") => self.rest.find('\n').unwrap_or(self.rest.len()),
            '/' if self.rest.starts_with("/*") => {
                self.rest.find("*/").map_or(self.rest.len(), |end| end + 2)
            }
            _ if word(first) => self
                .rest
                .find(|letter| !word(letter))
                .unwrap_or(self.rest.len()),
            _ => first.len_utf8(),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }

    /// What was read is behind us.
    fn seen(&mut self, token: &'t str) {
        self.line += token.matches('\n').count();
        if token.starts_with(word) {
            self.switch |= token == "switch";
        }
        if token == "{" && self.last != '#' {
            self.switch = false;
        }
        if let Some(letter) = token.chars().next_back().filter(|l| !l.is_whitespace())
            && !token.starts_with("//")
            && !token.starts_with("/*")
        {
            self.last = letter;
        }
    }

    /// The line of what comes next, comments aside.
    fn next_line(&self) -> usize {
        let mut next = self.rest.trim_start();
        while next.starts_with("//") {
            let end = next.find('\n').unwrap_or(next.len());
            next = next[end..].trim_start();
        }
        let between = &self.rest[..self.rest.len() - next.len()];
        self.line + between.matches('\n').count()
    }
}

fn word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// How long a text in quotes is.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quote != '`' => escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::noted;

    #[test]
    fn every_statement_has_its_line() {
        let text = "fn a(n) {\n  let m = #{x: 1};\n  // no; {\n  while n > 0 { n -= 1; }\n  switch n { 1 => \"a;{\", _ => `b;` }\n}\n";
        assert_eq!(
            noted(text, "at"),
            "fn a(n) { at(2);\n  let m = #{x: 1}; at(4);\n  // no; {\n  while n > 0 { at(4); n -= 1; at(4); }\n  switch n { 1 => \"a;{\", _ => `b;` }\n}\n"
        );
    }
}
