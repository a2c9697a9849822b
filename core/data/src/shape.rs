//! What a file may say: the keys of a type, as serde knows them.
//!
//! A reader's type is the only true list of the keys that it understands. [`shape`] reads the list off the
//! type, so that a book can be held against it.

use crate::reading::Reading;
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The keys of a type, each with those of what stands in it: `units`, `units.*.at`, and for choices
/// their values: `units.*.fatigue = weary`.
///
/// ```
/// use cupola_data::shape;
/// use std::collections::BTreeMap;
///
/// #[derive(serde::Deserialize)]
/// struct State { clear: bool, units: BTreeMap<String, Unit>, lost: Vec<u8> }
/// #[derive(serde::Deserialize)]
/// struct Unit { at: Option<String>, level: Level }
/// #[derive(serde::Deserialize)]
/// #[serde(rename_all = "snake_case")]
/// enum Level { Fresh, Tired }
///
/// let keys = shape::<State>();
/// assert_eq!(keys, ["clear", "lost", "units", "units.*.at", "units.*.level", "units.*.level = fresh", "units.*.level = tired"]);
/// ```
#[must_use]
pub fn shape<'de, T: Deserialize<'de>>() -> Vec<String> {
    let found = Found::default();
    // What is looked for is found on the way; the value itself is of no use, and may be impossible.
    let _ = T::deserialize(Reading::Probe(Probe {
        path: String::new(),
        depth: 0,
        found: found.clone(),
        turns: None,
    }));
    found.take().into_keys().collect()
}

/// The same with all choices gone into, not only the first of each, and with what stands behind a field that cannot be
/// made up: every key that a file may have.
///
/// ```
/// #[derive(serde::Deserialize)]
/// #[serde(rename_all = "snake_case")]
/// enum Start { At(String), Comes { turn: String, by: String } }
/// assert_eq!(cupola_data::fields::<Start>(), [" = at", " = comes", "by", "turn"]);
/// ```
#[must_use]
pub fn fields<'de, T: Deserialize<'de>>() -> Vec<String> {
    owned::<T>().into_keys().collect()
}

/// The same, each with the name of the type that has it: a book can look up there what it is for.
fn owned<'de, T: Deserialize<'de>>() -> BTreeMap<String, &'static str> {
    let found = Found::default();
    let plan = Rc::new(RefCell::new(Plan {
        seen: BTreeSet::new(),
        todo: vec![BTreeMap::new()],
    }));
    for _ in 0..MOST {
        let next = plan.borrow_mut().todo.pop();
        let Some(forced) = next else { break };
        let _ = T::deserialize(Reading::Probe(Probe {
            path: String::new(),
            depth: 0,
            found: found.clone(),
            turns: Some(Rc::new((forced, plan.clone()))),
        }));
    }
    found.take()
}

/// What files are read while something is done: of each every key that its reader knows, with the name of the type that has it.
pub fn overhear<R>(act: impl FnOnce() -> R) -> (R, Heard) {
    HEARD.set(Some(BTreeMap::new()));
    let done = act();
    (done, HEARD.take().unwrap_or_default())
}

/// Files by name, their keys, and the types that have them.
pub type Heard = BTreeMap<String, BTreeMap<String, &'static str>>;

/// Keys and the types that have them.
type Found = Rc<RefCell<BTreeMap<String, &'static str>>>;

thread_local! {
    /// What was read by whom, if anybody wants to know.
    static HEARD: RefCell<Option<Heard>> = const { RefCell::new(None) };
}

/// Notes that a file is read as a type.
pub(crate) fn hear<'de, T: Deserialize<'de>>(name: &str) {
    if HEARD.with_borrow(Option::is_none) {
        return;
    }
    let keys = owned::<T>();
    HEARD.with_borrow_mut(|heard| {
        if let Some(heard) = heard {
            heard.entry(name.to_owned()).or_default().extend(keys);
        }
    });
}

/// How often a type is asked: more than any of ours needs.
const MOST: usize = 4000;

/// Which choices were seen, and which are still to be gone into.
struct Plan {
    seen: BTreeSet<String>,
    todo: Vec<BTreeMap<String, usize>>,
}

/// Where a choice is to be another than the first, and where to note the others.
type Turns = Option<Rc<(BTreeMap<String, usize>, Rc<RefCell<Plan>>)>>;

/// Deeper than any file goes: types that hold themselves come to an end.
const DEEP: usize = 8;

/// Answers every question a type asks, and writes down what it asked.
#[derive(Clone)]
pub(crate) struct Probe {
    path: String,
    depth: usize,
    found: Found,
    turns: Turns,
}

impl Probe {
    /// Which of so many ways to go on here; the others are noted for later.
    fn turn(&self, what: &str, count: usize) -> usize {
        let Some(turns) = &self.turns else { return 0 };
        let (forced, plan) = &**turns;
        let place = format!("{}{what}", self.path);
        if let Some(way) = forced.get(&place) {
            return *way;
        }
        let mut plan = plan.borrow_mut();
        if plan.seen.insert(place.clone()) {
            for way in 1..count {
                let mut next = forced.clone();
                next.insert(place.clone(), way);
                plan.todo.push(next);
            }
        }
        0
    }

    fn note(&self, key: String, of: &'static str) {
        self.found.borrow_mut().entry(key).or_insert(of);
    }

    fn inside(&self, key: &str) -> Probe {
        let path = match (self.path.as_str(), key) {
            ("", key) => key.to_owned(),
            (path, key) => format!("{path}.{key}"),
        };
        Probe {
            path,
            depth: self.depth + 1,
            found: self.found.clone(),
            turns: self.turns.clone(),
        }
    }

    pub(crate) fn too_deep(&self) -> bool {
        self.depth > DEEP
    }

    /// Which of these choices to go into; all are written down.
    pub(crate) fn choose(
        &self,
        name: &'static str,
        variants: &'static [&'static str],
    ) -> &'static str {
        for variant in variants {
            self.note(format!("{} = {variant}", self.path), name);
        }
        let way = self.turn("=", variants.len());
        variants.get(way).copied().unwrap_or_default()
    }
}

/// The keys of a struct or of a map.
pub(crate) struct Keys {
    probe: Probe,
    left: &'static [&'static str],
    key: &'static str,
}

impl Keys {
    /// Those of a struct, which are written down.
    pub(crate) fn of(probe: Probe, name: &'static str, fields: &'static [&'static str]) -> Keys {
        for field in fields {
            probe.note(probe.inside(field).path, name);
        }
        let left = if probe.too_deep() { &[] } else { fields };
        // A field that cannot be made up hides those behind it: each comes first once.
        let first = probe.turn("#", left.len());
        Keys {
            probe,
            left: &left[first.min(left.len())..],
            key: "",
        }
    }

    /// One of a map.
    pub(crate) fn any(probe: Probe) -> Keys {
        Keys {
            probe,
            left: &["*"],
            key: "*",
        }
    }

    /// The next key.
    pub(crate) fn next<'t>(&mut self) -> Option<Reading<'t>> {
        let (&key, left) = self.left.split_first()?;
        (self.key, self.left) = (key, left);
        Some(match key {
            "*" => Reading::Probe(self.probe.clone()),
            key => Reading::Word(key),
        })
    }

    /// What stands behind the key.
    pub(crate) fn inside(&self) -> Probe {
        self.probe.inside(self.key)
    }
}
