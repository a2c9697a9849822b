//! What lies beside the map: tables as the game reads them, and what cards, chits and entries mean.
//!
//! Charts are made by the ruleset from the very tables that it plays by, so they cannot go stale. What
//! needs words is in the ruleset's file `terms.ron`.

use crate::env::Env;
use crate::ruleset::Ruleset;
use cupola_data::{Problems, Source};
use serde::{Deserialize, Serialize};

/// A table with headings, ready to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chart {
    /// What it is: `Combat results`.
    pub title: String,
    /// The section that it belongs to.
    pub rule: String,
    /// The headings of its columns.
    pub head: Vec<String>,
    /// Its rows, each with a cell for every heading.
    pub rows: Vec<Vec<String>>,
    /// What else one must know to read it.
    pub note: String,
}

impl Chart {
    /// A chart without rows yet.
    pub fn new<T: Into<String>>(
        title: &str,
        rule: &str,
        head: impl IntoIterator<Item = T>,
    ) -> Chart {
        Chart {
            title: title.to_owned(),
            rule: rule.to_owned(),
            head: head.into_iter().map(Into::into).collect(),
            ..Chart::default()
        }
    }

    /// Adds a row.
    #[must_use]
    pub fn row<T: Into<String>>(mut self, cells: impl IntoIterator<Item = T>) -> Chart {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// Says what else one must know to read it.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Chart {
        self.note = text.into();
        self
    }
}

/// A card, a chit, an entry or a word of the trade, explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// As it is printed: `Rebel Yell!`.
    pub name: String,
    /// What it is: `card`, `chit`, `entry`, `result`, `word`.
    pub kind: String,
    /// What it does or means.
    pub text: String,
    /// The section that says so.
    #[serde(default)]
    pub rule: String,
}

/// All that lies beside the map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The tables that the game reads.
    pub charts: Vec<Chart>,
    /// What its cards, chits and words mean.
    pub terms: Vec<Term>,
}

impl Reference {
    pub(crate) fn of(ruleset: &dyn Ruleset, env: &Env) -> Reference {
        let entries = env.board.entries().iter().filter_map(|entry| {
            let hex = env.board.label(entry.hex?);
            Some(Term {
                name: entry.code.clone().unwrap_or_else(|| entry.name.clone()),
                kind: "entry".to_owned(),
                text: format!("{}, at {hex}", entry.name),
                rule: String::new(),
            })
        });
        Reference {
            charts: ruleset.charts(env),
            terms: env.terms.iter().cloned().chain(entries).collect(),
        }
    }
}

/// Reads a ruleset's words, if it has any.
pub(crate) fn read_terms(file: Option<&Source>) -> Result<Vec<Term>, Problems> {
    file.map_or(Ok(vec![]), |file| Ok(file.ron()?))
}
