//! The order of battle as rows to print, filtered.

use serde::Serialize;

use crate::clock::Moment;
use crate::node::{Fate, Kind, Losses};
use crate::tree::{Army, NodeId};

/// What a reader of the roster asks for; what is `None` is not asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Within an army: id or name.
    pub army: Option<String>,
    /// Within a corps: id, number, name or commander; both sides may have one.
    pub corps: Option<String>,
    /// Within a division: id, name or commander.
    pub division: Option<String>,
    /// Of a kind; without one, regiments and batteries.
    pub kind: Option<Kind>,
    /// With this text in its id, name or commander, or in those of a formation that it belongs to.
    pub text: Option<String>,
    /// On the field before this moment.
    pub before: Option<Moment>,
    /// Also what never came to the field.
    pub absent: bool,
}

/// One row of the roster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Id of the node.
    pub id: String,
    /// Id of its army.
    pub side: String,
    /// Name of its corps, if it has one.
    pub corps: String,
    /// Name of its division or reserve, if it has one.
    pub division: String,
    /// Name of its brigade or battalion, if it has one.
    pub brigade: String,
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Its commander.
    pub commander: String,
    /// What became of him.
    pub fate: Fate,
    /// Men.
    pub men: u32,
    /// Number of guns.
    pub guns: u32,
    /// Guns by type, in words.
    pub gun_types: String,
    /// Losses in the battle.
    pub losses: Losses,
    /// When it came to the field.
    pub arrives: Option<Moment>,
    /// By which road.
    pub by: String,
    /// Why it was not on the field, if it was not.
    pub absent: Option<String>,
}

/// A name in a filter that fits no node, with those that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// What was asked for.
    pub asked: String,
    /// What sort of node was wanted.
    pub kind: Kind,
    /// The ids of those there are.
    pub known: Vec<String>,
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (asked, kind) = (&self.asked, self.kind);
        write!(
            f,
            "no {kind} \"{asked}\"; there are {}",
            self.known.join(", ")
        )
    }
}

impl std::error::Error for UnknownName {}

impl Army {
    /// The rows that a filter leaves, in the order of the list.
    pub fn roster(&self, filter: &Filter) -> Result<Vec<Row>, UnknownName> {
        let mut within = Vec::new();
        for (asked, kind) in [
            (&filter.army, Kind::Army),
            (&filter.corps, Kind::Corps),
            (&filter.division, Kind::Division),
        ] {
            if let Some(asked) = asked {
                within.push(self.named(asked, kind)?);
            }
        }
        let text = filter.text.as_ref().map(|text| text.to_lowercase());
        let asked_for = |id: &NodeId| {
            let kind = self.node(*id).kind;
            let of_kind = filter
                .kind
                .map_or(kind.is_troops(), |wanted| kind == wanted);
            let present = filter.absent || self.absence(*id).is_none();
            let inside = within
                .iter()
                .all(|wholes| wholes.iter().any(|whole| self.is_within(*id, *whole)));
            let said = text.as_ref().is_none_or(|text| {
                let mut formations = self.ancestors(*id);
                formations.any(|id| self.mentions(id, text))
            });
            let there = filter
                .before
                .is_none_or(|moment| self.is_there_by(*id, moment));
            of_kind && present && inside && said && there
        };
        let rows = self.ids().filter(asked_for).map(|id| self.row(id));
        Ok(rows.collect())
    }

    /// One row of the roster.
    pub fn row(&self, id: NodeId) -> Row {
        let node = self.node(id);
        let name_of = |kinds: &[Kind]| {
            let found = kinds.iter().find_map(|kind| self.above(id, *kind));
            found.map_or(String::new(), |id| self.node(id).name.clone())
        };
        let arrival = self.arrival(id);
        let guns = self.guns(id);
        Row {
            id: node.id.clone(),
            side: self.node(self.side(id)).id.clone(),
            corps: name_of(&[Kind::Corps]),
            division: name_of(&[Kind::Division, Kind::Reserve]),
            brigade: name_of(&[Kind::Brigade, Kind::Battalion]),
            kind: node.kind,
            name: node.name.clone(),
            commander: node.commander.clone(),
            fate: node.fate,
            men: self.men(id),
            guns: guns.total(),
            gun_types: guns.to_string(),
            losses: self.losses(id),
            arrives: arrival.map(|arrival| arrival.at),
            by: arrival.map_or(String::new(), |arrival| arrival.by.clone()),
            absent: self.absence(id).map(str::to_owned),
        }
    }

    /// The nodes of a kind whose id or name is this, or that have it in their name or commander.
    fn named(&self, asked: &str, kind: Kind) -> Result<Vec<NodeId>, UnknownName> {
        // A reserve stands where a division would, so it can be asked for as one.
        let fits = |id: &NodeId| match self.node(*id).kind {
            Kind::Reserve => kind == Kind::Division,
            other => other == kind,
        };
        let all: Vec<NodeId> = self.ids().filter(fits).collect();
        let lower = asked.to_lowercase();
        let called = |id: &NodeId| {
            let node = self.node(*id);
            // The last part of an id is the number or name that people use: `III`, `heth`.
            let tail = node.id.rsplit('-').next();
            node.id == lower || tail == Some(&lower) || node.name.to_lowercase() == lower
        };
        let mut found: Vec<NodeId> = all.iter().copied().filter(called).collect();
        // A word of the name or of the commander's will do, but not two letters inside one.
        let begins = |id: &NodeId| {
            let node = self.node(*id);
            let words = node.name.split(' ').chain(node.commander.split(' '));
            let mut words = words.map(str::to_lowercase);
            lower.len() > 2 && words.any(|word| word.starts_with(&lower))
        };
        if found.is_empty() {
            found = all.iter().copied().filter(begins).collect();
        }
        if found.is_empty() {
            return Err(UnknownName {
                asked: asked.to_owned(),
                kind,
                known: all.iter().map(|id| self.node(*id).id.clone()).collect(),
            });
        }
        Ok(found)
    }
}
