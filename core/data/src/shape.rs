//! What a file may say: the keys of a type, as serde knows them.
//!
//! A reader's type is the only true list of the keys that it understands. [`shape`] reads the list off the
//! type, so that a book can be held against it.

use crate::reading::Reading;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

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
pub fn shape<T: DeserializeOwned>() -> Vec<String> {
    let survey = Survey::default();
    ask::<T>(&survey);
    survey.found.take().into_keys().collect()
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
pub fn fields<T: DeserializeOwned>() -> Vec<String> {
    owned::<T>().into_keys().collect()
}

/// The same, each with the name of the type that has it: a book can look up there what it is for.
fn owned<T: DeserializeOwned>() -> BTreeMap<String, &'static str> {
    let survey = Survey {
        plan: Some(RefCell::new(Plan {
            todo: vec![BTreeMap::new()],
            ..Plan::default()
        })),
        ..Survey::default()
    };
    for _ in 0..MOST {
        if !survey.turn_next() {
            break;
        }
        ask::<T>(&survey);
    }
    survey.found.take()
}

/// Lets a type ask its questions. What is looked for is found on the way; the value itself is of no use, and may be impossible.
fn ask<T: DeserializeOwned>(survey: &Survey) {
    let _ = T::deserialize(Reading::Probe(survey.start()));
}

/// What files are read while something is done: of each every key that its reader knows, with the name of the type that has it.
pub fn overhear<R>(act: impl FnOnce() -> R) -> (R, Heard) {
    HEARD.set(Some(BTreeMap::new()));
    let done = act();
    (done, HEARD.take().unwrap_or_default())
}

/// Files by name, their keys, and the types that have them.
pub type Heard = BTreeMap<String, BTreeMap<String, &'static str>>;

thread_local! {
    /// What was read by whom, if anybody wants to know.
    static HEARD: RefCell<Option<Heard>> = const { RefCell::new(None) };
}

/// Notes that a file is read as a type.
pub(crate) fn hear<T: DeserializeOwned>(name: &str) {
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

/// What is found out about a type.
#[derive(Default)]
pub(crate) struct Survey {
    /// Keys and the types that have them.
    found: RefCell<BTreeMap<String, &'static str>>,
    /// The places asked about this time: their paths, and how deep they are.
    places: RefCell<Vec<(String, usize)>>,
    /// If all choices are gone into.
    plan: Option<RefCell<Plan>>,
}

/// Where a choice is to be another than the first, by place.
type Turns = BTreeMap<String, usize>;

/// Which choices were seen, which are gone into this time, and which are still to be.
#[derive(Default)]
struct Plan {
    seen: BTreeSet<String>,
    now: Turns,
    todo: Vec<Turns>,
}

impl Survey {
    /// Takes up the choices that are still to be gone into, if there are any.
    fn turn_next(&self) -> bool {
        let Some(plan) = &self.plan else { return false };
        let plan = &mut *plan.borrow_mut();
        let next = plan.todo.pop();
        let any = next.is_some();
        plan.now = next.unwrap_or_default();
        any
    }

    /// Before the first question.
    fn start(&self) -> Probe<'_> {
        *self.places.borrow_mut() = vec![(String::new(), 0)];
        Probe {
            survey: self,
            place: 0,
        }
    }
}

/// Deeper than any file goes: types that hold themselves come to an end.
const DEEP: usize = 8;

/// Answers every question a type asks, and writes down what it asked. Small and free to copy, since it is compiled into every type.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'s> {
    survey: &'s Survey,
    /// Where it is, among the places of the survey.
    place: usize,
}

impl<'s> Probe<'s> {
    fn path(self) -> String {
        self.survey.places.borrow()[self.place].0.clone()
    }

    /// Which of so many ways to go on here; the others are noted for later.
    fn turn(self, what: &str, count: usize) -> usize {
        let Some(plan) = &self.survey.plan else {
            return 0;
        };
        let place = self.path() + what;
        let plan = &mut *plan.borrow_mut();
        if let Some(way) = plan.now.get(&place) {
            return *way;
        }
        if plan.seen.insert(place.clone()) {
            for way in 1..count {
                let mut next = plan.now.clone();
                next.insert(place.clone(), way);
                plan.todo.push(next);
            }
        }
        0
    }

    fn note(self, key: String, of: &'static str) {
        self.survey.found.borrow_mut().entry(key).or_insert(of);
    }

    /// The path of what stands behind a key here.
    fn path_to(self, key: &str) -> String {
        match self.path() {
            path if path.is_empty() => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }

    fn inside(self, key: &str) -> Probe<'s> {
        let path = self.path_to(key);
        let mut places = self.survey.places.borrow_mut();
        let depth = places[self.place].1 + 1;
        places.push((path, depth));
        Probe {
            place: places.len() - 1,
            ..self
        }
    }

    pub(crate) fn too_deep(self) -> bool {
        self.survey.places.borrow()[self.place].1 > DEEP
    }

    /// Which of these choices to go into; all are written down.
    pub(crate) fn choose(
        self,
        name: &'static str,
        variants: &'static [&'static str],
    ) -> &'static str {
        for variant in variants {
            self.note(format!("{} = {variant}", self.path()), name);
        }
        let way = self.turn("=", variants.len());
        variants.get(way).copied().unwrap_or_default()
    }
}

/// The keys of a struct or of a map.
pub(crate) struct Keys<'s> {
    probe: Probe<'s>,
    left: &'static [&'static str],
    key: &'static str,
}

impl<'s> Keys<'s> {
    /// Those of a struct, which are written down.
    pub(crate) fn of(
        probe: Probe<'s>,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> Keys<'s> {
        for field in fields {
            probe.note(probe.path_to(field), name);
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
    pub(crate) fn any(probe: Probe<'s>) -> Keys<'s> {
        Keys {
            probe,
            left: &["*"],
            key: "*",
        }
    }

    /// The next key.
    pub(crate) fn next(&mut self) -> Option<Reading<'s>> {
        let (&key, left) = self.left.split_first()?;
        (self.key, self.left) = (key, left);
        Some(match key {
            "*" => Reading::Probe(self.probe),
            key => Reading::Word(key),
        })
    }

    /// What stands behind the key.
    pub(crate) fn inside(&self) -> Probe<'s> {
        self.probe.inside(self.key)
    }
}
