//! Words that data brings where code would have a literal: sections, questions, verbs.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// A word that lives as long as the program, equal words once. Sections, questions and verbs are literals in
/// code, and so cost nothing to copy; where data brings them, they become as cheap by this. Call it when
/// rules are loaded, never in play: what was kept once stays.
///
/// ```
/// use cupola_kernel::word;
/// let (one, other) = (word("4.5"), word(&["4", "5"].join(".")));
/// assert!(std::ptr::eq(one, other));
/// ```
#[must_use]
pub fn word(text: &str) -> &'static str {
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(text) {
        return known;
    }
    let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
    words.insert(kept);
    kept
}
