//! What a script may use at most, each time that it is called.

/// Steps: about a millisecond's work.
pub const STEPS: u64 = 100_000;
/// Functions that call functions.
pub const DEPTH: usize = 24;
/// Letters of a text.
pub const LETTERS: usize = 4_096;
/// Things in a list, those in lists in it included: so that is how deep lists may lie in each other, and what copies or
/// compares them needs stack for each.
pub const THINGS: usize = 1_000;
/// Things in a map.
pub const NAMES: usize = 256;
/// Variables at a time.
pub const VARIABLES: usize = 128;
/// Functions in a script.
pub const FUNCTIONS: usize = 64;
/// How deep expressions may be nested.
pub const NESTING: usize = 48;
/// Dice in one call.
pub const DICE: usize = 24;
/// Ways in which the dice of a fight may fall: whoever wants to know the odds walks them all.
pub const WAYS: u64 = 10_000;
/// Different purposes of dice in one script.
pub const PURPOSES: usize = 64;
/// Letters of a script.
pub const TEXT: usize = 64 * 1024;
