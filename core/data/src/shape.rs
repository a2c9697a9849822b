//! What a file may say: the keys of a type, as serde knows them.
//!
//! A reader's type is the only true list of the keys that it understands. [`shape`] reads the list off the
//! type, so that a book can be held against it.

use serde::de::value::{Error, StrDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, IntoDeserializer, Visitor};
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
    let _ = T::deserialize(Probe {
        path: String::new(),
        depth: 0,
        found: found.clone(),
        turns: None,
    });
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
        let _ = T::deserialize(Probe {
            path: String::new(),
            depth: 0,
            found: found.clone(),
            turns: Some(Rc::new((forced, plan.clone()))),
        });
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
struct Probe {
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

    fn too_deep(&self) -> bool {
        self.depth > DEEP
    }
}

macro_rules! numbers {
    ($($method:ident => $visit:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(1)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Probe {
    type Error = Error;

    numbers! {
        deserialize_i8 => visit_i8, deserialize_i16 => visit_i16, deserialize_i32 => visit_i32,
        deserialize_i64 => visit_i64, deserialize_u8 => visit_u8, deserialize_u16 => visit_u16,
        deserialize_u32 => visit_u32, deserialize_u64 => visit_u64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(false)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(1.0)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(1.0)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_char('a')
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("a")
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("a")
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(&[])
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(&[])
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.too_deep() {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Once(Some(self)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Times(self, len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(Times(self, len))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Keys {
            probe: self,
            left: &["*"],
            key: "*",
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        for field in fields {
            self.note(self.inside(field).path, name);
        }
        let left = if self.too_deep() { &[] } else { fields };
        // A field that cannot be made up hides those behind it: each comes first once.
        let first = self.turn("#", left.len());
        visitor.visit_map(Keys {
            probe: self,
            left: &left[first.min(left.len())..],
            key: "",
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        for variant in variants {
            self.note(format!("{} = {variant}", self.path), name);
        }
        let way = self.turn("=", variants.len());
        let chosen = variants.get(way).copied().unwrap_or_default();
        visitor.visit_enum(Variant(self, chosen, name))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("a")
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

/// A list with one thing in it.
struct Once(Option<Probe>);

impl<'de> de::SeqAccess<'de> for Once {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        match self.0.take().filter(|probe| !probe.too_deep()) {
            Some(probe) => seed.deserialize(probe).map(Some),
            None => Ok(None),
        }
    }
}

/// So many things of a tuple.
struct Times(Probe, usize);

impl<'de> de::SeqAccess<'de> for Times {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.1 == 0 {
            return Ok(None);
        }
        self.1 -= 1;
        seed.deserialize(self.0.clone()).map(Some)
    }
}

/// The keys of a struct or of a map.
struct Keys {
    probe: Probe,
    left: &'static [&'static str],
    key: &'static str,
}

impl<'de> de::MapAccess<'de> for Keys {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((&key, left)) = self.left.split_first() else {
            return Ok(None);
        };
        (self.key, self.left) = (key, left);
        if key == "*" {
            return seed.deserialize(self.probe.clone()).map(Some);
        }
        let name: StrDeserializer<'_, Error> = key.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.probe.inside(self.key))
    }
}

/// The first of the choices.
struct Variant(Probe, &'static str, &'static str);

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Inside;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Inside), Error> {
        let name: StrDeserializer<'_, Error> = self.1.into_deserializer();
        Ok((seed.deserialize(name)?, Inside(self.0, self.2)))
    }
}

/// What stands in a choice of a type.
struct Inside(Probe, &'static str);

impl<'de> de::VariantAccess<'de> for Inside {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Times(self.0, len))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_struct(self.0, self.1, fields, visitor)
    }
}
