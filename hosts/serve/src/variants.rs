//! Several variants of the rules, one upon the other, and what they change in a designer's words.
//!
//! A game's record has their names as one, in order: `no-rain+early-recovery`.

use crate::wrong::Wrong;
use cupola_data::{Problems, Source};
use cupola_kernel::Journal;
use cupola_library::{Library, Told, differences, stack, unstack};
use serde_json::{Value, json};

const JOINS: char = '+';
/// More are no variant but another game.
const MOST: usize = 8;

/// The names of a stack of variants, in order.
pub(crate) fn names(stacked: Option<&str>) -> Vec<&str> {
    stacked
        .map(|names| names.split(JOINS).collect())
        .unwrap_or_default()
}

/// Several names as one; none of none.
pub(crate) fn join(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("+"))
}

/// Names come from people and become parts of paths: only those that there are, each once.
///
/// # Errors
/// If there is no such variant, or one is named twice, or they are too many.
pub(crate) fn check(library: &Library, stacked: Option<&str>) -> Result<(), Wrong> {
    let (names, known) = (names(stacked), library.variants());
    if names.len() > MOST {
        return Err(Wrong::bad(format!("At most {MOST} variants at once.")));
    }
    for (i, name) in names.iter().enumerate() {
        if !known.iter().any(|known| known == name) {
            return Err(Wrong::missing("variant"));
        }
        if names[..i].contains(name) {
            return Err(Wrong::bad(format!("The variant {name} is named twice.")));
        }
    }
    Ok(())
}

/// The variants as one text.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn read(library: &Library, stacked: Option<&str>) -> Result<Option<Source>, Problems> {
    let mut files = vec![];
    for name in names(stacked) {
        // A stack names its files, and a journal carries it: by names that are the same in every club.
        files.push(Source::new(
            format!("{name}.ron"),
            library.variant(name)?.text,
        ));
    }
    Ok(stack(&files))
}

/// The names of the variants that a journal brings word for word.
///
/// # Errors
/// If one of them is not the club's.
pub(crate) fn known(library: &Library, text: &str) -> Result<String, Wrong> {
    let all = library.variants();
    let mut found = vec![];
    for brought in unstack(&Source::new("journal", text)) {
        let same = |name: &&String| {
            let own = library.variant(name);
            own.is_ok_and(|own| {
                own.text
                    .trim_end()
                    .lines()
                    .eq(brought.text.trim_end().lines())
            })
        };
        let Some(name) = all.iter().find(same) else {
            let why = "The journal brings a variant that this club does not have.";
            return Err(Wrong::bad(why));
        };
        found.push(name.clone());
    }
    Ok(found.join("+"))
}

/// In what the rules differ under some variants from the plain ones.
///
/// # Errors
/// Why they cannot be played together.
pub(crate) fn told(
    library: &Library,
    ruleset: &str,
    scenario: &str,
    stacked: Option<&str>,
) -> Result<Vec<Value>, Problems> {
    match read(library, stacked)? {
        None => Ok(vec![]),
        Some(variant) => between(library, (ruleset, scenario), &variant),
    }
}

/// The same of a journal that brings its variants along.
///
/// # Errors
/// Why they cannot be played together.
pub(crate) fn told_of(library: &Library, journal: &Journal) -> Result<Vec<Value>, Problems> {
    let Some(text) = &journal.variant else {
        return Ok(vec![]);
    };
    let variant = Source::new("the journal's variant", text.clone());
    let named = (&*journal.ruleset, &*journal.scenario);
    between(&library.with_guest_of(journal), named, &variant)
}

fn between(
    library: &Library,
    (ruleset, scenario): (&str, &str),
    variant: &Source,
) -> Result<Vec<Value>, Problems> {
    let plain = library.resolve(ruleset, scenario, None)?;
    let bent = library.resolve(ruleset, scenario, Some(variant))?;
    // What the values come to is known only once they are played by.
    library.play_resolved(&bent)?;
    let told = differences(&plain, &bent);
    Ok(told.iter().map(told_value).collect())
}

pub(crate) fn told_value(told: &Told) -> Value {
    json!({
        "file": told.file,
        "subject": told.subject,
        "field": told.field,
        "was": told.was,
        "to": told.to,
    })
}

#[cfg(test)]
mod tests {
    use super::{join, names};

    #[test]
    fn a_stack_keeps_its_order() {
        let both = ["b".to_owned(), "a".to_owned()];
        assert_eq!(names(join(&both).as_deref()), ["b", "a"]);
        assert_eq!(join(&[]), None);
        assert!(names(None).is_empty());
    }
}
