//! Hashes of states and files: the same on every machine.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use siphasher::sip128::{Hasher128, SipHasher24};
use std::fmt;
use std::hash::Hasher;

/// A 128-bit hash. It guards against accidents and drift, not against forgery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StateHash(pub u128);

impl StateHash {
    /// Reads 32 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<StateHash> {
        (text.len() == 32)
            .then(|| u128::from_str_radix(text, 16).ok().map(StateHash))
            .flatten()
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The SHA-256 of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Half of the SHA-256 of bytes: for what people may want to forge, and is not hashed at every step.
#[must_use]
pub fn digest(bytes: &[u8]) -> StateHash {
    let bytes = sha256(bytes);
    let half = bytes[..16].iter();
    StateHash(half.fold(0, |sum, byte| sum << 8 | u128::from(*byte)))
}

/// Hashes bytes, fast.
#[must_use]
pub fn hash_bytes(bytes: &[u8]) -> StateHash {
    let mut hasher = SipHasher24::new_with_keys(0x6375_706f_6c61, 1863);
    hasher.write(bytes);
    StateHash(hasher.finish128().as_u128())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fixed_for_all_time_and_machines() {
        assert_eq!(
            hash_bytes(b"Seminary Ridge").to_string(),
            "8996325d523a6d630814ea2d7b5b6de2"
        );
        // As `printf 'Seminary Ridge' | sha256sum` begins.
        assert_eq!(
            digest(b"Seminary Ridge").to_string(),
            "9aacd909db76ab3298429695472aff67"
        );
        assert_eq!(
            StateHash::parse(&hash_bytes(b"x").to_string()),
            Some(hash_bytes(b"x"))
        );
    }
}
