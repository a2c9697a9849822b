//! The words in which scripts and lines of variants ask about a unit.

/// The words of a ruleset, each with its answer: makes `QUESTIONS`, which lists them, and `of_unit`, which answers. So no
/// word is listed that has no answer, and none is answered that is not listed.
///
/// ```
/// cupola_kit::words! {
///     /// Men who are left.
///     "men" => |t, unit| i64::from(t.info(unit).men),
///     "on_map" => |t, unit| t.hex(unit).is_some(),
/// }
/// assert_eq!(QUESTIONS, ["men", "on_map"]);
/// ```
#[macro_export]
macro_rules! words {
    ($($(#[doc = $doc:literal])* $word:literal => |$t:ident, $unit:ident| $answer:expr,)*) => {
        /// The words in which scripts may ask about a unit.
        pub const QUESTIONS: &[&str] = &[$($word),*];

        /// Answers a script about a unit.
        #[must_use]
        pub fn of_unit(
            t: &$crate::Table,
            what: &str,
            unit: $crate::UnitId,
        ) -> Option<$crate::Fact> {
            match what {
                $($word => {
                    let ($t, $unit) = (t, unit);
                    Some($crate::Fact::from($answer))
                })*
                _ => None,
            }
        }
    };
}

/// Answers a script that asks about one unit with words made by [`words!`](crate::words).
#[must_use]
pub fn about_unit(
    table: &cupola_kernel::Table,
    what: &str,
    about: &[cupola_kernel::Arg],
    of_unit: fn(&cupola_kernel::Table, &str, cupola_kernel::UnitId) -> Option<cupola_kernel::Fact>,
) -> Option<cupola_kernel::Fact> {
    match *about {
        [cupola_kernel::Arg::Unit(unit)] => of_unit(table, what, unit),
        _ => None,
    }
}
