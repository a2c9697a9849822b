//! What types read: the tree of a text, or nothing but their own questions.
//!
//! The `ron` crate says what is a text and what is a number; here the tree of that text is handed to the types. It
//! is one reader for all of them, and a small one: reading is compiled anew for each of our several hundred types,
//! and with the parser itself in each of them that was half the work of building the program. It also knows, when
//! something does not fit, which field it was and where that stands.

mod inside;
mod wrong;

use crate::locate;
use crate::shape::{Keys, Probe};
use crate::tree::{Entry, Node, What};
use inside::{Choice, Entries, Fields, Items, Sequence};
use ron::Error as Code;
use serde::de::{self, DeserializeOwned, Visitor};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use wrong::{Wrong, wrong};

/// A text that is being read: how far, and in which field.
pub(crate) struct Page<'t> {
    text: &'t str,
    /// The way to the value that is read; after a mistake, to the one that is wrong.
    path: RefCell<Vec<Step<'t>>>,
    /// The byte that was looked at last.
    at: Cell<usize>,
}

enum Step<'t> {
    Index(usize),
    Name(&'t str),
}

impl<'t> Page<'t> {
    /// Reads a value of a text as its tree has it; a mistake comes with its field and its place.
    pub(crate) fn read<T: DeserializeOwned>(
        text: &'t str,
        root: &'t Node,
        field: &'t str,
    ) -> Result<T, (String, usize, Code)> {
        let way = Some(field).filter(|field| !field.is_empty());
        let page = Page {
            text,
            path: RefCell::new(way.map(Step::Name).into_iter().collect()),
            at: Cell::new(0),
        };
        let place = Place {
            page: &page,
            node: root,
        };
        let read = T::deserialize(Reading::Text(place));
        read.map_err(|wrong| (page.field(), page.at.get(), *wrong.0))
    }

    /// The path as people write it.
    fn field(&self) -> String {
        let mut field = String::new();
        for step in &*self.path.borrow() {
            match step {
                Step::Index(index) => field += &format!("[{index}]"),
                Step::Name(name) if field.is_empty() => field += name,
                Step::Name(name) => field += &format!(".{name}"),
            }
        }
        field
    }

    fn enter(&self, step: Step<'t>) {
        self.path.borrow_mut().push(step);
    }

    fn leave(&self) {
        self.path.borrow_mut().pop();
    }
}

/// A value in a text.
#[derive(Clone, Copy)]
pub(crate) struct Place<'t> {
    page: &'t Page<'t>,
    node: &'t Node,
}

impl<'t> Place<'t> {
    fn text(self) -> &'t str {
        self.page.at.set(self.node.span.start);
        self.node.text(self.page.text)
    }

    /// A word, number or string, as the `ron` crate reads it.
    fn leaf<T: DeserializeOwned>(self) -> Result<T, Wrong> {
        let text = self.text();
        ron::from_str(text).map_err(|error| {
            let start = error.span.start;
            let before = text.split_inclusive('\n').take(start.line - 1);
            let line: usize = before.map(str::len).sum();
            let at = self.node.span.start + line + (start.col - 1);
            self.page.at.set(at.min(self.node.span.end));
            wrong(error.code)
        })
    }

    /// A whole number; what is not plainly one is the `ron` crate's affair.
    fn whole<T: DeserializeOwned + TryFrom<i64>>(self) -> Result<T, Wrong> {
        let plain = self.text().parse::<i64>().ok();
        let plain = plain.and_then(|number| T::try_from(number).ok());
        plain.map_or_else(|| self.leaf(), Ok)
    }

    fn string(self) -> Result<String, Wrong> {
        let inside = self.text().strip_prefix('"');
        match inside.and_then(|text| text.strip_suffix('"')) {
            Some(inside) if !inside.contains('\\') => Ok(inside.to_owned()),
            _ => self.leaf(),
        }
    }

    /// The bracket that it begins with, behind its tag; a space if it has none.
    fn bracket(self) -> u8 {
        let text = self.text();
        match (&self.node.what, &self.node.tag) {
            (What::Plain, _) => b' ',
            (_, Some(_)) => b'(',
            (_, None) => text.bytes().next().unwrap_or(b' '),
        }
    }

    /// The name of a struct may stand before it, no other.
    fn titled(self, name: &'static str) -> Result<(), Wrong> {
        match self.word() {
            Some(tag) if tag != name => Err(wrong(Code::ExpectedDifferentStructName {
                expected: name,
                found: tag.to_owned(),
            })),
            _ => Ok(()),
        }
    }

    /// The word that it is, or that stands before its bracket.
    fn word(self) -> Option<&'t str> {
        let text = self.text();
        let tag = self.node.tag.as_deref();
        let plain = || Some(text).filter(|_| self.node.what == What::Plain);
        let ident = |text: &&str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        tag.or_else(plain).filter(ident)
    }

    /// What stands in the round brackets of a struct.
    fn fields(self, name: &'static str) -> Result<Entries<'t>, Wrong> {
        let listed = matches!(self.node.what, What::Listed(_));
        match self.bracket() {
            b'(' if listed && !self.node.entries().is_empty() => {
                Err(wrong(Code::ExpectedIdentifier))
            }
            b'(' => Ok(self.entries(true)),
            _ if name.is_empty() => Err(wrong(Code::ExpectedStructLike)),
            _ => Err(wrong(Code::ExpectedNamedStructLike(name))),
        }
    }

    /// No key of a map stands in it twice: a type would take the last and say nothing.
    fn each_key_once(self) -> Result<(), Wrong> {
        let mut known = BTreeMap::new();
        for Entry { key, name, .. } in self.node.entries() {
            let Some(name) = name else { continue };
            let at = name.span.start;
            if let Some(first) = known.insert(name.text(self.page.text), at) {
                let (line, _) = locate::line_and_column(self.page.text, first);
                self.page.at.set(at);
                self.page.enter(Step::Name(key));
                let message = format!("a second \"{key}\"; the first is in line {line}");
                return Err(wrong(Code::Message(message)));
            }
        }
        Ok(())
    }

    fn entries(self, fields: bool) -> Entries<'t> {
        Entries {
            place: self,
            next: 0,
            fields,
        }
    }

    /// What stands in the brackets of a list or a tuple.
    fn items(self, open: u8, otherwise: Code) -> Result<Sequence<'t>, Wrong> {
        if self.bracket() != open {
            return Err(wrong(otherwise));
        }
        match &self.node.what {
            What::Named(entries) if !entries.is_empty() => Err(wrong(Code::ExpectedComma)),
            _ => Ok(Sequence::Text(Items {
                place: self,
                next: 0,
            })),
        }
    }

    /// The one value in the brackets of a wrapper, or of a choice that has no name but its own.
    fn inner(self, name: &'static str) -> Result<Reading<'t>, Wrong> {
        match (self.bracket(), self.node.entries()) {
            (b'(', [entry]) if entry.name.is_none() => Ok(Reading::Text(Place {
                node: &entry.node,
                ..self
            })),
            (b'(', _) => Err(wrong(Code::ExpectedStructLikeEnd)),
            _ if name.is_empty() => Err(wrong(Code::ExpectedStructLike)),
            _ => Err(wrong(Code::ExpectedNamedStructLike(name))),
        }
    }

    /// The same, where the name may stand before it.
    fn wrapped(self, name: &'static str) -> Result<Reading<'t>, Wrong> {
        self.titled(name)?;
        self.inner(name)
    }
}

/// What a type reads from. Free to copy, and whatever can be done without knowing the type is done here: the rest is compiled for each.
#[derive(Clone, Copy)]
pub(crate) enum Reading<'t> {
    /// A value.
    Text(Place<'t>),
    /// A key.
    Word(&'t str),
    /// Whatever it asks for.
    Probe(Probe<'t>),
}

impl<'t> Reading<'t> {
    /// A key or a name as it is written.
    fn name(self) -> &'t str {
        match self {
            Reading::Text(place) => place.text(),
            Reading::Word(word) => word,
            Reading::Probe(_) => "a",
        }
    }

    fn is_none(self) -> bool {
        match self {
            Reading::Text(place) => place.text() == "None",
            Reading::Word(_) => false,
            Reading::Probe(probe) => probe.too_deep(),
        }
    }

    /// A list.
    fn list(self) -> Result<Sequence<'t>, Wrong> {
        match self {
            Reading::Text(place) => place.items(b'[', Code::ExpectedArray),
            Reading::Probe(probe) => Ok(Sequence::Times(probe, usize::from(!probe.too_deep()))),
            Reading::Word(_) => Err(wrong(Code::ExpectedArray)),
        }
    }

    /// So many things in round brackets.
    fn tuple(self, len: usize) -> Result<Sequence<'t>, Wrong> {
        match self {
            Reading::Text(place) => place.items(b'(', Code::ExpectedStructLike),
            Reading::Probe(probe) => Ok(Sequence::Times(probe, len)),
            Reading::Word(_) => Err(wrong(Code::ExpectedStructLike)),
        }
    }

    fn map(self) -> Result<Fields<'t>, Wrong> {
        match self {
            Reading::Text(place) if place.bracket() == b'{' => {
                place.each_key_once()?;
                Ok(Fields::Text(place.entries(false)))
            }
            Reading::Probe(probe) => Ok(Fields::Probe(Keys::any(probe))),
            _ => Err(wrong(Code::ExpectedMap)),
        }
    }

    /// What stands in the brackets of a struct: its name, if it may stand before them, and the type that has the fields.
    fn fields(
        self,
        (name, of): (&'static str, &'static str),
        fields: &'static [&'static str],
    ) -> Result<Fields<'t>, Wrong> {
        match self {
            Reading::Text(place) => {
                if !name.is_empty() {
                    place.titled(name)?;
                }
                Ok(Fields::Text(place.fields(name)?))
            }
            Reading::Probe(probe) => Ok(Fields::Probe(Keys::of(probe, of, fields))),
            Reading::Word(_) => Err(wrong(Code::ExpectedNamedStructLike(name))),
        }
    }

    /// One of these.
    fn choice(
        self,
        title: &'static str,
        variants: &'static [&'static str],
    ) -> Result<Choice<'t>, Wrong> {
        let name = match self {
            Reading::Text(place) => place
                .word()
                .ok_or_else(|| wrong(Code::ExpectedIdentifier))?,
            Reading::Word(word) => word,
            Reading::Probe(probe) => probe.choose(title, variants),
        };
        Ok(Choice {
            name,
            title,
            of: self,
        })
    }
}

macro_rules! numbers {
    ($($method:ident => $visit:ident $read:ident),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            match self {
                Reading::Text(place) => visitor.$visit(place.$read()?),
                Reading::Word(word) => visitor.visit_str(word),
                Reading::Probe(_) => visitor.$visit(1 as _),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Reading<'de> {
    type Error = Wrong;

    numbers! {
        deserialize_i8 => visit_i8 whole, deserialize_i16 => visit_i16 whole, deserialize_i32 => visit_i32 whole,
        deserialize_i64 => visit_i64 whole, deserialize_u8 => visit_u8 whole, deserialize_u16 => visit_u16 whole,
        deserialize_u32 => visit_u32 whole, deserialize_u64 => visit_u64 whole, deserialize_f32 => visit_f32 leaf,
        deserialize_f64 => visit_f64 leaf, deserialize_i128 => visit_i128 leaf, deserialize_u128 => visit_u128 leaf,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Reading::Word(word) => visitor.visit_str(word),
            Reading::Probe(_) => visitor.visit_unit(),
            Reading::Text(place) => match place.bracket() {
                b'[' => self.deserialize_seq(visitor),
                b'{' => self.deserialize_map(visitor),
                b'(' if matches!(place.node.what, What::Named(_)) => {
                    visitor.visit_map(Fields::Text(place.entries(true)))
                }
                b'(' => self.deserialize_tuple(0, visitor),
                _ => plain(place, visitor),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Reading::Text(place) => visitor.visit_bool(place.leaf()?),
            Reading::Word(word) => visitor.visit_str(word),
            Reading::Probe(_) => visitor.visit_bool(false),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Reading::Text(place) => visitor.visit_char(place.leaf()?),
            Reading::Word(word) => visitor.visit_str(word),
            Reading::Probe(_) => visitor.visit_char('a'),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Reading::Text(place) => visitor.visit_string(place.string()?),
            Reading::Word(word) => visitor.visit_str(word),
            Reading::Probe(_) => visitor.visit_str("a"),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.is_none() {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self {
            Reading::Text(place) if place.bracket() != b'(' || !place.node.entries().is_empty() => {
                Err(wrong(Code::ExpectedUnit))
            }
            _ => visitor.visit_unit(),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match &self {
            Reading::Text(place) if place.text() != name => self.deserialize_unit(visitor),
            _ => visitor.visit_unit(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self {
            Reading::Text(place) if name == crate::written::NAME => visitor.visit_str(place.text()),
            Reading::Text(place) => visitor.visit_newtype_struct(place.wrapped(name)?),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let mut items = self.list()?;
        let read = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(read)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Wrong> {
        let mut items = self.tuple(len)?;
        let read = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(read)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        if let Reading::Text(place) = self {
            place.titled(name)?;
            if place.bracket() != b'(' {
                return Err(wrong(Code::ExpectedNamedStructLike(name)));
            }
        }
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(self.map()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_map(self.fields((name, name), fields)?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        title: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(self.choice(title, variants)?)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_str(self.name())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }
}

/// A word, number or string for a type that takes any.
fn plain<'de, V: Visitor<'de>>(place: Place<'de>, visitor: V) -> Result<V::Value, Wrong> {
    let text = place.text();
    match text.bytes().next() {
        _ if text == "true" || text == "false" => visitor.visit_bool(text == "true"),
        _ if text == "None" => visitor.visit_none(),
        Some(b'"') => visitor.visit_string(place.string()?),
        Some(b'r') if text.ends_with(['"', '#']) => visitor.visit_string(place.string()?),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => match place.whole::<i64>() {
            Ok(number) => visitor.visit_i64(number),
            Err(_) => visitor.visit_f64(place.leaf()?),
        },
        _ => visitor.visit_str(text),
    }
}
