//! Words, strings and signs of a RON or JSON text.

/// Words, strings and signs; no comma before a closing bracket.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = vec![];
    for (_, token) in placed(text) {
        if matches!(token, ")" | "]" | "}") && found.last() == Some(&",") {
            found.pop();
        }
        found.push(token);
    }
    found
}

/// Words, strings and signs, each with the byte at which it starts; white space and comments are left out.
pub(crate) fn placed(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let (mut at, mut found): (usize, Vec<(usize, &str)>) = (0, vec![]);
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
        found.push((start, &text[start..at]));
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
