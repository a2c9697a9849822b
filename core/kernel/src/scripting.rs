//! Rules that are text: what the kernel asks of a language of scripts, and what scripts ask of a ruleset.
//!
//! The kernel knows no language. A crate that does submits a [`Language`]; a composition then names scripts where it
//! names phases and combat systems, by their file (`charge.rhai`), and adds single lines to a fight.

use crate::combat::{Combat, Fight, Modifiers};
use crate::identity::Code;
use crate::ids::{HexId, Side, UnitId};
use crate::phase::{Fault, Phase};
use crate::table::Table;
use cupola_data::{Problems, Source};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The ending of a script's name.
pub const SCRIPT: &str = ".rhai";

/// Makes parts of rules of their text.
pub trait Scripting: Send + Sync {
    /// A phase.
    ///
    /// # Errors
    /// What is wrong with the script, with its line.
    fn phase(&self, script: &Source) -> Result<Arc<dyn Phase>, Problems>;

    /// A combat system.
    ///
    /// # Errors
    /// What is wrong with the script, with its line.
    fn combat(&self, script: &Source) -> Result<Arc<dyn Combat>, Problems>;

    /// A line that adds to a fight, and the role of the combat system that it is about.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn modifier(&self, line: &str) -> Result<(String, Arc<dyn Rider>), String>;
}

/// A language of scripts that is linked into the program.
pub struct Language {
    /// What reads it.
    pub scripting: &'static dyn Scripting,
    /// The code that it is compiled from: part of what rules are that use it.
    pub code: Code,
}
inventory::collect!(Language);

/// Something that is added to what counts in a fight, whatever the combat system.
pub trait Rider: Send + Sync {
    /// What it adds.
    ///
    /// # Errors
    /// If it cannot say.
    fn modifiers(&self, table: &Table, fight: &Fight) -> Result<Modifiers, Fault>;

    /// Whether every word that it asks of units and hexes is one that they have, or one of the questions that the
    /// ruleset answers.
    ///
    /// # Errors
    /// The word that is not, with the nearest.
    fn spelt(&self, ruleset: &str, questions: &[&str]) -> Result<(), Fault> {
        let _ = (ruleset, questions);
        Ok(())
    }
}

/// What a ruleset answers to a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// There is none.
    Nothing,
    /// A number.
    Number(i64),
    /// Yes or no.
    Yes(bool),
    /// A text.
    Text(String),
    /// A unit.
    Unit(UnitId),
    /// A hex.
    Hex(HexId),
    /// A side.
    Side(Side),
    /// Several.
    List(Vec<Fact>),
}

impl From<i64> for Fact {
    fn from(number: i64) -> Fact {
        Fact::Number(number)
    }
}
impl From<bool> for Fact {
    fn from(yes: bool) -> Fact {
        Fact::Yes(yes)
    }
}
impl From<String> for Fact {
    fn from(text: String) -> Fact {
        Fact::Text(text)
    }
}

/// The scripts of a variant: names of files that lie beside it, or, once it was read, their texts. In a journal there
/// are the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Scripts {
    /// Texts by name.
    pub texts: BTreeMap<String, String>,
    /// Names without a text yet.
    #[serde(skip)]
    pub files: Vec<String>,
}

impl Scripts {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }
}

impl<'de> Deserialize<'de> for Scripts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scripts, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Scripts;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of script files, or a map from their names to their texts")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scripts, A::Error> {
                let mut scripts = Scripts::default();
                while let Some(name) = list.next_element()? {
                    scripts.files.push(name);
                }
                Ok(scripts)
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scripts, A::Error> {
                let mut scripts = Scripts::default();
                while let Some((name, text)) = map.next_entry()? {
                    scripts.texts.insert(name, text);
                }
                Ok(scripts)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
