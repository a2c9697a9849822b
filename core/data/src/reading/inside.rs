//! What stands in a value: items of a list, fields of a struct, what a choice holds.

use super::wrong::{Wrong, wrong};
use super::{Place, Reading, Step, structure};
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

pub(super) enum Sequence<'t> {
    Text(Items<'t>),
    /// So many things, whatever they are.
    Times(Probe, usize),
}

impl<'de> de::SeqAccess<'de> for &mut Sequence<'de> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Wrong> {
        let next = match self {
            Sequence::Text(items) => {
                let Some(place) = items.peek() else {
                    return Ok(None);
                };
                place.page.enter(Step::Index(items.next));
                items.next += 1;
                Reading::Text(place)
            }
            Sequence::Times(_, 0) => return Ok(None),
            Sequence::Times(probe, left) => {
                *left -= 1;
                Reading::Probe(probe.clone())
            }
        };
        let read = seed.deserialize(next)?;
        if let Sequence::Text(items) = self {
            items.place.page.leave();
        }
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
    Probe(Keys),
}

impl Fields<'_> {
    fn leave(&self) {
        if let Fields::Text(entries) = self {
            entries.place.page.leave();
        }
    }
}

impl<'de> de::MapAccess<'de> for Fields<'de> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Wrong> {
        let key = match self {
            Fields::Text(entries) => entries.key()?,
            Fields::Probe(keys) => keys.next(),
        };
        let Some(key) = key else { return Ok(None) };
        let read = seed.deserialize(key)?;
        self.leave();
        Ok(Some(read))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Wrong> {
        let value = match self {
            Fields::Text(entries) => entries.value()?,
            Fields::Probe(keys) => Reading::Probe(keys.inside()),
        };
        let read = seed.deserialize(value)?;
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
    fn done(&self) {
        if let Reading::Text(place) = &self.of {
            place.page.leave();
        }
    }
}

impl<'de> de::EnumAccess<'de> for Choice<'de> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Wrong> {
        let chosen = seed.deserialize(Reading::Word(self.name))?;
        if let Reading::Text(place) = &self.of {
            place.page.enter(Step::Name(self.name));
        }
        Ok((chosen, self))
    }
}

impl<'de> de::VariantAccess<'de> for Choice<'de> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match &self.of {
            Reading::Text(place) if place.bracket() == b'(' => Err(wrong(Code::ExpectedComma)),
            _ => {
                self.done();
                Ok(())
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Wrong> {
        let read = seed.deserialize(match &self.of {
            Reading::Text(place) => match (place.bracket(), place.node.entries()) {
                (b'(', [entry]) if entry.name.is_none() => Reading::Text(Place {
                    node: &entry.node,
                    ..*place
                }),
                (b'(', _) => return Err(wrong(Code::ExpectedStructLikeEnd)),
                _ => return Err(wrong(Code::ExpectedStructLike)),
            },
            other => other.clone(),
        })?;
        self.done();
        Ok(read)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Wrong> {
        let read = de::Deserializer::deserialize_tuple(self.of.clone(), len, visitor)?;
        self.done();
        Ok(read)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let read = structure(self.of.clone(), ("", self.title), fields, visitor)?;
        self.done();
        Ok(read)
    }
}
