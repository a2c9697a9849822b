//! What stands in a value: items of a list, fields of a struct, what a choice holds.
//!
//! What goes from a type into another is `cold` and never inlined. Left to itself the compiler joins all the types of a file into one
//! function, which cost a quarter of the time of building a ruleset and won nothing: files are read once.

use super::wrong::{Wrong, wrong};
use super::{Place, Reading, Step};
use crate::shape::{Keys, Probe};
use crate::tree::Entry;
use ron::Error as Code;
use serde::de::{self, DeserializeSeed, Visitor};

/// What stands in a list, in order.
pub(super) struct Items<'t> {
    pub(super) place: Place<'t>,
    pub(super) next: usize,
}

impl<'t> Items<'t> {
    /// The next one.
    pub(super) fn peek(&self) -> Option<Place<'t>> {
        let entry = self.place.node.entries().get(self.next);
        let at = entry.map_or(self.place.node.span.end - 1, |entry| entry.node.span.start);
        self.place.page.at.set(at);
        let node = &entry?.node;
        Some(Place { node, ..self.place })
    }
}

/// What stands in a list or a tuple; for a probe, so many things, whatever they are.
pub(super) enum Sequence<'t> {
    Text(Items<'t>),
    Times(Probe<'t>, usize),
}

impl<'t> Sequence<'t> {
    fn next(&mut self) -> Option<Reading<'t>> {
        match self {
            Sequence::Text(items) => {
                let place = items.peek()?;
                place.page.enter(Step::Index(items.next));
                items.next += 1;
                Some(Reading::Text(place))
            }
            Sequence::Times(_, 0) => None,
            Sequence::Times(probe, left) => {
                *left -= 1;
                Some(Reading::Probe(*probe))
            }
        }
    }

    fn leave(&self) {
        if let Sequence::Text(items) = self {
            items.place.page.leave();
        }
    }

    /// Nothing may be left when the type has what it wants.
    pub(super) fn finish(&self) -> Result<(), Wrong> {
        let Sequence::Text(items) = self else {
            return Ok(());
        };
        let open = items.place.bracket();
        // Looked at last, since that is the place of the mistake.
        match (items.peek(), open) {
            (None, _) => Ok(()),
            (Some(_), b'[') => Err(wrong(Code::ExpectedArrayEnd)),
            (Some(_), _) => Err(wrong(Code::ExpectedStructLikeEnd)),
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut Sequence<'de> {
    type Error = Wrong;

    #[cold]
    #[inline(never)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Wrong> {
        let Some(next) = self.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(next)?;
        self.leave();
        Ok(Some(read))
    }
}

/// What stands in a struct or a map, in order.
pub(super) struct Entries<'t> {
    pub(super) place: Place<'t>,
    pub(super) next: usize,
    /// Whether the keys are names of fields.
    pub(super) fields: bool,
}

impl<'t> Entries<'t> {
    /// The key of the next entry.
    fn key(&mut self) -> Result<Option<Reading<'t>>, Wrong> {
        let (page, node) = (self.place.page, self.place.node);
        let Some(Entry {
            name: Some(name),
            key,
            ..
        }) = node.entries().get(self.next)
        else {
            page.at.set(node.span.end - 1);
            return Ok(None);
        };
        let place = Place {
            node: name,
            ..self.place
        };
        if self.fields && place.word().is_none() {
            return Err(wrong(Code::ExpectedIdentifier));
        }
        page.enter(Step::Name(key));
        Ok(Some(Reading::Text(place)))
    }

    /// The value of the next entry.
    fn value(&mut self) -> Result<Reading<'t>, Wrong> {
        let entry = self.place.node.entries().get(self.next);
        let entry = entry.ok_or_else(|| wrong(Code::ExpectedMapColon))?;
        self.next += 1;
        self.place.page.enter(Step::Name(&entry.key));
        Ok(Reading::Text(Place {
            node: &entry.node,
            ..self.place
        }))
    }
}

/// What stands in a struct or a map; for a probe, its keys.
pub(super) enum Fields<'t> {
    Text(Entries<'t>),
    Probe(Keys<'t>),
}

impl<'t> Fields<'t> {
    fn key(&mut self) -> Result<Option<Reading<'t>>, Wrong> {
        match self {
            Fields::Text(entries) => entries.key(),
            Fields::Probe(keys) => Ok(keys.next()),
        }
    }

    fn value(&mut self) -> Result<Reading<'t>, Wrong> {
        match self {
            Fields::Text(entries) => entries.value(),
            Fields::Probe(keys) => Ok(Reading::Probe(keys.inside())),
        }
    }

    fn leave(&self) {
        if let Fields::Text(entries) = self {
            entries.place.page.leave();
        }
    }
}

impl<'de> de::MapAccess<'de> for Fields<'de> {
    type Error = Wrong;

    #[cold]
    #[inline(never)]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Wrong> {
        let Some(key) = self.key()? else {
            return Ok(None);
        };
        let read = seed.deserialize(key)?;
        self.leave();
        Ok(Some(read))
    }

    #[cold]
    #[inline(never)]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        let read = seed.deserialize(self.value()?)?;
        self.leave();
        Ok(read)
    }
}

/// A choice: its name, and what stands in its brackets.
pub(super) struct Choice<'t> {
    pub(super) name: &'t str,
    /// The type whose choice it is.
    pub(super) title: &'static str,
    pub(super) of: Reading<'t>,
}

impl<'t> Choice<'t> {
    /// Goes into its brackets.
    fn enter(&self) {
        if let Reading::Text(place) = &self.of {
            place.page.enter(Step::Name(self.name));
        }
    }

    /// The one value in them.
    fn inner(&self) -> Result<Reading<'t>, Wrong> {
        match self.of {
            Reading::Text(place) => place.inner(""),
            other => Ok(other),
        }
    }

    fn leave(&self) {
        if let Reading::Text(place) = &self.of {
            place.page.leave();
        }
    }
}

impl<'de> de::EnumAccess<'de> for Choice<'de> {
    type Error = Wrong;
    type Variant = Self;

    #[cold]
    #[inline(never)]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Wrong> {
        let chosen = seed.deserialize(Reading::Word(self.name))?;
        self.enter();
        Ok((chosen, self))
    }
}

impl<'de> de::VariantAccess<'de> for Choice<'de> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match &self.of {
            Reading::Text(place) if place.bracket() == b'(' => Err(wrong(Code::ExpectedComma)),
            _ => {
                self.leave();
                Ok(())
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        let read = seed.deserialize(self.inner()?)?;
        self.leave();
        Ok(read)
    }

    #[cold]
    #[inline(never)]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Wrong> {
        let read = de::Deserializer::deserialize_tuple(self.of, len, visitor)?;
        self.leave();
        Ok(read)
    }

    #[cold]
    #[inline(never)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let read = visitor.visit_map(self.of.fields(("", self.title), fields)?)?;
        self.leave();
        Ok(read)
    }
}
