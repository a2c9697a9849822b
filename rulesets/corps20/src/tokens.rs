//! Things that choices name besides units and hexes.

use cupola_kernel::TokenId;

/// The names of all tokens, by number.
pub const NAMES: [&str; 9] = [
    "corps-1",
    "corps-2",
    "corps-3",
    "artillery-1",
    "artillery-2",
    "artillery-3",
    "lee",
    "reserves",
    "free-reserves",
];

/// A Confederate corps, 0 to 2.
#[must_use]
pub const fn corps(number: u8) -> TokenId {
    TokenId(number as u16)
}

/// The artillery of a Confederate corps, 0 to 2.
#[must_use]
pub const fn artillery(number: u8) -> TokenId {
    TokenId(3 + number as u16)
}

/// Lee.
pub const LEE: TokenId = TokenId(6);
/// Reserves for a morale point.
pub const RESERVES: TokenId = TokenId(7);
/// Reserves for nothing, by an event.
pub const FREE_RESERVES: TokenId = TokenId(8);
