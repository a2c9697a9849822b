//! Luck between people: a seed that none of them chose and none of them knows.
//!
//! Everybody who has a hand in a game, the server included, draws 32 random bytes, a [`Share`], and shows its
//! [`Pledge`], a hash, before anybody shows anything else. Once all have pledged, the shares go to whoever rolls
//! the dice; the seed follows from all of them. Nobody can choose it, since nobody can change a share that is
//! pledged, and nobody but the one who rolls knows it, since the server's share stays secret. When the game
//! is over all shares are shown, and anybody can check pledges and seed: `cupola replay --verify` does.
//!
//! ```
//! use cupola_kernel::pledge::{Draw, Share};
//!
//! let (blue, grey, house) = (Share([1; 32]), Share([2; 32]), Share([3; 32]));
//! let mut draw = Draw::among(["us", "cs", "house"]);
//! draw.pledge("house", house.pledge("house"))?;
//! draw.pledge("us", blue.pledge("us"))?;
//! assert!(draw.reveal("us", blue).is_err(), "cs has not pledged yet");
//! draw.pledge("cs", grey.pledge("cs"))?;
//! draw.reveal("us", blue)?;
//! draw.reveal("house", house)?;
//! assert!(draw.reveal("cs", Share([9; 32])).is_err(), "not what cs pledged");
//! draw.reveal("cs", grey)?;
//! let seed = draw.seed().expect("all have shown their shares");
//! # let _ = seed;
//! # Ok::<(), cupola_kernel::pledge::PledgeError>(())
//! ```
//!
//! A host puts the draw into the journal's head ([`crate::Journal::draw`]) before the first choice. Everything is
//! text, so that a page can do its part in a line of script: a pledge is the SHA-256 of `cupola pledge 1`, the
//! name and the share in 64 hexadecimal digits, each followed by a line break; the seed is the first half of
//! the SHA-256 of `cupola seed 1` and a line `name share` for each, in order of names.

use crate::dice::Seed;
use crate::hash::sha256;
use std::collections::BTreeMap;
use std::fmt;

/// Random bytes of somebody who has a hand in a game; secret until it is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Share(pub [u8; 32]);

impl Share {
    /// What to show before anybody shows a share.
    #[must_use]
    pub fn pledge(&self, who: &str) -> Pledge {
        Pledge(sha256(
            format!("cupola pledge 1\n{who}\n{self}\n").as_bytes(),
        ))
    }

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Share> {
        from_hex(text).map(Share)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

impl fmt::Debug for Share {
    /// A share has no business in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Share(…)")
    }
}

/// The hash of a share: shows nothing of it and fits no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pledge(pub [u8; 32]);

impl Pledge {
    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Pledge> {
        from_hex(text).map(Pledge)
    }
}

impl fmt::Display for Pledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

/// Why a pledge or a share is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PledgeError {
    /// Nobody of that name has a hand in the game.
    Stranger(String),
    /// A pledge cannot be changed.
    Twice(String),
    /// Somebody has not pledged yet.
    Early(String),
    /// The share is not the one that was pledged.
    Broken(String),
}

impl fmt::Display for PledgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PledgeError::Stranger(who) => write!(f, "{who} has no hand in this seed"),
            PledgeError::Twice(who) => write!(f, "{who} has pledged already"),
            PledgeError::Early(who) => write!(f, "no share is taken before {who} has pledged"),
            PledgeError::Broken(who) => write!(f, "the share of {who} is not what was pledged"),
        }
    }
}
impl std::error::Error for PledgeError {}

/// Who has a hand in a seed, what they pledged and what they showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    hands: BTreeMap<String, (Option<Pledge>, Option<Share>)>,
}

impl Draw {
    /// A draw among these, by short names without spaces: the ids of the sides and `house`.
    pub fn among<'a>(who: impl IntoIterator<Item = &'a str>) -> Draw {
        let hands = who.into_iter().map(|who| (who.to_owned(), (None, None)));
        Draw {
            hands: hands.collect(),
        }
    }

    /// Takes a pledge.
    ///
    /// # Errors
    /// From a stranger, or a second one.
    pub fn pledge(&mut self, who: &str, pledge: Pledge) -> Result<(), PledgeError> {
        let hand = self.hands.get_mut(who);
        let hand = hand.ok_or_else(|| PledgeError::Stranger(who.to_owned()))?;
        match hand.0 {
            Some(known) if known != pledge => Err(PledgeError::Twice(who.to_owned())),
            _ => {
                hand.0 = Some(pledge);
                Ok(())
            }
        }
    }

    /// Takes a share.
    ///
    /// # Errors
    /// From a stranger, before all have pledged, or if it is not what was pledged.
    pub fn reveal(&mut self, who: &str, share: Share) -> Result<(), PledgeError> {
        if let Some(late) = self.waiting().next() {
            return Err(PledgeError::Early(late.to_owned()));
        }
        let hand = self.hands.get_mut(who);
        let hand = hand.ok_or_else(|| PledgeError::Stranger(who.to_owned()))?;
        if hand.0 != Some(share.pledge(who)) {
            return Err(PledgeError::Broken(who.to_owned()));
        }
        hand.1 = Some(share);
        Ok(())
    }

    /// Who has not pledged yet.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        let open = self.hands.iter().filter(|(_, hand)| hand.0.is_none());
        open.map(|(who, _)| who.as_str())
    }

    /// Whose share is not known yet.
    pub fn hidden(&self) -> impl Iterator<Item = &str> {
        let open = self.hands.iter().filter(|(_, hand)| hand.1.is_none());
        open.map(|(who, _)| who.as_str())
    }

    /// The seed, once all shares are known.
    #[must_use]
    pub fn seed(&self) -> Option<Seed> {
        let mut text = "cupola seed 1\n".to_owned();
        for (who, hand) in &self.hands {
            text.push_str(&format!("{who} {}\n", hand.1?));
        }
        let bytes = sha256(text.as_bytes());
        let half: [u8; 16] = bytes[..16].try_into().ok()?;
        Some(Seed(u128::from_be_bytes(half)))
    }

    /// The pledges, in order of names.
    pub fn pledges(&self) -> impl Iterator<Item = (&str, Pledge)> {
        let known = self.hands.iter();
        known.filter_map(|(who, hand)| Some((who.as_str(), hand.0?)))
    }

    /// The shares that are known, in order of names.
    pub fn shares(&self) -> impl Iterator<Item = (&str, Share)> {
        let known = self.hands.iter();
        known.filter_map(|(who, hand)| Some((who.as_str(), hand.1?)))
    }

    /// Whether everybody's share is known and the seed is the one that follows.
    ///
    /// # Errors
    /// What is not as it should be, in words.
    pub fn verify(&self, seed: Seed) -> Result<(), String> {
        let hidden: Vec<&str> = self.hidden().collect();
        if !hidden.is_empty() {
            let all = hidden.join(", ");
            return Err(format!("the shares of {all} were not shown"));
        }
        match self.seed() {
            Some(drawn) if drawn == seed => Ok(()),
            _ => Err("the seed does not follow from the shares".to_owned()),
        }
    }
}

fn hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw() -> Draw {
        let mut draw = Draw::among(["us", "house"]);
        for (who, byte) in [("us", 1), ("house", 2)] {
            draw.pledge(who, Share([byte; 32]).pledge(who))
                .expect("a first pledge");
        }
        draw
    }

    #[test]
    fn pledge_and_seed_are_the_same_everywhere() {
        // As `sha256sum` tells them: a page that does the same in a script must agree.
        assert_eq!(
            Share([0x11; 32]).pledge("us").to_string(),
            PLEDGE,
            "printf 'cupola pledge 1\\nus\\n1111…\\n' | sha256sum"
        );
        let mut draw = draw();
        draw.reveal("us", Share([1; 32])).expect("as pledged");
        assert_eq!(draw.seed(), None, "the house has shown nothing");
        draw.reveal("house", Share([2; 32])).expect("as pledged");
        assert_eq!(
            draw.seed().map(|seed| seed.to_string()).as_deref(),
            Some(SEED)
        );
    }
    const PLEDGE: &str = "1997fa3f954a201d3e2a36763c67c3ddf70d467b50a6a66163c82112957b101d";
    const SEED: &str = "ffe84e85e967794d462f5bc9056fdeb7";

    #[test]
    fn every_bit_of_every_share_counts() {
        let mut known = vec![];
        for bit in 0..256 {
            let mut bytes = [0; 32];
            bytes[bit / 8] ^= 1 << (bit % 8);
            let share = Share(bytes);
            let mut draw = Draw::among(["us"]);
            draw.pledge("us", share.pledge("us")).expect("first");
            draw.reveal("us", share).expect("as pledged");
            known.push(draw.seed());
        }
        known.sort_by_key(|seed| seed.map(|seed| seed.0));
        known.dedup();
        assert_eq!(known.len(), 256);
    }

    #[test]
    fn nobody_changes_a_pledge_or_shows_another_share() {
        let mut draw = draw();
        let other = Share([7; 32]);
        assert_eq!(
            draw.pledge("us", other.pledge("us")),
            Err(PledgeError::Twice("us".into()))
        );
        assert_eq!(
            draw.reveal("us", other),
            Err(PledgeError::Broken("us".into()))
        );
        // One who repeats another's pledge cannot show a share for it.
        let mut copied = Draw::among(["cs", "us"]);
        let pledge = other.pledge("us");
        copied.pledge("us", pledge).expect("first");
        copied.pledge("cs", pledge).expect("first");
        assert!(copied.reveal("cs", other).is_err());
        assert_eq!(
            draw.pledge("cs", pledge),
            Err(PledgeError::Stranger("cs".into()))
        );
    }

    #[test]
    fn a_seed_that_does_not_follow_is_told() {
        let mut draw = draw();
        assert!(
            draw.verify(Seed(1))
                .is_err_and(|why| why.contains("house, us"))
        );
        draw.reveal("us", Share([1; 32])).expect("as pledged");
        draw.reveal("house", Share([2; 32])).expect("as pledged");
        assert!(
            draw.verify(Seed(1))
                .is_err_and(|why| why.contains("does not follow"))
        );
        assert_eq!(draw.verify(draw.seed().expect("all")), Ok(()));
    }
}
