//! What can be chosen.
//!
//! An [`Act`] is one answer to a decision: a verb and what it names. It is small and `Copy`, so that a
//! list of options costs little; texts are made only when somebody reads them. Ruleset code does not
//! write acts by hand: [`acts!`](crate::acts) declares an enum per phase and converts both ways.

use crate::ids::{HexId, Side, TokenId, UnitId};
use serde::{Deserialize, Serialize};

/// One thing that an act names.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Arg {
    /// Nothing.
    #[default]
    None,
    /// A unit.
    Unit(UnitId),
    /// A hex.
    Hex(HexId),
    /// A side.
    Side(Side),
    /// A card, chit, marker or formation.
    Token(TokenId),
    /// A number.
    Number(i16),
}

/// One answer to a decision. Acts order by verb, then by what they name.
///
/// Two machine words wide: long lists of them are copied a word at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(align(8))]
pub struct Act {
    /// Index of the verb in the phase's list of verbs.
    pub verb: u8,
    /// What it names.
    pub args: [Arg; 3],
}

/// A type that can stand in an act.
pub trait ArgValue: Copy {
    /// As an argument.
    fn to_arg(self) -> Arg;
    /// Back from an argument.
    fn from_arg(arg: Arg) -> Option<Self>;
}

macro_rules! arg_value {
    ($($type:ty => $variant:ident),*) => {$(
        impl ArgValue for $type {
            #[inline]
            fn to_arg(self) -> Arg {
                Arg::$variant(self)
            }
            fn from_arg(arg: Arg) -> Option<Self> {
                match arg {
                    Arg::$variant(value) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}
arg_value!(UnitId => Unit, HexId => Hex, Side => Side, TokenId => Token, i16 => Number);

/// An enum of acts: what [`acts!`](crate::acts) declares.
pub trait Acts: Copy {
    /// The verbs, in the order of the variants.
    const VERBS: &'static [&'static str];
    /// As an act.
    fn act(self) -> Act;
    /// Back from an act of the same phase.
    fn from_act(act: Act) -> Option<Self>;
}

/// Declares the answers of a phase: an enum whose variants carry up to three named things, each with
/// the verb by which journals and people know it.
///
/// ```
/// use cupola_kernel::{acts, Acts, HexId, UnitId};
/// acts! {
///     /// Answers while moving.
///     pub enum Move {
///         /// Move this unit next.
///         Pick(unit: UnitId) = "unit",
///         /// Move it there.
///         To(unit: UnitId, hex: HexId) = "move",
///         /// Leave the rest where they are.
///         Done = "done",
///     }
/// }
/// let act = Move::To(UnitId(3), HexId(40)).act();
/// assert_eq!(Move::VERBS, ["unit", "move", "done"]);
/// assert!(matches!(Move::from_act(act), Some(Move::To(UnitId(3), HexId(40)))));
/// let surplus = cupola_kernel::Act { verb: 0, ..act };
/// assert!(Move::from_act(surplus).is_none(), "“unit” names a unit and nothing else");
/// ```
#[macro_export]
macro_rules! acts {
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident {
            $( $(#[$vmeta:meta])* $variant:ident $( ( $($field:ident : $type:ty),+ ) )? = $verb:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $( $(#[$vmeta])* $variant $( ( $($type),+ ) )? ),+ }

        impl $crate::Acts for $name {
            const VERBS: &'static [&'static str] = &[ $($verb),+ ];

            fn act(self) -> $crate::Act {
                let mut args = [$crate::Arg::None; 3];
                let verb = match self {
                    $( $name::$variant $( ( $($field),+ ) )? => {
                        $( let values = [ $( $crate::ArgValue::to_arg($field) ),+ ];
                           args[..values.len()].copy_from_slice(&values); )?
                        const { $crate::act::verb_index(<$name as $crate::Acts>::VERBS, $verb) }
                    } )+
                };
                $crate::Act { verb, args }
            }

            #[allow(unused_mut, unused_variables, reason = "variants without fields read no arguments")]
            fn from_act(act: $crate::Act) -> Option<Self> {
                let mut args = act.args.into_iter();
                $( if act.verb == const { $crate::act::verb_index(<$name as $crate::Acts>::VERBS, $verb) } {
                    let answer = $name::$variant $( ( $( {
                        let value: $type = $crate::ArgValue::from_arg(args.next()?)?;
                        value
                    } ),+ ) )?;
                    // What names too much is no answer.
                    return args.all(|arg| arg == $crate::Arg::None).then_some(answer);
                } )+
                None
            }
        }
    };
}

/// The index of a verb; `acts!` guarantees that it is listed.
#[doc(hidden)]
#[must_use]
pub const fn verb_index(verbs: &[&str], verb: &str) -> u8 {
    let mut i = 0;
    while i < verbs.len() {
        if same(verbs[i].as_bytes(), verb.as_bytes()) {
            return i as u8;
        }
        i += 1;
    }
    u8::MAX
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
