//! Where a number comes from.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The birth certificate of a number.
///
/// In RON: `printed("003 O")`, `derived("men / 600, rounded up")`,
/// `house("nothing printed; plays well")`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Read in a seed: which one, and which section of it.
    Printed(String),
    /// Follows from something printed: by which rule, from what.
    Derived(String),
    /// Our own, because nothing is printed: and why so.
    House(String),
}

impl Origin {
    /// The citation, rule or reason itself.
    pub fn text(&self) -> &str {
        match self {
            Origin::Printed(text) | Origin::Derived(text) | Origin::House(text) => text,
        }
    }

    /// The kind of origin in one word: `printed`, `derived` or `house`.
    pub fn kind(&self) -> &'static str {
        match self {
            Origin::Printed(_) => "printed",
            Origin::Derived(_) => "derived",
            Origin::House(_) => "house",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), self.text())
    }
}

/// A value and its origin; in RON a pair, `(4, printed("002 7.7"))`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sourced<T>(pub T, pub Origin);

impl<T> Sourced<T> {
    /// The same origin with another form of the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced(change(self.0), self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Sourced};

    #[test]
    fn a_sourced_number_is_a_pair_in_ron() {
        let source = crate::Source::new("x.ron", r#"(4, printed("002 7.7"))"#);
        let value: Sourced<u8> = source.ron().unwrap();
        assert_eq!(value, Sourced(4, Origin::Printed("002 7.7".into())));
        assert_eq!(value.1.to_string(), "printed: 002 7.7");
    }
}
