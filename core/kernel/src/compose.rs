//! A ruleset is a composition: which phases in which order, which combat systems in which roles.
//!
//! The composition is data (`ruleset.ron`). The phases and combat systems it names come from the
//! [`Registry`](crate::Registry). A [`Variant`](crate::Variant) changes a composition by name.

use crate::scripting::Scripts;
use cupola_data::Sourced;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `ruleset.ron` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// The ruleset's short name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is modelled on, with thanks.
    pub modelled_on: String,
    /// The registered ruleset of whose parts it is composed, where that is not one of its own name: a ruleset
    /// that is data alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built_on: Option<String>,
    /// The battle that it was made for, where nobody names another.
    #[serde(default)]
    pub battle: Option<String>,
    /// The two sides, in the order in which they play.
    pub sides: [SideSpec; 2],
    /// What a turn consists of.
    pub sequence: Vec<Stretch>,
    /// Combat systems by role.
    #[serde(default)]
    pub combat: BTreeMap<String, String>,
    /// Rulings and optional rules that players may set.
    #[serde(default)]
    pub switches: BTreeMap<String, bool>,
    /// The data files that belong to the ruleset.
    #[serde(default)]
    pub files: Vec<String>,
    /// The least and the most that values may be, by path: what is written in the files is held against it.
    /// Not part of who the rules are: a game is played by its values.
    #[serde(default, skip_serializing)]
    pub ranges: BTreeMap<String, Sourced<(i64, i64)>>,
    /// Scripts that a variant brought, by name.
    #[serde(default, skip_serializing_if = "Scripts::is_empty")]
    pub scripts: Scripts,
    /// Lines that are added to fights: `-1 in assault when target.cover is woods`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
}

/// A side in `ruleset.ron`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideSpec {
    /// Short and stable: `cs`.
    pub id: String,
    /// In full.
    pub name: String,
    /// The side of the ruleset whose place it takes, in a battle of other armies: their rules know it by this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

impl SideSpec {
    /// The name by which the ruleset knows the side: its own, or that of the side whose place it takes.
    #[must_use]
    pub fn role(&self) -> &str {
        self.role.as_deref().unwrap_or(&self.id)
    }
}

/// A stretch of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stretch {
    /// These phases for the first player, then for the second.
    Sides(Vec<String>),
    /// One phase for both.
    Once(String),
}

impl Composition {
    /// The registered ruleset of whose parts it is composed.
    #[must_use]
    pub fn base(&self) -> &str {
        self.built_on.as_deref().unwrap_or(&self.name)
    }

    /// All phases in order of play, each once.
    pub fn phases(&self) -> impl Iterator<Item = &str> {
        self.sequence.iter().flat_map(|stretch| match stretch {
            Stretch::Sides(names) => names.iter().map(String::as_str).collect::<Vec<_>>(),
            Stretch::Once(name) => vec![name.as_str()],
        })
    }
}
