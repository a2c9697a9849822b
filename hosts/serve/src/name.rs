//! What people and games may be called: something that others can see and read.

use crate::wrong::Wrong;

/// No title or name is longer.
pub(crate) const LONGEST: usize = 80;
/// What the club calls itself at its tables.
pub(crate) const CLUB: &str = "The club";

/// A name as it is kept.
///
/// # Errors
/// If nothing of it can be seen, if it is too long, or if it is the club's own.
pub(crate) fn person(text: &str) -> Result<String, Wrong> {
    let name = shown(text);
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Wrong::bad("A name has at least one letter."));
    }
    let letters = name.chars().count();
    if letters > LONGEST {
        let error = format!("A name has at most {LONGEST} letters; this one has {letters}.");
        return Err(Wrong::bad(error));
    }
    if name.eq_ignore_ascii_case(CLUB) {
        return Err(Wrong::bad(
            "That is what the club calls itself at its tables: take another name.",
        ));
    }
    Ok(name)
}

/// What can be seen of a text, on one line. Signs that turn the writing of what follows them, or that nobody sees, would make
/// a name look like another's or like none.
pub(crate) fn shown(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !is_unseen(*letter)).collect();
    plain.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn is_unseen(letter: char) -> bool {
    let turns = matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{061C}');
    // A joiner is left alone: it makes one sign of several.
    let hides = matches!(letter, '\u{00AD}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200B}' | '\u{200C}' | '\u{2060}'..='\u{2064}'
        | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}');
    turns || hides || (letter.is_control() && !letter.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Option<String> {
        person(text).ok()
    }

    #[test]
    fn a_name_can_be_seen_and_is_nobody_else_s() {
        for (said, name) in [
            ("  Ada \n Lovelace ", "Ada Lovelace"),
            ("\u{202E}adA\u{0}", "adA"),
            ("Łukasz 😀", "Łukasz 😀"),
            ("דוד", "דוד"),
            ("<b>Bold</b>", "<b>Bold</b>"),
        ] {
            assert_eq!(kept(said).as_deref(), Some(name), "{said:?}");
        }
        for said in ["", " \t", "\u{202E}\u{200B}", "\u{3164}", "…", "the CLUB"] {
            assert_eq!(kept(said), None, "{said:?}");
        }
        assert!(kept(&"x".repeat(LONGEST)).is_some());
        assert!(kept(&"x".repeat(LONGEST + 1)).is_none());
    }
}
