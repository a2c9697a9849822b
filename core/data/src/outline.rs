//! The fields of a RON or JSON text without its layout: to tell which of them differ between two texts.

/// How many entries a field may have to be told apart by them; one with more is told as a whole.
const MOST: usize = 64;

/// The fields of a text, two levels deep, each with its content: words and signs in order, without white space,
/// comments and commas at the end of lists. All that the text says stands in one of them.
///
/// ```
/// let before = cupola_data::outline("(rain: true, crt: (low: 1, high: 6)) // dry");
/// let after = cupola_data::outline("(\n    rain: true,\n    crt: (low: 1, high: 8),\n)");
/// let changed = before.iter().zip(&after).find(|(a, b)| a != b);
/// assert_eq!(changed.map(|(field, _)| field.0.as_str()), Some("crt.high"));
/// ```
#[must_use]
pub fn outline(text: &str) -> Vec<(String, String)> {
    let tokens = tokens(text);
    let mut out = vec![];
    fields("", &tokens, 0, &mut out);
    out
}

fn fields(path: &str, tokens: &[&str], depth: u8, out: &mut Vec<(String, String)>) {
    match entries(tokens) {
        Some(entries) if depth == 0 || (depth == 1 && entries.len() <= MOST) => {
            for (key, value) in entries {
                let key = key.trim_matches('"');
                let path = match path {
                    "" => key.to_owned(),
                    path => format!("{path}.{key}"),
                };
                fields(&path, value, depth + 1, out);
            }
        }
        _ => out.push((path.to_owned(), tokens.join(" "))),
    }
}

/// The entries of a struct or map with what each of them holds; none for anything else.
fn entries<'t, 'a>(tokens: &'t [&'a str]) -> Option<Vec<(&'a str, &'t [&'a str])>> {
    let (first, last) = (*tokens.first()?, *tokens.last()?);
    if !matches!((first, last), ("(", ")") | ("{", "}")) || tokens.len() < 3 {
        return None;
    }
    let inside = &tokens[1..tokens.len() - 1];
    let (mut depth, mut start, mut found) = (0i32, 0, vec![]);
    for (i, token) in inside.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                found.push(entry(&inside[start..i])?);
                start = i + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    if start < inside.len() {
        found.push(entry(&inside[start..])?);
    }
    Some(found)
}

fn entry<'t, 'a>(tokens: &'t [&'a str]) -> Option<(&'a str, &'t [&'a str])> {
    match tokens {
        [key, ":", value @ ..] if !value.is_empty() => Some((key, value)),
        _ => None,
    }
}

/// Words, strings and signs; no comma before a closing bracket.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut at, mut found): (usize, Vec<&str>) = (0, vec![]);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += line_length(&bytes[at..]);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += block_length(&bytes[at..]);
                continue;
            }
            b'"' => at += string_length(&bytes[at..]),
            b'r' if raw_length(&bytes[at..]) > 0 => at += raw_length(&bytes[at..]),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' => at += 1,
            _ => at += word_length(&bytes[at..]),
        }
        let token = &text[start..at];
        if matches!(token, ")" | "]" | "}") && found.last() == Some(&",") {
            found.pop();
        }
        found.push(token);
    }
    found
}

fn line_length(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    end.unwrap_or(bytes.len())
}

/// A block comment; in RON they nest.
fn block_length(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The length of `r"…"` or `r#"…"#`; nothing if none starts here.
fn raw_length(bytes: &[u8]) -> usize {
    let hashes = bytes[1..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(1 + hashes) != Some(&b'"') {
        return 0;
    }
    let mut end = vec![b'"'];
    end.resize(hashes + 1, b'#');
    let body = &bytes[hashes + 2..];
    let length = body.windows(end.len()).position(|window| window == end);
    length.map_or(bytes.len(), |length| hashes + 2 + length + end.len())
}

fn word_length(bytes: &[u8]) -> usize {
    let ends = |i: usize| {
        let byte = bytes[i];
        byte.is_ascii_whitespace()
            || b"()[]{},:\"".contains(&byte)
            || (byte == b'/' && matches!(bytes.get(i + 1), Some(b'/' | b'*')))
    };
    (1..bytes.len()).find(|&i| ends(i)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::outline;

    fn names(text: &str) -> Vec<String> {
        outline(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn fields_are_told_two_levels_deep() {
        let text = r##"( // a table
            name: "x (no, bracket: here)", /* nor /* here */ , */
            crt: (low: [1, 2], high: {1: 2}),
            list: [(a: 1), (a: 2)],
            raw: r#"a "b": ("#, kind: Level(3),
        )"##;
        assert_eq!(
            names(text),
            ["name", "crt.low", "crt.high", "list", "raw", "kind"]
        );
        assert_eq!(
            names(r#"{"type": "x", "features": [1]}"#),
            ["type", "features"]
        );
        assert_eq!(names("[1, 2]"), [""]);
        assert_eq!(names(""), [""]);
    }

    #[test]
    fn layout_and_comments_are_no_difference_and_all_else_is() {
        let text = "(a: 1, b: [x, y])";
        for same in [
            "(\n a : 1 ,\n b: [x, y,],\n)",
            "/* a */ (a: 1, // b\n b: [ x , y ])",
        ] {
            assert_eq!(outline(text), outline(same), "{same}");
        }
        for other in ["(a: 2, b: [x, y])", "(a: 1, b: [xy])", "(b: [x, y], a: 1)"] {
            assert_ne!(outline(text), outline(other), "{other}");
        }
    }

    #[test]
    fn broken_texts_are_told_as_well_as_they_can_be() {
        for text in [
            "(", ")", "(a:", "\"", "\"\\", "/*", "r#\"", "(a: 1))", "ä: ö",
        ] {
            let _ = outline(text);
        }
    }
}
