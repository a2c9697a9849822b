//! Guessing which name was meant.

/// The longest word, in bytes, that anything is suggested for.
const LONGEST: usize = 120;

/// The candidate closest to `name` by edit distance, or `None` if nothing comes close.
///
/// "Close" grows with the length of the name: one slip in a short label, about a third of a long
/// word. Of equally close candidates the first one wins, so the answer does not depend on
/// anything but the order in which they are given.
///
/// Nobody means a name by something longer than any name: what has more than [`LONGEST`] bytes is near to
/// nothing, on either side. (The time that edit distances take grows with the product of both lengths.)
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    let limit = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates.into_iter().filter(|c| c.len() <= LONGEST) {
        // Case is a slip too, but a smaller one than any letter: it costs nothing here.
        let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let cases = [
            ("I66", vec!["A1", "I6", "I7"], Some("I6")),
            ("stonewall", vec!["fence", "stone_wall"], Some("stone_wall")),
            ("Woods", vec!["woods", "wood"], Some("woods")),
            (
                "little-roundtop",
                vec!["big-round-top", "little-round-top"],
                Some("little-round-top"),
            ),
            ("swamp", vec!["woods", "marsh"], None),
            ("xy", vec![], None),
        ];
        for (name, candidates, expected) in cases {
            assert_eq!(nearest(name, candidates), expected, "{name}");
        }
    }

    /// A word of a megabyte took twelve seconds.
    #[test]
    fn a_word_that_is_no_name_is_near_to_nothing_and_costs_nothing() {
        let (long, start) = ("x".repeat(1 << 20), std::time::Instant::now());
        assert_eq!(nearest(&long, ["xx", &long]), None);
        assert_eq!(nearest("xx", [long.as_str(), "xy"]), Some("xy"));
        assert!(start.elapsed().as_secs() < 1);
    }
}
