//! What a library was built from and how, readable before it is opened.
//!
//! The record stands in the library's read-only data: a mark, a length, and lines of `field value`. The
//! loader looks for the mark in the bytes of the file, so it needs to know nothing of file formats, and
//! `strings` shows it to people.

use crate::error::Difference;
use std::fmt;

/// The epoch of the C interface: raised when [`crate::library::Entry`] changes.
pub(crate) const EPOCH: u32 = 1;

/// What the build script knows, and what only the compiler knows.
#[cfg(debug_assertions)]
pub(crate) const TEXT: &str = concat!(
    "abi 1\n",
    include_str!(concat!(env!("OUT_DIR"), "/fingerprint.txt")),
    "debug-assertions on\n"
);
#[cfg(not(debug_assertions))]
pub(crate) const TEXT: &str = concat!(
    "abi 1\n",
    include_str!(concat!(env!("OUT_DIR"), "/fingerprint.txt")),
    "debug-assertions off\n"
);

/// What a record begins with; no text has these bytes in a row by chance.
pub(crate) const MARK: [u8; 16] = *b"\x93cupola\x00plugin\x1a\x0a";

/// The mark and the length.
pub(crate) const HEAD: usize = MARK.len() + 4;

/// No record is as long as this; a longer one is no record.
const LONGEST: usize = 1 << 16;

/// The fields of a fingerprint in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    fields: Vec<(String, String)>,
}

impl Fingerprint {
    /// The fingerprint of this program.
    #[must_use]
    pub fn own() -> Fingerprint {
        Fingerprint::parse(TEXT)
    }

    fn parse(text: &str) -> Fingerprint {
        let pair = |line: &str| {
            let (field, value) = line.split_once(' ').unwrap_or((line, ""));
            (field.to_owned(), value.to_owned())
        };
        Fingerprint {
            fields: text.lines().map(pair).collect(),
        }
    }

    /// The fingerprints in the bytes of a file, each once. A library has exactly one.
    pub(crate) fn find(bytes: &[u8]) -> Vec<Fingerprint> {
        let mut found = vec![];
        let mut from = 0;
        while let Some(at) = bytes[from..].iter().position(|byte| *byte == MARK[0]) {
            from += at;
            if let Some(fingerprint) = Fingerprint::at(&bytes[from..])
                && !found.contains(&fingerprint)
            {
                found.push(fingerprint);
            }
            from += 1;
        }
        found
    }

    /// The fingerprint of the record that begins here, if one does.
    pub(crate) fn at(bytes: &[u8]) -> Option<Fingerprint> {
        let rest = bytes.strip_prefix(&MARK)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let text = rest.get(..length).filter(|_| length <= LONGEST)?;
        Some(Fingerprint::parse(std::str::from_utf8(text).ok()?))
    }

    /// A field, such as `compiler`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All fields in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields
            .iter()
            .map(|(field, value)| (field.as_str(), value.as_str()))
    }

    /// Where a library's fingerprint differs from this program's.
    pub(crate) fn differences(&self, program: &Fingerprint) -> Vec<Difference> {
        let value =
            |side: &Fingerprint, name: &str| side.field(name).unwrap_or("nothing").to_owned();
        let extra = self
            .fields()
            .filter(|(name, _)| program.field(name).is_none());
        let mut differences = vec![];
        for (name, _) in program.fields().chain(extra) {
            let (library, own) = (value(self, name), value(program, name));
            if library != own {
                differences.push(Difference {
                    field: name.to_owned(),
                    library,
                    program: own,
                });
            }
        }
        differences
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fields()
            .try_for_each(|(field, value)| writeln!(f, "{field} {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::RECORD;

    #[test]
    fn the_own_fingerprint_has_every_field() {
        let own = Fingerprint::own();
        assert_eq!(own.field("abi"), Some(EPOCH.to_string().as_str()));
        for field in [
            "compiler",
            "commit",
            "target",
            "target-features",
            "opt-level",
            "debug-info",
            "panic",
            "rustflags",
            "features",
            "cupola-kernel",
            "cupola-ground",
            "cupola-army",
            "cupola-data",
            "cupola-plugin",
            "bevy_ecs",
            "dependencies",
            "debug-assertions",
        ] {
            assert!(
                own.field(field).is_some_and(|v| !v.is_empty()),
                "{field}\n{own}"
            );
        }
    }

    #[test]
    fn a_record_is_found_anywhere_and_half_a_record_is_not() {
        let own = Fingerprint::own();
        let mut file = vec![MARK[0]; 99];
        file.extend_from_slice(&RECORD);
        file.extend_from_slice(b"and so on");
        assert_eq!(Fingerprint::find(&file), [own]);
        assert_eq!(Fingerprint::find(&file[..99 + RECORD.len() - 1]), []);
        assert_eq!(Fingerprint::find(&MARK), []);
        assert_eq!(Fingerprint::find(b""), []);
    }

    #[test]
    fn a_difference_names_the_field_and_both_values() {
        let own = Fingerprint::parse("abi 1\ntarget here\npanic unwind\n");
        let other = Fingerprint::parse("abi 1\ntarget there\ncolour red\n");
        let told: Vec<String> = other
            .differences(&own)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "target: there in the library, here in the program",
                "panic: nothing in the library, unwind in the program",
                "colour: red in the library, nothing in the program",
            ]
        );
    }
}
