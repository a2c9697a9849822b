//! Dice have addresses.
//!
//! A roll is a pure function of the game's seed and its *address*: the turn, the phase, the active
//! side, what the roll is for, for whom, and how many of that kind came before. It is not the next
//! value of a stream. So a rule that rolls once more does not shift every later roll, and two variants
//! with the same seed share their luck wherever they do the same thing.
//!
//! Rules roll through the [`Dice`] trait and cannot tell whether the dice are addressed, scripted by
//! a test case, or enumerated for exact odds (see [`crate::odds`]).

use crate::ids::{HexId, Side, TokenId, UnitId};
use crate::phase::Fault;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use std::fmt;
use std::hash::Hasher;

/// The secret from which every roll of a game follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub u128);

impl Seed {
    /// Reads up to 32 hexadecimal digits, as printed.
    #[must_use]
    pub fn parse(text: &str) -> Option<Seed> {
        (!text.is_empty() && text.len() <= 32)
            .then(|| u128::from_str_radix(text, 16).ok().map(Seed))
            .flatten()
    }

    /// The seed of the `index`-th game of a series.
    #[must_use]
    pub fn nth(self, index: u64) -> Seed {
        let half = |lane: u64| {
            let mut hasher = self.keyed();
            hasher.write_u64(index);
            hasher.write_u64(lane);
            u128::from(hasher.finish())
        };
        Seed(half(0) << 64 | half(1))
    }

    fn keyed(self) -> SipHasher13 {
        SipHasher13::new_with_keys((self.0 >> 64) as u64, self.0 as u64)
    }

    /// A number below `bound` that depends on the seed and the address alone.
    fn draw(self, address: u64, nth: u16, bound: u16) -> u16 {
        let mut hasher = self.keyed();
        hasher.write_u64(address);
        hasher.write_u16(nth);
        // Multiply and shift: for bounds this small the bias is below 2^-48.
        ((u128::from(hasher.finish()) * u128::from(bound)) >> 64) as u16
    }

    /// The key of a named thing in one draw.
    fn key(self, address: u64, nth: u16, name: u16) -> u64 {
        let mut hasher = self.keyed();
        hasher.write_u64(address);
        hasher.write_u16(nth);
        hasher.write_u16(name);
        hasher.finish()
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Whom a roll concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum About {
    /// Nobody in particular.
    Game,
    /// A side.
    Side(Side),
    /// A unit.
    Unit(UnitId),
    /// A hex.
    Hex(HexId),
    /// A card, chit or formation.
    Token(TokenId),
}

impl From<Side> for About {
    fn from(side: Side) -> Self {
        About::Side(side)
    }
}
impl From<UnitId> for About {
    fn from(unit: UnitId) -> Self {
        About::Unit(unit)
    }
}
impl From<HexId> for About {
    fn from(hex: HexId) -> Self {
        About::Hex(hex)
    }
}
impl From<TokenId> for About {
    fn from(token: TokenId) -> Self {
        About::Token(token)
    }
}

impl About {
    fn code(self) -> u32 {
        match self {
            About::Game => 0,
            About::Side(side) => 1 << 16 | side as u32,
            About::Unit(unit) => 2 << 16 | u32::from(unit.0),
            About::Hex(hex) => 3 << 16 | u32::from(hex.0),
            About::Token(token) => 4 << 16 | u32::from(token.0),
        }
    }
}

/// A source of dice.
pub trait Dice {
    /// A number from 1 to `sides`, rolled for this purpose and concerning `about`.
    fn roll(&mut self, sides: u16, purpose: &'static str, about: About) -> u16;

    /// A number from 1 to `count` that nobody at the table sees: a chit from a cup, a card from a deck.
    fn draw(&mut self, count: u16, purpose: &'static str, about: About) -> u16 {
        self.roll(count, purpose, about)
    }

    /// An index into `among`, drawn blindly: one of several things that have names of their own. Scripted and
    /// enumerated dice choose by position. Seeded dice choose by name: each thing has a key of its own at every
    /// draw, and the least wins. So one thing more or less changes only the draws in which it would be drawn.
    fn draw_from(&mut self, among: &[u16], purpose: &'static str, about: About) -> usize {
        usize::from(self.draw(among.len() as u16, purpose, about)) - 1
    }
}

impl dyn Dice + '_ {
    /// One six-sided die.
    pub fn d6(&mut self, purpose: &'static str, about: impl Into<About>) -> u8 {
        self.roll(6, purpose, about.into()) as u8
    }

    /// A ten-sided die read 0 to 9.
    pub fn d10(&mut self, purpose: &'static str, about: impl Into<About>) -> u8 {
        (self.roll(10, purpose, about.into()) - 1) as u8
    }

    /// An index below `count`, where position is all that there is; see [`Dice::draw_from`] for things with names.
    pub fn pick(&mut self, count: usize, purpose: &'static str, about: impl Into<About>) -> usize {
        usize::from(self.draw(count as u16, purpose, about.into())) - 1
    }
}

/// When a roll happens: part of every address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// The turn.
    pub turn: u16,
    /// The phase's name, hashed: a variant that reorders phases keeps their dice.
    pub phase: u64,
    /// The active side, or 2 for none.
    pub side: u8,
}

/// How often each address was rolled in the current phase. Part of the game's state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    when: When,
    seen: Vec<(u64, u16)>,
    /// Rolls made in the whole game: tells whether a step can be undone.
    pub(crate) rolls: u32,
}

impl Ledger {
    /// Starts a new phase; the counts of the last one cannot be met again.
    pub(crate) fn open(&mut self, when: When) {
        self.when = when;
        self.seen.clear();
    }

    fn nth(&mut self, address: u64) -> u16 {
        self.rolls += 1;
        match self.seen.iter_mut().find(|(known, _)| *known == address) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.seen.push((address, 0));
                0
            }
        }
    }

    fn address(&self, sides: u16, purpose: &str, about: About) -> u64 {
        let mut hasher = SipHasher13::new();
        hasher.write_u16(self.when.turn);
        hasher.write_u64(self.when.phase);
        hasher.write_u8(self.when.side);
        hasher.write_u16(sides);
        hasher.write_u32(about.code());
        hasher.write(purpose.as_bytes());
        hasher.finish()
    }
}

/// Where a game's dice come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shaker {
    /// From the seed and the address.
    Seeded(Seed),
    /// From a list, in order: test cases.
    Scripted {
        /// The values to come.
        values: Vec<u16>,
        /// How many of them are used.
        used: usize,
    },
    /// Rolls from a list, in order, as they fell on somebody's table; what nobody at the table sees still follows from the
    /// seed, since nobody could type it in.
    Typed {
        /// What is drawn blindly.
        seed: Seed,
        /// The values to come.
        values: Vec<u16>,
        /// How many of them are used.
        used: usize,
    },
}

/// Dice rolled for good.
pub(crate) struct Rolled<'a> {
    pub source: &'a mut Shaker,
    pub ledger: &'a mut Ledger,
    pub fault: &'a mut Option<Fault>,
    pub record: Option<&'a mut Vec<RollRecord>>,
}

/// Dice apart from any game: for choosing at random, sampling what could be, and measuring odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose {
    seed: Seed,
    rolled: u64,
}

impl Loose {
    /// Dice that fall as this seed has it.
    #[must_use]
    pub const fn new(seed: Seed) -> Loose {
        Loose { seed, rolled: 0 }
    }
}

impl Dice for Loose {
    fn roll(&mut self, sides: u16, _: &'static str, _: About) -> u16 {
        self.rolled += 1;
        1 + self.seed.draw(self.rolled, 0, sides)
    }
}

/// One roll as it fell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RollRecord {
    /// Where it was rolled: when, for whom and what for, in one number. Rolls of one address are
    /// told apart by their order.
    #[serde(skip)]
    pub address: u64,
    /// What it was for.
    pub purpose: &'static str,
    /// The faces of the die.
    pub sides: u16,
    /// What it showed.
    pub value: u16,
    /// Drawn, not rolled on the table: those who watch do not see the value.
    #[serde(skip)]
    pub blind: bool,
}

impl Rolled<'_> {
    /// The next value of a list. If it does not fit, the step fails with the first such fault; until
    /// it ends the dice fall somehow, and each time differently, so that rules which roll until something
    /// comes up come to an end.
    fn listed(&mut self, sides: u16, purpose: &'static str, (address, nth): (u64, u16)) -> u16 {
        let (kind, values, used) = match self.source {
            Shaker::Seeded(_) => return 1,
            Shaker::Scripted { values, used } => ("scripted", values, used),
            Shaker::Typed { values, used, .. } => ("typed", values, used),
        };
        let wrong = match values.get(*used) {
            Some(value) if (1..=sides).contains(value) => {
                *used += 1;
                return *value;
            }
            Some(value) => Fault::Dice(format!(
                "{kind} die {} is {value}, but {purpose} wants 1 to {sides}",
                *used + 1
            )),
            None if kind == "typed" => Fault::Wanted { sides, purpose },
            None => Fault::Dice(format!(
                "the script has {} dice, and {purpose} wants one more",
                values.len()
            )),
        };
        self.fault.get_or_insert(wrong);
        1 + Seed(0).draw(address, nth, sides)
    }

    fn fall(&mut self, sides: u16, purpose: &'static str, about: About, blind: bool) -> u16 {
        let address = self.ledger.address(sides, purpose, about);
        let nth = self.ledger.nth(address);
        let value = match self.source {
            Shaker::Seeded(seed) => 1 + seed.draw(address, nth, sides),
            Shaker::Typed { seed, .. } if blind => 1 + seed.draw(address, nth, sides),
            _ => self.listed(sides, purpose, (address, nth)),
        };
        self.note(address, purpose, sides, value, blind);
        value
    }

    fn note(&mut self, address: u64, purpose: &'static str, sides: u16, value: u16, blind: bool) {
        if let Some(record) = &mut self.record {
            record.push(RollRecord {
                address,
                purpose,
                sides,
                value,
                blind,
            });
        }
    }
}

impl Dice for Rolled<'_> {
    fn roll(&mut self, sides: u16, purpose: &'static str, about: About) -> u16 {
        self.fall(sides, purpose, about, false)
    }

    fn draw(&mut self, count: u16, purpose: &'static str, about: About) -> u16 {
        self.fall(count, purpose, about, true)
    }

    fn draw_from(&mut self, among: &[u16], purpose: &'static str, about: About) -> usize {
        let count = among.len() as u16;
        // How many there are is no part of the address: it is what must not matter.
        let address = self.ledger.address(0, purpose, about);
        let nth = self.ledger.nth(address);
        let at = match self.source {
            Shaker::Seeded(seed) | Shaker::Typed { seed, .. } => {
                let keys = among.iter().map(|&name| seed.key(address, nth, name));
                let least = keys.enumerate().min_by_key(|&(_, key)| key);
                least.map_or(0, |(at, _)| at)
            }
            Shaker::Scripted { .. } => usize::from(self.listed(count, purpose, (address, nth))) - 1,
        };
        self.note(address, purpose, count, at as u16 + 1, true);
        at
    }
}

/// Hashes a phase's name for [`When`].
pub(crate) fn name_code(name: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls(ledger: &mut Ledger, wanted: &[(&'static str, About)]) -> Vec<u16> {
        let (mut source, mut fault) = (Shaker::Seeded(Seed(7)), None);
        let mut dice = Rolled {
            source: &mut source,
            ledger,
            fault: &mut fault,
            record: None,
        };
        wanted
            .iter()
            .map(|&(purpose, about)| dice.roll(6, purpose, about))
            .collect()
    }

    #[test]
    fn another_roll_between_does_not_shift_the_rest() {
        let unit = About::Unit(UnitId(3));
        let alone = rolls(
            &mut Ledger::default(),
            &[("combat", unit), ("combat", unit), ("rally", unit)],
        );
        let mixed = rolls(
            &mut Ledger::default(),
            &[
                ("combat", unit),
                ("hazard", unit),
                ("combat", unit),
                ("hazard", About::Game),
                ("rally", unit),
            ],
        );
        assert_eq!(alone, [mixed[0], mixed[2], mixed[4]]);
    }

    /// Draws of all of these one after the other, each out for good.
    fn order(seed: u128, mut names: Vec<u16>) -> Vec<u16> {
        let (mut source, mut ledger) = (Shaker::Seeded(Seed(seed)), Ledger::default());
        let mut fault = None;
        let mut dice = Rolled {
            source: &mut source,
            ledger: &mut ledger,
            fault: &mut fault,
            record: None,
        };
        let mut order = vec![];
        while !names.is_empty() {
            let at = dice.draw_from(&names, "chit", About::Game);
            order.push(names.remove(at));
        }
        order
    }

    #[test]
    fn one_thing_more_leaves_most_draws_as_they_were() {
        let (mut same, mut all) = (0, 0);
        for seed in 0..200 {
            let few = order(seed, (0..12).collect());
            let more = order(seed, (0..13).collect());
            same += few.iter().zip(&more).filter(|(a, b)| a == b).count();
            all += few.len();
        }
        // By position nearly every draw after the first that differs would be another one.
        assert!(same * 10 > all * 7, "{same} of {all}");
    }

    #[test]
    fn every_thing_is_drawn_first_about_as_often() {
        let mut counts = [0u32; 10];
        for seed in 0..5000 {
            counts[usize::from(order(seed, (0..10).collect())[0])] += 1;
        }
        // Nine degrees of freedom: 27.9 is passed by chance once in a thousand.
        let chi: f64 = counts
            .iter()
            .map(|&n| (f64::from(n) - 500.0).powi(2) / 500.0)
            .sum();
        assert!(chi < 27.9, "{counts:?}");
    }

    #[test]
    fn scripted_draws_are_by_position() {
        let (mut ledger, mut fault) = (Ledger::default(), None);
        let mut source = Shaker::Scripted {
            values: vec![2, 4],
            used: 0,
        };
        let mut dice = Rolled {
            source: &mut source,
            ledger: &mut ledger,
            fault: &mut fault,
            record: None,
        };
        assert_eq!(dice.draw_from(&[7, 8, 9], "chit", About::Game), 1);
        dice.draw_from(&[7, 9], "chit", About::Game);
        let fault = fault.map(|fault| fault.to_string());
        assert!(fault.is_some_and(|why| why.contains("chit wants 1 to 2")));
    }

    #[test]
    fn typed_dice_are_rolled_and_what_is_drawn_blindly_follows_from_the_seed() {
        let drawn = |source: Shaker| {
            let (mut source, mut ledger, mut fault) = (source, Ledger::default(), None);
            let mut dice = Rolled {
                source: &mut source,
                ledger: &mut ledger,
                fault: &mut fault,
                record: None,
            };
            let chit = dice.draw_from(&[7, 8, 9, 11, 12], "chit", About::Game);
            let card = dice.draw(40, "card", About::Game);
            let rolled = dice.roll(6, "combat", About::Game);
            (chit, card, rolled, fault)
        };
        let typed = |values| Shaker::Typed {
            seed: Seed(7),
            values,
            used: 0,
        };
        let (chit, card, rolled, fault) = drawn(typed(vec![5]));
        let (seeded_chit, seeded_card, ..) = drawn(Shaker::Seeded(Seed(7)));
        assert_eq!(
            (chit, card, rolled, fault),
            (seeded_chit, seeded_card, 5, None)
        );
        let (.., fault) = drawn(typed(vec![]));
        let wanted = Fault::Wanted {
            sides: 6,
            purpose: "combat",
        };
        assert_eq!(fault, Some(wanted));
        let (.., fault) = drawn(typed(vec![9]));
        assert!(fault.is_some_and(|why| why.to_string().contains("typed die 1 is 9")));
    }

    #[test]
    fn every_face_comes_up_about_as_often() {
        let mut ledger = Ledger::default();
        let mut counts = [0u32; 6];
        for turn in 0..6000 {
            ledger.open(When {
                turn,
                ..When::default()
            });
            counts[usize::from(rolls(&mut ledger, &[("combat", About::Game)])[0]) - 1] += 1;
        }
        // Five degrees of freedom: 20.5 is passed by chance once in a thousand.
        let chi: f64 = counts
            .iter()
            .map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    #[test]
    fn a_script_that_runs_out_or_does_not_fit_is_a_fault() {
        let mut ledger = Ledger::default();
        let (mut source, mut fault) = (
            Shaker::Scripted {
                values: vec![5, 9],
                used: 0,
            },
            None,
        );
        let mut dice = Rolled {
            source: &mut source,
            ledger: &mut ledger,
            fault: &mut fault,
            record: None,
        };
        assert_eq!(dice.roll(6, "combat", About::Game), 5);
        dice.roll(6, "combat", About::Game);
        assert!(fault.unwrap().to_string().contains("scripted die 2 is 9"));
    }

    #[test]
    fn rules_that_roll_until_something_comes_up_end_when_the_script_does() {
        for values in [vec![], vec![3, 3], vec![3, 9]] {
            let (mut ledger, mut fault) = (Ledger::default(), None);
            let mut source = Shaker::Scripted { values, used: 0 };
            let mut dice = Rolled {
                source: &mut source,
                ledger: &mut ledger,
                fault: &mut fault,
                record: None,
            };
            // Ties are rolled again; then again until a six.
            while dice.roll(6, "tie", About::Side(Side::First))
                == dice.roll(6, "tie", About::Side(Side::Second))
            {}
            while dice.roll(6, "six", About::Game) != 6 {}
            let fault = fault.unwrap().to_string();
            assert!(fault.contains("tie"), "the first that was missing: {fault}");
        }
    }

    #[test]
    fn seeds_of_a_series_differ_and_print_as_they_parse() {
        let series: Vec<_> = (0..100).map(|i| Seed(1).nth(i)).collect();
        assert!(
            series
                .iter()
                .enumerate()
                .all(|(i, a)| series[..i].iter().all(|b| a != b))
        );
        assert_eq!(Seed::parse(&series[3].to_string()), Some(series[3]));
        assert_eq!(Seed::parse("not hex"), None);
    }
}
