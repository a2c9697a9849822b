//! A value as it is written, whatever its type.

use ron::value::RawValue;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A value as it is written in a file: a number, a word, a whole struct. Whoever puts it in its place lets the
/// reader of that place say whether it fits.
///
/// ```
/// use cupola_data::{Source, Written};
/// #[derive(serde::Deserialize)]
/// struct Change { to: Written }
/// let change: Change = Source::new("x.ron", r#"(to: at("F2", 2))"#).ron().unwrap();
/// assert_eq!(change.to.to_string(), r#"at("F2", 2)"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written(pub String);

impl Written {
    /// The same in one line, without comments.
    #[must_use]
    pub fn plain(&self) -> String {
        crate::plain(&self.0)
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plain())
    }
}

/// The name by which a reader of texts knows that the value is wanted as it stands.
pub(crate) const NAME: &str = "cupola::Written";

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Written, D::Error> {
        struct AsItStands;
        impl Visitor<'_> for AsItStands {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value of a RON text")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Written, E> {
                Ok(Written(text.to_owned()))
            }
        }
        deserializer.deserialize_newtype_struct(NAME, AsItStands)
    }
}

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match RawValue::from_ron(&self.0) {
            Ok(raw) => raw.serialize(serializer),
            Err(_) => self.0.serialize(serializer),
        }
    }
}
