//! Secrets: 128 random bits, stored hashed.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// What only its holder knows.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn fresh() -> Result<Secret, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Secret(hex(&bytes)))
    }

    /// One that somebody shows; none if it cannot be one of ours.
    pub fn shown(text: &str) -> Option<Secret> {
        let fits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Secret(text.to_lowercase()))
    }

    /// What is stored. The secret has 128 random bits, so a plain hash cannot be guessed backwards.
    pub fn hashed(&self) -> String {
        hex(&Sha256::digest(self.0.as_bytes()))
    }

    /// To be shown once to its holder.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// A name for a game or a person: not secret, but not to be guessed either.
///
/// # Errors
/// If the system gives no random numbers.
pub(crate) fn fresh_id() -> Result<String, getrandom::Error> {
    // Letters that cannot be mistaken for each other.
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut bytes = [0; 10];
    getrandom::fill(&mut bytes)?;
    Ok(bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte & 31)]))
        .collect())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_what_is_stored() {
        let secret = Secret::fresh().unwrap();
        assert_eq!(secret.reveal().len(), 32);
        assert_ne!(secret.hashed(), secret.reveal());
        assert_eq!(
            Secret::shown(secret.reveal()).unwrap().hashed(),
            secret.hashed()
        );
        assert!(Secret::shown("short").is_none());
        assert!(Secret::shown(&"g".repeat(32)).is_none());
    }
}
