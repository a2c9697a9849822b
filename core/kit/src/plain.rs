//! A search as plain as can be, for proofs: every way is walked, step by step.
//!
//! A fast search is right if it finds what this one finds. It asks what a step costs given the *whole way*
//! so far, as a rulebook does; so it also finds out where a fast search has merged two arrivals that
//! should have been kept apart.

use std::collections::BTreeMap;

/// The rules of movement as the book has them.
pub trait Walk {
    /// The hexes next to one.
    fn around(&self, hex: usize) -> Vec<usize>;

    /// What a step costs after this way (the hexes so far, the first one included), or none if it
    /// may not be made.
    fn price(&self, way: &[usize], to: usize) -> Option<u16>;

    /// What of a way still matters to what later steps cost, besides where it ends. Of two ways that agree in it only
    /// the cheaper is walked on; by default all of a way matters, and every way is walked.
    fn memory(&self, _way: &[usize]) -> Option<u64> {
        None
    }

    /// Whether a unit may come back to a hex it has passed; by default it may not, which can only
    /// matter where coming back is of use.
    fn may_return(&self) -> bool {
        false
    }
}

/// Every hex that can be reached for at most `most`, with the lowest cost.
///
/// Walks every way there is, unless [`Walk::memory`] says what can be forgotten: for small maps and small allowances.
pub fn explore(
    walk: &impl Walk,
    starts: impl IntoIterator<Item = (usize, u16)>,
    most: u16,
) -> BTreeMap<usize, u16> {
    let mut found = Found::default();
    for (hex, spent) in starts {
        if spent <= most {
            follow(walk, &mut vec![hex], spent, most, &mut found);
        }
    }
    found.least
}

#[derive(Default)]
struct Found {
    least: BTreeMap<usize, u16>,
    /// The same for each end and memory.
    arrivals: BTreeMap<(usize, u64), u16>,
}

fn follow(walk: &impl Walk, way: &mut Vec<usize>, spent: u16, most: u16, found: &mut Found) {
    let Some(&here) = way.last() else { return };
    let known = found.least.entry(here).or_insert(spent);
    *known = (*known).min(spent);
    if let Some(memory) = walk.memory(way) {
        let known = found.arrivals.entry((here, memory)).or_insert(u16::MAX);
        if *known <= spent {
            return;
        }
        *known = spent;
    }
    for to in walk.around(here) {
        if way.contains(&to) && !walk.may_return() {
            continue;
        }
        let Some(price) = walk.price(way, to) else {
            continue;
        };
        let total = spent.saturating_add(price);
        if total <= most {
            way.push(to);
            follow(walk, way, total, most, found);
            way.pop();
        }
    }
}

/// Says how two searches differ, if they do: the first hex that only one found, or that they price apart.
///
/// # Errors
/// What differs, with names given by `label`.
pub fn compare(
    fast: &BTreeMap<usize, u16>,
    plain: &BTreeMap<usize, u16>,
    label: impl Fn(usize) -> String,
) -> Result<(), String> {
    let mut hexes: Vec<usize> = fast.keys().chain(plain.keys()).copied().collect();
    hexes.sort_unstable();
    hexes.dedup();
    let say = |cost: Option<&u16>| match cost {
        Some(cost) => format!("for {cost}"),
        None => "not at all".to_owned(),
    };
    match hexes
        .into_iter()
        .find(|hex| fast.get(hex) != plain.get(hex))
    {
        None => Ok(()),
        Some(hex) => Err(format!(
            "{} is reached {} by the fast search, {} by walking every way",
            label(hex),
            say(fast.get(&hex)),
            say(plain.get(&hex))
        )),
    }
}
