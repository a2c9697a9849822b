//! Things that choices name besides units and hexes.

use cupola_kernel::TokenId;

/// The names of all tokens, by number; the chief goes by his own.
#[must_use]
pub fn names(chief: &str) -> Vec<String> {
    let each = |what: &'static str| (1..=3).map(move |corps| format!("{what}-{corps}"));
    let rest = [chief, "reserves", "free-reserves"].map(str::to_owned);
    each("corps").chain(each("artillery")).chain(rest).collect()
}

/// A corps of the first side, 0 to 2.
#[must_use]
pub const fn corps(number: u8) -> TokenId {
    TokenId(number as u16)
}

/// The artillery of a corps of the first side, 0 to 2.
#[must_use]
pub const fn artillery(number: u8) -> TokenId {
    TokenId(3 + number as u16)
}

/// The corps whose artillery this is.
#[must_use]
pub const fn corps_of(artillery: TokenId) -> Option<u8> {
    match artillery.0 {
        3..=5 => Some(artillery.0 as u8 - 3),
        _ => None,
    }
}

/// The chief of the first side (§9.2).
pub const CHIEF: TokenId = TokenId(6);
/// Reserves for a morale point.
pub const RESERVES: TokenId = TokenId(7);
/// Reserves for nothing, by an event.
pub const FREE_RESERVES: TokenId = TokenId(8);
