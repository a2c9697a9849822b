//! What does not fit.

use ron::Error as Code;
use serde::de;
use std::fmt;

/// What does not fit. Small, since every type hands it on.
#[derive(Debug)]
pub(crate) struct Wrong(pub(super) Box<Code>);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Wrong {}

#[cold]
pub(super) fn wrong(code: Code) -> Wrong {
    Wrong(Box::new(code))
}

impl de::Error for Wrong {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Wrong {
        wrong(Code::custom(message))
    }

    #[cold]
    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Wrong {
        wrong(Code::invalid_type(found, expected))
    }

    #[cold]
    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Wrong {
        wrong(Code::invalid_value(found, expected))
    }

    #[cold]
    fn invalid_length(length: usize, expected: &dyn de::Expected) -> Wrong {
        wrong(Code::invalid_length(length, expected))
    }

    #[cold]
    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Wrong {
        wrong(Code::unknown_variant(found, expected))
    }

    #[cold]
    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Wrong {
        wrong(Code::unknown_field(found, expected))
    }

    #[cold]
    fn missing_field(field: &'static str) -> Wrong {
        wrong(Code::missing_field(field))
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Wrong {
        wrong(Code::duplicate_field(field))
    }
}
