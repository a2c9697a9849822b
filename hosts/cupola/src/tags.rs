//! Short names for units, to fit into a hex of the text map.

use cupola_kernel::view::UnitView;
use std::collections::{BTreeMap, BTreeSet};

/// The tag of each unit: letters that no other unit of its side has.
#[derive(Debug, Default)]
pub struct Tags(BTreeMap<String, String>);

impl Tags {
    /// Makes tags of a length for the units that may be known.
    pub fn new(units: &[UnitView], length: usize) -> Tags {
        let mut taken: BTreeSet<(String, String)> = BTreeSet::new();
        let mut tags = BTreeMap::new();
        for unit in units {
            let Some(id) = &unit.id else { continue };
            let tag = candidates(&unit.name, length)
                .find(|tag| !taken.contains(&(unit.side.clone(), tag.clone())))
                .unwrap_or_else(|| "?".repeat(length));
            taken.insert((unit.side.clone(), tag.clone()));
            tags.insert(id.clone(), tag);
        }
        Tags(tags)
    }

    /// The tag of a unit; question marks for one that may not be known.
    pub fn of(&self, unit: &UnitView) -> &str {
        unit.id
            .as_ref()
            .and_then(|id| self.0.get(id))
            .map_or("??", String::as_str)
    }
}

/// Tags for a name from the most telling down: its beginning, its first letters with a later one, and at
/// last numbers.
fn candidates(name: &str, length: usize) -> impl Iterator<Item = String> {
    let letters: Vec<char> = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect();
    let stem: String = letters.iter().take(length.saturating_sub(1)).collect();
    let first = letters.first().copied().unwrap_or('?');
    let later: Vec<char> = letters
        .iter()
        .skip(length.saturating_sub(1))
        .copied()
        .collect();
    let with_later = later
        .into_iter()
        .map(move |letter| format!("{stem}{letter}"));
    let short = if letters.len() < length {
        Some(letters.iter().collect())
    } else {
        None
    };
    let numbered = (2..100).map(move |number| format!("{first}{number}"));
    short.into_iter().chain(with_later).chain(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupola_kernel::view::At;

    fn unit(name: &str) -> UnitView {
        UnitView {
            id: Some(name.to_lowercase()),
            name: name.into(),
            side: "cs".into(),
            kind: String::new(),
            at: At::Box("track".into()),
            ratings: String::new(),
            state: vec![],
        }
    }

    #[test]
    fn no_two_units_share_a_tag() {
        let units: Vec<UnitView> = ["Hill", "Hood", "Heth", "Hi", "Hi l", "1 Cav", "2 Cav"]
            .map(unit)
            .into();
        let tags = Tags::new(&units, 2);
        let all: Vec<&str> = units.iter().map(|unit| tags.of(unit)).collect();
        assert_eq!(all, ["Hi", "Ho", "He", "H2", "Hl", "1C", "2C"]);
    }
}
