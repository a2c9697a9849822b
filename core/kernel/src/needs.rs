//! What a phase or a combat system must find where it is composed.
//!
//! Rules read the ruleset's own tables ([`crate::Table::rules`]) and state ([`crate::Table::get`],
//! [`crate::Table::res`]) by type. A part that is composed where these are missing would fail in the
//! middle of a game; so every part says what it needs, and a composition that does not give it is
//! refused.

use crate::schema::{GameState, Schema, StatePart as Part, UnitState};
use std::any::{Any, TypeId, type_name};

/// What a phase or combat system needs. A composition that does not give it is refused with both
/// names, before any game is played.
///
/// ```
/// use cupola_kernel::Needs;
/// # use bevy_ecs::prelude::Resource;
/// # use serde::{Deserialize, Serialize};
/// # struct Rules;
/// # #[derive(Resource, Clone, Serialize, Deserialize)] struct Score;
/// let needs = Needs::nothing()
///     .player_turn()
///     .rules::<Rules>()
///     .resource::<Score>()
///     .combat("fire");
/// assert_eq!(needs.names().count(), 4);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Needs {
    pub(crate) turn: WhoseTurn,
    pub(crate) rules: Option<Kind>,
    pub(crate) state: Vec<Part>,
    pub(crate) combats: Vec<&'static str>,
    pub(crate) role: Option<&'static str>,
}

/// In which stretches of a turn a phase makes sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WhoseTurn {
    /// In any.
    #[default]
    Any,
    /// In a player turn.
    Player,
    /// Once for both sides.
    Both,
}

/// A type, with its name for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub id: TypeId,
    pub name: &'static str,
}

impl Needs {
    /// It can be played anywhere.
    #[must_use]
    pub fn nothing() -> Needs {
        Needs::default()
    }

    /// It is played in a player turn, by each side for itself: only then has
    /// [`crate::Table::active`] an answer.
    #[must_use]
    pub fn player_turn(mut self) -> Needs {
        self.turn = WhoseTurn::Player;
        self
    }

    /// It is played once for both sides, outside the player turns.
    #[must_use]
    pub fn once(mut self) -> Needs {
        self.turn = WhoseTurn::Both;
        self
    }

    /// It reads these tables of the ruleset.
    #[must_use]
    pub fn rules<R: Any + Send + Sync>(mut self) -> Needs {
        self.rules = Some(Kind {
            id: TypeId::of::<R>(),
            name: type_name::<R>(),
        });
        self
    }

    /// It reads or changes this component of every unit.
    #[must_use]
    pub fn unit<C: UnitState>(mut self) -> Needs {
        self.state.push(Part::unit::<C>());
        self
    }

    /// It reads or changes this resource.
    #[must_use]
    pub fn resource<R: GameState>(mut self) -> Needs {
        self.state.push(Part::resource::<R>());
        self
    }

    /// It reads or changes all that is registered so: for the phases of a ruleset,
    /// `state(|schema| MyRuleset.register(schema))`.
    #[must_use]
    pub fn state(mut self, register: impl FnOnce(&mut Schema)) -> Needs {
        let mut schema = Schema::default();
        register(&mut schema);
        self.state.extend_from_slice(schema.list());
        self
    }

    /// It fights by the combat system of this role.
    #[must_use]
    pub fn combat(mut self, role: &'static str) -> Needs {
        self.combats.push(role);
        self
    }

    /// It is a combat system whose outcomes only phases can read that fight in this role.
    #[must_use]
    pub fn role(mut self, role: &'static str) -> Needs {
        self.role = Some(role);
        self
    }

    /// What is needed, in words: for lists.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let turn = match self.turn {
            WhoseTurn::Any => None,
            WhoseTurn::Player => Some("a player turn".to_owned()),
            WhoseTurn::Both => Some("once for both sides".to_owned()),
        };
        let rules = self.rules.iter().map(|kind| format!("rules {}", kind.name));
        let state = self.state.iter();
        let state = state.map(|part| format!("state {}", part.name));
        let combats = self.combats.iter();
        let combats = combats.map(|role| format!("combat system for “{role}”"));
        let role = self.role.iter().map(|role| format!("the role “{role}”"));
        let parts = turn.into_iter().chain(rules).chain(state);
        parts.chain(combats).chain(role)
    }
}
