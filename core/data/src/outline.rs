//! The fields of a RON or JSON text without its layout: to tell which of them differ between two texts.

use crate::tokens::tokens;

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
